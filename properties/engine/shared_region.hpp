// The memory that parent and child share: a control block, and one slot for each array between forbidden
// pages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernel_host.hpp"
#include "turn.hpp"

namespace lnverify {

enum class Argument { z, gain, bias, y, dy, dz, dgain, dbias, second_y };
inline constexpr std::size_t array_count = 9;
std::string_view name(Argument array);

// What the child is asked: to perform a call on placed arrays, or for the epsilon that it adds.
struct Request {
  enum class Kind { call, epsilon } kind = Kind::call;
  Operation operation = Operation::forward;
  Scalar scalar = Scalar::f32;
  std::size_t rows = 0;
  std::size_t d = 0;
  double eps = 0;
  std::array<void*, array_count> arrays{};  // null: absent or not wanted
};

// What the child says once when it has loaded the kernel. `text` is the kernel's name, or why it could not be
// loaded; it ends with a zero.
struct Introduction {
  bool usable = false;
  std::array<bool, 4> forward{};
  std::array<bool, 4> backward{};
  bool in_place = false;
  bool threads = false;
  bool tells_epsilon = false;
  std::array<char, 2048> text{};
};

// What a signal handler found out about the death of its process.
struct Fault {
  int signal = 0;
  bool address_known = false;
  std::uintptr_t address = 0;
  bool access_known = false;
  bool was_write = false;
};

struct Control {
  Turn turn;
  Request request;
  Introduction introduction;
  int returned = 0;
  double epsilon = 0;
  Fault fault;
};

class SharedRegion {
 public:
  static constexpr std::size_t slot_size = std::size_t{64} << 20;
  // Wide enough that an access one row off is still caught.
  static constexpr std::size_t guard_size = std::size_t{1} << 20;

  // Reserves address space only; pages come into being when they are touched. Throws std::system_error.
  SharedRegion();
  ~SharedRegion();
  SharedRegion(const SharedRegion&) = delete;
  SharedRegion& operator=(const SharedRegion&) = delete;

  Control& control() { return *control_; }
  std::byte* slot(Argument array) const;
  bool is_guarded(std::uintptr_t address) const;

 private:
  std::byte* base_ = nullptr;
  Control* control_ = nullptr;
};

}  // namespace lnverify
