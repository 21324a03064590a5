// Cases a second of the law "accuracy" in float, all in: generator, server call, law. Every case of a run
// with at most 64 coordinates a row.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdint>
#include <vector>

#include "engine/generate.hpp"
#include "engine/runner.hpp"

namespace lnverify::bench {
namespace {

constexpr std::uint64_t all_cases = 4000;
constexpr std::size_t longest = 64;
constexpr std::size_t usual_rows = 17;  // long batches, one of which has 65,537 rows, come on top

std::vector<CaseKey> keys_of_short_rows(const LawInfo& law, std::size_t most_rows) {
  std::vector<CaseKey> keys;
  for (std::uint64_t i = 0; i < all_cases; ++i) {
    const Case c = generate(law, Scalar::f32, {default_seed, i});
    if (c.size("d") <= longest && c.size("rows") <= most_rows) keys.push_back({default_seed, i});
  }
  return keys;
}

// Processor time of this process and of its children that have ended.
double processor_seconds() {
  double total = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      total += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return total;
}

// Two figures: by the clock, and by the processor time of both processes, which is what one core could do and
// does not depend on who else uses the machine.
void accuracy(benchmark::State& state) {
  const Property* property = find_property("accuracy");
  if (property == nullptr) return state.SkipWithError("there is no law accuracy");
  const LawInfo& law = property->info;
  const std::vector<CaseKey> keys = keys_of_short_rows(law, static_cast<std::size_t>(state.range(0)));
  std::size_t elements = 0;
  for (const CaseKey& key : keys) elements += generate(law, Scalar::f32, key).elements();
  const double begin = processor_seconds();
  {
    const Subject subject = Subject::reference();
    const AnyKernel kernel = subject.kernel(Scalar::f32);
    for (auto _ : state)
      for (const CaseKey& key : keys)
        if (evaluate(*property, kernel, generate(law, Scalar::f32, key)).falsified())
          return state.SkipWithError("the reference is not accurate");
  }
  const double cases = static_cast<double>(state.iterations()) * static_cast<double>(keys.size());
  state.counters["cases/s"] = benchmark::Counter(cases, benchmark::Counter::kIsRate);
  state.counters["cases/s of one core"] = cases / (processor_seconds() - begin);
  state.counters["elements/case"] = static_cast<double>(elements) / static_cast<double>(keys.size());
}
BENCHMARK(accuracy)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->ArgName("rows")
    ->Arg(usual_rows)
    ->Arg(65537);

void generation(benchmark::State& state) {
  const Property* property = find_property("accuracy");
  const std::vector<CaseKey> keys = keys_of_short_rows(property->info, usual_rows);
  for (auto _ : state)
    for (const CaseKey& key : keys) benchmark::DoNotOptimize(generate(property->info, Scalar::f32, key));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(keys.size()));
}
BENCHMARK(generation)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lnverify::bench
