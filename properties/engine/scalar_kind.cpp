#include "scalar_kind.hpp"

#include <array>
#include <layer_norm/scalar.hpp>

namespace lnverify {

namespace {

constexpr std::array<std::string_view, 6> scalar_names = {"f16", "bf16", "f32", "f64", "mp50", "exact"};

}  // namespace

std::string_view name(Scalar scalar) { return scalar_names.at(static_cast<std::size_t>(scalar)); }

std::optional<Scalar> scalar_from_name(std::string_view name) {
  for (std::size_t i = 0; i < scalar_names.size(); ++i)
    if (scalar_names[i] == name) return static_cast<Scalar>(i);
  return std::nullopt;
}

layer_norm::Format format_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::f16:
      return layer_norm::f16_format();
    case Scalar::bf16:
      return layer_norm::bf16_format();
    case Scalar::f32:
      return layer_norm::f32_format();
    case Scalar::f64:
      return layer_norm::f64_format();
    case Scalar::mp50:
      return layer_norm::mp50_format();
    case Scalar::exact:
      break;
  }
  return layer_norm::Format{};
}

bool has_float_epsilon(Scalar scalar) {
  return scalar == Scalar::f16 || scalar == Scalar::bf16 || scalar == Scalar::f32;
}

}  // namespace lnverify
