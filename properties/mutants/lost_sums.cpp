// Part of a row missing from its sums.
#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* lost = "lost partial sums";

// The first `count` values.
template <class T>
Row<T> head(const Row<T>& values, std::size_t count) {
  Row<T> part(count);
  for (std::size_t i = 0; i < count; ++i) part[i] = values[i];
  return part;
}

template <std::size_t lanes>
struct NoTail : Honest<NoTail<lanes>> {
  template <class T>
  static T total(const Row<T>& values) {
    return Honest<NoTail>::total(head(values, values.size() / lanes * lanes));
  }
};
struct NoTailOf8 : NoTail<8> {
  static constexpr Entry entry{
      "tail_of_8_lost",
      lost,
      "the last d mod 8 coordinates are missing from both sums",
      "whisper.cpp#3477",
      "",
      true,
      "tail"};
};
struct NoTailOf4 : NoTail<4> {
  static constexpr Entry entry{
      "tail_of_4_lost",
      lost,
      "the last d mod 4 coordinates are missing from both sums",
      "llama.cpp#26708",
      "",
      true,
      "tail"};
};

struct NoTailInVariance : Honest<NoTailInVariance> {
  static constexpr Entry entry{
      "tail_lost_in_variance", lost, "the last d mod 8 coordinates are missing from the variance alone",
      "whisper.cpp#3477",      "",   false};
  static auto variance(const auto& z, auto mean, const auto& p) {
    return z.size() < 8 ? Honest::variance(z, mean, p) : Honest::variance(head(z, z.size() / 8 * 8), mean, p);
  }
};

struct First1024 : Honest<First1024> {
  static constexpr Entry entry{
      "columns_past_1024_ignored",
      lost,
      "only the first 1024 coordinates are summed",
      "llama.cpp#26708",
      "",
      false,
      "1024"};
  template <class T>
  static T total(const Row<T>& values) {
    return Honest::total(head(values, std::min<std::size_t>(values.size(), 1024)));
  }
};

struct LastBlock : Honest<LastBlock> {
  static constexpr Entry entry{"accumulator_reset", lost, "the accumulator is reset for each block of 16",
                               "llama.cpp#26708",   "",   false};
  template <class T>
  static T total(const Row<T>& values) {
    T sum(0);
    for (std::size_t i = 0; i < values.size(); ++i) sum = (i % 16 == 0 ? T(0) : sum) + values[i];
    return sum;
  }
};

struct NoFirst : Honest<NoFirst> {
  static constexpr Entry entry{
      "first_coordinate_lost", lost, "the first squared deviation is missing from the variance",
      "whisper.cpp#3477"};
  static auto variance(const auto& z, auto mean, const auto& p) {
    return Honest::variance(z, mean, p) - (z[0] - mean) * (z[0] - mean) / p.n;
  }
};

struct LaneTwice : Honest<LaneTwice> {
  static constexpr Entry entry{
      "overlap_counted_twice",
      lost,
      "the last vector of 4 overlaps the one before, and the overlap is summed twice",
      "whisper.cpp#3477",
      "",
      false};
  template <class T>
  static T total(const Row<T>& values) {
    T sum = Honest::total(values);
    const std::size_t tail = values.size() % 4;
    if (values.size() > 4 && tail != 0)
      for (std::size_t i = values.size() - 4; i < values.size() - tail; ++i) sum += values[i];
    return sum;
  }
};

struct TailNotNormalized : Honest<TailNotNormalized> {
  static constexpr Entry entry{
      "tail_not_normalized", lost, "the last d mod 4 coordinates are copied, not normalized",
      "llama.cpp#26708"};
  static auto core(auto z, auto mean, auto sigma, std::size_t i, const auto& p) {
    return i < p.d / 4 * 4 ? Honest::core(z, mean, sigma, i, p) : z;
  }
};

}  // namespace

std::vector<Mutant> lost_sums() {
  return {wrong_forward<NoTailOf8, Float>(),        wrong_forward<NoTailOf4, Float, BF16>(),
          wrong_forward<NoTailInVariance, Float>(), wrong_forward<First1024, Float>(),
          wrong_forward<LastBlock, Float>(),        wrong_forward<NoFirst, Float>(),
          wrong_forward<LaneTwice, Float>(),        wrong_forward<TailNotNormalized, Float>()};
}

}  // namespace lnverify::mutants
