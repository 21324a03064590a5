// What the laws see of a kernel under test: single calls on arrays of doubles, and replies that are values.
//
// Whatever a kernel does (a wrong write, a crash, an endless loop) comes back as a CallStatus; a host throws
// only when there is no usable kernel at all.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "placement.hpp"
#include "scalar_kind.hpp"

namespace lnverify {

enum class Operation { forward, backward, forward_in_place, forward_two_threads };

enum class CallStatus {
  done,
  unsupported,    // the kernel returned > 0, or does not offer the function
  not_written,    // a wanted output element was left as it was
  scribbled,      // an input was changed
  out_of_bounds,  // an access outside of the arrays
  crashed,        // any other death of the process
  hung,           // no answer within the patience
  failed          // the kernel returned < 0
};

// "forward", "backward", ...; "done", "unsupported", "not-written", "out-of-bounds",
// ...
std::string_view name(Operation operation);
std::string_view name(CallStatus status);

// One call. Every value lies on the grid of the scalar (or is NaN or infinite); z and dy have rows * d
// values, row-major, gain and bias have d or are null (absent). eps lies on the grid of the kernel's epsilon.
// A backward call reads dy and not bias; a forward call ignores dy and the want_ flags.
struct Call {
  Operation operation = Operation::forward;
  Scalar scalar = Scalar::f32;
  std::size_t rows = 0;
  std::size_t d = 0;
  const double* z = nullptr;
  const double* gain = nullptr;
  const double* bias = nullptr;
  double eps = 0;
  const double* dy = nullptr;
  bool want_dz = true;
  bool want_dgain = true;
  bool want_dbias = true;
  Placement placement = Placement::end;
};

// The arrays are filled for status done only, and only those that the operation has and the call wanted.
struct Reply {
  CallStatus status = CallStatus::done;
  std::string detail{};  // in words: "wrote 4 bytes past the end of y", "returned -3", "y[3] was not written"
  std::vector<double> y{};
  std::vector<double> second_y{};  // forward_two_threads: the other thread's output
  std::vector<double> dz{};
  std::vector<double> dgain{};
  std::vector<double> dbias{};
};

struct KernelInfo {
  std::string name;
  std::array<bool, 4> forward{};   // f16, bf16, f32, f64
  std::array<bool, 4> backward{};  // likewise
  bool in_place = false;
  bool threads = false;

  // True when the kernel offers the function and declares the trait that the operation needs.
  bool has(Operation operation, Scalar scalar) const;
};

// There is no usable kernel; what() is one line that names the file and what is wrong with it.
class BadKernel : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Why `told` can't be the epsilon that a kernel adds for eps, if it can't.
std::optional<std::string> fault_of_epsilon(double eps, double told);

class KernelHost {
 public:
  KernelHost() = default;
  KernelHost(const KernelHost&) = delete;
  KernelHost& operator=(const KernelHost&) = delete;
  virtual ~KernelHost() = default;

  // Name, functions and traits. Throws BadKernel.
  virtual const KernelInfo& info() = 0;
  // The epsilon that the kernel really adds when eps is asked for; eps where the kernel does not say.
  // Throws BadKernel.
  virtual double added_epsilon(double eps) = 0;
  // Performs one call. Throws BadKernel, std::invalid_argument (d = 0, a missing z or dy) and
  // std::length_error naming the size (an array is too large for the host).
  virtual Reply call(const Call& call) = 0;
};

}  // namespace lnverify
