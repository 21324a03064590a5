// Deadly signals in the child: recorded in shared memory by a handler there, put into words in the parent.
#pragma once

#include <string>

#include "shared_region.hpp"

namespace lnverify {

// From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT fill control.fault, give the turn to the parent and
// end this process by _exit. Handlers run on a stack of their own on the calling thread, so that an overflow
// of the stack is recorded too.
void install_fault_handlers(Control& control);

// "read", "wrote" or "touched memory".
std::string access_verb(const Fault& fault);
// "signal 11 (null pointer read)", "signal 8 (arithmetic fault)".
std::string describe(const Fault& fault);

}  // namespace lnverify
