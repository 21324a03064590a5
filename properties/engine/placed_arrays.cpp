#include "placed_arrays.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "array_codec.hpp"

namespace lnverify {

namespace {

constexpr std::array<Argument, array_count> all_arrays = {
    Argument::z,  Argument::gain,  Argument::bias,  Argument::y,       Argument::dy,
    Argument::dz, Argument::dgain, Argument::dbias, Argument::second_y};

std::string element_name(Argument array, std::size_t index) {
  return std::string(name(array)) + "[" + std::to_string(index) + "]";
}

std::string in_bytes(std::size_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

}  // namespace

std::size_t checked_size(const Call& call) {
  if (call.d == 0) throw std::invalid_argument("d must be at least 1, is 0");
  if (!std::isfinite(call.eps) || call.eps < 0)
    throw std::invalid_argument("eps must be finite and not negative, is " + std::to_string(call.eps));
  if (call.rows > std::numeric_limits<std::size_t>::max() / call.d)
    throw std::length_error(
        std::to_string(call.rows) + " x " + std::to_string(call.d) + " elements are too many");
  const std::size_t size = call.rows * call.d;
  if (size > 0 && call.z == nullptr) throw std::invalid_argument("z is missing");
  if (size > 0 && call.operation == Operation::backward && call.dy == nullptr)
    throw std::invalid_argument("dy is missing");
  return size;
}

void PlacedArrays::place(const Call& call) {
  const std::size_t size = checked_size(call);
  operation_ = call.operation;
  scalar_ = call.scalar;
  placement_ = call.placement;
  element_size_ = element_size(call.scalar);
  for (Placed& placed : arrays_) placed.begin = nullptr;
  lay_input(Argument::z, call.z, size);
  if (call.gain != nullptr) lay_input(Argument::gain, call.gain, call.d);
  if (call.operation == Operation::backward) {
    lay_input(Argument::dy, call.dy, size);
    if (call.want_dz) lay_output(Argument::dz, size);
    if (call.want_dgain) lay_output(Argument::dgain, call.d);
    if (call.want_dbias) lay_output(Argument::dbias, call.d);
    return;
  }
  if (call.bias != nullptr) lay_input(Argument::bias, call.bias, call.d);
  if (call.operation == Operation::forward_in_place) {
    at(Argument::z).must_stay = false;
    return;
  }
  lay_output(Argument::y, size);
  if (call.operation == Operation::forward_two_threads) lay_output(Argument::second_y, size);
}

void PlacedArrays::lay(Argument array, std::size_t count) {
  constexpr std::size_t room = SharedRegion::slot_size - 2 * slack;
  if (count > room / element_size_)
    throw std::length_error(
        std::string(name(array)) + " has " + std::to_string(count) + " elements of " +
        std::string(name(scalar_)) + ", at most " + std::to_string(room / element_size_) +
        " fit into shared memory");
  Placed& placed = at(array);
  placed.count = count;
  placed.slack_before = placement_ == Placement::end   ? slack
                        : placement_ == Placement::odd ? element_size_
                                                       : 0;
  placed.slack_after = placement_ == Placement::end ? 0 : slack;
  std::byte* slot = region_.slot(array);
  placed.begin = placement_ == Placement::end ? slot + SharedRegion::slot_size - bytes(placed)
                                              : slot + placed.slack_before;
  fill_with_poison(scalar_, placed.begin - placed.slack_before, placed.slack_before / element_size_);
  fill_with_poison(scalar_, placed.begin + bytes(placed), placed.slack_after / element_size_);
}

void PlacedArrays::lay_input(Argument array, const double* values, std::size_t count) {
  lay(array, count);
  Placed& placed = at(array);
  placed.must_be_written = false;
  placed.must_stay = true;
  encode(scalar_, std::span(values, count), placed.begin);
  placed.original.assign(placed.begin, placed.begin + bytes(placed));
}

void PlacedArrays::lay_output(Argument array, std::size_t count) {
  lay(array, count);
  Placed& placed = at(array);
  placed.must_be_written = true;
  placed.must_stay = false;
  fill_with_poison(scalar_, placed.begin, count);
}

std::array<void*, array_count> PlacedArrays::addresses() const {
  std::array<void*, array_count> result{};
  for (std::size_t i = 0; i < array_count; ++i) result[i] = arrays_[i].begin;
  if (operation_ == Operation::forward_in_place)
    result[static_cast<std::size_t>(Argument::y)] = at(Argument::z).begin;
  return result;
}

std::optional<std::string> PlacedArrays::stray_write() const {
  for (const Argument array : all_arrays) {
    const Placed& placed = at(array);
    if (placed.begin == nullptr) continue;
    const std::byte* before = placed.begin - placed.slack_before;
    const std::byte* after = placed.begin + bytes(placed);
    if (all_poisoned(scalar_, before, placed.slack_before / element_size_) &&
        all_poisoned(scalar_, after, placed.slack_after / element_size_))
      continue;
    for (std::size_t i = 0; i < placed.slack_before; ++i)
      if (before[i] != poison_byte(scalar_, i))
        return "wrote " + in_bytes(placed.slack_before - i) + " before the start of " +
               std::string(name(array));
    for (std::size_t i = placed.slack_after; i-- > 0;)
      if (after[i] != poison_byte(scalar_, i))
        return "wrote " + in_bytes(i + 1) + " past the end of " + std::string(name(array));
  }
  return std::nullopt;
}

std::optional<std::string> PlacedArrays::scribble() const {
  for (const Argument array : all_arrays) {
    const Placed& placed = at(array);
    if (placed.begin == nullptr || !placed.must_stay || placed.count == 0) continue;
    if (std::memcmp(placed.begin, placed.original.data(), bytes(placed)) == 0) continue;
    std::size_t i = 0;
    while (placed.begin[i] == placed.original[i]) ++i;
    return "changed the input " + element_name(array, i / element_size_);
  }
  return std::nullopt;
}

std::optional<std::string> PlacedArrays::unwritten() const {
  for (const Argument array : all_arrays) {
    const Placed& placed = at(array);
    if (placed.begin == nullptr || !placed.must_be_written) continue;
    if (const auto index = first_poisoned(scalar_, placed.begin, placed.count))
      return element_name(array, *index) + " was not written";
  }
  return std::nullopt;
}

std::string PlacedArrays::describe_access(std::uintptr_t address, const std::string& verb) const {
  std::string words;
  std::size_t nearest = std::numeric_limits<std::size_t>::max();
  for (const Argument array : all_arrays) {
    const Placed& placed = at(array);
    if (placed.begin == nullptr) continue;
    const auto begin = reinterpret_cast<std::uintptr_t>(placed.begin);
    const std::uintptr_t end = begin + bytes(placed);
    const bool past = address >= end;
    const std::size_t distance = past ? address - end : begin - address;
    if (distance >= nearest) continue;
    nearest = distance;
    words = verb + (past ? " past the end of " : " before the start of ") + std::string(name(array)) +
            ", at its " + (past ? "end + " : "start - ") + in_bytes(distance);
  }
  return words;
}

std::vector<double> PlacedArrays::values_of(Argument array) const {
  const Placed& placed = at(array);
  return placed.begin == nullptr ? std::vector<double>{} : decode(scalar_, placed.begin, placed.count);
}

void PlacedArrays::read_outputs(Reply& reply) const {
  reply.y = values_of(operation_ == Operation::forward_in_place ? Argument::z : Argument::y);
  reply.second_y = values_of(Argument::second_y);
  reply.dz = values_of(Argument::dz);
  reply.dgain = values_of(Argument::dgain);
  reply.dbias = values_of(Argument::dbias);
}

}  // namespace lnverify
