// What the typed tests of the library share: the number types, a wider type for each to hold exact values in,
// and comparison within the derived bounds.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <layer_norm/error_bound.hpp>
#include <layer_norm/scalar.hpp>
#include <optional>
#include <random>
#include <type_traits>

namespace layer_norm::test {

using NumberTypes = ::testing::Types<float, double, mp50, mp100>;
using FloatingTypes = ::testing::Types<float, double>;

using mp200 = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<200, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, mp100>, mp200, mp100>;

template <class T>
Precision precision() {
  if constexpr (std::is_same_v<T, float>) return uniform_precision(f32_format());
  if constexpr (std::is_same_v<T, double>) return uniform_precision(f64_format());
  constexpr int digits = std::numeric_limits<T>::digits;
  return uniform_precision({.digits = digits, .unit_roundoff = std::ldexp(1.0, -digits)});
}

// The machine's types are evaluated in twice their precision: c = 1 and a little for the second rounding. The
// plain formulas in MPFR are honest two-pass kernels: c(d).
template <class T>
double promised_count(std::size_t d) {
  return std::is_floating_point_v<T> ? 1 + 0x1p-20 : roundoff_count(d);
}

template <class W, class T>
Row<W> widened(const Row<T>& row) {
  Row<W> result(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) result[i] = W(row[i]);
  return result;
}
template <class W, class T>
std::optional<Row<W>> widened(const std::optional<Row<T>>& row) {
  if (!row) return std::nullopt;
  return widened<W>(*row);
}
template <class W, class T>
Matrix<W> widened(const Matrix<T>& m) {
  return Matrix<W>(m.rows(), m.cols(), widened<W>(m.values()));
}

template <class T, class W>
void expect_within(const Row<T>& got, const Row<W>& exact, const Row<W>& bound) {
  ASSERT_EQ(got.size(), exact.size());
  ASSERT_EQ(got.size(), bound.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const W error = magnitude(W(W(got[i]) - exact[i]));
    EXPECT_TRUE(error <= bound[i]) << "coordinate " << i << ": " << got[i] << " for " << exact[i]
                                   << ", error " << error << ", bound " << bound[i];
  }
}

template <class T>
void expect_all_nan(const Row<T>& row) {
  for (const T& x : row) EXPECT_FALSE(x == x) << x;
}

// Uniform sign, exponent and leading 20 bits: exactly representable in every type, the same in every run.
template <class T>
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}

  T value(int lowest, int highest) {
    const int exponent = lowest + static_cast<int>(engine_() % static_cast<unsigned>(highest - lowest + 1));
    const double fraction = 1 + static_cast<double>(engine_() >> 12U) * 0x1p-20;
    return static_cast<T>(std::ldexp((engine_() & 1U) != 0 ? fraction : -fraction, exponent));
  }
  Row<T> row(std::size_t d, int lowest, int highest) {
    Row<T> result(d);
    for (T& x : result) x = value(lowest, highest);
    return result;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace layer_norm::test
