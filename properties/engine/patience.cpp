#include "patience.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lnverify {

namespace {

double seconds(Patience::Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

std::optional<std::string> end_of_patience(
    const Limits& limits, Patience::Duration used, Patience::Duration passed) {
  if (used > limits.processor)
    return fmt::format("gave no answer within {:.3g} s of processor time", seconds(limits.processor));
  if (passed > limits.wall && used < passed / 20)
    return fmt::format("gave no answer within {:.3g} s, asleep", seconds(limits.wall));
  return std::nullopt;
}

void PatienceRecord::finished(Patience::Duration taken) {
  Patience::Duration& slowest = calls_of_process_ == 0 ? slowest_first_ : slowest_;
  slowest = std::max(slowest, taken);
  ++calls_of_process_;
  ++calls_;
}

Patience::Duration PatienceRecord::processor_limit(std::size_t elements) const {
  if (calls_ == 0) return patience_.first;
  if (calls_ < patience_.early_calls) return patience_.early;
  const Patience::Duration slowest = calls_of_process_ == 0 ? std::max(slowest_first_, slowest_) : slowest_;
  const auto count = static_cast<Patience::Duration::rep>(elements);
  return std::max(patience_.least, patience_.factor * slowest) + count * patience_.per_element;
}

Patience::Duration PatienceRecord::wall_limit() const {
  return calls_ == 0 ? patience_.first_wall : patience_.wall;
}

}  // namespace lnverify
