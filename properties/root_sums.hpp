// RootSum: sums of rational multiples of square roots, decided exactly whatever the radicands.
//
// Two rows have two standard deviations, so a law about both leaves the numbers a + b sqrt(n) of `exact`.
// Such a law is written once, in Widened<W>: RootSum where W is exact, W itself where it rounds.
#pragma once

#include <layer_norm/array.hpp>
#include <layer_norm/exact.hpp>
#include <layer_norm/root_sum.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/verdict.hpp"

namespace lnverify {

template <class W>
inline constexpr bool is_exact = std::is_same_v<W, layer_norm::exact>;

class RootSum {
 public:
  RootSum() = default;
  explicit RootSum(const layer_norm::exact& x) {
    add({x.rational_part(), 1});
    add({x.root_coefficient(), layer_norm::mpq_rational(x.radicand())});
  }
  explicit RootSum(int x) : RootSum(layer_norm::exact(x)) {}

  // -1, 0 or 1.
  int sign() const { return layer_norm::sign_of_root_sum(terms_); }

  RootSum& operator+=(const RootSum& other) {
    for (const layer_norm::RootTerm& term : other.terms_) add(term);
    return *this;
  }
  friend RootSum operator+(RootSum a, const RootSum& b) { return std::move(a += b); }
  friend RootSum operator-(const RootSum& a) { return a * RootSum(-1); }
  friend RootSum operator-(RootSum a, const RootSum& b) { return std::move(a += -b); }
  friend RootSum operator*(const RootSum& a, const RootSum& b) {
    RootSum product;
    for (const layer_norm::RootTerm& x : a.terms_)
      for (const layer_norm::RootTerm& y : b.terms_) {
        const bool same = x.radicand == y.radicand;
        const layer_norm::mpq_rational coefficient = x.coefficient * y.coefficient;
        product.add(
            {same ? layer_norm::mpq_rational(coefficient * x.radicand) : coefficient,
             same ? layer_norm::mpq_rational(1) : layer_norm::mpq_rational(x.radicand * y.radicand)});
      }
    return product;
  }
  friend bool operator==(const RootSum& a, const RootSum& b) { return (a - b).sign() == 0; }
  friend bool operator<=(const RootSum& a, const RootSum& b) { return (a - b).sign() <= 0; }

 private:
  void add(const layer_norm::RootTerm& term) {
    if (term.coefficient.is_zero() || term.radicand.is_zero()) return;
    for (layer_norm::RootTerm& mine : terms_)
      if (mine.radicand == term.radicand) {
        mine.coefficient += term.coefficient;
        return;
      }
    terms_.push_back(term);
  }

  std::vector<layer_norm::RootTerm> terms_;
};

template <class W>
using Widened = std::conditional_t<is_exact<W>, RootSum, W>;

template <class W>
layer_norm::Row<Widened<W>> widened(const layer_norm::Row<W>& row) {
  layer_norm::Row<Widened<W>> result(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) result[i] = Widened<W>(row[i]);
  return result;
}

// |row|_2 in a working type that has roots of all its numbers.
template <class W>
W norm(const layer_norm::Row<W>& row) {
  using std::sqrt;
  return sqrt(layer_norm::squared_norm(row));
}

// Holds when the statement does.
inline Verdict decided(bool statement, const char* what_is_wrong) {
  return statement ? holds() : falsified(Failure::wrong_value, what_is_wrong);
}

}  // namespace lnverify
