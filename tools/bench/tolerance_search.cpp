// Searches for inputs on which an honest kernel comes close to its error bound, or exceeds it.
//
// Prints, for each scalar, result, kernel and d, the largest error over bound that hill climbing reaches.
// Fails if one exceeds 1 (the bound would accuse an honest kernel), or if none reaches 1/40 of it at d = 4096
// (the bound would be too wide to say anything).
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <layer_norm/error_bound.hpp>
#include <layer_norm/scalar.hpp>
#include <limits>
#include <string_view>

#include "hill_climb.hpp"

namespace lnverify::bench {
namespace {

using layer_norm::mp50;
using layer_norm::Precision;
using layer_norm::Range;

template <class T>
using Truth = std::conditional_t<std::is_same_v<T, float>, double, mp50>;

template <class T>
Precision precision() {
  return layer_norm::uniform_precision(
      std::is_same_v<T, float> ? layer_norm::f32_format() : layer_norm::f64_format());
}

template <class W, class T>
Row<W> widened(const Row<T>& row) {
  return Row<W>(row.begin(), row.end());
}
template <class W, class T>
Matrix<W> widened(const Matrix<T>& m) {
  return Matrix<W>(m.rows(), m.cols(), widened<W>(m.values()));
}
template <class W, class T>
std::optional<Row<W>> widened(const std::optional<Row<T>>& row) {
  return row ? std::optional<Row<W>>(widened<W>(*row)) : std::nullopt;
}

// The largest |got - expected| / bound, over the coordinates that have a bound.
template <class T, class W>
double largest_ratio(const Row<T>& got, const Row<W>& expected, const Row<W>& bound) {
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double limit = static_cast<double>(bound[i]);
    if (!std::isfinite(limit)) continue;
    if (!std::isfinite(got[i])) return std::numeric_limits<double>::infinity();
    const double error = std::abs(static_cast<double>(W(W(got[i]) - expected[i])));
    if (error > 0) largest = std::max(largest, error / limit);
  }
  return largest;
}

template <class T>
double forward_score(const NamedKernel<T>& kernel, const Problem<T>& p, double c) {
  using W = Truth<T>;
  const auto s = layer_norm::statistics(widened<W>(p.z.row(0)), W(p.eps));
  const auto gain = widened<W>(p.gain);
  const auto bias = widened<W>(p.bias);
  Row<W> y = gain ? s.core * *gain : s.core;
  if (bias) y = y + *bias;
  return largest_ratio(
      kernel.forward(p).values(), y,
      layer_norm::forward_bound(s, gain, bias, precision<T>(), c, Range::stated));
}

enum class Gradient { dz, dgain, dbias };

template <class T, Gradient wanted>
double gradient_score(const NamedKernel<T>& kernel, const Problem<T>& p, double c) {
  using W = Truth<T>;
  const auto z = widened<W>(p.z);
  const auto dy = widened<W>(p.dy);
  const auto gain = widened<W>(p.gain);
  const auto bound = layer_norm::backward_bound(z, gain, W(p.eps), dy, precision<T>(), c, Range::stated);
  const auto exact = layer_norm::backward(z, gain, W(p.eps), dy);
  const auto got = kernel.backward(p);
  if (wanted == Gradient::dz) return largest_ratio(got.dz.values(), exact.dz.values(), bound.dz.values());
  if (wanted == Gradient::dgain) return largest_ratio(got.dgain, exact.dgain, bound.dgain);
  return largest_ratio(got.dbias, exact.dbias, bound.dbias);
}

// Short rows have few dimensions to climb in and cost little; a long row costs a thousand times as much.
struct Share {
  std::size_t d;
  double weight;
};
constexpr std::array<Share, 12> shares = {
    {{1, 2},
     {2, 10},
     {3, 10},
     {4, 10},
     {5, 10},
     {8, 10},
     {17, 10},
     {33, 5},
     {64, 5},
     {256, 2},
     {1024, 0.5},
     {4096, 0.25}}};
constexpr std::size_t longest = shares.back().d;

double total_weight() {
  double total = 0;
  for (const Share& share : shares) total += share.weight;
  return total;
}

// One result, what share of all evaluations it gets, and how many rows the problems have at most. dbias gets
// little: (R - 1) u sum |dy| is the classical bound of a sum in any order, and two rows come close to it.
template <class T>
struct Pass {
  const char* name;
  double share;
  std::size_t most_rows;
  double (*score)(const NamedKernel<T>&, const Problem<T>&, double c);
};
template <class T>
constexpr std::array<Pass<T>, 4> passes = {
    {{"y", 0.4, 1, forward_score<T>},
     {"dz", 0.35, 1, gradient_score<T, Gradient::dz>},
     {"dgain", 0.22, 3, gradient_score<T, Gradient::dgain>},
     {"dbias", 0.03, 3, gradient_score<T, Gradient::dbias>}}};

struct Outcome {
  std::size_t evaluations = 0;
  double worst = 0;
  double sharpest = 0;  // at the longest d, with c = 1, over c(d)
};

// One line of the table: one kernel, every d.
template <class T>
void search(
    const Pass<T>& pass, const NamedKernel<T>& kernel, double wanted, std::uint64_t& seed, Outcome& outcome) {
  for (const Share& share : shares) {
    const auto evaluations =
        std::max<std::size_t>(16, static_cast<std::size_t>(wanted * share.weight / total_weight()));
    const double c = layer_norm::roundoff_count(share.d);
    Mutator<T> mutator(++seed);
    const std::size_t rows = 1 + seed % pass.most_rows;
    const Summit<T> summit = climb(
        mutator, rows, share.d, evaluations, std::max<std::size_t>(50, evaluations / 12),
        [&](const Problem<T>& p) { return pass.score(kernel, p, c); });
    std::printf(" %6.4f", summit.score);
    std::fflush(stdout);
    outcome.evaluations += evaluations;
    outcome.worst = std::max(outcome.worst, summit.score);
    if (share.d == longest && summit.score > 0)
      outcome.sharpest = std::max(outcome.sharpest, pass.score(kernel, summit.problem, 1) / c);
  }
}

template <class T>
bool within_bounds(const char* scalar, std::size_t evaluations, std::uint64_t seed) {
  const auto begin = std::chrono::steady_clock::now();
  const auto kernels = honest_kernels<T>();
  bool all_within = true;
  double sharpest = 0;
  std::size_t all = 0;
  std::printf("%-27s", "largest error / bound, d =");
  for (const Share& share : shares) std::printf(" %6zu", share.d);
  std::printf("\n");
  for (const Pass<T>& pass : passes<T>) {
    Outcome outcome;
    for (const NamedKernel<T>& kernel : kernels) {
      std::printf("%s %-6s%-17s", scalar, pass.name, kernel.name.c_str());
      const double wanted =
          static_cast<double>(evaluations) * pass.share / static_cast<double>(kernels.size());
      search(pass, kernel, wanted, seed, outcome);
      std::printf("\n");
    }
    std::printf(
        "%s %s: %zu evaluations, largest ratio %.4f\n", scalar, pass.name, outcome.evaluations,
        outcome.worst);
    all_within = all_within && outcome.worst <= 1;
    all += outcome.evaluations;
    if (std::string_view(pass.name) != "dbias") sharpest = std::max(sharpest, outcome.sharpest);
  }
  std::printf(
      "%s: %zu evaluations in %.0f s; at d = %zu some kernel reaches 1/%.1f of c(d)\n", scalar, all,
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), longest, 1 / sharpest);
  constexpr double sharp_enough = 1.0 / 40;
  return all_within && sharpest >= sharp_enough;
}

}  // namespace
}  // namespace lnverify::bench

int main(int argc, char** argv) {
  std::size_t floats = 10'000'000;
  std::size_t doubles = 1'000'000;
  std::uint64_t seed = 1;
  CLI::App app("Climbs towards the largest error of honest kernels over their bound");
  app.add_option("--f32", floats, "Evaluations in float")->capture_default_str();
  app.add_option("--f64", doubles, "Evaluations in double")->capture_default_str();
  app.add_option("--seed", seed, "Start of the random streams")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const bool floats_hold = lnverify::bench::within_bounds<float>("f32", floats, seed);
  const bool doubles_hold = lnverify::bench::within_bounds<double>("f64", doubles, seed);
  return floats_hold && doubles_hold ? 0 : 1;
}
