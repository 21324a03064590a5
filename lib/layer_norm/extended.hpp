// Twice the working precision, so that every result is a plain formula rounded once.
//
// Extended<T> is the type in which the reference evaluates a row of T:
//
//   float    double, whose range and precision hold every square of a float
//   double   Twofold, an unevaluated sum of two doubles (about 106 bits, the range of double)
//   others   T itself: MPFR numbers and exact numbers need no help
//
// The error-free transformations are Knuth's two-sum and the product with a fused multiply-add; sums are
// Ogita, Rump and Oishi's Sum2 ("Accurate sum and dot product", 2005). They rely on IEEE arithmetic: neither
// -ffast-math nor contraction of expressions.
#pragma once

#include <cmath>
#include <cstddef>
#include <layer_norm/power_of_two.hpp>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace layer_norm::detail {

struct Twofold {
  double hi = 0;
  double lo = 0;

  Twofold() = default;
  explicit Twofold(double high, double low = 0) : hi(high), lo(low) {}

  // The lower part is NaN once the upper one has become infinite; then the upper one is the value.
  double value() const { return lo - lo == 0 ? hi + lo : hi; }

  friend Twofold operator-(const Twofold& a) { return Twofold(-a.hi, -a.lo); }
  friend bool operator==(const Twofold& a, const Twofold& b) { return a.hi == b.hi && a.lo == b.lo; }
};

inline Twofold two_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return Twofold(s, (a - (s - t)) + (b - t));
}
inline Twofold fast_two_sum(double a, double b) {
  const double s = a + b;
  return Twofold(s, b - (s - a));
}
inline Twofold two_product(double a, double b) {
  const double p = a * b;
  return Twofold(p, std::fma(a, b, -p));
}

inline Twofold operator+(const Twofold& a, const Twofold& b) {
  const Twofold s = two_sum(a.hi, b.hi);
  return fast_two_sum(s.hi, s.lo + (a.lo + b.lo));
}
inline Twofold operator-(const Twofold& a, const Twofold& b) { return a + (-b); }
inline Twofold operator*(const Twofold& a, const Twofold& b) {
  const Twofold p = two_product(a.hi, b.hi);
  return fast_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
inline Twofold operator/(const Twofold& a, const Twofold& b) {
  const double first = a.hi / b.hi;
  const Twofold product = two_product(first, b.hi);
  const double rest = ((a.hi - product.hi) - product.lo) + (a.lo - first * b.lo);
  return fast_two_sum(first, rest / b.hi);
}
inline Twofold sqrt(const Twofold& a) {
  const double root = std::sqrt(a.hi);
  if (root == 0) return Twofold(0);
  const Twofold square = two_product(root, root);
  return fast_two_sum(root, ((a.hi - square.hi) - square.lo + a.lo) / (2 * root));
}

template <class T>
struct ExtendedOf {
  using type = T;
};
template <>
struct ExtendedOf<float> {
  using type = double;
};
template <>
struct ExtendedOf<double> {
  using type = Twofold;
};
template <class T>
using Extended = typename ExtendedOf<T>::type;

// double is the one type whose row can leave the range of its extended type; it alone is scaled by powers of
// two.
template <class T>
inline constexpr bool is_scaled = std::is_same_v<T, double>;

// A sum of Extended values.
template <class E>
class Sum {
 public:
  void add(const E& x) { total_ += x; }
  E total() const { return total_; }

 private:
  E total_ = E(0);
};
template <>
class Sum<Twofold> {
 public:
  // The lower parts are gathered apart and joined at the end: one addition on the critical path.
  void add(const Twofold& x) {
    const Twofold s = two_sum(hi_, x.hi);
    hi_ = s.hi;
    lo_ += s.lo + x.lo;
  }
  // An infinite sum has no lower part, as in Twofold::value.
  Twofold total() const { return lo_ - lo_ == 0 ? fast_two_sum(hi_, lo_) : Twofold(hi_); }

 private:
  double hi_ = 0;
  double lo_ = 0;
};

// x 2^exponent; only Twofold ever has an exponent other than 0.
template <class E>
E times_power_of_two(const E& x, int exponent) {
  if constexpr (std::is_same_v<E, Twofold>)
    return exponent == 0 ? x : Twofold(scaled(x.hi, exponent), scaled(x.lo, exponent));
  else
    return x;
}

// x 2^exponent rounded to T. Overflow gives an infinity, as one rounding would.
template <class T>
T narrow(const Extended<T>& x, [[maybe_unused]] int exponent = 0) {
  if constexpr (std::is_same_v<T, double>)
    return exponent == 0 ? x.value() : scaled(x.value(), exponent);
  else
    return static_cast<T>(x);
}

template <class T>
bool is_finite(const T& x) {
  return x - x == T(0);
}

template <class T>
T not_a_number() {
  return T(std::numeric_limits<double>::quiet_NaN());
}

// The exponent by which a double so large that sums and products with it could overflow is scaled down first;
// 0 for all others. What is lost below is less than 2^-1000 of the large operand.
inline int overflow_guard(double x) {
  constexpr double large = 0x1p900;
  constexpr int guard = 200;
  return std::abs(x) > large ? guard : 0;
}

template <class T>
void require_epsilon(const T& eps) {
  if (eps >= T(0) && is_finite(eps)) return;
  std::ostringstream message;
  message << "eps must be finite and at least 0, not ";
  if constexpr (requires { message << eps; })
    message << eps;
  else
    message << "a negative number";
  throw std::invalid_argument(message.str());
}

inline void require_coordinates(std::size_t d) {
  if (d == 0) throw std::invalid_argument("z must have at least one coordinate: d = 0");
}

inline void require_size(const char* argument, std::size_t size, std::size_t expected) {
  if (size != expected)
    throw std::invalid_argument(
        std::string(argument) + " must have " + std::to_string(expected) + " entries, not " +
        std::to_string(size));
}

}  // namespace layer_norm::detail
