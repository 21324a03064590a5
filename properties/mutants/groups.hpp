// The mutants, file by file.
#pragma once

#include <vector>

#include "mutants/mutant.hpp"

namespace lnverify::mutants {

std::vector<Mutant> half_accumulation();
std::vector<Mutant> weak_precision();
std::vector<Mutant> wrong_statistics();
std::vector<Mutant> epsilon_faults();
std::vector<Mutant> lost_sums();
std::vector<Mutant> mixed_rows();
std::vector<Mutant> gain_and_bias();
std::vector<Mutant> memory_faults();
std::vector<Mutant> state_and_shape();
std::vector<Mutant> special_values();
std::vector<Mutant> backward_formula();
std::vector<Mutant> backward_buffers();
std::vector<Mutant> near_misses();
std::vector<Mutant> combinations();

}  // namespace lnverify::mutants
