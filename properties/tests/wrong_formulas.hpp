// Formulas that are wrong on purpose, in any number type: what the laws must be seen to fail on.
#pragma once

#include <array>
#include <cmath>
#include <layer_norm/array.hpp>
#include <optional>
#include <string_view>

namespace lnverify::wrong {

enum class Fault {
  divisor_d_minus_1,  // sample variance
  epsilon_ignored,
  epsilon_twice,
  epsilon_outside,  // sigma = sqrt(q) + eps
  epsilon_floor,    // never less than 2^-10
  uneven,           // positive deviations grow by an eighth
  first_is_larger,  // the first coordinate of u is an eighth larger
  gain_reversed,
  bias_ignored,
  mean_term_missing,     // backward: g - u mean(g u)
  product_term_missing,  // backward: g - mean(g)
  first_is_kept,         // backward: the first coordinate is g_0 / sigma
  halved,                // u is half of what it should be
  doubled,
  mean_is_off,  // an eighth of the mean stays in
};
constexpr std::size_t count = 15;
constexpr std::array<std::string_view, count> names = {
    "divisor_d_minus_1",
    "epsilon_ignored",
    "epsilon_twice",
    "epsilon_outside",
    "epsilon_floor",
    "uneven",
    "first_is_larger",
    "gain_reversed",
    "bias_ignored",
    "mean_term_missing",
    "product_term_missing",
    "first_is_kept",
    "halved",
    "doubled",
    "mean_is_off"};

template <class T>
struct Normalized {
  layer_norm::Row<T> u;
  T sigma = T(0);
};

template <class T>
Normalized<T> normalized(const layer_norm::Row<T>& z, const T& eps, Fault fault) {
  using std::sqrt;
  const std::size_t d = z.size();
  const T count_of(static_cast<double>(d));
  const T mean = layer_norm::sum(z) / count_of;
  const layer_norm::Row<T> deviations = z - mean;
  const bool smaller = fault == Fault::divisor_d_minus_1 && d > 1;
  const T q = layer_norm::squared_norm(deviations) / (smaller ? T(count_of - T(1)) : count_of);
  Normalized<T> result;
  T added = eps;
  if (fault == Fault::epsilon_ignored) added = T(0);
  if (fault == Fault::epsilon_twice) added = eps + eps;
  if (fault == Fault::epsilon_floor && eps < T(0x1p-10)) added = T(0x1p-10);
  result.sigma = fault == Fault::epsilon_outside ? T(sqrt(q) + eps) : T(sqrt(T(q + added)));
  result.u = fault == Fault::mean_is_off ? z - T(mean * T(0.875)) : deviations;
  for (std::size_t i = 0; i < d; ++i) {
    T& v = result.u[i];
    if (fault == Fault::uneven && v > T(0)) v *= T(1.125);
    if (fault == Fault::first_is_larger && i == 0) v *= T(1.125);
    if (fault == Fault::doubled) v *= T(2);
    if (fault == Fault::halved) v *= T(0.5);
    v /= result.sigma;
  }
  return result;
}

template <class T>
layer_norm::Row<T> forward(
    const layer_norm::Row<T>& z, const std::optional<layer_norm::Row<T>>& gain,
    const std::optional<layer_norm::Row<T>>& bias, const T& eps, Fault fault) {
  layer_norm::Row<T> y = normalized(z, eps, fault).u;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (gain) y[i] *= (*gain)[fault == Fault::gain_reversed ? y.size() - 1 - i : i];
    if (bias && fault != Fault::bias_ignored) y[i] += (*bias)[i];
  }
  return y;
}

template <class T>
layer_norm::Row<T> backward(
    const layer_norm::Row<T>& z, const std::optional<layer_norm::Row<T>>& gain, const T& eps,
    const layer_norm::Row<T>& dy, Fault fault) {
  const Normalized<T> s = normalized(z, eps, fault);
  layer_norm::Row<T> g = dy;
  const std::size_t d = g.size();
  for (std::size_t i = 0; gain && i < d; ++i) g[i] *= (*gain)[fault == Fault::gain_reversed ? d - 1 - i : i];
  const T count_of(static_cast<double>(d));
  const T mean = layer_norm::sum(g) / count_of;
  const T product = layer_norm::dot(g, s.u) / count_of;
  layer_norm::Row<T> dz = g;
  if (fault != Fault::mean_term_missing) dz = dz - mean;
  if (fault != Fault::product_term_missing) dz = dz - s.u * product;
  if (fault == Fault::first_is_kept) dz[0] = g[0];
  return dz / s.sigma;
}

}  // namespace lnverify::wrong
