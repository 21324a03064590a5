#include "engine/case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lnverify {
const Array* Case::find(std::string_view wanted) const {
  for (const Array& array : arrays)
    if (array.name == wanted) return &array;
  return nullptr;
}

Array* Case::find(std::string_view wanted) {
  for (Array& array : arrays)
    if (array.name == wanted) return &array;
  return nullptr;
}

std::size_t Case::elements() const {
  std::size_t total = 0;
  for (const Array& array : arrays) total += array.values.size();
  return total;
}

std::size_t element_count(const Case& c, const Array& array) {
  std::size_t count = 1;
  for (const std::string& axis : array.axes) count *= c.size(axis);
  return count;
}

namespace {

// Keeps the given indices of the axis at `position` in a row-major array.
std::vector<double> restricted_values(
    const Case& c, const Array& array, std::size_t position, const std::vector<bool>& keep) {
  std::size_t inner = 1;
  for (std::size_t k = position + 1; k < array.axes.size(); ++k) inner *= c.size(array.axes[k]);
  std::vector<double> result;
  result.reserve(array.values.size());
  for (std::size_t start = 0; start < array.values.size(); start += inner) {
    if (!keep[(start / inner) % keep.size()]) continue;
    const auto first = array.values.begin() + static_cast<std::ptrdiff_t>(start);
    result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(inner));
  }
  return result;
}

}  // namespace

Case restricted(const Case& c, const std::string& axis, const std::vector<bool>& keep) {
  Case result = c;
  for (std::size_t k = 0; k < c.arrays.size(); ++k) {
    const Array& array = c.arrays[k];
    const auto position = std::find(array.axes.begin(), array.axes.end(), axis);
    if (position == array.axes.end()) continue;
    result.arrays[k].values =
        restricted_values(c, array, static_cast<std::size_t>(position - array.axes.begin()), keep);
  }
  result.sizes[axis] = static_cast<std::size_t>(std::count(keep.begin(), keep.end(), true));
  return result;
}

std::uint64_t complexity(double value) {
  if (value == 0) return 0;
  if (std::isnan(value)) return 5000;
  if (std::isinf(value)) return value > 0 ? 4998 : 4999;
  int exponent = 0;
  double mantissa = std::frexp(std::fabs(value), &exponent);
  std::uint64_t bits = 0;
  for (; mantissa != 0; ++bits) {
    mantissa = 2 * mantissa;
    mantissa -= std::floor(mantissa);
  }
  const auto magnitude = static_cast<std::uint64_t>(std::abs(exponent - 1));
  return 1 + 8 * (bits - 1) + 2 * magnitude + (exponent < 1 ? 1 : 0) + (value < 0 ? 1 : 0);
}

CaseComplexity complexity(const Case& c) {
  CaseComplexity total{
      .elements = c.elements(),
      .arrays = c.arrays.size(),
      .values = 0,
      .placement = static_cast<int>(c.placement)};
  for (const Array& array : c.arrays)
    for (const double value : array.values) total.values += complexity(value);
  return total;
}

}  // namespace lnverify
