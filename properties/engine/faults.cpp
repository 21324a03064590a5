#include "faults.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>

namespace lnverify {

namespace {

Control* control_of_child = nullptr;
std::atomic<bool> recorded{false};
alignas(16) std::array<std::byte, 1 << 16> handler_stack;

void record_access(Fault& fault, const siginfo_t& info, [[maybe_unused]] const void* context) {
  // A code <= 0 was sent by a process; SI_KERNEL is a general protection fault, which names no address.
  fault.address_known = info.si_code > 0 && info.si_code != SI_KERNEL;
  fault.address = reinterpret_cast<std::uintptr_t>(info.si_addr);
#if defined(__x86_64__)
  constexpr long long write_bit = 2;
  const auto error = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR];
  fault.access_known = fault.address_known;
  fault.was_write = (error & write_bit) != 0;
#endif
}

[[noreturn]] void record_and_leave(int signal, siginfo_t* info, void* context) {
  if (recorded.exchange(true))
    for (;;) pause();  // another thread is on its way out with the first fault
  Fault fault;
  fault.signal = signal;
  if (signal == SIGSEGV || signal == SIGBUS) record_access(fault, *info, context);
  control_of_child->fault = fault;
  control_of_child->turn.give(Holder::parent_by_fault);
  _exit(128 + signal);
}

}  // namespace

void install_fault_handlers(Control& control) {
  control_of_child = &control;
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = record_and_leave;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    sigaction(signal, &action, nullptr);
    sigaddset(&unblocked, signal);
  }
  sigprocmask(SIG_UNBLOCK, &unblocked, nullptr);
}

std::string access_verb(const Fault& fault) {
  if (!fault.access_known) return "touched memory";
  return fault.was_write ? "wrote" : "read";
}

std::string describe(const Fault& fault) {
  constexpr std::uintptr_t null_page_end = 1 << 16;
  switch (fault.signal) {
    case SIGFPE:
      return fmt::format("signal {} (arithmetic fault)", fault.signal);
    case SIGILL:
      return fmt::format("signal {} (illegal instruction)", fault.signal);
    case SIGABRT:
      return fmt::format("signal {} (abort)", fault.signal);
    default:
      break;
  }
  if (!fault.address_known)
    return fmt::format(
        "signal {} (wild pointer, or a misaligned address where alignment is required)", fault.signal);
  const char* access = !fault.access_known ? "access" : fault.was_write ? "write" : "read";
  if (fault.address == 0) return fmt::format("signal {} (null pointer {})", fault.signal, access);
  if (fault.address < null_page_end)
    return fmt::format("signal {} (null pointer {}, at offset {})", fault.signal, access, fault.address);
  return fmt::format("signal {} ({} at address {:#x})", fault.signal, access, fault.address);
}

}  // namespace lnverify
