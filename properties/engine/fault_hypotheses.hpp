// The known faults, written down as what they make of a batch. Templates: evaluated in a working type that is
// wider than the kernel's, so that only the fault differs from the truth.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/kernel.hpp"

namespace lnverify::hypotheses {

using layer_norm::Matrix;
using layer_norm::Row;

// A batch for the kernel: dy is read by backward faults alone.
template <class W>
struct Probe {
  Matrix<W> z;
  MaybeRow<W> gain;
  MaybeRow<W> bias;
  W eps;
  Matrix<W> dy;
};

template <class W>
struct ForwardFault {
  std::string words;
  std::function<Row<W>(const Probe<W>&)> y;  // row-major
};
template <class W>
struct BackwardFault {
  std::string words;
  std::function<Row<W>(const Probe<W>&)> dz;
};

// Mean and variance of a row, however they are computed.
template <class W>
struct Moments {
  W mean;
  W variance;
};
template <class W>
Moments<W> moments_of_head(const Row<W>& z, std::size_t count) {
  const W d(static_cast<double>(z.size()));
  Moments<W> m{W(0), W(0)};
  for (std::size_t i = 0; i < count; ++i) m.mean += z[i] / d;
  for (std::size_t i = 0; i < count; ++i) m.variance += (z[i] - m.mean) * (z[i] - m.mean) / d;
  return m;
}
template <class W>
Moments<W> moments(const Row<W>& z) {
  return moments_of_head(z, z.size());
}

template <class W>
Row<W> divided(const Row<W>& centered, const W& sigma) {
  Row<W> u = centered;
  for (W& x : u) x = sigma == W(0) ? W(std::nan("")) : W(x / sigma);
  return u;
}

template <class W>
W root(const W& x) {
  using std::sqrt;
  return x < W(0) ? W(std::nan("")) : W(sqrt(x));
}

// A fault that normalizes row t with moments of its own, and is right otherwise.
template <class W, class MomentsOf>
ForwardFault<W> wrong_moments(std::string words, MomentsOf moments_of) {
  return {std::move(words), [moments_of](const Probe<W>& p) {
            Row<W> y(p.z.rows() * p.z.cols());
            for (std::size_t t = 0; t < p.z.rows(); ++t) {
              const Row<W> z = p.z.row(t);
              const Moments<W> m = moments_of(p, t, z);
              const Row<W> u = divided(z - m.mean, root(W(m.variance + p.eps)));
              for (std::size_t i = 0; i < z.size(); ++i)
                y[t * z.size() + i] = (p.gain ? (*p.gain)[i] : W(1)) * u[i] + (p.bias ? (*p.bias)[i] : W(0));
            }
            return y;
          }};
}

// A fault that has the right moments, but another sigma.
template <class W, class SigmaOf>
ForwardFault<W> wrong_sigma(std::string words, SigmaOf sigma_of) {
  return wrong_moments<W>(std::move(words), [sigma_of](const Probe<W>& p, std::size_t, const Row<W>& z) {
    Moments<W> m = moments(z);
    const W sigma = sigma_of(m.variance, p.eps, z.size());
    m.variance = sigma * sigma - p.eps;
    return m;
  });
}

// A fault in the affine step.
template <class W, class Affine>
ForwardFault<W> wrong_affine(std::string words, Affine affine) {
  return {std::move(words), [affine](const Probe<W>& p) {
            Row<W> y(p.z.rows() * p.z.cols());
            for (std::size_t t = 0; t < p.z.rows(); ++t) {
              const Row<W> z = p.z.row(t);
              const Moments<W> m = moments(z);
              const Row<W> u = divided(z - m.mean, root(W(m.variance + p.eps)));
              for (std::size_t i = 0; i < z.size(); ++i)
                y[t * z.size() + i] = affine(
                    u[i], p.gain ? (*p.gain)[i] : W(1), p.bias ? (*p.bias)[i] : W(0), p.gain && p.bias);
            }
            return y;
          }};
}

template <class W>
ForwardFault<W> truth() {
  return wrong_moments<W>("", [](const Probe<W>&, std::size_t, const Row<W>& z) { return moments(z); });
}

template <class W>
ForwardFault<W> padded(const std::string& words, const std::function<std::size_t(std::size_t)>& lanes_for) {
  return wrong_moments<W>(words, [lanes_for](const Probe<W>&, std::size_t, const Row<W>& z) {
    Moments<W> m = moments(z);
    const std::size_t extra = lanes_for(z.size()) - z.size();
    m.variance += W(static_cast<double>(extra)) * m.mean * m.mean / W(static_cast<double>(z.size()));
    return m;
  });
}

template <class W>
ForwardFault<W> short_sums(const std::string& words, const std::function<std::size_t(std::size_t)>& summed) {
  return wrong_moments<W>(words, [summed](const Probe<W>&, std::size_t, const Row<W>& z) {
    return moments_of_head(z, summed(z.size()));
  });
}

template <class W>
void add_size_faults(std::vector<ForwardFault<W>>& faults) {
  for (const std::size_t n : {std::size_t{4}, std::size_t{8}, std::size_t{16}, std::size_t{32}}) {
    faults.push_back(padded<W>(
        "zeros that pad the row to a multiple of " + std::to_string(n) + " lanes are counted in the variance",
        [n](std::size_t d) { return (d + n - 1) / n * n; }));
    faults.push_back(short_sums<W>(
        "the tail of the row is missing from the sums, from index d - d mod " + std::to_string(n) + " on",
        [n](std::size_t d) { return d / n * n; }));
  }
  faults.push_back(padded<W>(
      "zeros that pad the row to a power of two lanes are counted in the variance", [](std::size_t d) {
        std::size_t lanes = 1;
        while (lanes < d) lanes *= 2;
        return lanes;
      }));
  for (const std::size_t n : {std::size_t{256}, std::size_t{512}, std::size_t{1024}})
    faults.push_back(short_sums<W>(
        "the tail of the row is missing from the sums, from index " + std::to_string(n) + " on",
        [n](std::size_t d) { return d < n ? d : n; }));
}

template <class W>
std::vector<ForwardFault<W>> forward_faults() {
  std::vector<ForwardFault<W>> faults;
  faults.push_back(wrong_sigma<W>("the divisor d - 1", [](const W& q, const W& eps, std::size_t d) {
    const W n(static_cast<double>(d));
    return root(W(d == 1 ? q + eps : q * n / (n - W(1)) + eps));
  }));
  faults.push_back(
      wrong_sigma<W>("epsilon ignored", [](const W& q, const W&, std::size_t) { return root(q); }));
  faults.push_back(wrong_sigma<W>(
      "epsilon added outside the root",
      [](const W& q, const W& eps, std::size_t) { return W(root(q) + eps); }));
  faults.push_back(wrong_moments<W>("mean not removed", [](const Probe<W>&, std::size_t, const Row<W>& z) {
    return Moments<W>{W(0), layer_norm::squared_norm(z) / W(static_cast<double>(z.size()))};
  }));
  faults.push_back(wrong_moments<W>(
      "the statistics of another row, row 0, are used for all",
      [](const Probe<W>& p, std::size_t, const Row<W>&) { return moments(p.z.row(0)); }));
  faults.push_back(wrong_moments<W>(
      "the statistics of another row, the one before, are used",
      [](const Probe<W>& p, std::size_t t, const Row<W>&) { return moments(p.z.row(t == 0 ? 0 : t - 1)); }));
  faults.push_back(wrong_affine<W>(
      "gain and bias in the wrong order, gain * (u + bias)",
      [](const W& u, const W& gain, const W& bias, bool) { return W(gain * (u + bias)); }));
  faults.push_back(wrong_affine<W>(
      "gain and bias in each other's place, bias * u + gain",
      [](const W& u, const W& gain, const W& bias, bool both) {
        return both ? W(bias * u + gain) : W(gain * u + bias);
      }));
  add_size_faults(faults);
  return faults;
}

// The epsilon that explains the first coordinate of the first row, where one can be told: to three digits.
template <class W>
std::optional<double> constant_epsilon(const Probe<W>& p, const Row<W>& got) {
  if (p.gain || p.bias || p.z.rows() == 0) return std::nullopt;
  const Row<W> z = p.z.row(0);
  const Moments<W> m = moments(z);
  const W v = z[0] - m.mean;
  if (v == W(0) || got[0] == W(0) || !detail::finite(got[0])) return std::nullopt;
  const W sigma = v / got[0];
  const auto eps = static_cast<double>(W(sigma * sigma - m.variance));
  if (!(eps > 1e-4 * static_cast<double>(m.variance))) return std::nullopt;
  const double step = std::pow(10.0, std::floor(std::log10(eps)) - 2);
  return std::round(eps / step) * step;
}

template <class W>
void add_constant_epsilon(std::vector<ForwardFault<W>>& faults, double eps) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g", eps);
  const std::string words = "another epsilon, the constant " + std::string(digits);
  for (const ForwardFault<W>& fault : faults)
    if (fault.words == words) return;
  const W value(std::strtod(digits, nullptr));
  faults.push_back(
      wrong_sigma<W>(words, [value](const W& q, const W&, std::size_t) { return root(W(q + value)); }));
}

// dz with the factors `a` of mean(g) and `b` of u mean(g u), and with the given moments.
template <class W>
BackwardFault<W> wrong_gradient(std::string words, double a, double b, bool adds_epsilon) {
  return {std::move(words), [a, b, adds_epsilon](const Probe<W>& p) {
            Row<W> dz(p.z.rows() * p.z.cols());
            const W d(static_cast<double>(p.z.cols()));
            for (std::size_t t = 0; t < p.z.rows(); ++t) {
              const Row<W> z = p.z.row(t);
              const Moments<W> m = moments(z);
              const W sigma = root(W(adds_epsilon ? m.variance + p.eps : m.variance));
              const Row<W> u = divided(z - m.mean, sigma);
              const Row<W> g = p.gain ? p.dy.row(t) * *p.gain : p.dy.row(t);
              const W mean_g = layer_norm::sum(g) / d;
              const W mean_gu = layer_norm::dot(g, u) / d;
              for (std::size_t i = 0; i < z.size(); ++i)
                dz[t * z.size() + i] = sigma == W(0)
                                           ? W(std::nan(""))
                                           : W((g[i] - W(a) * mean_g - W(b) * u[i] * mean_gu) / sigma);
            }
            return dz;
          }};
}

template <class W>
BackwardFault<W> true_gradient() {
  return wrong_gradient<W>("", 1, 1, true);
}

template <class W>
std::vector<BackwardFault<W>> backward_faults() {
  return {
      wrong_gradient<W>("mean(g) missing in the gradient", 0, 1, true),
      wrong_gradient<W>("u * mean(g u) missing in the gradient", 1, 0, true),
      wrong_gradient<W>("epsilon ignored", 1, 1, false)};
}

// Small batches on which all faults above differ: unlike rows with means, gains and biases of their own,
// epsilon near the variance and far below it. All values lie on the grid.
template <class W>
std::vector<Probe<W>> fixed_probes(const Grid& grid) {
  const auto make = [&](std::size_t rows, std::size_t d, double step, double eps, bool gain, bool bias) {
    Probe<W> p{
        Matrix<W>(rows, d), std::nullopt, std::nullopt, W(grid.round_epsilon(eps)), Matrix<W>(rows, d)};
    if (gain) p.gain = Row<W>(d);
    if (bias) p.bias = Row<W>(d);
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t t = 0; t < rows; ++t) {
        p.z(t, i) = W(step * static_cast<double>((3 * i * (t + 1) + 2 * t) % 7 + 1 + t));
        p.dy(t, i) = W(static_cast<double>((5 * i + t + 2) % 6) - 2);
      }
      if (gain) (*p.gain)[i] = W(static_cast<double>(i % 5 + 2) / 4);
      if (bias) (*p.bias)[i] = W(static_cast<double>((2 * i) % 5) - 1);
    }
    return p;
  };
  return {make(3, 11, 1, 0.5, true, true),         make(2, 4, 0.125, 0.0625, false, false),
          make(2, 3, 0.0625, 1e-3, false, false),  make(1, 5, 0x1p-8, 1e-6, false, false),
          make(1, 4, 0x1p-20, 1e-8, false, false), make(2, 19, 1, 1, true, false),
          make(1, 1040, 1, 0.25, false, false)};
}

// One row with a small spread on a large offset, without gain and bias.
template <class W>
Probe<W> offset_probe(double offset, const Grid& grid) {
  constexpr std::size_t d = 5;
  Probe<W> p{Matrix<W>(1, d), std::nullopt, std::nullopt, W(grid.round_epsilon(1e-5)), Matrix<W>(1, d)};
  for (std::size_t i = 0; i < d; ++i) p.z(0, i) = W(grid.round(offset + static_cast<double>(i * i % 4)));
  return p;
}

}  // namespace lnverify::hypotheses
