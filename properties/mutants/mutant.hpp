// Mutants: kernels that are wrong on purpose, one for each way in which layer normalization goes wrong in
// practice; and controls: kernels that are right, each in another order of evaluation.
#pragma once

#include <string>
#include <vector>

#include "engine/kernel_functions.hpp"

namespace lnverify::mutants {

// What a reader is told of a mutant.
struct Entry {
  const char* id;
  const char* fault;           // the class of the fault
  const char* wrong;           // what is wrong, in a phrase
  const char* report;          // a public report of this class: project#number
  const char* trait = "";      // the quality that is broken where no law forbids the fault
  bool simple = true;          // shows on a row of at most three integers or powers of two
  const char* diagnosis = "";  // what a diagnosis of it must say, where its error has a known shape
};

struct Mutant {
  Entry entry;
  KernelFunctions functions;
};

// All of them, grouped by class, in the order of the files.
const std::vector<Mutant>& all_mutants();
const Mutant* find_mutant(const std::string& id);
// Kernels that must pass every law.
const std::vector<Mutant>& all_controls();

}  // namespace lnverify::mutants
