// Gain and bias applied wrongly, or not at all.
#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* affine = "gain and bias";

struct OnlyBoth : Honest<OnlyBoth> {
  static constexpr Entry entry{
      "affine_only_with_both", affine, "gain and bias are applied only when both are given", "pytorch#69208"};
  static auto output(auto u, std::size_t i, const auto& p) {
    return p.gain != nullptr && p.bias != nullptr ? Honest::output(u, i, p) : u;
  }
};

struct BiasNeedsGain : Honest<BiasNeedsGain> {
  static constexpr Entry entry{
      "bias_needs_gain", affine, "the bias is left out where there is no gain", "onnxruntime#28424"};
  static auto output(auto u, std::size_t i, const auto& p) {
    return p.gain == nullptr ? u : Honest::output(u, i, p);
  }
};

struct OnePerPack : Honest<OnePerPack> {
  static constexpr Entry entry{
      "one_gain_per_pack", affine, "one coefficient serves each pack of 8 coordinates", "onnxruntime#28424"};
  static auto output(auto u, std::size_t i, const auto& p) { return Honest::output(u, i / 8 * 8, p); }
};

struct BiasFirst : Honest<BiasFirst> {
  static constexpr Entry entry{"bias_before_gain", affine, "gain * (u + bias)", "pytorch#69208", "", true,
                               "gain and bias"};
  static auto output(auto u, std::size_t i, const auto& p) { return p.gain_at(i) * (u + p.bias_at(i)); }
};

struct OnePlusGain : Honest<OnePlusGain> {
  static constexpr Entry entry{
      "one_plus_gain", affine, "the gain is stored as its difference from 1", "onnxruntime#28424"};
  static auto output(auto u, std::size_t i, const auto& p) {
    return p.gain == nullptr ? Honest::output(u, i, p) : Honest::output(u, i, p) + u;
  }
};

struct Swapped : Honest<Swapped> {
  static constexpr Entry entry{
      "gain_and_bias_swapped", affine, "gain and bias change places when both are given",
      "pytorch#69208",         "",     true,
      "gain and bias"};
  static auto output(auto u, std::size_t i, const auto& p) {
    if (p.gain == nullptr || p.bias == nullptr) return Honest::output(u, i, p);
    return p.bias_at(i) * u + p.gain_at(i);
  }
};

struct BiasScaled : Honest<BiasScaled> {
  static constexpr Entry entry{
      "bias_divided_by_sigma", affine, "the bias is added before the division by sigma", "pytorch#69208"};
  static auto core(auto z, auto mean, auto sigma, std::size_t i, const auto& p) {
    return p.gain_at(i) * (z - mean + p.bias_at(i)) / sigma;
  }
  static auto output(auto u, std::size_t, const auto&) { return u; }
};

struct Magnitude : Honest<Magnitude> {
  static constexpr Entry entry{
      "gain_made_positive", affine, "the sign of the gain is lost", "onnxruntime#28424"};
  static auto output(auto u, std::size_t i, const auto& p) {
    return std::abs(p.gain_at(i)) * u + p.bias_at(i);
  }
};

struct Scalar : Honest<Scalar> {
  static constexpr Entry entry{
      "gain_of_first_coordinate", affine, "the first coefficient of the gain serves all coordinates",
      "onnxruntime#28424"};
  static auto output(auto u, std::size_t i, const auto& p) { return p.gain_at(0) * u + p.bias_at(i); }
};

}  // namespace

std::vector<Mutant> gain_and_bias() {
  return {wrong_forward<OnlyBoth, Float>(),        wrong_forward<BiasNeedsGain, Float>(),
          wrong_forward<OnePerPack, Float, F16>(), wrong_forward<BiasFirst, Float>(),
          wrong_forward<OnePlusGain, Float>(),     wrong_forward<Swapped, Float>(),
          wrong_forward<BiasScaled, Float>(),      wrong_forward<Magnitude, Float>(),
          wrong_forward<Scalar, Float>()};
}

}  // namespace lnverify::mutants
