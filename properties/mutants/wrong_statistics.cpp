// Another statistic than the mean and the variance with divisor d.
#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* statistic = "wrong statistic";

struct DivisorLessOne : Honest<DivisorLessOne> {
  static constexpr Entry entry{"divisor_d_minus_1",
                               statistic,
                               "the variance has the divisor d - 1",
                               "annotated-transformer#119",
                               "",
                               true,
                               "divisor d - 1"};
  static auto variance(const auto& z, auto mean, const auto& p) {
    return Honest::variance(z, mean, p) * p.n / std::max(p.n - 1, decltype(mean)(1));
  }
};

struct DivisorRows : Honest<DivisorRows> {
  static constexpr Entry entry{
      "divisor_rows", statistic, "the variance has the number of rows for a divisor", "pytorch#84356"};
  static auto variance(const auto& z, auto mean, const auto& p) {
    return Honest::variance(z, mean, p) * p.n / static_cast<decltype(mean)>(p.rows);
  }
};

struct NoMean : Honest<NoMean> {
  static constexpr Entry entry{
      "mean_not_removed", statistic, "the mean is taken for zero: root mean square normalization",
      "pytorch#84356",    "",        true,
      "mean not removed"};
  static auto mean(const auto&, const auto& p) { return p.n - p.n; }
};

struct MeanKept : Honest<MeanKept> {
  static constexpr Entry entry{
      "mean_kept_in_core", statistic, "the variance is right, but the mean is not subtracted from z",
      "pytorch#84356"};
  static auto core(auto z, auto, auto sigma, std::size_t, const auto&) { return z / sigma; }
};

struct TimesSigma : Honest<TimesSigma> {
  static constexpr Entry entry{
      "multiplied_by_sigma", statistic, "multiplied by sigma instead of divided", "pytorch#84356"};
  static auto core(auto z, auto mean, auto sigma, std::size_t, const auto&) { return (z - mean) * sigma; }
};

struct SquaredSpread : Honest<SquaredSpread> {
  static constexpr Entry entry{
      "divided_by_variance", statistic, "divided by q + eps instead of its root",
      "annotated-transformer#119"};
  static auto sigma(auto q, const auto& p) { return q + p.eps; }
};

struct AbsoluteDeviation : Honest<AbsoluteDeviation> {
  static constexpr Entry entry{
      "mean_absolute_deviation", statistic, "the spread is the mean absolute deviation", "pytorch#84356"};
  static auto variance(const auto& z, auto mean, const auto& p) {
    auto sum = p.n - p.n;
    for (const auto x : z) sum += std::abs(x - mean);
    return sum / p.n * (sum / p.n);
  }
};

struct MidRange : Honest<MidRange> {
  static constexpr Entry entry{
      "middle_instead_of_mean", statistic, "centred at the middle of the range", "pytorch#84356"};
  static auto mean(const auto& z, const auto&) {
    auto low = z[0];
    auto high = z[0];
    for (const auto x : z) low = std::min(low, x);
    for (const auto x : z) high = std::max(high, x);
    return low / 2 + high / 2;
  }
};

template <std::size_t lanes>
struct Padded : Honest<Padded<lanes>> {
  static auto variance(const auto& z, auto mean, const auto& p) {
    const std::size_t padding = (lanes - z.size() % lanes) % lanes;
    return Honest<Padded>::variance(z, mean, p) + static_cast<decltype(mean)>(padding) * mean * mean / p.n;
  }
};
struct PaddedTo4 : Padded<4> {
  static constexpr Entry entry{
      "padded_to_4",
      "padded lanes counted",
      "rows are padded to 4 lanes, and the zeros are centred too",
      "triton#9838",
      "",
      true,
      "4 lanes"};
};
struct PaddedTo8 : Padded<8> {
  static constexpr Entry entry{
      "padded_to_8",
      "padded lanes counted",
      "rows are padded to 8 lanes, and the zeros are centred too",
      "Liger-Kernel#518",
      "",
      true,
      "8 lanes"};
};

struct PaddedToPower : Honest<PaddedToPower> {
  static constexpr Entry entry{
      "padded_to_power_of_two",
      "padded lanes counted",
      "rows are padded to a power of two, and the zeros are centred too",
      "triton#9838",
      "",
      true,
      "power of two"};
  static auto variance(const auto& z, auto mean, const auto& p) {
    std::size_t lanes = 1;
    while (lanes < z.size()) lanes *= 2;
    return Honest::variance(z, mean, p) + static_cast<decltype(mean)>(lanes - z.size()) * mean * mean / p.n;
  }
};

struct PaddedMean : Honest<PaddedMean> {
  static constexpr Entry entry{
      "mean_over_padded_lanes", "padded lanes counted", "the mean is divided by d rounded up to 4",
      "Liger-Kernel#518"};
  static auto mean(const auto& z, const auto& p) {
    return Honest::total(z) / static_cast<decltype(p.n + 0)>((z.size() + 3) / 4 * 4);
  }
};

}  // namespace

std::vector<Mutant> wrong_statistics() {
  return {
      wrong_forward<DivisorLessOne, Float, Double, F16>(),
      wrong_forward<DivisorRows, Float>(),
      wrong_forward<NoMean, Float, Double>(),
      wrong_forward<MeanKept, Float>(),
      wrong_forward<TimesSigma, Float>(),
      wrong_forward<SquaredSpread, Float>(),
      wrong_forward<AbsoluteDeviation, Float>(),
      wrong_forward<MidRange, Float>(),
      wrong_forward<PaddedTo4, Float>(),
      wrong_forward<PaddedTo8, Float>(),
      wrong_forward<PaddedToPower, Float>(),
      wrong_forward<PaddedMean, Float>()};
}

}  // namespace lnverify::mutants
