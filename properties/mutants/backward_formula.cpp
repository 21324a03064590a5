// The backward pass with a term missing, doubled or wrong.
#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* formula = "backward formula";

struct NoMeanG : Honest<NoMeanG> {
  static constexpr Entry entry{
      "mean_g_missing", formula, "mean(g) is not subtracted", "tt-metal#53204", "", true, "mean(g)"};
  static auto mean_g(const auto&, const auto& p) { return p.n - p.n; }
};

struct MeanGTwice : Honest<MeanGTwice> {
  static constexpr Entry entry{"mean_g_twice", formula, "mean(g) is subtracted twice", "xla#8225"};
  static auto mean_g(const auto& g, const auto& p) { return 2 * Honest::mean_g(g, p); }
};

struct NoMeanGu : Honest<NoMeanGu> {
  static constexpr Entry entry{
      "mean_gu_missing", formula, "u * mean(g u) is not subtracted", "MIOpen#104", "", true, "mean(g u)"};
  static auto mean_gu(const auto&, const auto&, const auto& p) { return p.n - p.n; }
};

struct SumsForMeans : Honest<SumsForMeans> {
  static constexpr Entry entry{
      "sums_for_means", formula, "sums are subtracted where means belong", "tt-metal#53204"};
  static auto mean_g(const auto& g, const auto& p) { return Honest::mean_g(g, p) * p.n; }
  static auto mean_gu(const auto& g, const auto& u, const auto& p) { return Honest::mean_gu(g, u, p) * p.n; }
};

struct NoGain : Honest<NoGain> {
  static constexpr Entry entry{"gain_left_out_of_dz", formula, "dz is computed without the gain", "xla#8225"};
  static auto upstream(auto dy, std::size_t, const auto&) { return dy; }
};

struct GainOutside : Honest<GainOutside> {
  static constexpr Entry entry{
      "gain_applied_after", formula, "the gain multiplies the result instead of dy", "xla#8225"};
  static auto upstream(auto dy, std::size_t, const auto&) { return dy; }
  static auto gradient(auto g, auto u, auto mean_g, auto mean_gu, auto sigma, std::size_t i, const auto& p) {
    return p.gain_at(i) * Honest::gradient(g, u, mean_g, mean_gu, sigma, i, p);
  }
};

struct GainInDgain : Honest<GainInDgain> {
  static constexpr Entry entry{"dgain_times_gain", formula, "dgain is multiplied by the gain", "MIOpen#104"};
  static auto gain_term(auto dy, auto u, std::size_t i, const auto& p) { return dy * u * p.gain_at(i); }
};

struct RawDgain : Honest<RawDgain> {
  static constexpr Entry entry{"dgain_from_raw_input", formula, "dgain = sum of dy * z", "tt-metal#53204"};
  static auto gain_term(auto dy, auto, std::size_t i, const auto& p) { return dy * p.batch(p.t, i); }
};

struct CentredDgain : Honest<CentredDgain> {
  static constexpr Entry entry{
      "dgain_not_divided_by_sigma", formula, "dgain = sum of dy * (z - mean)", "tt-metal#53204"};
  static auto gain_term(auto dy, auto, std::size_t i, const auto& p) {
    return dy * (p.batch(p.t, i) - Honest::mean(p.batch.row(p.t), p));
  }
};

struct GainForCore : Honest<GainForCore> {
  static constexpr Entry entry{"dgain_from_gain", formula, "dgain = sum of dy * gain", "MIOpen#104"};
  static auto gain_term(auto dy, auto, std::size_t i, const auto& p) { return dy * p.gain_at(i); }
};

struct GainInDbias : Honest<GainInDbias> {
  static constexpr Entry entry{"dbias_times_gain", formula, "dbias = sum of gain * dy", "xla#8225"};
  static auto bias_term(auto dy, std::size_t i, const auto& p) { return dy * p.gain_at(i); }
};

struct NoEpsilon : Honest<NoEpsilon> {
  static constexpr Entry entry{
      "epsilon_missing_in_backward",
      formula,
      "the backward pass recomputes sigma without epsilon",
      "tt-metal#53204",
      "",
      true,
      "epsilon ignored"};
  static auto sigma(auto q, const auto&) { return std::sqrt(q); }
};

struct SigmaSquared : Honest<SigmaSquared> {
  static constexpr Entry entry{"divided_by_sigma_twice", formula, "dz is divided by sigma^2", "MIOpen#104"};
  static auto gradient(auto g, auto u, auto mean_g, auto mean_gu, auto sigma, std::size_t i, const auto& p) {
    return Honest::gradient(g, u, mean_g, mean_gu, sigma, i, p) / sigma;
  }
};

struct WrongSign : Honest<WrongSign> {
  static constexpr Entry entry{
      "mean_gu_added", formula, "u * mean(g u) is added instead of subtracted", "xla#8225"};
  static auto mean_gu(const auto& g, const auto& u, const auto& p) { return -Honest::mean_gu(g, u, p); }
};

struct ConstantStatistics : Honest<ConstantStatistics> {
  static constexpr Entry entry{
      "statistics_as_constants", "higher derivatives",
      "mean and sigma are treated as constants: dz = g / sigma", "pytorch#41595"};
  static auto mean_g(const auto&, const auto& p) { return p.n - p.n; }
  static auto mean_gu(const auto&, const auto&, const auto& p) { return p.n - p.n; }
};

struct VarianceForReciprocal : Honest<VarianceForReciprocal> {
  static constexpr Entry entry{
      "saved_variance_read_as_reciprocal", "saved statistics", "the saved variance is read as 1/sigma",
      "FlagGems#5222"};
  static auto sigma(auto q, const auto& p) { return 1 / (q + p.eps); }
};

struct InvertedAgain : Honest<InvertedAgain> {
  static constexpr Entry entry{
      "saved_reciprocal_inverted", "saved statistics", "the saved 1/sigma is inverted again",
      "FlagGems#5222"};
  static auto sigma(auto q, const auto& p) { return 1 / Honest::sigma(q, p); }
};

struct ReciprocalOnlyInDz : Honest<ReciprocalOnlyInDz> {
  static constexpr Entry entry{
      "saved_reciprocal_inverted_in_dz", "saved statistics",
      "the core is right, but dz is multiplied by sigma", "FlagGems#5222"};
  static auto gradient(auto g, auto u, auto mean_g, auto mean_gu, auto sigma, std::size_t, const auto&) {
    return (g - mean_g - u * mean_gu) * sigma;
  }
};

struct DivisorLessOneBackward : Honest<DivisorLessOneBackward> {
  static constexpr Entry entry{
      "divisor_d_minus_1_in_mean_gu", formula, "mean(g u) has the divisor d - 1", "xla#8225"};
  static auto mean_gu(const auto& g, const auto& u, const auto& p) {
    return Honest::mean_gu(g, u, p) * p.n / std::max(p.n - 1, decltype(p.n + 0)(1));
  }
};

}  // namespace

std::vector<Mutant> backward_formula() {
  return {
      wrong_backward<NoMeanG, Float, Double>(),
      wrong_backward<MeanGTwice, Float>(),
      wrong_backward<NoMeanGu, Float, BF16>(),
      wrong_backward<SumsForMeans, Float>(),
      wrong_backward<NoGain, Float>(),
      wrong_backward<GainOutside, Float>(),
      wrong_backward<GainInDgain, Float>(),
      wrong_backward<RawDgain, Float>(),
      wrong_backward<CentredDgain, Float>(),
      wrong_backward<GainForCore, Float>(),
      wrong_backward<GainInDbias, Float>(),
      wrong_backward<NoEpsilon, Float>(),
      wrong_backward<SigmaSquared, Float>(),
      wrong_backward<WrongSign, Float>(),
      wrong_backward<ConstantStatistics, Float>(),
      wrong_backward<VarianceForReciprocal, Float>(),
      wrong_backward<InvertedAgain, Float>(),
      wrong_backward<ReciprocalOnlyInDz, Float>(),
      wrong_backward<DivisorLessOneBackward, Float>()};
}

}  // namespace lnverify::mutants
