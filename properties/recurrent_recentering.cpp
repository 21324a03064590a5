// B4: a common row added to all rows of W_hh, or of W_xh, leaves the whole trajectory unchanged.
//
// In exact arithmetic one step from a rational state, before its tanh, is unchanged; the trajectory follows
// by induction. In the others the two trajectories drift apart by roundoff: a step whose states differ by e
// in norm has sums that differ by at most |W_hh| e and their own roundings, which the secant bound 2 / (sigma
// + sigma'), the gain and tanh (of slope at most 1) carry to the next state.
#include "engine/expectation.hpp"
#include "engine/property.hpp"
#include "recurrent_inputs.hpp"
#include "reference_room.hpp"

namespace lnverify {
namespace {

template <class W>
layer_norm::Row<W> sizes(layer_norm::Row<W> row) {
  for (W& value : row) value = layer_norm::magnitude(value);
  return row;
}

// The norm of the rounding errors of a_t: sums of d + n products with coefficients of at most `largest`.
template <class W>
W sum_room(const W& largest, const layer_norm::Row<W>& hidden, const layer_norm::Row<W>& x) {
  const W d(static_cast<double>(hidden.size()));
  const W terms(static_cast<double>(hidden.size() + x.size() + 4));
  return d * terms * working_roundoff<W>() * largest *
         (layer_norm::sum(sizes(hidden)) + layer_norm::sum(sizes(x)));
}

template <class W>
Verdict same_trajectory(
    const layer_norm::RecurrentCell<W>& cell, const layer_norm::RecurrentCell<W>& other,
    const layer_norm::Matrix<W>& x) {
  const auto states = layer_norm::run<W>(cell, {x}).front();
  const auto other_states = layer_norm::run<W>(other, {x}).front();
  const W largest =
      layer_norm::max_abs(other.hidden_weight.values()) + layer_norm::max_abs(other.input_weight.values()) +
      layer_norm::max_abs(cell.hidden_weight.values()) + layer_norm::max_abs(cell.input_weight.values());
  const W gain = layer_norm::max_abs(cell.gain);
  const W d(static_cast<double>(states.cols()));
  const W of_output = d * W(4) * working_roundoff<W>() * (W(1) + layer_norm::max_abs(cell.bias));
  layer_norm::Row<W> hidden(states.cols());
  layer_norm::Row<W> other_hidden(states.cols());
  W apart(0);
  Verdict verdict = holds();
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const auto s = layer_norm::statistics(cell.summed(hidden, x.row(t)), cell.eps);
    const auto s_other = layer_norm::statistics(other.summed(other_hidden, x.row(t)), cell.eps);
    if (!(s.sigma > W(0)) || !(s_other.sigma > W(0))) return discard("a step is singular");
    const W sums = W(2) * sum_room(largest, hidden, x.row(t)) + norm(cell.hidden_weight.values()) * apart +
                   sum_room(largest, other_hidden, x.row(t));
    apart = gain * (W(2) * sums / (s.sigma + s_other.sigma) + core_room(s) + core_room(s_other) +
                    W(8) * d * working_roundoff<W>()) +
            of_output;
    hidden = states.row(t);
    other_hidden = other_states.row(t);
    verdict = worse(
        std::move(verdict), within(other_hidden, hidden, layer_norm::Row<W>(hidden.size(), apart), "h_t"));
  }
  return verdict;
}

const bool registered = law(
    {.id = "recurrent_recentering",
     .claims = "B4",
     .says = "W_hh + 1 r^T and W_xh + 1 s^T give the same trajectory",
     .inputs =
         cell_inputs_and({matrix("x", "steps", "n"), vector("h", "d"), vector("r", "d"), vector("s", "n")}),
     .exercises = Exercises::library,
     .scalars = {Scalar::f32, Scalar::f64, Scalar::mp50, Scalar::exact},
     .families = {"gentle"}},
    [](const auto&, const auto& in) -> Verdict {
      using W = std::decay_t<decltype(in.eps())>;
      if (is_large(in)) return discard("the cell is large");
      const auto cell = cell_of(in);
      const auto other = cell.recentered(in["r"], in["s"]);
      const auto x = in.matrix("x");
      if (x.rows() == 0) return discard("no time step");
      if constexpr (is_exact<W>)
        return identical(
            other.normalized(in["h"], x.row(0)), cell.normalized(in["h"], x.row(0)), "the normalized sum");
      else
        return same_trajectory(cell, other, x);
    });

}  // namespace
}  // namespace lnverify
