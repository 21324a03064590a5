#include "engine/verdict.hpp"

#include <algorithm>
#include <array>

namespace lnverify {

std::string_view name(Failure failure) {
  constexpr std::array<std::string_view, 9> names = {"none",        "wrong-value", "not-finite",
                                                     "not-written", "scribbled",   "out-of-bounds",
                                                     "crashed",     "hung",        "failed"};
  return names[static_cast<std::size_t>(failure)];
}

Verdict holds() { return {}; }

Verdict discard(std::string reason) {
  Verdict verdict;
  verdict.outcome = Outcome::discarded;
  verdict.what = std::move(reason);
  return verdict;
}

Verdict falsified(Failure failure, std::string what) {
  Verdict verdict;
  verdict.outcome = Outcome::falsified;
  verdict.failure = failure;
  verdict.what = std::move(what);
  verdict.ratio = std::numeric_limits<double>::infinity();
  return verdict;
}

Verdict worse(Verdict a, const Verdict& b) {
  const auto rank = [](const Verdict& v) {
    return v.outcome == Outcome::falsified ? 2 + static_cast<int>(v.failure)
           : v.outcome == Outcome::holds   ? 1
                                           : 0;
  };
  const double ratio = std::max(a.ratio, b.ratio);
  const double unit_ratio = std::max(a.unit_ratio, b.unit_ratio);
  if (rank(b) > rank(a) || (rank(b) == rank(a) && b.ratio > a.ratio)) a = b;
  a.ratio = ratio;
  a.unit_ratio = unit_ratio;
  return a;
}

Verdict all_of(std::initializer_list<Verdict> verdicts) {
  Verdict result = discard("nothing to decide");
  for (const Verdict& verdict : verdicts)
    result = result.outcome == Outcome::discarded && verdict.outcome == Outcome::discarded
                 ? verdict
                 : worse(result, verdict);
  return result;
}

namespace detail {

void Comparison::add(std::size_t i, bool within, bool finite_expected, bool finite_got, double this_ratio) {
  ++decided;
  const Failure this_failure = within                           ? Failure::none
                               : finite_expected && !finite_got ? Failure::not_finite
                                                                : Failure::wrong_value;
  const bool worse = this_failure > failure || (this_failure == failure && this_ratio > ratio);
  if (worse) worst = i;
  failure = std::max(failure, this_failure);
  ratio = std::max(ratio, this_ratio);
}

}  // namespace detail
}  // namespace lnverify
