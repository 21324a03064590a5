#include "turn.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace lnverify {

namespace {

// Returns when woken, when the word is not `expected`, after the timeout, or for no reason.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, const timespec* timeout) {
  syscall(SYS_futex, &word, FUTEX_WAIT, expected, timeout, nullptr, 0);
}

}  // namespace

void Spinner::pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

void Turn::reset(Holder holder) {
  sleepers_.store(0);
  word_.store(static_cast<std::uint32_t>(holder));
}

void Turn::give(Holder holder) {
  word_.store(static_cast<std::uint32_t>(holder));
  // Sequentially consistent: either this sees the sleeper, or the sleeper's futex call sees the new word.
  if (sleepers_.load() != 0) syscall(SYS_futex, &word_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Turn::wait_for_child_turn(Spinner& spinner) {
  if (spinner.sees([this] { return holder() == Holder::child; })) return;
  while (holder() != Holder::child) {
    sleepers_.fetch_add(1);
    const std::uint32_t seen = word_.load();
    if (static_cast<Holder>(seen) != Holder::child) futex_wait(word_, seen, nullptr);
    sleepers_.fetch_sub(1);
  }
}

bool Turn::wait_for_parent_turn(Spinner& spinner, std::chrono::nanoseconds timeout) {
  if (spinner.sees([this] { return holder() != Holder::child; })) return true;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (timeout - seconds).count()};
  sleepers_.fetch_add(1);
  futex_wait(word_, static_cast<std::uint32_t>(Holder::child), &limit);
  sleepers_.fetch_sub(1);
  return holder() != Holder::child;
}

}  // namespace lnverify
