// NaN, infinities, constant rows, and the ends of the range.
#include <limits>

#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* non_finite = "non-finite inputs";
constexpr const char* singular = "singular at zero variance";
constexpr const char* range = "range of squares";

struct SkipsNan : Honest<SkipsNan> {
  static constexpr Entry entry{
      "nan_skipped_in_sums", non_finite, "NaN is left out of the sums", "pytorch#178123"};
  template <class T>
  static T total(const Row<T>& values) {
    T sum(0);
    for (const T& x : values) sum += x == x ? x : T(0);
    return sum;
  }
};

struct NanToZero : Honest<NanToZero> {
  static constexpr Entry entry{
      "nan_becomes_zero", non_finite, "a result that is NaN is replaced by 0", "pytorch#178123"};
  static auto output(auto u, std::size_t i, const auto& p) {
    const auto y = Honest::output(u, i, p);
    return y == y ? y : 0;
  }
};

struct InfinityClamped : Honest<InfinityClamped> {
  static constexpr Entry entry{
      "infinity_clamped", non_finite, "infinite inputs are clamped to the largest finite number",
      "pytorch#178123"};
  static auto mean(auto z, const auto& p) {
    using T = decltype(p.n + 0);
    for (T& x : z) x = std::fmax(std::fmin(x, std::numeric_limits<T>::max()), -std::numeric_limits<T>::max());
    return Honest::mean(z, p);
  }
  static auto core(auto z, auto mean, auto sigma, std::size_t, const auto&) {
    const auto u = (z - mean) / sigma;
    return u == u ? u : 0;
  }
};

struct NanSpreads : Honest<NanSpreads> {
  static constexpr Entry entry{
      "nan_spreads_to_row_before", non_finite, "a NaN in the next row reaches this one", "pytorch#178123"};
  static auto output(auto u, std::size_t i, const auto& p) {
    return Honest::output(u, i, p) + 0 * p.batch((p.t + 1) % p.rows, i);
  }
};

struct UpstreamNanSkipped : Honest<UpstreamNanSkipped> {
  static constexpr Entry entry{
      "upstream_nan_skipped", non_finite, "a NaN in dy counts as 0", "pytorch#178123"};
  static auto upstream(auto dy, std::size_t i, const auto& p) {
    return dy == dy ? Honest::upstream(dy, i, p) : 0;
  }
};

struct ConstantIsZero : Honest<ConstantIsZero> {
  static constexpr Entry entry{
      "constant_rows_are_nan", singular, "q = 0 is divided by: 0/0 on a constant row", "burn#1992"};
  static auto core(auto z, auto mean, auto sigma, std::size_t i, const auto& p) {
    return Honest::core(z, mean, sigma, i, p) / (sigma == std::sqrt(p.eps) ? 0 : 1);
  }
};

struct ConstantLosesBias : Honest<ConstantLosesBias> {
  static constexpr Entry entry{
      "constant_rows_lose_bias", singular, "a row without variance gives 0 instead of the bias", "burn#1992"};
  static auto output(auto u, std::size_t i, const auto& p) { return u == 0 ? u : Honest::output(u, i, p); }
};

struct DerivativeOfRoot : Honest<DerivativeOfRoot> {
  static constexpr Entry entry{
      "root_of_variance_differentiated", singular,
      "the backward pass divides by sqrt(q), 0/0 on a constant row", "Flux.jl#2096"};
  static auto gradient(auto g, auto u, auto mean_g, auto mean_gu, auto sigma, std::size_t i, const auto& p) {
    const auto dz = Honest::gradient(g, u, mean_g, mean_gu, sigma, i, p);
    return sigma == std::sqrt(p.eps) ? 0 * dz / 0 : dz;
  }
};

struct SmallVarianceFlushed : Honest<SmallVarianceFlushed> {
  static constexpr Entry entry{
      "small_variance_taken_for_zero", singular, "a variance below 1e-6 is taken for 0", "burn#1992"};
  static auto variance(const auto& z, auto mean, const auto& p) {
    const auto q = Honest::variance(z, mean, p);
    return q < decltype(q)(1e-6) ? 0 : q;
  }
};

struct ShortRangeSquares : Honest<ShortRangeSquares> {
  static constexpr Entry entry{
      "double_kernel_float_squares", range, "a double kernel squares in float, which over- and underflows",
      "pytorch#178123"};
  static double variance(const Row<double>& z, double mean, const Place<double>& p) {
    Row<double> squares(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double v = (z[i] - mean) * (z[i] - mean);
      squares[i] = v > 3e38 ? HUGE_VAL : v < 1e-45 ? 0 : v;
    }
    return total(squares) / p.n;
  }
};

struct FlushesInputs : Honest<FlushesInputs> {
  static constexpr Entry entry{
      "subnormals_flushed", range, "subnormal inputs are flushed to zero", "pytorch#178123",
      "subnormal_inputs",   true};
  static float core(float z, float mean, float sigma, std::size_t, const Place<float>&) {
    return (std::fabs(z) < std::numeric_limits<float>::min() ? 0.0F : z - mean) / sigma;
  }
};

struct SquaresOverflow : Honest<SquaresOverflow> {
  static constexpr Entry entry{
      "squares_overflow", range, "squares of float deviations over- and underflow", "pytorch#178123",
      "whole_range"};
};

struct SquareOfSum : Honest<SquareOfSum> {
  static constexpr Entry entry{
      "variance_squared_on_the_way", range,
      "the variance is squared on the way, which over- and underflows early", "pytorch#178123"};
  static auto sigma(auto q, const auto& p) { return std::sqrt(std::sqrt((q + p.eps) * (q + p.eps))); }
};

}  // namespace

std::vector<Mutant> special_values() {
  return {
      wrong_forward<SkipsNan, Float>(),
      wrong_forward<NanToZero, Float>(),
      wrong_forward<InfinityClamped, Float>(),
      wrong_forward<NanSpreads, Float>(),
      wrong_backward<UpstreamNanSkipped, Float>(),
      wrong_forward<ConstantIsZero, Float>(),
      wrong_forward<ConstantLosesBias, Float>(),
      wrong_backward<DerivativeOfRoot, Float>(),
      wrong_forward<SmallVarianceFlushed, Float>(),
      wrong_forward<ShortRangeSquares, Double>(),
      wrong_forward<FlushesInputs, Float>(),
      wrong_forward<SquaresOverflow, Float>(),
      wrong_forward<SquareOfSum, Float>()};
}

}  // namespace lnverify::mutants
