// Statistics of the wrong axis or row, and base offsets that are lost or overflow.
#include <cstdint>

#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* mixed = "wrong axis, rows mixed";

struct Pooled : Honest<Pooled> {
  static constexpr Entry entry{
      "statistics_of_batch", mixed, "mean and variance are those of the whole batch", "FlagGems#5392"};
  static auto mean(const auto&, const auto& p) {
    return Honest::total(p.batch.values()) / static_cast<decltype(p.n + 0)>(p.batch.values().size());
  }
  static auto variance(const auto&, auto mean, const auto& p) {
    const auto& all = p.batch.values();
    return Honest::variance(all, mean, p) * p.n / static_cast<decltype(mean)>(all.size());
  }
};

struct FirstRow : Honest<FirstRow> {
  static constexpr Entry entry{
      "statistics_of_row_0", mixed, "every row is normalized with the statistics of row 0",
      "Paddle#43476",        "",    true,
      "another row"};
  static auto mean(const auto&, const auto& p) { return Honest::mean(p.batch.row(0), p); }
  static auto variance(const auto&, auto mean, const auto& p) {
    return Honest::variance(p.batch.row(0), mean, p);
  }
};

struct PreviousRow : Honest<PreviousRow> {
  static constexpr Entry entry{
      "statistics_of_previous_row",
      mixed,
      "every row is normalized with the statistics of the one before",
      "FlagGems#5392",
      "",
      true,
      "another row"};
  static auto previous(const auto& p) { return p.batch.row(p.t == 0 ? 0 : p.t - 1); }
  static auto mean(const auto&, const auto& p) { return Honest::mean(previous(p), p); }
  static auto variance(const auto&, auto mean, const auto& p) {
    return Honest::variance(previous(p), mean, p);
  }
};

struct PooledVariance : Honest<PooledVariance> {
  static constexpr Entry entry{
      "variance_averaged_over_batch", mixed, "the variances of the rows are averaged", "Paddle#43476"};
  static auto variance(const auto&, auto, const auto& p) {
    auto sum = p.n - p.n;
    for (std::size_t t = 0; t < p.rows; ++t) {
      const auto row = p.batch.row(t);
      sum += Honest::variance(row, Honest::mean(row, p), p);
    }
    return sum / static_cast<decltype(p.n + 0)>(p.rows);
  }
};

struct Columns : Honest<Columns> {
  static constexpr Entry entry{
      "normalized_over_rows", mixed, "each coordinate is normalized over the batch", "FlagGems#5392"};
  static auto core(auto z, auto, auto, std::size_t i, const auto& p) {
    const auto column = p.batch.column(i);
    auto place = p;
    place.n = static_cast<decltype(z)>(p.rows);
    const auto mean = Honest::mean(column, place);
    return (z - mean) / Honest::sigma(Honest::variance(column, mean, place), place);
  }
};

struct BaseLost : Honest<BaseLost> {
  static constexpr Entry entry{
      "base_offset_lost",
      "strides, offset, layout",
      "every row reads the coordinates of row 0",
      "pytorch#131750",
      "",
      true};
  static auto core(auto, auto mean, auto sigma, std::size_t i, const auto& p) {
    return (p.batch(0, i) - mean) / sigma;
  }
};

struct Transposed : Honest<Transposed> {
  static constexpr Entry entry{
      "transposed_layout",
      "strides, offset, layout",
      "the batch is read as if stored column by column",
      "DirectML#588",
      "",
      true};
  static auto column_major(const auto& p) {
    auto row = p.batch.row(p.t);
    for (std::size_t i = 0; i < p.d; ++i) row[i] = p.batch.values()[i * p.rows + p.t];
    return row;
  }
  static auto mean(const auto&, const auto& p) { return Honest::mean(column_major(p), p); }
  static auto variance(const auto&, auto mean, const auto& p) {
    return Honest::variance(column_major(p), mean, p);
  }
};

struct ShortIndex : Honest<ShortIndex> {
  static constexpr Entry entry{
      "index_16_bits", "index overflow", "row * d is computed in 16 bits", "apex#411", "", false};
  static std::size_t offset(std::size_t t, std::size_t d) {
    return static_cast<std::uint16_t>(static_cast<std::uint32_t>(t * d));
  }
};

struct SignedIndex : Honest<SignedIndex> {
  static constexpr Entry entry{
      "row_number_8_bits", "index overflow", "the row number is kept in 8 bits", "pytorch#181555", "", false};
  static std::size_t offset(std::size_t t, std::size_t d) { return static_cast<std::uint8_t>(t) * d; }
};

struct ShortRows : Honest<ShortRows> {
  static constexpr Entry entry{
      "rows_past_65535_skipped", "index overflow", "the grid has at most 65,535 rows", "apex#411", "", false};
  static bool writes(const Slot& slot) { return slot.t < 65535; }
};

}  // namespace

std::vector<Mutant> mixed_rows() {
  return {wrong_forward<Pooled, Float>(),       wrong_forward<FirstRow, Float>(),
          wrong_forward<PreviousRow, Float>(),  wrong_forward<PooledVariance, Float>(),
          wrong_forward<Columns, Float>(),      wrong_forward<BaseLost, Float>(),
          wrong_forward<Transposed, Float>(),   wrong_forward<ShortIndex, Float>(),
          wrong_backward<SignedIndex, Float>(), wrong_forward<ShortRows, Float>()};
}

}  // namespace lnverify::mutants
