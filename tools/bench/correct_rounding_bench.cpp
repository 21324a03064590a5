// What a correctly rounded coordinate of the core costs: the oracle, its integers alone, MPFR at 200 bits
// (which is not guaranteed to round correctly), and FLINT/Arb where it is installed.
//
// The rate of each is the time for one coordinate. "differ" counts coordinates on which a contender and the
// oracle disagree, over the rows that are timed.
#include <benchmark/benchmark.h>

#include <cmath>
#include <layer_norm/correct_rounding.hpp>
#include <random>
#include <vector>

#include "mpfr_row.hpp"
#ifdef LAYER_NORM_HAS_ARB
#include "arb_row.hpp"
#endif

namespace lnverify::bench {
namespace {

using layer_norm::Format;
using layer_norm::Row;
using layer_norm::RowOracle;

constexpr double eps = 1e-5;

// Values of `format` with uniform significands, and exponents uniform in lowest .. highest.
struct Kind {
  const char* name;
  Format format;
  int lowest;
  int highest;
};
const Kind like_floats{"f32", layer_norm::f32_format(), -2, 1};
const Kind like_doubles{"f64", layer_norm::f64_format(), -2, 1};
const Kind all_doubles{"f64 full range", layer_norm::f64_format(), -1022, 1023};

std::vector<Row<double>> rows_of(const Kind& kind, std::size_t d) {
  std::mt19937_64 engine(1);
  std::vector<Row<double>> rows(std::max<std::size_t>(2, 1024 / d), Row<double>(d));
  const auto exponents = static_cast<std::uint64_t>(kind.highest - kind.lowest + 1);
  for (Row<double>& row : rows)
    for (double& x : row) {
      const auto significand = static_cast<double>(engine() >> (64 - kind.format.digits) | 1U);
      const int exponent = kind.lowest + static_cast<int>(engine() % exponents) - (kind.format.digits - 1);
      const double size = std::ldexp(significand, exponent);
      x = engine() % 2 == 0 ? size : -size;
    }
  return rows;
}

// Times core(z) over the rows in turn.
void run(benchmark::State& state, const Kind& kind, const auto& core) {
  const auto d = static_cast<std::size_t>(state.range(0));
  const auto rows = rows_of(kind, d);
  double differ = 0;
  for (const Row<double>& z : rows) {
    const Row<double> expected = RowOracle(z, eps).core_by_integers(kind.format);
    const Row<double> got = core(z);
    for (std::size_t i = 0; i < d; ++i) differ += got[i] == expected[i] ? 0 : 1;
  }
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(core(rows[next]));
    next = (next + 1) % rows.size();
  }
  using benchmark::Counter;
  state.counters["coordinate"] =
      Counter(static_cast<double>(d), Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["differ"] = differ;
}

void oracle(benchmark::State& state, const Kind& kind) {
  run(state, kind, [&](const Row<double>& z) { return RowOracle(z, eps).core(kind.format); });
}

void integers(benchmark::State& state, const Kind& kind) {
  run(state, kind, [&](const Row<double>& z) { return RowOracle(z, eps).core_by_integers(kind.format); });
}

void mpfr_200(benchmark::State& state, const Kind& kind) {
  MpfrRow row(static_cast<std::size_t>(state.range(0)), 200);
  run(state, kind, [&](const Row<double>& z) { return row.core(z, eps, kind.format); });
}

#ifdef LAYER_NORM_HAS_ARB
void arb(benchmark::State& state, const Kind& kind) {
  ArbRow row(static_cast<std::size_t>(state.range(0)));
  run(state, kind, [&](const Row<double>& z) { return row.core(z, eps, kind.format); });
}
#endif

void register_contender(const char* name, void (*contender)(benchmark::State&, const Kind&)) {
  for (const Kind* kind : {&like_floats, &like_doubles, &all_doubles})
    benchmark::RegisterBenchmark((std::string(kind->name) + "/" + name).c_str(), contender, *kind)
        ->Arg(16)
        ->Arg(256)
        ->Arg(4096);
}

const bool registered = [] {
  register_contender("oracle", oracle);
  register_contender("integers alone", integers);
  register_contender("MPFR 200 bits", mpfr_200);
#ifdef LAYER_NORM_HAS_ARB
  register_contender("Arb", arb);
#endif
  return true;
}();

}  // namespace
}  // namespace lnverify::bench
