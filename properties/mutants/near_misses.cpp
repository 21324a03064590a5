// Faults that are small, or that show in few cases only.
#include <cstdint>

#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* near = "near miss";

// epsilon or the variance is off by one part in 10^power.
template <int power>
struct EpsilonOff : Honest<EpsilonOff<power>> {
  static auto sigma(auto q, const auto& p) {
    return std::sqrt(q + p.eps * (1 + decltype(q)(std::pow(10.0, -power))));
  }
};
struct EpsilonOff3 : EpsilonOff<3> {
  static constexpr Entry entry{
      "epsilon_off_by_1e-3", near, "epsilon is too large by one part in a thousand", "tensorflow#58863"};
};
struct EpsilonOff4 : EpsilonOff<4> {
  static constexpr Entry entry{
      "epsilon_off_by_1e-4", near, "epsilon is too large by one part in ten thousand", "tensorflow#58863"};
};
struct EpsilonOff5 : EpsilonOff<5> {
  static constexpr Entry entry{
      "epsilon_off_by_1e-5", near, "epsilon is too large by one part in a hundred thousand",
      "tensorflow#58863"};
};

template <int power>
struct VarianceOff : Honest<VarianceOff<power>> {
  static auto sigma(auto q, const auto& p) {
    return std::sqrt(q * (1 + decltype(q)(std::pow(10.0, -power))) + p.eps);
  }
};
struct VarianceOff3 : VarianceOff<3> {
  static constexpr Entry entry{
      "variance_off_by_1e-3", near, "the variance is too large by one part in a thousand",
      "onnxruntime#31973"};
};
struct VarianceOff4 : VarianceOff<4> {
  static constexpr Entry entry{
      "variance_off_by_1e-4", near, "the variance is too large by one part in ten thousand",
      "onnxruntime#31973"};
};
struct VarianceOff5 : VarianceOff<5> {
  static constexpr Entry entry{
      "variance_off_by_1e-5", near, "the variance is too large by one part in a hundred thousand",
      "onnxruntime#31973"};
};

struct MeanGuOff : Honest<MeanGuOff> {
  static constexpr Entry entry{
      "mean_gu_off_by_1e-4", near, "mean(g u) is too large by one part in ten thousand", "xla#8225"};
  static auto mean_gu(const auto& g, const auto& u, const auto& p) {
    return Honest::mean_gu(g, u, p) * (1 + decltype(p.n + 0)(1e-4));
  }
};

template <std::size_t wrong_d>
struct OneSize : Honest<OneSize<wrong_d>> {
  static auto variance(const auto& z, auto mean, const auto& p) {
    return Honest<OneSize>::variance(z, mean, p) * (p.d == wrong_d ? (p.n - 1) / p.n : 1);
  }
};
struct OnlyD3 : OneSize<3> {
  static constexpr Entry entry{
      "wrong_for_d_3", near, "an unrolled variant for d = 3 has a wrong divisor", "whisper.cpp#3477"};
};
struct OnlyD31 : OneSize<31> {
  static constexpr Entry entry{"wrong_for_d_31",   near, "only rows of 31 coordinates have a wrong divisor",
                               "whisper.cpp#3477", "",   false};
};
struct OnlyD257 : OneSize<257> {
  static constexpr Entry entry{"wrong_for_d_257", near, "only rows of 257 coordinates have a wrong divisor",
                               "llama.cpp#26708", "",   false};
};

struct ManyRows : Honest<ManyRows> {
  static constexpr Entry entry{"wrong_past_row_255", near, "rows from the 256th on have the bias added twice",
                               "apex#411",           "",   false};
  static auto output(auto u, std::size_t i, const auto& p) {
    return Honest::output(u, i, p) + (p.t > 255 ? p.bias_at(i) : 0);
  }
};

struct ManyRowsBackward : Honest<ManyRowsBackward> {
  static constexpr Entry entry{
      "dgain_past_row_255_lost", near, "rows from the 257th on are missing from dgain",
      "pytorch#181555",          "",   false};
  static auto gain_term(auto dy, auto u, std::size_t, const auto& p) { return p.t > 256 ? 0 : dy * u; }
};

struct OneAlignment : Honest<OneAlignment> {
  static constexpr Entry entry{
      "wrong_for_one_alignment", near, "the peeled coordinate before an aligned address is counted twice",
      "pytorch#193016"};
  static auto mean(const auto& z, const auto& p) {
    const bool peeled = reinterpret_cast<std::uintptr_t>(p.address) % 16 == 4;
    return Honest::mean(z, p) + (peeled ? z[0] / p.n : 0);
  }
};

struct LongRows : Honest<LongRows> {
  static constexpr Entry entry{
      "wrong_past_d_1024", near, "rows longer than 1024 lose their last block of 16 from the variance",
      "llama.cpp#26708",   "",   false};
  static auto variance(const auto& z, auto mean, const auto& p) {
    auto q = Honest::variance(z, mean, p);
    for (std::size_t i = p.d - 16; p.d > 1024 && i < p.d; ++i) q -= (z[i] - mean) * (z[i] - mean) / p.n;
    return q;
  }
};

struct OneInTenThousand : Honest<OneInTenThousand> {
  static constexpr Entry entry{
      "one_output_in_10000", near, "every ten-thousandth output of a call lacks its bias",
      "apex#1184",           "",   false};
  static auto output(auto u, std::size_t i, const auto& p) {
    return (p.t * p.d + i) % 10000 == 9999 ? u * p.gain_at(i) : Honest::output(u, i, p);
  }
};

struct HalfBias : Honest<HalfBias> {
  static constexpr Entry entry{
      "bias_without_gain_off", near, "without a gain, a bias above 1 is cut to 1", "pytorch#69208"};
  static auto output(auto u, std::size_t i, const auto& p) {
    const auto bias = p.bias_at(i);
    return p.gain == nullptr ? u + std::min(bias, decltype(u)(1)) : Honest::output(u, i, p);
  }
};

struct LastGain : Honest<LastGain> {
  static constexpr Entry entry{
      "last_gain_without_bias", near, "without a bias, the last coefficient of the gain is not applied",
      "onnxruntime#28424"};
  static auto output(auto u, std::size_t i, const auto& p) {
    return p.bias == nullptr && i + 1 == p.d ? u : Honest::output(u, i, p);
  }
};

struct ZeroGain : Honest<ZeroGain> {
  static constexpr Entry entry{
      "zero_gain_taken_for_one", near, "a coefficient of 0 is taken for a missing one", "onnxruntime#28424"};
  static auto output(auto u, std::size_t i, const auto& p) {
    return p.gain_at(i) == 0 ? u + p.bias_at(i) : Honest::output(u, i, p);
  }
};

struct NegativeMean : Honest<NegativeMean> {
  static constexpr Entry entry{
      "negative_mean_rounded", near, "a negative mean is rounded to 12 bits", "onnxruntime#31973"};
  static float mean(const Row<float>& z, const Place<float>& p) {
    const float m = Honest::mean(z, p);
    return m < 0 ? F16::round(m) : m;
  }
};

struct CoreClamped : Honest<CoreClamped> {
  static constexpr Entry entry{"core_clamped_at_4", near, "the core is clamped to [-4, 4]",
                               "pytorch#178123",    "",   false};
  static auto core(auto z, auto mean, auto sigma, std::size_t i, const auto& p) {
    const auto u = Honest::core(z, mean, sigma, i, p);
    return u > 4 ? 4 : u < -4 ? -4 : u;
  }
};

}  // namespace

std::vector<Mutant> near_misses() {
  return {
      wrong_forward<EpsilonOff3, Float, Double>(),
      wrong_forward<EpsilonOff4, Float>(),
      wrong_forward<EpsilonOff5, Float>(),
      wrong_forward<VarianceOff3, Float>(),
      wrong_forward<VarianceOff4, Float>(),
      wrong_forward<VarianceOff5, Float>(),
      wrong_backward<MeanGuOff, Float>(),
      wrong_forward<OnlyD3, Float>(),
      wrong_forward<OnlyD31, Float>(),
      wrong_forward<OnlyD257, Float>(),
      wrong_forward<ManyRows, Float>(),
      wrong_backward<ManyRowsBackward, Float>(),
      wrong_forward<OneAlignment, Float>(),
      wrong_forward<LongRows, Float>(),
      wrong_forward<OneInTenThousand, Float>(),
      wrong_forward<HalfBias, Float>(),
      wrong_forward<LastGain, Float>(),
      wrong_forward<ZeroGain, Float>(),
      wrong_forward<NegativeMean, Float>(),
      wrong_forward<CoreClamped, Float>()};
}

}  // namespace lnverify::mutants
