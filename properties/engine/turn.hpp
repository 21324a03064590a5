// Whose turn it is: one word in shared memory on which two processes wait for each other.
//
// A raw futex, since std::atomic::wait works within one process only. All functions are safe in signal
// handlers.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace lnverify {

enum class Holder : std::uint32_t {
  parent,          // the child has answered
  child,           // a request is waiting or being served
  parent_by_fault  // the child has recorded a fault and is gone
};

// Looks again and again for a while before its owner goes to sleep, as long as that pays. On an idle machine
// the answer to a small call comes sooner than a sleeper wakes up; on a busy one the other side needs the
// very processor that is spinning, and each failure makes the next attempts rarer.
class Spinner {
 public:
  template <class Condition>
  bool sees(Condition condition) {
    if (condition()) return true;
    if (to_skip_ > 0) {
      --to_skip_;
      return false;
    }
    for (int i = 0; i < looks; ++i) {
      pause();
      if (condition()) {
        penalty_ = 0;
        return true;
      }
    }
    penalty_ = std::min(2 * penalty_ + 1, 127);
    to_skip_ = penalty_;
    return false;
  }

 private:
  static constexpr int looks = 1500;  // of some 25 ns each, together about what waking up takes
  static void pause();
  int penalty_ = 0;
  int to_skip_ = 0;
};

class Turn {
 public:
  Holder holder() const { return static_cast<Holder>(word_.load()); }
  // Only while nobody waits.
  void reset(Holder holder);
  // Gives the turn away and wakes who waits for it.
  void give(Holder holder);
  // Returns when the holder is (not) the child; the second gives up after the timeout and returns false.
  void wait_for_child_turn(Spinner& spinner);
  bool wait_for_parent_turn(Spinner& spinner, std::chrono::nanoseconds timeout);

 private:
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
  std::atomic<std::uint32_t> word_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

}  // namespace lnverify
