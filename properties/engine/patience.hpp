// How long a kernel may take for one call before it counts as hung.
//
// Time is the processor time of the child, so that a busy machine accuses nobody; a kernel that sleeps or
// deadlocks uses none, and for it there is a limit in wall time besides.
#pragma once

#include <chrono>
#include <cstddef>

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
