// Kernel<W>: a kernel under test as laws see it, in a working type W that is wider than the scalar under
// test.
//
//   scalar under test   f16, bf16, f32   f64    mp50    exact
//   W                   double           mp50   mp100   exact
//
// The scalar is a property of the object: every value that goes in must lie on its grid, and round() is the
// only way back to the grid. Whatever goes wrong in a call (a crash, a stray write) is remembered by the
// kernel and becomes the verdict of the evaluation; the call itself then returns NaNs, so a law needs no
// error handling.
#pragma once

#include <layer_norm/backward.hpp>
#include <layer_norm/core.hpp>
#include <layer_norm/error_bound.hpp>
#include <layer_norm/exact.hpp>
#include <layer_norm/moments.hpp>
#include <layer_norm/scalar.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "engine/grid.hpp"
#include "engine/kernel_host.hpp"
#include "engine/working_types.hpp"

namespace lnverify {

// The worst that happened in the calls of one evaluation.
struct CallRecord {
  CallStatus worst = CallStatus::done;
  std::string detail;
  std::size_t calls = 0;
};

template <class W>
using MaybeRow = std::optional<layer_norm::Row<W>>;

template <class W>
class Kernel {
 public:
  using Row = layer_norm::Row<W>;
  using Matrix = layer_norm::Matrix<W>;
  using Gradients = layer_norm::Gradients<W>;
  static constexpr bool is_exact = std::is_same_v<W, layer_norm::exact>;

  // host == nullptr: the reference library itself, evaluated in this process (mp50 and exact, which have no C
  // interface). The host must outlive the kernel.
  Kernel(Scalar scalar, KernelHost* host);

  Scalar scalar() const { return grid_.scalar; }
  const Grid& grid() const { return grid_; }
  const layer_norm::Precision& precision() const { return precision_; }
  bool supports(Operation operation) const;

  // To nearest on the grid of the scalar (overflow gives infinity), and on the grid of epsilon.
  W round(const W& x) const;
  Row round(Row x) const;
  Matrix round(Matrix x) const;
  W round_epsilon(const W& eps) const;
  // The epsilon that the kernel really adds when eps is asked for: what every expectation must use.
  W epsilon(const W& eps) const;

  // u, y = gain * u + bias, and the gradients, as the kernel under test computes them.
  Row core(const Row& z, const W& eps) const;
  Row forward(const Row& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps) const;
  Matrix forward(
      const Matrix& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps,
      Operation operation = Operation::forward) const;
  Gradients backward(const Matrix& z, const MaybeRow<W>& gain, const W& eps, const Matrix& dy) const;
  Row backward(const Row& z, const MaybeRow<W>& gain, const W& eps, const Row& dy) const;
  // The same forward call from two threads at once: both outputs.
  std::pair<Matrix, Matrix> forward_two_threads(
      const Matrix& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps) const;

  // Mean, variance, sigma and core of a row in W, for the epsilon that the kernel adds.
  layer_norm::Statistics<W> statistics(const Row& z, const W& eps) const;
  // The error bound of core(z, eps). Each input that the law rounded itself costs one more roundoff.
  Row bound(const Row& z, const W& eps, int rounded_inputs = 0) const;
  Row bound(
      const Row& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps, int rounded_inputs = 0,
      layer_norm::Range range = layer_norm::Range::stated) const;
  // The error bounds of the three gradients.
  layer_norm::BackwardBound<W> backward_bound(
      const Matrix& z, const MaybeRow<W>& gain, const W& eps, const Matrix& dy,
      layer_norm::Range range = layer_norm::Range::stated) const;

  // For the runner: where the arrays of the coming calls lie, and what happened in them.
  void begin(Placement placement) const;
  const CallRecord& record() const { return record_; }

 private:
  Reply call(
      Operation operation, const Matrix& z, const MaybeRow<W>& gain, const MaybeRow<W>& bias, const W& eps,
      const Matrix* dy) const;
  void note(CallStatus status, const std::string& detail) const;

  Grid grid_;
  layer_norm::Precision precision_;
  KernelHost* host_;
  mutable Placement placement_ = Placement::end;
  mutable CallRecord record_;
};

extern template class Kernel<double>;
extern template class Kernel<layer_norm::mp50>;
extern template class Kernel<layer_norm::mp100>;
extern template class Kernel<layer_norm::exact>;

}  // namespace lnverify
