#include "child.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "faults.hpp"

namespace lnverify {

namespace {

constexpr int not_offered = 1;

template <class Element>
Element* array(const Request& request, Argument array) {
  return static_cast<Element*>(request.arrays[static_cast<std::size_t>(array)]);
}

template <class Element, class Epsilon>
int forward(
    int (*function)(
        std::size_t, std::size_t, const Element*, const Element*, const Element*, Epsilon, Element*),
    const Request& r, Argument output) {
  if (function == nullptr) return not_offered;
  return function(
      r.rows, r.d, array<Element>(r, Argument::z), array<Element>(r, Argument::gain),
      array<Element>(r, Argument::bias), static_cast<Epsilon>(r.eps), array<Element>(r, output));
}

template <class Element, class Epsilon>
int backward(
    int (*function)(
        std::size_t, std::size_t, const Element*, const Element*, Epsilon, const Element*, Element*, Element*,
        Element*),
    const Request& r) {
  if (function == nullptr) return not_offered;
  return function(
      r.rows, r.d, array<Element>(r, Argument::z), array<Element>(r, Argument::gain),
      static_cast<Epsilon>(r.eps), array<Element>(r, Argument::dy), array<Element>(r, Argument::dz),
      array<Element>(r, Argument::dgain), array<Element>(r, Argument::dbias));
}

int run_forward(const KernelFunctions& kernel, const Request& request, Argument output) {
  switch (request.scalar) {
    case Scalar::f16:
      return forward(kernel.forward_f16, request, output);
    case Scalar::bf16:
      return forward(kernel.forward_bf16, request, output);
    case Scalar::f32:
      return forward(kernel.forward_f32, request, output);
    case Scalar::f64:
      return forward(kernel.forward_f64, request, output);
    default:
      return not_offered;
  }
}

int run_backward(const KernelFunctions& kernel, const Request& request) {
  switch (request.scalar) {
    case Scalar::f16:
      return backward(kernel.backward_f16, request);
    case Scalar::bf16:
      return backward(kernel.backward_bf16, request);
    case Scalar::f32:
      return backward(kernel.backward_f32, request);
    case Scalar::f64:
      return backward(kernel.backward_f64, request);
    default:
      return not_offered;
  }
}

// Both threads wait until both are there, so that the calls really overlap.
int run_two_threads(const KernelFunctions& kernel, const Request& request) {
  std::atomic<int> ready{0};
  const auto run = [&](Argument output) {
    ready.fetch_add(1);
    while (ready.load() < 2) std::this_thread::yield();
    return run_forward(kernel, request, output);
  };
  int second = 0;
  std::thread helper([&] { second = run(Argument::second_y); });
  const int first = run(Argument::y);
  helper.join();
  return first != 0 ? first : second;
}

int run(const KernelFunctions& kernel, const Request& request) {
  if (request.operation == Operation::backward) return run_backward(kernel, request);
  if (request.operation == Operation::forward_two_threads) return run_two_threads(kernel, request);
  return run_forward(kernel, request, Argument::y);
}

void say(Introduction& introduction, const std::string& text) {
  const std::size_t length = std::min(text.size(), introduction.text.size() - 1);
  std::copy_n(text.begin(), length, introduction.text.begin());
  introduction.text[length] = '\0';
}

void introduce(Introduction& introduction, const KernelFunctions& kernel, const std::string& default_name) {
  if (!offers_anything(kernel))
    return say(introduction, "offers no layer_norm_forward_* or layer_norm_backward_* function");
  const auto given = [](auto... functions) { return std::array<bool, 4>{(functions != nullptr)...}; };
  introduction.forward =
      given(kernel.forward_f16, kernel.forward_bf16, kernel.forward_f32, kernel.forward_f64);
  introduction.backward =
      given(kernel.backward_f16, kernel.backward_bf16, kernel.backward_f32, kernel.backward_f64);
  const unsigned traits = kernel.traits == nullptr ? 0u : kernel.traits();
  introduction.in_place = (traits & LAYER_NORM_TRAIT_IN_PLACE) != 0;
  introduction.threads = (traits & LAYER_NORM_TRAIT_THREADS) != 0;
  introduction.tells_epsilon = kernel.epsilon != nullptr;
  const char* name = kernel.name == nullptr ? nullptr : kernel.name();
  say(introduction, name == nullptr ? default_name : name);
  introduction.usable = true;
}

void load_and_introduce(Introduction& introduction, const KernelSource& source, KernelFunctions& kernel) {
  kernel = source.functions;
  if (!source.library_path.empty()) {
    // Without a slash, dlopen would search the system's directories instead.
    const bool has_folder = source.library_path.find('/') != std::string::npos;
    const std::string path = has_folder ? source.library_path : "./" + source.library_path;
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return say(introduction, dlerror());
    kernel = functions_of_library(library);
  }
  introduce(introduction, kernel, source.name);
}

// A kernel that calls exit must not run what the parent has registered for its own end; handlers run newest
// first.
void leave_at_once_on_exit() {
  on_exit([](int status, void*) { _exit(status); }, nullptr);
}

}  // namespace

void serve_kernel(Control& control, const KernelSource& source, pid_t parent) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  // An interrupt from the terminal is for the parent; here it would look like the kernel's death.
  signal(SIGINT, SIG_IGN);
  leave_at_once_on_exit();
  install_fault_handlers(control);
  KernelFunctions kernel;
  load_and_introduce(control.introduction, source, kernel);
  // Again, since loading may have registered exit and signal handlers of its own.
  leave_at_once_on_exit();
  install_fault_handlers(control);
  control.turn.give(Holder::parent);
  Spinner spinner;
  for (;;) {
    control.turn.wait_for_child_turn(spinner);
    if (control.request.kind == Request::Kind::epsilon)
      control.epsilon = kernel.epsilon == nullptr ? control.request.eps : kernel.epsilon(control.request.eps);
    else
      control.returned = run(kernel, control.request);
    control.turn.give(Holder::parent);
  }
}

}  // namespace lnverify
