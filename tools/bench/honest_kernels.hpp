// Honest two-pass kernels that differ in the order of their sums, each with and without contraction of
// products and sums to multiply-adds. A bound that one of them exceeds accuses wrongly.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <layer_norm/array.hpp>
#include <layer_norm/backward.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace lnverify::bench {

using layer_norm::Gradients;
using layer_norm::Matrix;
using layer_norm::Row;

template <class T>
struct Problem {
  Matrix<T> z;   // rows x d
  Matrix<T> dy;  // likewise; the forward pass ignores it
  std::optional<Row<T>> gain;
  std::optional<Row<T>> bias;
  T eps = T(0);

  std::size_t rows() const { return z.rows(); }
  std::size_t d() const { return z.cols(); }
};

// Orders of summation. of<A>(n, add) folds n terms into accumulators of type A, where add(acc, i) is acc with
// term i added: the caller decides whether a product in it is rounded first.
struct Serial {
  static constexpr const char* name = "serial";
  template <class A>
  static A of(std::size_t n, const auto& add) {
    A sum(0);
    for (std::size_t i = 0; i < n; ++i) sum = add(sum, i);
    return sum;
  }
};

struct Reversed {
  static constexpr const char* name = "reversed";
  template <class A>
  static A of(std::size_t n, const auto& add) {
    A sum(0);
    for (std::size_t i = n; i-- > 0;) sum = add(sum, i);
    return sum;
  }
};

struct Pairwise {
  static constexpr const char* name = "pairwise";
  template <class A>
  static A part(std::size_t first, std::size_t n, const auto& add) {
    if (n > 2) return part<A>(first, n / 2, add) + part<A>(first + n / 2, n - n / 2, add);
    A sum(0);
    for (std::size_t i = first; i < first + n; ++i) sum = add(sum, i);
    return sum;
  }
  template <class A>
  static A of(std::size_t n, const auto& add) {
    return part<A>(0, n, add);
  }
};

template <std::size_t lanes>
struct Blocked {
  static constexpr const char* name = lanes == 4 ? "4 lanes" : lanes == 8 ? "8 lanes" : "16 lanes";
  template <class A>
  static A of(std::size_t n, const auto& add) {
    std::array<A, lanes> sums{};
    for (std::size_t i = 0; i < n; ++i) sums[i % lanes] = add(sums[i % lanes], i);
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t k = 0; k < half; ++k) sums[k] += sums[k + half];
    return sums[0];
  }
};

struct Compensated {
  static constexpr const char* name = "compensated";
  template <class A>
  static A of(std::size_t n, const auto& add) {
    A sum(0);
    A lost(0);
    for (std::size_t i = 0; i < n; ++i) {
      const A term = add(-lost, i);
      const A next = sum + term;
      lost = (next - sum) - term;
      sum = next;
    }
    return sum;
  }
};

struct DoubleSums : Serial {
  static constexpr const char* name = "double sums";
};

// a b + c, rounded once or twice.
template <bool contracted, class A>
A multiply_add(A a, A b, A c) {
  return contracted ? std::fma(a, b, c) : a * b + c;
}

// How the division by sigma is written; `multiply` rounds once more.
enum class Division { divide, multiply };

template <class T, class Order, bool contracted, Division division>
class HonestKernel {
  using Accumulator = std::conditional_t<std::is_same_v<Order, DoubleSums>, double, T>;

  static T total(const Row<T>& a) {
    return static_cast<T>(Order::template of<Accumulator>(
        a.size(), [&](Accumulator sum, std::size_t i) { return sum + static_cast<Accumulator>(a[i]); }));
  }
  static T total_of_products(const Row<T>& a, const Row<T>& b) {
    return static_cast<T>(Order::template of<Accumulator>(a.size(), [&](Accumulator sum, std::size_t i) {
      return multiply_add<contracted>(static_cast<Accumulator>(a[i]), static_cast<Accumulator>(b[i]), sum);
    }));
  }
  static T divided(T x, T sigma) { return division == Division::divide ? x / sigma : x * (T(1) / sigma); }

  struct Normalized {
    Row<T> core;
    T sigma;
  };
  static Normalized normalized(const Row<T>& z, T eps) {
    const T n = static_cast<T>(z.size());
    const T mean = total(z) / n;
    Row<T> v = z - mean;
    const T sigma = std::sqrt(total_of_products(v, v) / n + eps);
    for (T& x : v) x = divided(x, sigma);
    return {v, sigma};
  }

 public:
  static Matrix<T> forward(const Problem<T>& p) {
    Matrix<T> y(p.rows(), p.d());
    for (std::size_t t = 0; t < p.rows(); ++t) {
      const Row<T> u = normalized(p.z.row(t), p.eps).core;
      for (std::size_t i = 0; i < p.d(); ++i)
        y(t, i) = multiply_add<contracted>(p.gain ? (*p.gain)[i] : T(1), u[i], p.bias ? (*p.bias)[i] : T(0));
    }
    return y;
  }

  static Gradients<T> backward(const Problem<T>& p) {
    const T n = static_cast<T>(p.d());
    Gradients<T> result{Matrix<T>(p.rows(), p.d()), Row<T>(p.d()), Row<T>(p.d())};
    for (std::size_t t = 0; t < p.rows(); ++t) {
      const auto [u, sigma] = normalized(p.z.row(t), p.eps);
      const Row<T> dy = p.dy.row(t);
      const Row<T> g = p.gain ? *p.gain * dy : dy;
      const T mean_g = total(g) / n;
      const T mean_gu = total_of_products(g, u) / n;
      for (std::size_t i = 0; i < p.d(); ++i) {
        result.dz(t, i) = divided(multiply_add<contracted>(-u[i], mean_gu, g[i] - mean_g), sigma);
        result.dgain[i] = multiply_add<contracted>(dy[i], u[i], result.dgain[i]);
        result.dbias[i] += dy[i];
      }
    }
    return result;
  }
};

template <class T>
struct NamedKernel {
  std::string name;
  Matrix<T> (*forward)(const Problem<T>&);
  Gradients<T> (*backward)(const Problem<T>&);
};

template <class T>
std::vector<NamedKernel<T>> honest_kernels() {
  std::vector<NamedKernel<T>> all;
  const auto add = [&]<class Order>(Order) {
    using enum Division;
    using Plain = HonestKernel<T, Order, false, divide>;
    using Contracted = HonestKernel<T, Order, true, multiply>;
    all.push_back({Order::name, Plain::forward, Plain::backward});
    all.push_back({std::string(Order::name) + " fma", Contracted::forward, Contracted::backward});
  };
  add(Serial{});
  add(Reversed{});
  add(Pairwise{});
  add(Blocked<4>{});
  add(Blocked<8>{});
  add(Blocked<16>{});
  add(Compensated{});
  if (std::is_same_v<T, float>) add(DoubleSums{});
  return all;
}

}  // namespace lnverify::bench
