#include "kernel_host.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lnverify {

namespace {

constexpr std::array<std::string_view, 3> placement_names = {"end", "begin", "odd"};
constexpr std::array<std::string_view, 4> operation_names = {
    "forward", "backward", "forward-in-place", "forward-two-threads"};
constexpr std::array<std::string_view, 8> status_names = {
    "done", "unsupported", "not-written", "scribbled", "out-of-bounds", "crashed", "hung", "failed"};

}  // namespace

std::string_view name(Placement placement) { return placement_names.at(static_cast<std::size_t>(placement)); }
std::string_view name(Operation operation) { return operation_names.at(static_cast<std::size_t>(operation)); }
std::string_view name(CallStatus status) { return status_names.at(static_cast<std::size_t>(status)); }

std::optional<Placement> placement_from_name(std::string_view name) {
  for (std::size_t i = 0; i < placement_names.size(); ++i)
    if (placement_names[i] == name) return static_cast<Placement>(i);
  return std::nullopt;
}

bool KernelInfo::has(Operation operation, Scalar scalar) const {
  const auto index = static_cast<std::size_t>(scalar);
  if (index >= forward.size()) return false;
  switch (operation) {
    case Operation::forward:
      return forward[index];
    case Operation::backward:
      return backward[index];
    case Operation::forward_in_place:
      return forward[index] && in_place;
    case Operation::forward_two_threads:
      return forward[index] && threads;
  }
  return false;
}

std::optional<std::string> fault_of_epsilon(double eps, double told) {
  if (std::isfinite(told) && told >= 0) return std::nullopt;
  return fmt::format(
      "asked what epsilon it adds for {}, it says {}; expected a finite number that is not negative", eps,
      told);
}

}  // namespace lnverify
