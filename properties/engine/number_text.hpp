// Numbers as text: exact for files, short for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lnverify {

std::string hex_float(double value);                           // "0x1.8p+1", "nan", "inf", "-inf"
std::optional<double> parse_hex_float(std::string_view text);  // exactly what hex_float writes; else nothing
std::string short_decimal(
    double value);  // the shortest that reads back as the same double: "0.1", "-3", "nan"
// "[0, 1, 2.5]"; at most `most` values, then how many more there are.
std::string readable_list(const std::vector<double>& values, std::size_t most = 16);

}  // namespace lnverify
