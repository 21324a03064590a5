// What stands for the kernel under test in `exact`, row by row.
//
// Every other scalar is tested through functions that may be wrong; exact arithmetic has no such interface,
// so the tests of the laws put wrong formulas here to see exact laws fail.
#pragma once

#include <functional>
#include <layer_norm/array.hpp>
#include <layer_norm/exact.hpp>
#include <optional>

namespace lnverify {

struct ExactFormulas {
  using Row = layer_norm::Row<layer_norm::exact>;
  using MaybeRow = std::optional<Row>;

  // y from z, gain, bias, eps; dz from z, gain, eps, dy. Empty: the reference library's.
  std::function<Row(const Row&, const MaybeRow&, const MaybeRow&, const layer_norm::exact&)> forward;
  std::function<Row(const Row&, const MaybeRow&, const layer_norm::exact&, const Row&)> backward;
};

// One for the process. Not to be changed while laws run.
ExactFormulas& exact_formulas();

}  // namespace lnverify
