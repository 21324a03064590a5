// How long a kernel may take for one call before it counts as hung.
//
// Time is the processor time of the child, so that a busy machine accuses nobody; a kernel that sleeps or
// deadlocks uses none, and for it there is a limit in wall time besides.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace lnverify {

struct Patience {
  using Duration = std::chrono::nanoseconds;

  Duration first = std::chrono::seconds(60);  // loading, and the first call ever
  Duration early = std::chrono::seconds(5);   // the calls up to early_calls
  std::size_t early_calls = 3;
  Duration least = std::chrono::milliseconds(50);  // later: max(least, factor * slowest call) ...
  int factor = 20;
  Duration per_element = std::chrono::microseconds(1);  // ... and this for each of the rows * d elements
  Duration wall = std::chrono::seconds(10);
  Duration first_wall = std::chrono::seconds(120);
};

// For one call.
struct Limits {
  Patience::Duration processor{0};
  Patience::Duration wall{0};
};

// In words, when a child that has used so much processor time in so much wall time must count as hung. One
// that waits for a processor uses a little time now and then; one that sleeps uses none.
std::optional<std::string> end_of_patience(
    const Limits& limits, Patience::Duration used, Patience::Duration passed);

// Remembers how fast a kernel has been, across the deaths of its process.
class PatienceRecord {
 public:
  explicit PatienceRecord(const Patience& patience) : patience_(patience) {}

  // A new process: its first call may be slow again, but no slower than first calls have been so far.
  void restarted() { calls_of_process_ = 0; }
  void finished(Patience::Duration taken);
  Patience::Duration processor_limit(std::size_t elements) const;
  Patience::Duration wall_limit() const;

 private:
  Patience patience_;
  std::size_t calls_of_process_ = 0;
  std::size_t calls_ = 0;
  Patience::Duration slowest_first_{0};
  Patience::Duration slowest_{0};
};

}  // namespace lnverify
