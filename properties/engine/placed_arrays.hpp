// The arrays of one call as they lie in shared memory, and what can be read from them after the call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel_host.hpp"
#include "shared_region.hpp"

namespace lnverify {

// rows * d of a call whose arguments are as KernelHost::call wants them; throws as it does.
std::size_t checked_size(const Call& call);

class PlacedArrays {
 public:
  explicit PlacedArrays(SharedRegion& region) : region_(region) {}

  // Encodes the inputs, poisons the outputs and the slack around every array. Throws as KernelHost::call
  // does.
  void place(const Call& call);
  // For the kernel: null where an array is absent or not wanted; y is z for a call in place.
  std::array<void*, array_count> addresses() const;

  // Each gives words for the first offence found, or nothing.
  std::optional<std::string> stray_write() const;
  std::optional<std::string> scribble() const;
  std::optional<std::string> unwritten() const;
  // Words for an access to a forbidden page, in terms of the array nearest to it.
  std::string describe_access(std::uintptr_t address, const std::string& verb) const;
  void read_outputs(Reply& reply) const;

 private:
  // Bytes of slack that are poisoned on a side that has room.
  static constexpr std::size_t slack = 256;

  struct Placed {
    std::byte* begin = nullptr;  // null: absent
    std::size_t count = 0;
    std::size_t slack_before = 0;
    std::size_t slack_after = 0;
    bool must_be_written = false;
    bool must_stay = false;
    std::vector<std::byte> original;
  };

  Placed& at(Argument array) { return arrays_[static_cast<std::size_t>(array)]; }
  const Placed& at(Argument array) const { return arrays_[static_cast<std::size_t>(array)]; }
  std::size_t bytes(const Placed& placed) const { return placed.count * element_size_; }
  void lay(Argument array, std::size_t count);
  void lay_input(Argument array, const double* values, std::size_t count);
  void lay_output(Argument array, std::size_t count);
  std::vector<double> values_of(Argument array) const;

  SharedRegion& region_;
  std::array<Placed, array_count> arrays_;
  Operation operation_ = Operation::forward;
  Scalar scalar_ = Scalar::f32;
  Placement placement_ = Placement::end;
  std::size_t element_size_ = 0;
};

}  // namespace lnverify
