#include "mutants/mutant.hpp"

#include "mutants/groups.hpp"

namespace lnverify::mutants {

const std::vector<Mutant>& all_mutants() {
  static const std::vector<Mutant> all = [] {
    std::vector<Mutant> list;
    for (const auto group :
         {half_accumulation, weak_precision, wrong_statistics, epsilon_faults, lost_sums, mixed_rows,
          gain_and_bias, memory_faults, state_and_shape, special_values, backward_formula, backward_buffers,
          near_misses, combinations})
      for (Mutant& mutant : group()) list.push_back(mutant);
    return list;
  }();
  return all;
}

const Mutant* find_mutant(const std::string& id) {
  for (const Mutant& mutant : all_mutants())
    if (id == mutant.entry.id) return &mutant;
  return nullptr;
}

}  // namespace lnverify::mutants
