// Races, results that depend on the batch or on earlier calls, and empty shapes.
//
// A race is simulated by a counter: a partial sum is lost in every so-manieth row, whatever the row holds.
#include <thread>

#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* race = "race";
constexpr const char* batch_size = "batch-size dependence";
constexpr const char* empty = "empty shapes";

// True once in `period` calls.
template <class Self>
bool unlucky(unsigned period) {
  static unsigned calls = 0;
  return ++calls % period == 0;
}

struct LostLane : Honest<LostLane> {
  static constexpr Entry entry{
      "partial_sum_lost_at_random",
      race,
      "now and then the last partial sum of a row is lost",
      "apex#1184",
      "",
      false};
  static auto variance(const auto& z, auto mean, const auto& p) {
    const auto last = z[p.d - 1] - mean;
    return Honest::variance(z, mean, p) - (unlucky<LostLane>(13) ? last * last / p.n : 0);
  }
};

struct OrderOfSums : Honest<OrderOfSums> {
  static constexpr Entry entry{"order_of_sums_at_random",
                               race,
                               "the order of the sums changes from call to call",
                               "mlx#2340",
                               "",
                               false};
  template <class T>
  static T total(const Row<T>& values) {
    if (!unlucky<OrderOfSums>(3)) return Honest::total(values);
    return Honest::total(
        Row<T>(std::make_reverse_iterator(values.end()), std::make_reverse_iterator(values.begin())));
  }
};

struct LostUpdate : Honest<LostUpdate> {
  static constexpr Entry entry{
      "parameter_update_lost", race, "now and then one row is missing from dgain and dbias", "apex#1184"};
  static auto added(auto sum, auto term, const auto&) { return unlucky<LostUpdate>(29) ? sum : sum + term; }
};

struct SharedScratch : Honest<SharedScratch> {
  static constexpr Entry entry{
      "workspace_of_first_thread", race,
      "declares itself safe for two threads, but only the first thread that calls has a workspace",
      "mlx#2340", "two_threads"};
  static auto mean(const auto& z, const auto& p) {
    static const std::thread::id owner = std::this_thread::get_id();
    return std::this_thread::get_id() == owner ? Honest::mean(z, p) : Honest::mean(z, p) + 1;
  }
};

struct FirstCall : Honest<FirstCall> {
  static constexpr Entry entry{
      "statistics_of_earlier_call", race, "a cache of statistics is not cleared when only eps changes",
      "mlx#2340"};
  static auto sigma(auto q, const auto& p) {
    static decltype(q) last_q = -1;
    static decltype(q) last_sigma = 0;
    if (q != last_q) {
      last_q = q;
      last_sigma = Honest::sigma(q, p);
    }
    return last_sigma;
  }
};

struct PartsByRows : Honest<PartsByRows> {
  static constexpr Entry entry{
      "parts_chosen_by_rows", batch_size,         "the number of partial sums depends on the number of rows",
      "vllm#48271",           "batch_invariance", false};
  static auto mean(const auto& z, const auto& p) {
    const std::size_t parts = p.rows == 1 ? 4 : 1;
    auto sum = p.n - p.n;
    for (std::size_t k = 0; k < parts; ++k) {
      auto part = p.n - p.n;
      for (std::size_t i = k; i < p.d; i += parts) part += z[i];
      sum += part;
    }
    return sum / p.n;
  }
};

struct ReversedInBatch : Honest<ReversedInBatch> {
  static constexpr Entry entry{
      "reciprocal_in_batches", batch_size, "a batch multiplies by 1/sigma, a single row divides by sigma",
      "vllm#48271", "batch_invariance"};
  static auto core(auto z, auto mean, auto sigma, std::size_t, const auto& p) {
    return p.rows == 1 ? (z - mean) / sigma : (z - mean) * (1 / sigma);
  }
};

struct NeighbourRounding : Honest<NeighbourRounding> {
  static constexpr Entry entry{
      "path_chosen_by_companions", batch_size, "the path is chosen by the first value of the batch",
      "vllm#48271", "companion_independence"};
  static auto core(auto z, auto mean, auto sigma, std::size_t, const auto& p) {
    return std::abs(p.batch(0, 0)) > 2 ? (z - mean) * (1 / sigma) : (z - mean) / sigma;
  }
};

struct EmptyForward : Honest<EmptyForward> {
  static constexpr Entry entry{
      "empty_batch_touches_y", empty, "rows = 0 is treated as one row", "tensorflow#46366"};
  template <class Call>
  static void after(const Call& call) {
    if (call.rows == 0) call.y[0] = 0;
  }
};

struct EmptyFails : Honest<EmptyFails> {
  static constexpr Entry entry{
      "empty_batch_fails", empty, "rows = 0 is reported as an error", "tensorflow#46366"};
  template <class Call>
  static int before(const Call& call) {
    return call.rows == 0 ? -1 : 0;
  }
};

struct EmptyGradients : Honest<EmptyGradients> {
  static constexpr Entry entry{
      "empty_batch_leaves_gradients", empty, "dgain and dbias are not set for rows = 0", "tensorflow#46366"};
  static bool writes(const Slot& slot) { return slot.rows > 0; }
};

Mutant two_threads(Mutant mutant) {
  mutant.functions.traits = declares_threads;
  return mutant;
}

}  // namespace

std::vector<Mutant> state_and_shape() {
  return {wrong_forward<LostLane, Float>(),        wrong_forward<OrderOfSums, Float>(),
          wrong_backward<LostUpdate, Float>(),     two_threads(wrong_forward<SharedScratch, Float>()),
          wrong_forward<FirstCall, Float>(),       wrong_forward<PartsByRows, Float>(),
          wrong_forward<ReversedInBatch, Float>(), wrong_forward<NeighbourRounding, Float>(),
          wrong_forward<EmptyForward, Float>(),    wrong_forward<EmptyFails, Float>(),
          wrong_backward<EmptyGradients, Float>()};
}

}  // namespace lnverify::mutants
