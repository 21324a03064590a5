// Double-word arithmetic: numbers of about 106 bits as unevaluated sums of two doubles, with proven errors.
//
// With u = 2^-53, barring overflow and underflow, the relative errors are (those of sums hold under
// cancellation too; A n is the algorithm's number in the first paper)
//
//   word + double    2 u^2              A 4         word / double    3 u^2              A 15
//   word + word      3 u^2 + 13 u^3     A 6         word / word      15 u^2 + 56 u^3    A 17
//   word * double    2 u^2              A 9         sqrt             25/8 u^2           SQRTDWtoDW
//   word * word      5 u^2              A 12
//
// Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of double-word
// arithmetic", ACM TOMS 44 (2017), with the formal proofs of Muller and Rideau, ACM TOMS 48 (2022); Lefevre,
// Louvet, Muller, Picot, Rideau, "Accurate calculation of Euclidean norms using double-word arithmetic",
// ACM TOMS 49 (2023). Sums keep their bounds under gradual underflow; where a product may underflow, its user
// must account for it. Needs the default rounding mode and no -ffast-math.
#pragma once

#include <cmath>

namespace layer_norm::double_word {

// high + low, high = the sum rounded to double.
struct DoubleWord {
  double high = 0;
  double low = 0;
};

// The sum of two doubles, exactly.
inline DoubleWord two_sum(double a, double b) {
  const double sum = a + b;
  const double a_part = sum - b;
  const double b_part = sum - a_part;
  return {sum, (a - a_part) + (b - b_part)};
}
// The same if a = 0 or |a| >= |b|.
inline DoubleWord fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}
// The product of two doubles, exactly unless it is below 2^-969.
inline DoubleWord two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

inline DoubleWord operator-(const DoubleWord& x) { return {-x.high, -x.low}; }
inline DoubleWord operator+(const DoubleWord& x, double y) {
  const DoubleWord sum = two_sum(x.high, y);
  return fast_two_sum(sum.high, x.low + sum.low);
}
inline DoubleWord operator+(const DoubleWord& x, const DoubleWord& y) {
  const DoubleWord high = two_sum(x.high, y.high);
  const DoubleWord low = two_sum(x.low, y.low);
  const DoubleWord sum = fast_two_sum(high.high, high.low + low.high);
  return fast_two_sum(sum.high, low.low + sum.low);
}
inline DoubleWord operator*(const DoubleWord& x, double y) {
  const DoubleWord product = two_product(x.high, y);
  return fast_two_sum(product.high, std::fma(x.low, y, product.low));
}
inline DoubleWord operator*(const DoubleWord& x, const DoubleWord& y) {
  const DoubleWord product = two_product(x.high, y.high);
  const double cross = std::fma(x.low, y.high, std::fma(x.high, y.low, x.low * y.low));
  return fast_two_sum(product.high, product.low + cross);
}
inline DoubleWord operator/(const DoubleWord& x, double y) {
  const double quotient = x.high / y;
  const DoubleWord product = two_product(quotient, y);
  const double rest = ((x.high - product.high) - product.low) + x.low;
  return fast_two_sum(quotient, rest / y);
}
inline DoubleWord operator/(const DoubleWord& x, const DoubleWord& y) {
  const double quotient = x.high / y.high;
  const DoubleWord product = y * quotient;
  const double rest = (x.high - product.high) + (x.low - product.low);
  return fast_two_sum(quotient, rest / y.high);
}
// Precondition: x > 0.
inline DoubleWord sqrt(const DoubleWord& x) {
  const double root = std::sqrt(x.high);
  const double rest = std::fma(-root, root, x.high) + x.low;
  return fast_two_sum(root, rest / (2 * root));
}

}  // namespace layer_norm::double_word
