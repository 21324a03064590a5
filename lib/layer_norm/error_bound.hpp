// How far an honest kernel may be from the exact result: bounds that are derived, not chosen.
//
// Notation: u unit roundoff of the format in which statistics are computed, N its smallest normal and lambda
// its smallest subnormal number, F its largest finite one; M = max |z_i|, kappa = max(M, N) / sigma, c a
// count of roundoffs, C = c u, and e_i = kappa (2 + |u_i|) + |u_i|.
//
// Forward. Let an input be perturbed by at most delta in every coordinate. The Jacobian has the entries
// (delta_ij - 1/d - u_i u_j / d) / sigma, and the sum of |u_j| is at most d, so u_i moves by at most
// (delta / sigma)(2 + |u_i|). A mean of d numbers, summed in any order, is off by at most ((d + 1)/2 + 2) u
// M, which is such a perturbation with delta in units of u M; hence the first part of e_i. The computed sigma
// has a relative error of at most (d/2 + 6) u, and the division and the subtraction one each; hence the
// second part, |u_i|. Gain and bias act on that error by |gain_i| and add roundings of y_i itself. (d/2 + 7)
// u covers the first order, and c(d) = d + 8 leaves room for the second. So the computed row is the exact
// normalization of an input that differs by at most c roundoffs of its largest coordinate, with every
// coordinate off by c roundoffs more. The lambda term covers (gain rstd) v, (gain v) rstd and gain (v rstd)
// where one of their factors is subnormal.
//
// Backward. dz = b / sigma with b = g - mean(g) - u mean(g u). The three terms carry their own roundings
// (|g_i|, mean |g|, |u_i| mean |g u|); sigma's error acts on the result ((1 + kappa) |b_i|); an error C e_i
// of u_i acts through the factor mean(g u), and the errors C e_j of the others through mean(g u) itself,
// times a computed u_i that may be as large as |u_i| + C e_i. That last product is of second order in u and
// yet decides at large kappa.
//
// Half formats store in half and compute in float: one half rounding of each of u, gain u, and y, with room
// for one more (4 h), and everything above in float.
//
// All of it says something only while C kappa <= 1: beyond, the bound is infinite. With c = 1 the ratio of
// error to bound tells a careful evaluation (at most 1) from one whose error grows with d.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <layer_norm/moments.hpp>
#include <layer_norm/scalar.hpp>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace layer_norm {

// Where results are stored, and where sums, sigma and products are computed.
struct Precision {
  Format storage;
  Format compute;

  bool is_mixed() const { return !(storage == compute); }
};

// A kernel that works in one format throughout: f32, f64, mp50.
inline Precision uniform_precision(const Format& format) { return {format, format}; }
// A kernel that stores in a half format and computes in f32: f16, bf16.
inline Precision mixed_precision(const Format& storage) { return {storage, f32_format()}; }

// stated: infinite for what lies outside the range of the claim; whole: the formula everywhere (C kappa > 1
// alone is still infinite), for kernels that promise every finite input.
enum class Range { stated, whole };

// c(d) = d + 8.
inline double roundoff_count(std::size_t d) { return static_cast<double>(d) + 8; }

namespace detail {

// The numbers of a Precision in the working type, converted once for each call.
template <class W>
struct BoundConstants {
  explicit BoundConstants(const Precision& p)
      : unlimited(!(p.compute.min_normal > 0)),
        mixed(p.is_mixed()),
        unit(p.compute.unit_roundoff),
        min_normal(p.compute.min_normal),
        lambda(p.compute.min_subnormal),
        largest(p.compute.largest),
        half_unit(mixed ? p.storage.unit_roundoff : 0.0),
        half_lambda(mixed ? p.storage.min_subnormal : 0.0),
        result_limit(mixed ? W(0.9) * W(p.storage.largest) : W(p.compute.largest) / W(2)),
        infinity(std::numeric_limits<double>::infinity()) {}

  bool unlimited;  // no smallest, no largest number: there is no range to be left
  bool mixed;
  W unit;
  W min_normal;
  W lambda;
  W largest;
  W half_unit;
  W half_lambda;
  W result_limit;  // what a sum of magnitudes must not exceed, so that nothing on the way to it overflows
  W infinity;
};

template <class W>
W condition(const Statistics<W>& s, const BoundConstants<W>& k) {
  return (s.max_abs > k.min_normal ? s.max_abs : k.min_normal) / s.sigma;
}

// C = c u for each count of roundoffs.
template <class W, std::size_t N>
std::array<W, N> relative_errors(const std::array<double, N>& counts, const BoundConstants<W>& k) {
  std::array<W, N> result;
  for (std::size_t n = 0; n < N; ++n) result[n] = W(counts[n]) * k.unit;
  return result;
}

template <std::size_t N, class T>
std::array<T, N> copies(const T& value) {
  std::array<T, N> result;
  result.fill(value);
  return result;
}

// False too where sigma is 0 or NaN: there is nothing to bound.
template <class W>
bool is_bounded(const Statistics<W>& s, const W& kappa, const W& C) {
  return s.sigma > W(0) && C * kappa <= W(1);
}

// e_i.
template <class W>
W core_sensitivity(const W& kappa, const W& u) {
  return kappa * (W(2) + u) + u;
}

template <class W>
bool row_in_forward_range(const Statistics<W>& s, const BoundConstants<W>& k) {
  if (k.unlimited) return true;
  const W d(static_cast<double>(s.core.size()));
  return s.sigma * s.sigma >= W(4) * k.min_normal && d * s.max_abs <= k.largest &&
         W(4) * d * s.max_abs * s.max_abs <= k.largest;
}

inline constexpr double backward_sigma_limit = 0x1p30;
inline constexpr double backward_value_limit = 0x1p40;

template <class W>
bool is_moderate(const W& magnitude, double limit) {
  return magnitude >= W(1 / limit) && magnitude <= W(limit);
}

// A row of zeros has no exponent to be out of range.
template <class W>
bool row_in_backward_range(const Statistics<W>& s, const BoundConstants<W>& k) {
  return k.unlimited || (is_moderate(s.sigma, backward_sigma_limit) &&
                         (s.max_abs == W(0) || is_moderate(s.max_abs, backward_value_limit)));
}

}  // namespace detail

// forward_bound for several counts of roundoffs at once, which costs little more than for one.
template <class W, std::size_t N>
std::array<Row<W>, N> forward_bounds(
    const Statistics<W>& s, const std::type_identity_t<std::optional<Row<W>>>& gain,
    const std::type_identity_t<std::optional<Row<W>>>& bias, const Precision& p,
    const std::array<double, N>& counts, Range range) {
  const std::size_t d = s.core.size();
  if (gain) detail::require_size("gain", gain->size(), d);
  if (bias) detail::require_size("bias", bias->size(), d);
  if (p.compute.unit_roundoff == 0) return detail::copies<N>(Row<W>(d));
  const detail::BoundConstants<W> k(p);
  const std::array<W, N> C = detail::relative_errors(counts, k);
  const W kappa = detail::condition(s, k);
  const bool stated = range == Range::stated && !k.unlimited;
  auto bounds = detail::copies<N>(Row<W>(d, k.infinity));
  if (!(s.sigma > W(0)) || (stated && !detail::row_in_forward_range(s, k))) return bounds;
  const W rstd = W(1) / s.sigma;
  const W twice = W(2) * s.max_abs;
  const W largest_factor = std::max(std::max(twice, rstd), W(twice / s.sigma));
  for (std::size_t i = 0; i < d; ++i) {
    const W g = gain ? magnitude((*gain)[i]) : W(1);
    const W product = gain ? W((*gain)[i] * s.core[i]) : s.core[i];
    const W shift = bias ? (*bias)[i] : W(0);
    const W y = magnitude(W(product + shift));
    const W size = magnitude(product);
    const bool inside = g * largest_factor <= k.largest && size + magnitude(shift) <= k.largest / W(2) &&
                        (!k.mixed || size + y <= k.result_limit);
    if (stated && !inside) continue;
    const W u = magnitude(s.core[i]);
    const W underflow = W(1) + g + magnitude(s.centered[i]) + rstd;
    W rest = k.lambda * underflow;
    if (stated) rest += k.min_normal * (underflow + g * rstd * (W(2) + u) + u + W(2) * size * rstd * rstd);
    W per_roundoff = g * detail::core_sensitivity(kappa, u);
    if (k.mixed)
      rest += W(4) * k.half_unit * (size + y) + k.half_lambda * (W(1) + g);
    else
      per_roundoff += y;
    for (std::size_t n = 0; n < N; ++n)
      if (detail::is_bounded(s, kappa, C[n])) bounds[n][i] = C[n] * per_roundoff + rest;
  }
  return bounds;
}

// The bound of |computed y_i - y_i|, from the statistics of the exact row; gain and bias have d entries or
// are absent:
//
//   C (|gain_i| e_i + |y_i|) + lambda (1 + |gain_i| + |v_i| + 1/sigma)                          one format
//   4 h (|gain_i u_i| + |y_i|) + C |gain_i| e_i + lambda_h (1 + |gain_i|) + lambda (...)        half storage
//
// Range::stated adds what flushing to zero may cost, since honouring subnormal numbers is a quality of its
// own: N in place of lambda, and N for each subnormal input, deviation, square and epsilon that is read as 0,
// N (1 + |gain_i| + |v_i| + 1/sigma + |gain_i| (2 + |u_i|)/sigma + |u_i| + 2 |gain_i u_i|/sigma^2).
// It is stated where sigma^2 >= 4 N; d M, 4 d M^2 and |gain_i| max(2 M, 1/sigma, 2 M / sigma) at most F;
// |gain_i u_i| + |bias_i| at most F/2; half storage: |gain_i u_i| + |y_i| at most 0.9 F_h.
// All zero for a format without roundoff. Throws std::invalid_argument for a gain or bias of another size.
template <class W>
Row<W> forward_bound(
    const Statistics<W>& s, const std::type_identity_t<std::optional<Row<W>>>& gain,
    const std::type_identity_t<std::optional<Row<W>>>& bias, const Precision& p, double c, Range range) {
  return forward_bounds(s, gain, bias, p, std::array{c}, range)[0];
}

template <class W>
struct BackwardBound {
  Matrix<W> dz;  // rows x d
  Row<W> dgain;  // d
  Row<W> dbias;  // d
};

namespace detail {

// The means of one row that the bound of dz is made of.
template <class W>
struct GradientMeans {
  W g = W(0);         // mean g
  W abs_g = W(0);     // mean |g|
  W gu = W(0);        // mean(g u)
  W abs_gu = W(0);    // mean |g u|
  W weighted = W(0);  // mean(|g| e)
};

template <class W>
GradientMeans<W> gradient_means(const Row<W>& g, const Row<W>& u, const W& kappa) {
  GradientMeans<W> m;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const W size = magnitude(g[i]);
    const W product = g[i] * u[i];
    m.g += g[i];
    m.abs_g += size;
    m.gu += product;
    m.abs_gu += magnitude(product);
    m.weighted += size * core_sensitivity(kappa, magnitude(u[i]));
  }
  const W d(static_cast<double>(g.size()));
  for (W* sum : {&m.g, &m.abs_g, &m.gu, &m.abs_gu, &m.weighted}) *sum /= d;
  return m;
}

// The bound of one row of dz for each C.
template <class W, std::size_t N>
std::array<Row<W>, N> input_gradient_bounds(
    const Statistics<W>& s, const Row<W>& g, const W& kappa, const BoundConstants<W>& k,
    const std::array<W, N>& C, bool stated) {
  const std::size_t d = g.size();
  auto bounds = copies<N>(Row<W>(d, k.infinity));
  bool inside = s.sigma > W(0) && (!stated || row_in_backward_range(s, k));
  for (std::size_t i = 0; stated && inside && i < d; ++i)
    inside = g[i] == W(0) || is_moderate(magnitude(g[i]), backward_value_limit);
  if (!inside) return bounds;
  const GradientMeans<W> m = gradient_means(g, s.core, kappa);
  const W mean_gu = magnitude(m.gu);
  for (std::size_t i = 0; i < d; ++i) {
    const W u = magnitude(s.core[i]);
    const W e = core_sensitivity(kappa, u);
    const W b = magnitude(W(g[i] - m.g - s.core[i] * m.gu));
    const W terms = magnitude(g[i]) + m.abs_g + u * m.abs_gu;
    if (stated && terms > k.result_limit * s.sigma) continue;
    const W first_order = terms + (W(1) + kappa) * b + e * mean_gu + u * m.weighted;
    const W second_order = e * m.weighted;
    const W underflow = W(1) + (W(2) + mean_gu + u * (W(1) + m.abs_g)) / s.sigma;
    const W smallest = k.lambda + k.half_lambda + (stated ? k.min_normal : W(0));
    const W rest = W(4) * k.half_unit * terms / s.sigma + smallest * underflow;
    for (std::size_t n = 0; n < N; ++n)
      if (is_bounded(s, kappa, C[n]))
        bounds[n][i] = C[n] * (first_order + C[n] * second_order) / s.sigma + rest;
  }
  return bounds;
}

// The sums over the rows that the bounds of one entry of dgain and of dbias are made of.
template <class W>
struct ColumnTotals {
  W abs_dy = W(0);       // sum |dy|
  W dy = W(0);           // sum dy
  W product = W(0);      // sum dy u
  W abs_product = W(0);  // sum |dy u|
  W sensitivity = W(0);  // sum |dy| e
  W abs_core = W(0);     // sum |u|

  void add(const W& dy_t, const W& core, const W& kappa) {
    const W size = magnitude(dy_t);
    const W term = dy_t * core;
    abs_dy += size;
    abs_core += magnitude(core);
    dy += dy_t;
    product += term;
    abs_product += magnitude(term);
    sensitivity += size * core_sensitivity(kappa, magnitude(core));
  }
};

template <class W>
W gain_gradient_bound(
    const ColumnTotals<W>& t, const W& rows, const W& C, const BoundConstants<W>& k, bool stated) {
  if (stated && t.abs_product > k.result_limit) return k.infinity;
  const W underflow = rows + W(1) + t.abs_dy;
  const W flushed = stated ? W(k.min_normal * (underflow + t.abs_core)) : W(0);
  return C * t.sensitivity + k.unit * (rows + W(2)) * t.abs_product + k.lambda * underflow + flushed +
         k.half_unit * (magnitude(t.product) + t.abs_product) + k.half_lambda * (W(1) + t.abs_dy);
}

template <class W>
W bias_gradient_bound(const ColumnTotals<W>& t, const W& rows, const BoundConstants<W>& k, bool stated) {
  if (stated && t.abs_dy > k.result_limit) return k.infinity;
  const W flushed = stated ? W(rows * k.min_normal) : W(0);
  if (!k.mixed) return (rows - W(1)) * k.unit * t.abs_dy + flushed;
  return k.half_unit * magnitude(t.dy) + rows * k.unit * t.abs_dy + k.half_lambda + flushed;
}

}  // namespace detail

// backward_bound for several counts of roundoffs at once, which costs little more than for one.
template <class W, std::size_t N>
std::array<BackwardBound<W>, N> backward_bounds(
    const Matrix<W>& z, const std::type_identity_t<std::optional<Row<W>>>& gain,
    const std::type_identity_t<W>& eps, const Matrix<W>& dy, const Precision& p,
    const std::array<double, N>& counts, Range range) {
  const std::size_t d = z.cols();
  if (gain) detail::require_size("gain", gain->size(), d);
  detail::require_size("dy (columns)", dy.cols(), d);
  detail::require_size("dy (rows)", dy.rows(), z.rows());
  detail::require_epsilon(eps);
  auto bounds = detail::copies<N>(BackwardBound<W>{Matrix<W>(z.rows(), d), Row<W>(d), Row<W>(d)});
  if (p.compute.unit_roundoff == 0 || z.rows() == 0) return bounds;
  const detail::BoundConstants<W> k(p);
  const std::array<W, N> C = detail::relative_errors(counts, k);
  const bool stated = range == Range::stated && !k.unlimited;
  std::vector<detail::ColumnTotals<W>> totals(d);
  auto gain_bounded = detail::copies<N>(true);
  for (std::size_t t = 0; t < z.rows(); ++t) {
    const Statistics<W> s = statistics(z.row(t), eps);
    const W kappa = detail::condition(s, k);
    const Row<W> dy_row = dy.row(t);
    const auto row_bounds =
        detail::input_gradient_bounds(s, gain ? *gain * dy_row : dy_row, kappa, k, C, stated);
    for (std::size_t n = 0; n < N; ++n) {
      bounds[n].dz.set_row(t, row_bounds[n]);
      gain_bounded[n] = gain_bounded[n] && detail::is_bounded(s, kappa, C[n]) &&
                        (!stated || detail::row_in_backward_range(s, k));
    }
    for (std::size_t i = 0; i < d; ++i) totals[i].add(dy_row[i], s.core[i], kappa);
  }
  const W rows(static_cast<double>(z.rows()));
  for (std::size_t n = 0; n < N; ++n)
    for (std::size_t i = 0; i < d; ++i) {
      bounds[n].dgain[i] =
          gain_bounded[n] ? detail::gain_gradient_bound(totals[i], rows, C[n], k, stated) : k.infinity;
      bounds[n].dbias[i] = detail::bias_gradient_bound(totals[i], rows, k, stated);
    }
  return bounds;
}

// The bounds of the three gradients over R rows, with b = g - mean(g) - u mean(g u):
//
//   dz     C/sigma (|g_i| + mean|g| + |u_i| mean|g u| + (1 + kappa)|b_i| + e_i |mean(g u)|
//                   + (|u_i| + C e_i) mean(|g| e)) + lambda (1 + (2 + |mean(g u)| + |u_i|(1 +
//                   mean|g|))/sigma)
//   dgain  u sum |dy_ti| (c e_ti + (R + 2)|u_ti|) + lambda (R + 1 + sum |dy_ti|)
//   dbias  (R - 1) u sum |dy_ti|
//
// and for half storage besides: dz 4 h/sigma (|g_i| + mean|g| + |u_i| mean|g u|) and the lambda term with
// lambda_h; dgain h (|dgain| + sum |dy u|) + lambda_h (1 + sum |dy|); dbias h |dbias| + R u sum |dy| +
// lambda_h in all. Range::stated has N besides each lambda (N (R + 1 + sum |dy_ti| + sum |u_ti|) for dgain, R
// N for dbias), for kernels that flush to zero. It is stated where sigma in [2^-30, 2^30], M (unless 0) and
// nonzero |g_i| in [2^-40, 2^40], and the magnitudes that are summed at most F/2 (0.9 F_h for half storage).
// One row out of range makes dgain infinite, since it sums all rows. No rows: dgain and dbias are zero. z, dy
// are rows x d. Throws std::invalid_argument for sizes that differ and an eps that is negative, NaN or
// infinite.
template <class W>
BackwardBound<W> backward_bound(
    const Matrix<W>& z, const std::type_identity_t<std::optional<Row<W>>>& gain,
    const std::type_identity_t<W>& eps, const Matrix<W>& dy, const Precision& p, double c, Range range) {
  return std::move(backward_bounds(z, gain, eps, dy, p, std::array{c}, range)[0]);
}

// No blow-up: what |u_i| cannot exceed in any honest evaluation, however large kappa is. The factor 1 + 8 u
// is room for roundings; half storage adds two roundings of its own.

namespace detail {
template <class W>
W rounding_room(const Precision& p) {
  const W room = W(1) + W(8) * W(p.compute.unit_roundoff);
  return p.is_mixed() ? W(room * (W(1) + W(2) * W(p.storage.unit_roundoff))) : room;
}
}  // namespace detail

// A constant row of d coordinates with eps >= 4 N: |u_i| <= 1 + c(d) u. A wrong mean gives every v_i the same
// error, which then enters q; the sum of d equal squares may be low by (d - 1) u, half of which reaches u_i
// with 4.5 u of the operations after it: (d/2 + 4) u to first order, and c(d) leaves room for the second.
template <class W>
W constant_row_limit(std::size_t d, const Precision& p) {
  const W summed = W(1) + W(roundoff_count(d)) * W(p.compute.unit_roundoff);
  return p.is_mixed() ? W(summed * (W(1) + W(2) * W(p.storage.unit_roundoff))) : summed;
}

// A row with q > 0 and q + eps >= 4 N: |u_i| <= max(sqrt(d), sqrt(d - 1) + u kappa)(1 + 8 u).
template <class W>
W core_limit(const Statistics<W>& s, const Precision& p) {
  using std::sqrt;
  const W d(static_cast<double>(s.core.size()));
  const W normal(p.compute.min_normal);
  const W kappa = (s.max_abs > normal ? s.max_abs : normal) / s.sigma;
  const W shifted = sqrt(W(d - W(1))) + W(p.compute.unit_roundoff) * kappa;
  const W norm = sqrt(d);
  return (norm > shifted ? norm : shifted) * detail::rounding_room<W>(p);
}

// What good kernels keep at any kappa: |u_i| <= sqrt(d)(1 + 8 u), since v and q come from the same computed
// v.
template <class W>
W core_norm_limit(std::size_t d, const Precision& p) {
  using std::sqrt;
  return sqrt(W(static_cast<double>(d))) * detail::rounding_room<W>(p);
}

// |dgain_i| <= (1 + (R + 2) u) * limited_sum, where limited_sum = sum over the R rows of |dy_ti| times the
// row's limit of |u_i| above.
template <class W>
W dgain_limit(const W& limited_sum, std::size_t rows, const Precision& p) {
  const W limit = (W(1) + W(static_cast<double>(rows) + 2) * W(p.compute.unit_roundoff)) * limited_sum;
  return p.is_mixed() ? W(limit * (W(1) + W(2) * W(p.storage.unit_roundoff))) : limit;
}

}  // namespace layer_norm
