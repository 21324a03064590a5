#include "engine/diagnosis.hpp"

#include <cmath>
#include <functional>
#include <optional>

#include "engine/fault_hypotheses.hpp"

namespace lnverify {
namespace {

using hypotheses::BackwardFault;
using hypotheses::ForwardFault;
using hypotheses::Probe;

// What the kernel gave on a probe, beside the truth and the room for honest roundings.
template <class W>
struct Observation {
  Probe<W> probe;
  layer_norm::Row<W> got;
  layer_norm::Row<W> truth;
  layer_norm::Row<W> limit;
};

template <class W>
std::optional<Observation<W>> observe_forward(const Kernel<W>& kernel, const Probe<W>& probe) {
  kernel.begin(Placement::end);
  const auto got = kernel.forward(probe.z, probe.gain, probe.bias, probe.eps);
  if (kernel.record().worst != CallStatus::done) return std::nullopt;
  Observation<W> seen{probe, got.values(), layer_norm::Row<W>(0), layer_norm::Row<W>(got.values().size())};
  seen.probe.eps = kernel.epsilon(probe.eps);
  seen.truth = hypotheses::truth<W>().y(seen.probe);
  for (std::size_t t = 0; t < probe.z.rows(); ++t) {
    const auto bound = kernel.bound(probe.z.row(t), probe.gain, probe.bias, probe.eps);
    for (std::size_t i = 0; i < probe.z.cols(); ++i) seen.limit[t * probe.z.cols() + i] = bound[i];
  }
  return seen;
}

template <class W>
std::optional<Observation<W>> observe_backward(const Kernel<W>& kernel, const Probe<W>& probe) {
  kernel.begin(Placement::end);
  const auto got = kernel.backward(probe.z, probe.gain, probe.eps, probe.dy);
  if (kernel.record().worst != CallStatus::done) return std::nullopt;
  Observation<W> seen{probe, got.dz.values(), layer_norm::Row<W>(0), layer_norm::Row<W>(0)};
  seen.limit = kernel.backward_bound(probe.z, probe.gain, probe.eps, probe.dy).dz.values();
  seen.probe.eps = kernel.epsilon(probe.eps);
  seen.truth = hypotheses::true_gradient<W>().dz(seen.probe);
  return seen;
}

// Room for the roundings of a kernel that commits the fault, whose sigma may be smaller than the true one.
template <class W>
W room(const Kernel<W>& kernel, const Observation<W>& seen, const W& expected, std::size_t i) {
  const W relative =
      W(16 * kernel.precision().storage.unit_roundoff +
        2 * layer_norm::roundoff_count(seen.probe.z.cols()) * kernel.precision().compute.unit_roundoff);
  const W bias = seen.probe.bias ? (*seen.probe.bias)[i % seen.probe.z.cols()] : W(0);
  const W size =
      layer_norm::magnitude(expected) + layer_norm::magnitude(seen.truth[i]) + layer_norm::magnitude(bias);
  return W(4) * seen.limit[i] + relative * size;
}

enum class Fit { contradicted, indistinct, explains };

template <class W>
Fit fit(const Kernel<W>& kernel, const Observation<W>& seen, const layer_norm::Row<W>& expected) {
  bool distinct = false;
  for (std::size_t i = 0; i < seen.got.size(); ++i) {
    if (!detail::finite(seen.limit[i])) continue;
    if (!detail::finite(expected[i])) {
      if (detail::finite(seen.got[i])) return Fit::contradicted;
      distinct = true;
      continue;
    }
    if (!detail::finite(seen.got[i])) return Fit::contradicted;
    const W allowed = room(kernel, seen, expected[i], i);
    if (!(layer_norm::magnitude(W(seen.got[i] - expected[i])) <= allowed)) return Fit::contradicted;
    distinct = distinct || layer_norm::magnitude(W(seen.truth[i] - expected[i])) > W(2) * allowed;
  }
  return distinct ? Fit::explains : Fit::indistinct;
}

// The one fault that explains all observations.
template <class W, class Fault, class Evaluate>
std::string only_explanation(
    const Kernel<W>& kernel, const std::vector<Observation<W>>& seen, const std::vector<Fault>& faults,
    Evaluate evaluate) {
  std::string found;
  for (const Fault& fault : faults) {
    bool explains = false;
    bool contradicted = false;
    for (const Observation<W>& observation : seen) {
      const Fit result = fit(kernel, observation, evaluate(fault, observation.probe));
      contradicted = contradicted || result == Fit::contradicted;
      explains = explains || result == Fit::explains;
      if (contradicted) break;
    }
    if (contradicted || !explains) continue;
    if (!found.empty()) return "";
    found = fault.words;
  }
  return found;
}

// One-pass cancellation leaves no fixed error, but one of a known size: with a common offset M the core stays
// parallel to the true one, and the variance is off by a few roundoffs of M^2, whatever the spread.
template <class W>
bool is_one_pass(const Kernel<W>& kernel) {
  const double unit = kernel.precision().compute.unit_roundoff;
  const int digits = kernel.precision().storage.digits;
  bool off = false;
  for (int power = 0; power + 2 < digits; ++power) {
    const Probe<W> probe = hypotheses::offset_probe<W>(std::ldexp(1.0, power), kernel.grid());
    const auto seen = observe_forward(kernel, probe);
    if (!seen) return false;
    const auto s = layer_norm::statistics(probe.z.row(0), seen->probe.eps);
    const W noise = W(4 * unit * layer_norm::roundoff_count(probe.z.cols())) * s.max_abs * s.max_abs;
    if (fit(kernel, *seen, seen->truth) != Fit::contradicted) continue;
    if (!detail::finite(seen->got[0])) {
      if (noise < s.variance) return false;
      off = true;
      continue;
    }
    const W along = layer_norm::dot(s.centered, seen->got);
    if (!(along > W(0))) return false;
    const W sigma = layer_norm::squared_norm(s.centered) / along;
    const W variance = sigma * sigma - seen->probe.eps;
    if (layer_norm::magnitude(W(variance - s.variance)) > noise) return false;
    for (std::size_t i = 0; i < seen->got.size(); ++i)
      if (layer_norm::magnitude(W(seen->got[i] * sigma - s.centered[i])) >
          W(0.01) * s.max_abs * W(unit) * W(64) + W(0.01) * layer_norm::magnitude(s.centered[i]))
        return false;
    off = true;
  }
  return off;
}

template <class W>
std::vector<Probe<W>> probes_of(const std::vector<Case>& failing, bool backward) {
  std::vector<Probe<W>> probes;
  for (const Case& c : failing) {
    const Inputs<W> in(c);
    if (c.find("z") == nullptr || c.find("eps") == nullptr || (backward && c.find("dy") == nullptr)) continue;
    Probe<W> probe{in.matrix("z"), in.gain(), in.bias(), in.eps(), {}};
    if (backward) probe.dy = in.matrix("dy");
    probes.push_back(std::move(probe));
  }
  return probes;
}

template <class W>
std::string diagnose_forward(const Kernel<W>& kernel, const std::vector<Case>& failing) {
  std::vector<Observation<W>> seen;
  bool plain_is_right = true;
  auto probes = probes_of<W>(failing, false);
  const std::size_t given = probes.size();
  for (Probe<W>& fixed : hypotheses::fixed_probes<W>(kernel.grid())) probes.push_back(std::move(fixed));
  for (std::size_t k = 0; k < probes.size(); ++k) {
    auto observation = observe_forward(kernel, probes[k]);
    if (!observation) return "";
    if (k >= given)
      plain_is_right = plain_is_right && fit(kernel, *observation, observation->truth) != Fit::contradicted;
    seen.push_back(std::move(*observation));
  }
  auto faults = hypotheses::forward_faults<W>();
  for (const Observation<W>& observation : seen)
    if (const auto eps = hypotheses::constant_epsilon(observation.probe, observation.got))
      hypotheses::add_constant_epsilon(faults, *eps);
  const std::string found = only_explanation(
      kernel, seen, faults, [](const ForwardFault<W>& fault, const Probe<W>& p) { return fault.y(p); });
  if (!found.empty()) return found;
  return plain_is_right && is_one_pass(kernel) ? "one-pass cancellation, mean(z^2) - mean(z)^2" : "";
}

template <class W>
std::string diagnose_backward(const Kernel<W>& kernel, const std::vector<Case>& failing) {
  std::vector<Observation<W>> seen;
  auto probes = probes_of<W>(failing, true);
  for (Probe<W>& fixed : hypotheses::fixed_probes<W>(kernel.grid())) probes.push_back(std::move(fixed));
  for (const Probe<W>& probe : probes) {
    auto observation = observe_backward(kernel, probe);
    if (!observation) return "";
    seen.push_back(std::move(*observation));
  }
  return only_explanation(
      kernel, seen, hypotheses::backward_faults<W>(),
      [](const BackwardFault<W>& fault, const Probe<W>& p) { return fault.dz(p); });
}

}  // namespace

std::string diagnose(const LawInfo& law, const std::vector<Case>& failing, const AnyKernel& any) {
  return std::visit(
      [&](const auto* kernel) -> std::string {
        using W = typename std::decay_t<decltype(*kernel)>::Row::value_type;
        // mp50 and exact are the reference itself, which has none of these faults.
        if constexpr (std::is_same_v<W, double> || std::is_same_v<W, layer_norm::mp50>) {
          if (law.exercises == Exercises::backward) return diagnose_backward(*kernel, failing);
          if (law.exercises == Exercises::forward) return diagnose_forward(*kernel, failing);
        }
        return "";
      },
      any);
}

}  // namespace lnverify
