// The honest kernel that every mutant and every control is a variation of.
//
// body.hpp evaluates a batch by calling the steps below on `Self`; a mutant hides exactly the steps that it
// gets wrong, so that its few lines are the fault and nothing else:
//
//   struct DivisorLessOne : Honest<DivisorLessOne> {
//     static auto variance(const auto& z, auto mean, const auto& p) {
//       return Honest::variance(z, mean, p) * p.n / (p.n - 1);
//     }
//   };
#pragma once

#include <cmath>
#include <cstddef>
#include <layer_norm/array.hpp>

namespace lnverify::mutants {

using layer_norm::Row;

// The raw arguments of a call, for faults that live outside of the arithmetic.
template <class Storage>
struct ForwardCall {
  using element = typename Storage::element;
  std::size_t rows;
  std::size_t d;
  const element* z;
  const element* gain;
  const element* bias;
  typename Storage::arithmetic eps;
  element* y;
};

template <class Storage>
struct BackwardCall {
  using element = typename Storage::element;
  std::size_t rows;
  std::size_t d;
  const element* z;
  const element* gain;
  typename Storage::arithmetic eps;
  const element* dy;
  element* dz;
  element* dgain;
  element* dbias;
};

// Where in a call a step is: row t of `rows`, each of d coordinates; n is d as a number.
template <class T>
struct Place {
  std::size_t rows;
  std::size_t d;
  std::size_t t;
  T n;
  T eps;
  const Row<T>* gain;  // null: absent
  const Row<T>* bias;
  const layer_norm::Matrix<T>& batch;
  const void* address;  // of z, for faults that depend on its alignment

  T gain_at(std::size_t i) const { return gain == nullptr ? T(1) : (*gain)[i]; }
  T bias_at(std::size_t i) const { return bias == nullptr ? T(0) : (*bias)[i]; }
};

enum class Output { y, dz, dgain, dbias };

// One element of an output; t is 0 for dgain and dbias.
struct Slot {
  Output output;
  std::size_t rows;
  std::size_t d;
  std::size_t t;
  std::size_t i;
};

template <class Self>
struct Honest {
  // Sums, in the order of the coordinates.
  template <class T>
  static T total(const Row<T>& values) {
    T result(0);
    for (const T& value : values) result += value;
    return result;
  }

  // The statistics of a row, its core and its output.
  template <class T>
  static T mean(const Row<T>& z, const Place<T>& p) {
    return Self::total(z) / p.n;
  }
  template <class T>
  static T variance(const Row<T>& z, T mean, const Place<T>& p) {
    Row<T> squares(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) squares[i] = (z[i] - mean) * (z[i] - mean);
    return Self::total(squares) / p.n;
  }
  template <class T>
  static T sigma(T variance, const Place<T>& p) {
    return std::sqrt(variance + p.eps);
  }
  template <class T>
  static T core(T z, T mean, T sigma, std::size_t, const Place<T>&) {
    return (z - mean) / sigma;
  }
  template <class T>
  static T output(T u, std::size_t i, const Place<T>& p) {
    return p.gain_at(i) * u + p.bias_at(i);
  }

  // The backward pass: g, its two means, dz, and what each row adds to dgain and dbias.
  template <class T>
  static T upstream(T dy, std::size_t i, const Place<T>& p) {
    return p.gain_at(i) * dy;
  }
  template <class T>
  static T mean_g(const Row<T>& g, const Place<T>& p) {
    return Self::total(g) / p.n;
  }
  template <class T>
  static T mean_gu(const Row<T>& g, const Row<T>& u, const Place<T>& p) {
    return Self::total(g * u) / p.n;
  }
  template <class T>
  static T gradient(T g, T u, T mean_g, T mean_gu, T sigma, std::size_t, const Place<T>&) {
    return (g - mean_g - u * mean_gu) / sigma;
  }
  template <class T>
  static T gain_term(T dy, T u, std::size_t, const Place<T>&) {
    return dy * u;
  }
  template <class T>
  static T bias_term(T dy, std::size_t, const Place<T>&) {
    return dy;
  }
  template <class T>
  static T added(T sum, T term, const Place<T>&) {
    return sum + term;
  }

  // Memory: where row t begins, which elements are written and with what, and anything before and after.
  static std::size_t offset(std::size_t t, std::size_t d) { return t * d; }
  static bool writes(const Slot&) { return true; }
  template <class T>
  static T stored(const Slot&, T value, T /*existing*/) {
    return value;
  }
  template <class Call>
  static int before(const Call&) {
    return 0;
  }
  template <class Call>
  static void after(const Call&) {}

  // How the rows of a forward call are gone through.
  template <class Do>
  static void for_rows(std::size_t rows, Do&& one_row) {
    for (std::size_t t = 0; t < rows; ++t) one_row(t);
  }
};

}  // namespace lnverify::mutants
