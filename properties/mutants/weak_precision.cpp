// Variances by one pass, weak arithmetic, and a mean folded into a multiply-add.
#include <bit>
#include <cstdint>
#include <limits>

#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

template <class T>
T mean_of_squares(const Row<T>& z) {
  T sum(0);
  for (const T& x : z) sum += x * x;
  return sum / static_cast<T>(z.size());
}

struct OnePass : Honest<OnePass> {
  static constexpr Entry entry{"one_pass",
                               "one-pass variance",
                               "q = mean(z^2) - mean(z)^2, which may be negative",
                               "pytorch#51102",
                               "",
                               true,
                               "one-pass"};
  static auto variance(const auto& z, auto mean, const auto&) { return mean_of_squares(z) - mean * mean; }
};

struct OnePassClamped : Honest<OnePassClamped> {
  static constexpr Entry entry{"one_pass_clamped",
                               "one-pass variance",
                               "q = max(0, mean(z^2) - mean(z)^2)",
                               "onnxruntime#28463",
                               "",
                               true,
                               "one-pass"};
  static auto variance(const auto& z, auto mean, const auto&) {
    return std::max(mean_of_squares(z) - mean * mean, decltype(mean)(0));
  }
};

struct OnePassDoubleSums : Honest<OnePassDoubleSums> {
  static constexpr Entry entry{
      "one_pass_double_sums",
      "one-pass variance",
      "sums in double, but mean(z^2) - mean(z)^2 in float",
      "burn#5607",
      "",
      true,
      "one-pass"};
  static float variance(const Row<float>& z, float mean, const Place<float>& p) {
    double sum = 0;
    for (const float x : z) sum += static_cast<double>(x) * static_cast<double>(x);
    return std::max(static_cast<float>(sum) / p.n - mean * mean, 0.0F);
  }
};

struct OnePassPilot : Honest<OnePassPilot> {
  static constexpr Entry entry{
      "one_pass_first_half_pilot", "one-pass variance",
      "one pass about the first coordinate, which may be the outlier", "pytorch#51102"};
  static auto variance(const auto& z, auto mean, const auto&) {
    return mean_of_squares(z - z[0]) - (mean - z[0]) * (mean - z[0]);
  }
};

struct NarrowSums : Honest<NarrowSums> {
  static constexpr Entry entry{
      "double_kernel_float_sums", "weak precision", "a double kernel accumulates in float", "pytorch#59987"};
  static double total(const Row<double>& values) {
    float sum = 0;
    for (const double x : values) sum += static_cast<float>(x);
    return static_cast<double>(sum);
  }
};

struct NarrowRoot : Honest<NarrowRoot> {
  static constexpr Entry entry{
      "double_kernel_float_root", "weak precision", "a double kernel takes the root in float",
      "pytorch#59987"};
  static double sigma(double q, const Place<double>& p) {
    return static_cast<double>(std::sqrt(static_cast<float>(q + p.eps)));
  }
};

struct FastRoot : Honest<FastRoot> {
  static constexpr Entry entry{
      "reciprocal_root_unrefined", "weak precision", "the reciprocal root is a bit trick with one refinement",
      "onnxruntime#31973"};
  static float sigma(float q, const Place<float>& p) {
    const float x = q + p.eps;
    const float guess = std::bit_cast<float>(0x5f3759dfU - (std::bit_cast<std::uint32_t>(x) >> 1));
    return 1 / (guess * (1.5F - 0.5F * x * guess * guess));
  }
};

float with_bits(float x, int dropped) {
  const std::uint32_t mask = ~((1U << dropped) - 1U);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & mask);
}

struct TwelveBitRoot : Honest<TwelveBitRoot> {
  static constexpr Entry entry{
      "reciprocal_root_12_bits", "weak precision",
      "the reciprocal root has 12 bits, as an approximate instruction gives", "onnxruntime#31973"};
  static float sigma(float q, const Place<float>& p) { return 1 / with_bits(1 / std::sqrt(q + p.eps), 11); }
};

struct TenBitOperands : Honest<TenBitOperands> {
  static constexpr Entry entry{
      "ten_bit_operands", "weak precision", "operands are read with a 10-bit mantissa", "onnxruntime#31973"};
  static float core(float z, float mean, float sigma, std::size_t, const Place<float>&) {
    return (with_bits(z, 13) - mean) / sigma;
  }
};

struct FoldedCentring : Honest<FoldedCentring> {
  static constexpr Entry entry{"centring_folded",
                               "centring folded into a multiply-add",
                               "u = z * r - mean * r",
                               "pytorch#108072",
                               "",
                               true};
  static auto core(auto z, auto mean, auto sigma, std::size_t, const auto&) {
    const auto r = 1 / sigma;
    return std::fma(z, r, -mean * r);
  }
};

struct FoldedBias : Honest<FoldedBias> {
  static constexpr Entry entry{
      "centring_folded_bf16", "centring folded into a multiply-add",
      "y = z * (r * gain) + (bias - mean * r * gain), with the constants kept in bf16", "pytorch#188372"};
  static float core(float z, float mean, float sigma, std::size_t, const Place<float>&) {
    return z * BF16::round(1 / sigma) - BF16::round(mean / sigma);
  }
};

}  // namespace

std::vector<Mutant> weak_precision() {
  return {wrong_forward<OnePass, Float, Double>(),   wrong_forward<OnePassClamped, Float>(),
          wrong_forward<OnePassDoubleSums, Float>(), wrong_forward<OnePassPilot, Float>(),
          wrong_forward<NarrowSums, Double>(),       wrong_forward<NarrowRoot, Double>(),
          wrong_forward<FastRoot, Float>(),          wrong_forward<TwelveBitRoot, Float>(),
          wrong_forward<TenBitOperands, Float>(),    wrong_forward<FoldedCentring, Float>(),
          wrong_forward<FoldedBias, BF16>()};
}

}  // namespace lnverify::mutants
