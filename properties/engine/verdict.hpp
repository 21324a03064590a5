// Verdict: what one evaluation of a law says. Always a value, never an exception.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <layer_norm/array.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace lnverify {

enum class Outcome { holds, falsified, discarded };

// In order of severity: of several failures in one evaluation the last counts.
enum class Failure {
  none,
  wrong_value,
  not_finite,
  not_written,
  scribbled,
  out_of_bounds,
  crashed,
  hung,
  failed,
};
std::string_view name(Failure failure);  // "wrong-value", "not-finite", ... as reports spell it

struct Verdict {
  Outcome outcome = Outcome::holds;
  Failure failure = Failure::none;
  double ratio =
      0;  // error / limit of the worst coordinate; infinity when the limit is 0 and the error is not
  double unit_ratio = 0;       // error / bound of one roundoff, where the law measures it (accuracy); else 0
  bool not_supported = false;  // discarded because the kernel does not offer what the law needs

  // Of a falsified law, or the reason of a discard.
  std::string what;  // "y[1]", or the reason
  double error = 0;
  double limit = 0;
  std::vector<double> expected;
  std::vector<double> got;

  bool falsified() const { return outcome == Outcome::falsified; }
};

Verdict holds();
Verdict discard(std::string reason);
Verdict falsified(Failure failure, std::string what);

// The worst of several: falsified before holds before discarded; ratios are the largest of all.
Verdict all_of(std::initializer_list<Verdict> verdicts);
Verdict worse(Verdict a, const Verdict& b);

namespace detail {
// Accumulates coordinates of a comparison; finish() makes the verdict.
struct Comparison {
  double ratio = -1;
  std::size_t worst = 0;
  Failure failure = Failure::none;
  std::size_t decided = 0;

  void add(std::size_t i, bool within, bool finite_expected, bool finite_got, double this_ratio);
};

inline bool finite(double x) { return x - x == 0; }
template <class W>
bool finite(const W& x) {
  if constexpr (std::numeric_limits<W>::has_infinity)
    return x - x == W(0);
  else
    return true;
}
template <class W>
double as_double(const W& x) {
  return static_cast<double>(x);
}
// Numbers a + b sqrt(n) of which some have no difference and no quotient, since their n differ.
template <class W>
concept HasRadicand = requires(const W& x) {
  x.radicand();
};
template <class W>
double ratio_of(const W& error, const W& limit) {
  if (error == W(0)) return 0;
  if (limit == W(0)) return std::numeric_limits<double>::infinity();
  if constexpr (HasRadicand<W>)
    return as_double(error) / as_double(limit);
  else
    return as_double(W(error / limit));
}
// |a - b|. Where there is no difference it is not 0: then the nearest number, or the smallest of all.
template <class W>
W distance(const W& a, const W& b) {
  if constexpr (HasRadicand<W>) {
    if (a == b) return W(0);
    if (!a.is_rational() && !b.is_rational() && a.radicand() != b.radicand()) {
      const double apart = as_double(a) - as_double(b);
      return W(apart == 0 ? std::numeric_limits<double>::denorm_min() : apart < 0 ? -apart : apart);
    }
  }
  return layer_norm::magnitude(W(a - b));
}
template <class W>
std::vector<double> as_doubles(const layer_norm::Row<W>& row, std::size_t around) {
  constexpr std::size_t most = 64;
  const std::size_t first = row.size() <= most ? 0 : (around < most / 2 ? 0 : around - most / 2);
  std::vector<double> result;
  for (std::size_t i = first; i < row.size() && i < first + most; ++i) result.push_back(as_double(row[i]));
  return result;
}
}  // namespace detail

// Holds when |got - expected| <= limit in every coordinate. A coordinate whose limit is infinite is
// undecided; when all are, the case is discarded. A NaN in `got` where a number was expected falsifies.
// Rows of different sizes throw std::invalid_argument: a fault of the law.
template <class W>
Verdict within(
    const layer_norm::Row<W>& got, const layer_norm::Row<W>& expected, const layer_norm::Row<W>& limit,
    std::string_view what = "y") {
  layer_norm::detail::require_same_size(got.size(), expected.size());
  layer_norm::detail::require_same_size(limit.size(), expected.size());
  detail::Comparison comparison;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!detail::finite(limit[i])) continue;
    const bool both = detail::finite(got[i]) && detail::finite(expected[i]);
    const W error = both ? detail::distance(got[i], expected[i]) : W(0);
    const bool same =
        both ? error <= limit[i] : (detail::finite(expected[i]) ? false : !detail::finite(got[i]));
    comparison.add(
        i, same, detail::finite(expected[i]), detail::finite(got[i]),
        both ? detail::ratio_of(error, limit[i]) : (same ? 0 : std::numeric_limits<double>::infinity()));
  }
  if (comparison.decided == 0) return discard("outside the range of the bound");
  Verdict verdict;
  verdict.ratio = comparison.ratio;
  if (comparison.failure == Failure::none) return verdict;
  const std::size_t i = comparison.worst;
  verdict = falsified(comparison.failure, std::string(what) + "[" + std::to_string(i) + "]");
  verdict.ratio = comparison.ratio;
  verdict.error = detail::as_double(detail::distance(got[i], expected[i]));
  verdict.limit = detail::as_double(limit[i]);
  verdict.expected = detail::as_doubles(expected, i);
  verdict.got = detail::as_doubles(got, i);
  return verdict;
}

// One number against another.
template <class W>
Verdict within(const W& got, const W& expected, const W& limit, std::string_view what) {
  Verdict verdict =
      within(layer_norm::Row<W>{got}, layer_norm::Row<W>{expected}, layer_norm::Row<W>{limit}, what);
  if (verdict.falsified()) verdict.what = what;
  return verdict;
}

// Holds when left <= right; `what` says what the left side is.
template <class W>
Verdict at_most(const W& left, const W& right, std::string_view what) {
  if (!detail::finite(right)) return discard("outside the range of the bound");
  Verdict verdict;
  if (detail::finite(left) && left <= right) {
    verdict.ratio = left <= W(0) ? 0 : detail::ratio_of(left, right);
    return verdict;
  }
  verdict = falsified(detail::finite(left) ? Failure::wrong_value : Failure::not_finite, std::string(what));
  verdict.expected = {detail::as_double(right)};
  verdict.got = {detail::as_double(left)};
  verdict.error = detail::as_double(left);
  verdict.limit = detail::as_double(right);
  verdict.ratio = detail::finite(left) && right > W(0) ? detail::ratio_of(left, right)
                                                       : std::numeric_limits<double>::infinity();
  return verdict;
}

// Holds when both are equal as numbers, coordinate by coordinate; +0 = -0, NaN = NaN.
template <class W>
Verdict identical(
    const layer_norm::Row<W>& got, const layer_norm::Row<W>& expected, std::string_view what = "y") {
  layer_norm::detail::require_same_size(got.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (got[i] == expected[i] || (got[i] != got[i] && expected[i] != expected[i])) continue;
    Verdict verdict = falsified(
        detail::finite(got[i]) || !detail::finite(expected[i]) ? Failure::wrong_value : Failure::not_finite,
        std::string(what) + "[" + std::to_string(i) + "]");
    verdict.error = detail::as_double(detail::distance(got[i], expected[i]));
    verdict.ratio = std::numeric_limits<double>::infinity();
    verdict.expected = detail::as_doubles(expected, i);
    verdict.got = detail::as_doubles(got, i);
    return verdict;
  }
  return holds();
}

}  // namespace lnverify
