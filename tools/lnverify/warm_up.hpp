// A kernel's first call may be slow (it compiles, loads, measures), so the first call ever is given much
// time. Calls on harmless rows, made before any case, use that up: a kernel that hangs later is found out
// soon.
#pragma once

#include "engine/subject.hpp"

namespace lnverify {

// Calls every forward function that the subject offers a few times. What goes wrong in the calls is ignored
// here: the cases will find it again.
void warm_up(const Subject& subject);

}  // namespace lnverify
