// B3: a recurrent cell takes its statistics from one time step of one sequence alone.
//
// Bit for bit: the states of the first T steps are the same when the sequence goes on, and the same whatever
// other sequences, shorter or longer, are in the batch.
#include <algorithm>

#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "recurrent_inputs.hpp"
#include "root_sums.hpp"

namespace lnverify {
namespace {

std::vector<double> length(Draw& draw, const DrawContext&) {
  return {static_cast<double>(draw.between(0, 6))};
}

template <class W>
Verdict same_states(
    const layer_norm::RecurrentCell<W>& cell, const layer_norm::Matrix<W>& x,
    const layer_norm::Matrix<W>& other, std::size_t length) {
  const std::size_t shorter = std::min({length, x.rows(), other.rows()});
  const auto alone = layer_norm::run<W>(cell, {x}).front();
  const auto first = layer_norm::run<W>(cell, {prefix(x, shorter)}).front();
  const auto batch = layer_norm::run<W>(cell, {other, x, prefix(other, shorter)});
  return all_of(
      {identical(first.values(), prefix(alone, shorter).values(), "h (prefix)"),
       identical(batch[1].values(), alone.values(), "h (companions)"),
       identical(batch[2].values(), prefix(batch[0], shorter).values(), "h (lengths)")});
}

const bool registered =
    law({.id = "recurrent_independence",
         .claims = "B3",
         .says = "the states of a sequence depend neither on its continuation nor on the rest of the batch",
         .inputs = cell_inputs_and(
             {matrix("x", "steps", "n"), matrix("other", "other_steps", "n"),
              Input{"length", {}, false, length}}),
         .exercises = Exercises::library,
         .scalars = {Scalar::f32, Scalar::f64, Scalar::mp50},
         .families = {"gentle"}},
        [](const auto&, const auto& in) -> Verdict {
          using W = std::decay_t<decltype(in.eps())>;
          if (is_large(in)) return discard("the cell is large");
          if constexpr (is_exact<W>)
            return discard("no exact tanh");
          else
            return same_states<W>(cell_of(in), in.matrix("x"), in.matrix("other"), in.index("length"));
        });

}  // namespace
}  // namespace lnverify
