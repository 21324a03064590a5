// The quick stage of correct rounding: narrow enclosures of u_i, y_i and dz_i in double-word arithmetic, with
// proven radii.
//
// An enclosure decides a rounding when all numbers in it round alike. Nearly all coordinates are decided
// here, at a cost of some ten nanoseconds; the others (ties, numbers very near to a midpoint, coordinates
// that the cancellation in z - mean leaves few bits of, results near the ends of the range of double) are
// left to integer arithmetic.
//
// Bounds. u = 2^-53, all rows scaled by a power of two so that 1 <= M = max|z_i| < 2. Underflow in the
// scaling, in a product or in eps adds less than 2^-900 to any quantity of the forward pass, while the sum of
// v_i^2 is at least 2^-107 (two entries differ, one of them of size M; hence by 2^-53 or more), so the slack
// in the constants below pays for it. Computed numbers have a prime.
//
//   mean  The d additions of the sum have relative errors 2u^2 each and partial sums below 2d, so the sum
//         errs by less than 4.04 d^2 u^2; with the division's 3u^2 |mean|, the mean by (4.04 d + 7) u^2.
//   v_i   is z_i - mean up to a relative 2u^2, |v_i| < 4: error below E = (8d + 32) u^2 = (d + 4) 2^-103.
//   q     Sum of v'_i^2: relative error (3d + 6) u^2 of the arithmetic, since all terms are positive, and
//         |sum v^2 - sum v'^2| <= 2E sum|v'| + d E^2 <= (2x + x^2) sum v'^2 with x = E/sqrt(q).
//         With the division by d: below R = 2.1 x + (4d + 16) u^2 while x <= 2^-20.
//   D     = q + eps: relative error R + 4u^2.
//   u_i   = v_i * (1/sqrt(D)): relative error E/|v_i| + (R + 4u^2)/2 + (25/8 + 16 + 5) u^2, times 1.01 for
//         the second order while E/|v_i| and R are at most 2^-20; below 1.02 (E/|v_i| + R/2 + 64 u^2).
//   y_i   = gain * u_i + bias: |gain| times the error of u_i, and 2u^2 |gain u_i| + 2u^2 |y_i|; together
//         below 1.01 (|gain| radius + 4u^2 (|gain u_i| + |y_i|)).
//
// The backward pass, with G = max|g_i|, each nonzero g_i exact as a product of two doubles, and in the
// range where underflow is as harmless: G u^2 > 2^-420, D < 2^300.
//   mean g       below A = (4d + 8) u^2 G, as for z with additions of 3u^2.
//   mean(g v)    each product errs by G E + 5u^2 * 4G, their sum and division by (3.03 d + 4) u^2 * 4G:
//                below B = G (1.01 E + (13d + 40) u^2).
//   c            = mean(g v)/D: below C = 1.01 (B/D + |c| (R + 24 u^2)).
//   b_i          = g_i - mean g - v_i c, |v_i| < 4: below A + 1.01 (4C + E |c| + 5u^2 |v_i c|)
//                + 4u^2 (|g_i - mean g| + |b_i|).
//   dz_i         = b_i / sqrt(D): below 1.02 (error of b_i / sqrt(D) + |dz_i| (R/2 + 64 u^2)).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <layer_norm/array.hpp>
#include <layer_norm/binary_rounding.hpp>
#include <layer_norm/double_word.hpp>
#include <optional>
#include <vector>

namespace layer_norm {

// All reals within `radius` of center, whose size is at least 2^-900 and at most 2^900.
struct Enclosure {
  double_word::DoubleWord center;
  double radius = 0;
};

namespace detail {

constexpr double smallest_quick = 0x1p-900;
constexpr double largest_quick = 0x1p+900;

inline bool quick_range(double x) {
  const double size = std::fabs(x);
  return size >= smallest_quick && size <= largest_quick;
}

}  // namespace detail

// The one value that all reals of the enclosure round to, or nothing if there are two.
inline std::optional<double> decided_value(const Enclosure& x, const Format& format) {
  const double high = x.center.high;
  const double low = x.center.low;
  // Larger than the radius by more than the rounding errors of low - radius and low + radius.
  const double radius = (x.radius + 0x1p-52 * std::fabs(low)) * (1 + 0x1p-50);
  double below = high + (low - radius);
  double above = high + (low + radius);
  if (format.digits < 53) {
    // `below` and `above` are roundings of the ends; one more step outwards makes them bounds of the reals.
    below = nearest_value(below - 0x1p-52 * std::fabs(below), format);
    above = nearest_value(above + 0x1p-52 * std::fabs(above), format);
  }
  if (below == above && std::signbit(below) == std::signbit(above)) return below;
  return std::nullopt;
}

// Enclosures for one row of finite numbers, eps >= 0 finite.
class QuickRow {
 public:
  QuickRow(const Row<double>& z, double eps);

  // Nothing if the row or the coordinate is not for this stage.
  std::optional<Enclosure> core(std::size_t i) const {
    if (!usable_) return std::nullopt;
    const double_word::DoubleWord v = deviation(i);
    const double size = std::fabs(v.high);
    if (!(deviation_error_ <= 0x1p-20 * size)) return std::nullopt;
    const double_word::DoubleWord u = v * inverse_root_;
    if (!detail::quick_range(u.high)) return std::nullopt;
    return Enclosure{u, 1.02 * std::fabs(u.high) * (deviation_error_ / size + root_error_)};
  }

  std::optional<Enclosure> output(std::size_t i, double gain, double bias) const {
    if (gain == 0 || !(std::fabs(gain) > 0x1p-300 && std::fabs(gain) < 0x1p300)) return std::nullopt;
    if (bias != 0 && !detail::quick_range(bias)) return std::nullopt;
    const auto u = core(i);
    if (!u || !(std::fabs(u->center.high) > 0x1p-300)) return std::nullopt;
    const double_word::DoubleWord product = u->center * gain;
    const double_word::DoubleWord y = product + bias;
    if (!detail::quick_range(y.high)) return std::nullopt;
    const double radius =
        1.01 * (std::fabs(gain) * u->radius + 0x1p-104 * (std::fabs(product.high) + std::fabs(y.high)));
    return Enclosure{y, radius};
  }

  // dz of the whole row; gain and dy have the size of z.
  std::vector<std::optional<Enclosure>> input_gradient(const Row<double>& gain, const Row<double>& dy) const;

 private:
  double_word::DoubleWord deviation(std::size_t i) const { return -mean_ + scaled_[i]; }

  Row<double> scaled_;                    // z * 2^-k
  double_word::DoubleWord mean_;          // of scaled_
  int exponent_ = 0;                      // k
  double_word::DoubleWord stabilized_;    // D, of scaled_ and eps 4^-k
  double_word::DoubleWord inverse_root_;  // 1/sqrt(D)
  double deviation_error_ = 0;            // E
  double root_error_ = 0;                 // R/2 + 64 u^2
  bool usable_ = false;
};

inline QuickRow::QuickRow(const Row<double>& z, double eps) : scaled_(z) {
  const double largest = max_abs(z);
  if (largest == 0 || std::all_of(z.begin(), z.end(), [&z](double x) { return x == z[0]; })) return;
  const int k = exponent_ = std::ilogb(largest);
  // Two steps: 2^-k itself may be too large or too small for a double.
  const double first = std::ldexp(1.0, -(k / 2));
  const double second = std::ldexp(1.0, -(k - k / 2));
  double_word::DoubleWord sum;
  for (double& x : scaled_) {
    x = x * first * second;
    sum = sum + x;
  }
  const auto d = static_cast<double>(z.size());
  mean_ = sum / d;
  deviation_error_ = (d + 4) * 0x1p-103;

  double_word::DoubleWord squares;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double_word::DoubleWord v = deviation(i);
    squares = squares + v * v;
  }
  const double_word::DoubleWord variance = squares / d;
  const double x = deviation_error_ / std::sqrt(variance.high);
  if (!(x <= 0x1p-24)) return;
  const double variance_error = 2.1 * x + (4 * d + 16) * 0x1p-106;
  if (!(variance_error <= 0x1p-20)) return;
  root_error_ = variance_error / 2 + 64 * 0x1p-106;

  const int eps_exponent = eps == 0 ? 0 : std::ilogb(eps) - 2 * k;
  if (eps_exponent > 900) return;
  stabilized_ = variance + std::ldexp(eps, -2 * k);
  inverse_root_ = double_word::DoubleWord{1, 0} / sqrt(stabilized_);
  usable_ = true;
}

inline std::vector<std::optional<Enclosure>> QuickRow::input_gradient(
    const Row<double>& gain, const Row<double>& dy) const {
  using double_word::DoubleWord;
  constexpr double u2 = 0x1p-106;
  const std::size_t count = scaled_.size();
  std::vector<std::optional<Enclosure>> result(count);
  if (!usable_ || std::abs(exponent_) > 1000 || !(stabilized_.high < 0x1p300)) return result;

  std::vector<DoubleWord> g(count);
  DoubleWord sum;
  DoubleWord projection;
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    g[i] = double_word::two_product(gain[i], dy[i]);
    const double magnitude = std::fabs(g[i].high);
    if (gain[i] != 0 && dy[i] != 0 && !(magnitude > 0x1p-300 && magnitude < 0x1p300)) return result;
    largest = std::max(largest, magnitude);
    sum = sum + g[i];
    projection = projection + g[i] * deviation(i);
  }
  const auto d = static_cast<double>(count);
  const DoubleWord mean = sum / d;
  const DoubleWord c = projection / d / stabilized_;
  const double mean_error = (4 * d + 8) * u2 * largest;
  const double projection_error = largest * (1.01 * deviation_error_ + (13 * d + 40) * u2);
  const double relative = 2 * root_error_;  // above R + 24 u^2
  const double c_error = 1.01 * (projection_error / stabilized_.high + std::fabs(c.high) * relative);
  const double scale = std::ldexp(1.0, -exponent_);

  for (std::size_t i = 0; i < count; ++i) {
    const DoubleWord removed = deviation(i) * c;
    const DoubleWord difference = g[i] + -mean;
    const DoubleWord b = difference + -removed;
    const double b_error =
        mean_error +
        1.01 * (4 * c_error + deviation_error_ * std::fabs(c.high) + 5 * u2 * std::fabs(removed.high)) +
        4 * u2 * (std::fabs(difference.high) + std::fabs(b.high));
    const DoubleWord dz = b * inverse_root_;
    const double error = 1.02 * (b_error * inverse_root_.high + std::fabs(dz.high) * root_error_);
    const double size = std::fabs(dz.high * scale);
    if (!(std::fabs(dz.high) > 0x1p-300 && size > 0x1p-800 && size < 0x1p800)) continue;
    result[i] = Enclosure{{dz.high * scale, dz.low * scale}, error * scale};
  }
  return result;
}

}  // namespace layer_norm
