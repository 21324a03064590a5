// Two faults in one kernel, which nearly cancel or hide each other.
#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* combined = "combination";

struct LessOneAndOutside : Honest<LessOneAndOutside> {
  static constexpr Entry entry{
      "divisor_and_epsilon_outside", combined, "divisor d - 1, and epsilon outside the root",
      "BERT-pytorch#30"};
  static auto sigma(auto q, const auto& p) {
    return std::sqrt(q * p.n / std::max(p.n - 1, decltype(q)(1))) + p.eps;
  }
};

struct LessOneUndone : Honest<LessOneUndone> {
  static constexpr Entry entry{
      "divisor_undone_by_core", combined,
      "divisor d - 1, then a core scaled by sqrt(d / (d - 1)): epsilon alone is off",
      "annotated-transformer#119"};
  static auto sigma(auto q, const auto& p) {
    const auto factor = p.d == 1 ? 1 : p.n / (p.n - 1);
    return std::sqrt(q * factor + p.eps) / std::sqrt(factor);
  }
};

struct MeanShifted : Honest<MeanShifted> {
  static constexpr Entry entry{
      "tail_lost_in_both_means", combined, "mean(g) and mean(g u) both lose the last d mod 4 coordinates",
      "MIOpen#104"};
  static auto mean_g(const auto& g, const auto& p) { return Honest::mean_g(head(g), p); }
  static auto mean_gu(const auto& g, const auto& u, const auto& p) {
    return Honest::mean_gu(head(g), head(u), p);
  }
  static auto head(auto row) {
    for (std::size_t i = row.size() / 4 * 4; i < row.size(); ++i) row[i] = 0;
    return row;
  }
};

struct GainTwiceAndNever : Honest<GainTwiceAndNever> {
  static constexpr Entry entry{
      "gain_moved_between_gradients", combined, "the gain is missing from dz and multiplied into dgain",
      "xla#8225"};
  static auto upstream(auto dy, std::size_t, const auto&) { return dy; }
  static auto gain_term(auto dy, auto u, std::size_t i, const auto& p) { return dy * u * p.gain_at(i); }
};

struct MedianPair : Honest<MedianPair> {
  static constexpr Entry entry{
      "variance_about_first_coordinate", combined,
      "the variance is taken about the first coordinate and corrected by half", "pytorch#51102"};
  static auto variance(const auto& z, auto mean, const auto& p) {
    return Honest::variance(z, z[0], p) - (mean - z[0]) * (mean - z[0]) / 2;
  }
};

struct EpsilonSplit : Honest<EpsilonSplit> {
  static constexpr Entry entry{
      "epsilon_half_inside_half_outside", combined, "half of epsilon inside the root, half outside",
      "LeetCUDA#309"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(q + p.eps / 2) + p.eps / 2; }
};

struct RmsOfCentred : Honest<RmsOfCentred> {
  static constexpr Entry entry{
      "mean_removed_after_scaling", combined,
      "scaled by the root mean square, then centred: right only for a mean of 0", "pytorch#84356"};
  static auto variance(const auto& z, auto, const auto& p) { return Honest::variance(z, p.n - p.n, p); }
};

struct DroppedAndRescaled : Honest<DroppedAndRescaled> {
  static constexpr Entry entry{
      "tail_lost_divisor_adapted",
      combined,
      "the last d mod 4 coordinates are left out, and the divisor is adapted to that",
      "whisper.cpp#3477",
      "",
      false};
  static auto used(const auto& z) { return std::max(z.size() / 4 * 4, std::min<std::size_t>(z.size(), 4)); }
  static auto sliced(const auto& z) {
    auto part = z;
    return std::decay_t<decltype(part)>(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(used(z)));
  }
  static auto mean(const auto& z, const auto& p) {
    return Honest::total(sliced(z)) / static_cast<decltype(p.n + 0)>(used(z));
  }
  static auto variance(const auto& z, auto mean, const auto& p) {
    return Honest::variance(sliced(z), mean, p) * p.n / static_cast<decltype(mean)>(used(z));
  }
};

struct BiasSignsCancel : Honest<BiasSignsCancel> {
  static constexpr Entry entry{
      "bias_subtracted_with_negated_gain", combined, "bias - gain * u, which is right wherever gain is 0",
      "pytorch#69208"};
  static auto output(auto u, std::size_t i, const auto& p) {
    return p.gain != nullptr && p.bias != nullptr ? p.bias_at(i) - p.gain_at(i) * u : Honest::output(u, i, p);
  }
};

struct WelfordUnweighted : Honest<WelfordUnweighted> {
  static constexpr Entry entry{
      "parts_merged_unweighted", combined, "means of two unequal halves are averaged without weights",
      "pytorch#66707"};
  static auto mean(const auto& z, const auto& p) {
    const std::size_t first = (p.d + 1) / 2;
    using T = decltype(p.n + 0);
    T left = 0;
    T right = 0;
    for (std::size_t i = 0; i < p.d; ++i) (i < first ? left : right) += z[i];
    if (p.d == 1) return left;
    return (left / static_cast<T>(first) + right / static_cast<T>(p.d - first)) / 2;
  }
};

struct BetweenGroups : Honest<BetweenGroups> {
  static constexpr Entry entry{
      "variance_within_halves", combined,
      "variances of two halves are merged without their means' difference", "pytorch#66707"};
  static auto variance(const auto& z, auto, const auto& p) {
    using T = decltype(p.n + 0);
    const std::size_t half = p.d < 16 ? p.d : p.d / 2;
    T sum = 0;
    for (std::size_t start : {std::size_t{0}, half}) {
      const std::size_t stop = start == 0 ? half : p.d;
      if (start == stop) continue;
      T mean = 0;
      for (std::size_t i = start; i < stop; ++i) mean += z[i] / static_cast<T>(stop - start);
      for (std::size_t i = start; i < stop; ++i) sum += (z[i] - mean) * (z[i] - mean);
    }
    return sum / p.n;
  }
};

struct NoSecondTermForFew : Honest<NoSecondTermForFew> {
  static constexpr Entry entry{
      "mean_gu_missing_for_large_core", combined, "u * mean(g u) is left out where |u| exceeds 1",
      "MIOpen#104"};
  static auto gradient(auto g, auto u, auto mean_g, auto mean_gu, auto sigma, std::size_t i, const auto& p) {
    return Honest::gradient(g, u, mean_g, u > 1 || u < -1 ? 0 * mean_gu : mean_gu, sigma, i, p);
  }
};

}  // namespace

std::vector<Mutant> combinations() {
  return {wrong_forward<LessOneAndOutside, Float>(), wrong_forward<LessOneUndone, Float>(),
          wrong_backward<MeanShifted, Float>(),      wrong_backward<GainTwiceAndNever, Float>(),
          wrong_forward<MedianPair, Float>(),        wrong_forward<EpsilonSplit, Float>(),
          wrong_forward<RmsOfCentred, Float>(),      wrong_forward<DroppedAndRescaled, Float>(),
          wrong_forward<BiasSignsCancel, Float>(),   wrong_forward<WelfordUnweighted, Float>(),
          wrong_forward<BetweenGroups, Float>(),     wrong_backward<NoSecondTermForFew, Float>()};
}

}  // namespace lnverify::mutants
