// Hill climbing over the inputs of layer normalization: towards the largest error of a kernel over its bound.
//
// A climb starts from a random problem of a kind in which errors add up, and keeps each change of
// coordinates, epsilon, gain, bias or gradient that does not lower the score.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

#include "honest_kernels.hpp"

namespace lnverify::bench {

// Random changes; the same ones with every standard library, since only the engine is used.
template <class T>
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : engine_(seed) {}

  Problem<T> start(std::size_t rows, std::size_t d) {
    Problem<T> p{Matrix<T>(rows, d), Matrix<T>(rows, d), std::nullopt, std::nullopt, T(0)};
    const std::uint64_t kind = below(4);
    const T center = number(1);
    const T spread = std::ldexp(T(1), -static_cast<int>(below(std::numeric_limits<T>::digits)));
    for (T& x : p.z.values()) {
      if (kind == 0) x = number(2);
      if (kind == 1) x = center * (T(1) + spread * number(0));
      if (kind == 2) x = center;
      if (kind == 3) x = number(20);
    }
    for (T& x : p.dy.values()) x = number(below(2) == 0 ? 0 : 3);
    if (below(2) == 0) p.gain = row(d);
    if (below(2) == 0) p.bias = row(d);
    const int exponent = static_cast<int>(below(40)) - 34;
    if (below(4) != 0) p.eps = std::ldexp(std::abs(number(0)), exponent);
    if (kind == 2) perturb(p.z.values());
    return p;
  }

  Problem<T> changed(Problem<T> p) {
    switch (below(8)) {
      case 0:
        p.eps = below(8) == 0 ? T(0) : std::abs(near(p.eps == T(0) ? T(1) : p.eps));
        break;
      case 1:
        perturb(p.dy.values());
        break;
      case 2:
        perturb(p.gain ? *p.gain : p.z.values());
        break;
      case 3:
        perturb(p.bias ? *p.bias : p.z.values());
        break;
      case 4:
        shift(p.z);
        break;
      default:
        perturb(p.z.values());
    }
    return p;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }

  // Random sign and significand, binary exponent in -range .. range.
  T number(int range) {
    const T significand = T(1) + std::ldexp(static_cast<T>(engine_() >> 11U), -53);
    const int exponent = static_cast<int>(below(2 * static_cast<std::uint64_t>(range) + 1)) - range;
    return std::ldexp(below(2) == 0 ? significand : -significand, exponent);
  }
  Row<T> row(std::size_t d) {
    Row<T> result(d);
    for (T& x : result) x = number(2);
    return result;
  }

  // From a few ulps away to another number altogether.
  T near(T x) {
    const int digits = std::numeric_limits<T>::digits;
    const std::uint64_t kind = below(16);
    if (kind == 0) return -x;
    if (kind == 1) return number(3);
    if (kind == 2) return std::ldexp(x, static_cast<int>(below(5)) - 2);
    return x + x * std::ldexp(number(0), -static_cast<int>(below(static_cast<std::uint64_t>(digits))));
  }

  // One value, a few, a run of neighbours, or a half of all; the same factor now and then.
  void perturb(Row<T>& values) {
    const std::size_t n = values.size();
    const std::uint64_t kind = below(8);
    if (kind == 0) {
      const T value = near(values[below(n)]);
      const std::size_t first = below(n);
      const std::size_t end = first + 1 + below(n - first);
      for (std::size_t i = first; i < end; ++i) values[i] = value;
    } else if (kind == 1) {
      for (T& x : values)
        if (below(2) == 0) x = near(x);
    } else if (kind == 2) {
      std::swap(values[below(n)], values[below(n)]);
    } else if (kind == 3) {
      values[below(n)] = values[below(n)];
    } else {
      for (std::uint64_t count = below(3) + 1; count > 0; --count) {
        T& x = values[below(n)];
        x = near(x);
      }
    }
  }

  void shift(Matrix<T>& z) {
    const T by = z.values()[below(z.values().size())] * number(1);
    const bool scale = below(2) == 0;
    const T factor = number(0);
    for (T& x : z.values()) x = scale ? x * factor : x + by;
  }

  std::mt19937_64 engine_;
};

template <class T>
struct Summit {
  double score = 0;
  Problem<T> problem;
};

// The highest score met in `evaluations` evaluations, in climbs of at most `length` each.
template <class T>
Summit<T> climb(
    Mutator<T>& mutator, std::size_t rows, std::size_t d, std::size_t evaluations, std::size_t length,
    const auto& score) {
  Summit<T> highest;
  for (std::size_t done = 0; done < evaluations;) {
    Summit<T> here{0, mutator.start(rows, d)};
    here.score = score(here.problem);
    const std::size_t end = std::min(evaluations, done + length);
    for (++done; done < end; ++done) {
      Problem<T> next = mutator.changed(here.problem);
      const double reached = score(next);
      if (reached >= here.score) here = {reached, std::move(next)};
    }
    if (here.score > highest.score) highest = std::move(here);
  }
  return highest;
}

}  // namespace lnverify::bench
