// Epsilon lost, replaced, or added in the wrong place.
#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* lost = "epsilon lost or another used";
constexpr const char* misplaced = "epsilon misplaced";

struct Ignored : Honest<Ignored> {
  static constexpr Entry entry{"epsilon_ignored", lost, "epsilon is not added", "onnxruntime#3768", "", true,
                               "epsilon ignored"};
  static auto sigma(auto q, const auto&) { return std::sqrt(q); }
};

struct Fixed12 : Honest<Fixed12> {
  static constexpr Entry entry{"epsilon_fixed_1e-12",
                               lost,
                               "epsilon is 1e-12 whatever is asked for",
                               "tensorflow#58863",
                               "",
                               true,
                               "1e-12"};
  static auto sigma(auto q, const auto&) { return std::sqrt(q + decltype(q)(1e-12)); }
};
struct Fixed5 : Honest<Fixed5> {
  static constexpr Entry entry{"epsilon_fixed_1e-5",
                               lost,
                               "epsilon is 1e-5 whatever is asked for",
                               "tensorflow#58863",
                               "",
                               true,
                               "1e-05"};
  static auto sigma(auto q, const auto&) { return std::sqrt(q + decltype(q)(1e-5)); }
};
struct Fixed3 : Honest<Fixed3> {
  static constexpr Entry entry{"epsilon_fixed_1e-3",
                               lost,
                               "epsilon is 1e-3 whatever is asked for",
                               "onnxruntime#3768",
                               "",
                               true,
                               "0.001"};
  static auto sigma(auto q, const auto&) { return std::sqrt(q + decltype(q)(1e-3)); }
};

struct NeverZero : Honest<NeverZero> {
  static constexpr Entry entry{
      "epsilon_zero_replaced", lost, "an epsilon of 0 is taken for 1e-5", "onnxruntime#3768"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(q + (p.eps == 0 ? decltype(q)(1e-5) : p.eps)); }
};

struct AtLeast : Honest<AtLeast> {
  static constexpr Entry entry{
      "epsilon_at_least_1e-5", lost, "epsilon is raised to 1e-5 at least", "tensorflow#58863"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(q + std::max(p.eps, decltype(q)(1e-5))); }
};

struct ThroughFloat : Honest<ThroughFloat> {
  static constexpr Entry entry{
      "epsilon_through_float", lost, "a double kernel passes epsilon through a float", "tensorflow#58863"};
  static double sigma(double q, const Place<double>& p) {
    return std::sqrt(q + static_cast<double>(static_cast<float>(p.eps)));
  }
};

struct Outside : Honest<Outside> {
  static constexpr Entry entry{
      "epsilon_outside_root", misplaced, "sqrt(q) + eps", "BERT-pytorch#30", "", true, "outside the root"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(q) + p.eps; }
};

struct Largest : Honest<Largest> {
  static constexpr Entry entry{"epsilon_as_minimum", misplaced, "sqrt(max(q, eps))", "LeetCUDA#309"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(std::max(q, p.eps)); }
};

struct TwiceRooted : Honest<TwiceRooted> {
  static constexpr Entry entry{
      "epsilon_added_to_sigma_then_root", misplaced, "sqrt(sqrt(q) + eps)", "BERT-pytorch#30"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(std::sqrt(q) + p.eps); }
};

struct TimesD : Honest<TimesD> {
  static constexpr Entry entry{
      "epsilon_times_d", misplaced, "eps * d is added to the variance", "LeetCUDA#309"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(q + p.eps * p.n); }
};

struct OverD : Honest<OverD> {
  static constexpr Entry entry{
      "epsilon_over_d", misplaced, "epsilon is added to the sum of squares before the division",
      "LeetCUDA#309"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(q + p.eps / p.n); }
};

struct Squared : Honest<Squared> {
  static constexpr Entry entry{"epsilon_squared", misplaced, "sqrt(q + eps^2)", "BERT-pytorch#30"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(q + p.eps * p.eps); }
};

}  // namespace

std::vector<Mutant> epsilon_faults() {
  return {both_passes<Ignored, Float>(),         wrong_forward<Fixed12, Float>(),
          wrong_forward<Fixed5, Float>(),        wrong_forward<Fixed3, Float>(),
          wrong_forward<NeverZero, Float>(),     wrong_forward<AtLeast, Float>(),
          wrong_forward<ThroughFloat, Double>(), wrong_forward<Outside, Float, Double>(),
          wrong_forward<Largest, Float>(),       wrong_forward<TwiceRooted, Float>(),
          wrong_forward<TimesD, Float>(),        wrong_forward<OverD, Float>(),
          wrong_forward<Squared, Float>()};
}

}  // namespace lnverify::mutants
