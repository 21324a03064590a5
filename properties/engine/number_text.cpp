#include "engine/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lnverify {

std::string hex_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%a", value);
  return buffer;
}

std::optional<double> parse_hex_float(std::string_view text) {
  if (text == "nan") return std::nan("");
  if (text == "inf") return HUGE_VAL;
  if (text == "-inf") return -HUGE_VAL;
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (!digits.starts_with("0x")) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(copy.c_str(), &end);
  // ERANGE: an overflow, or an underflow that lost bits; exact subnormal numbers give none.
  if (end != copy.c_str() + copy.size() || digits.size() < 3 || errno == ERANGE) return std::nullopt;
  return value;
}

std::string short_decimal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{}", value == 0 ? 0.0 : value);
}

std::string readable_list(const std::vector<double>& values, std::size_t most) {
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(most, values.size()); ++i)
    text += (i == 0 ? "" : ", ") + short_decimal(values[i]);
  if (values.size() > most) text += fmt::format(", ... {} more", values.size() - most);
  return text + "]";
}

}  // namespace lnverify
