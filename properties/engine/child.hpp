// What runs in the child process: loads the kernel, introduces it, and serves requests until it is killed.
#pragma once

#include <sys/types.h>

#include <string>

#include "kernel_functions.hpp"
#include "shared_region.hpp"

namespace lnverify {

// A library to be loaded, or, where library_path is empty, functions that are compiled in.
struct KernelSource {
  std::string library_path;
  KernelFunctions functions;
  std::string name;  // unless the kernel gives one
};

// To be called right after fork with the turn held by the child. Dies with the parent; never returns, never
// runs the parent's exit handlers, leaves stdin, stdout and stderr alone.
[[noreturn]] void serve_kernel(Control& control, const KernelSource& source, pid_t parent) noexcept;

}  // namespace lnverify
