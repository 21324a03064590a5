// A Case: everything that one evaluation of a law needs, as plain data.
//
// Named arrays of doubles, each value exactly representable in the scalar under test. Every array names its
// axes and sizes belong to the axes, so removing index 3 of axis "d" removes it from every array that has
// that axis. A scalar input (epsilon, a shift) is an array without axes. An optional array that is absent is
// not listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/placement.hpp"

namespace lnverify {

struct Array {
  std::string name;
  std::vector<std::string> axes;
  std::vector<double> values;
  bool optional = false;  // the law accepts the case without this array

  friend bool operator==(const Array& a, const Array& b) {
    return a.name == b.name && a.axes == b.axes && a.values == b.values;
  }
};

// Arrays named "eps..." hold epsilons: finite, not negative, and on the grid of epsilon rather than that of
// values.
inline bool is_epsilon(const Array& array) { return array.name.starts_with("eps"); }

struct Case {
  std::map<std::string, std::size_t> sizes;  // by axis
  std::vector<Array> arrays;
  Placement placement = Placement::end;
  std::string family;  // what generated it; "" when written by hand

  const Array* find(std::string_view name) const;
  Array* find(std::string_view name);
  std::size_t size(const std::string& axis) const { return sizes.at(axis); }
  std::size_t elements() const;  // of all arrays together

  friend bool operator==(const Case& a, const Case& b) {
    return a.sizes == b.sizes && a.arrays == b.arrays && a.placement == b.placement;
  }
};

// The product of the sizes of the axes.
std::size_t element_count(const Case& c, const Array& array);

// Keeps only the indices of `axis` for which keep is true, in every array that has the axis.
Case restricted(const Case& c, const std::string& axis, const std::vector<bool>& keep);

// How complicated a number is for a reader: 0 is the simplest, then 1, -1, 2, 1/2, 3 ... Used to make sure
// that shrinking ends: every step makes a case simpler.
std::uint64_t complexity(double value);

// Lexicographic: elements, arrays, sum of complexities, placement.
struct CaseComplexity {
  std::size_t elements = 0;
  std::size_t arrays = 0;
  std::uint64_t values = 0;
  int placement = 0;
  friend auto operator<=>(const CaseComplexity&, const CaseComplexity&) = default;
};
CaseComplexity complexity(const Case& c);

}  // namespace lnverify
