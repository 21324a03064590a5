// PyTorch's native_layer_norm and native_layer_norm_backward on the CPU, in f32, f64 and bf16.
//
// ATEN_CAPABILITY names the processor features whose code is run: "default" (no vector extensions beyond
// those of the baseline) or "avx2". Statistics go from forward to backward as PyTorch itself hands them on.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/native_layer_norm_backward.h>
#include <ATen/ops/ones.h>
#include <c10/core/GradMode.h>
#include <layer_norm/kernel.h>
#include <stdlib.h>
#include <torch/csrc/api/include/torch/version.h>

#include <array>
#include <cstring>
#include <tuple>
#include <vector>

namespace {

using Sizes = std::vector<std::int64_t>;

// PyTorch reads the variable when it is first used, which is after this library has been loaded.
const bool capability_is_set = setenv("ATEN_CPU_CAPABILITY", ATEN_CAPABILITY, 1) == 0;

at::Tensor view(const void* data, at::ScalarType type, const Sizes& sizes) {
  return at::from_blob(const_cast<void*>(data), sizes, at::TensorOptions(type));
}

c10::optional<at::Tensor> view_if_given(const void* data, at::ScalarType type, const Sizes& sizes) {
  if (data == nullptr) return c10::nullopt;
  return view(data, type, sizes);
}

template <class Element>
void copy(const at::Tensor& from, Element* to) {
  if (to == nullptr) return;
  const at::Tensor dense = from.contiguous();
  std::memcpy(to, dense.data_ptr(), static_cast<std::size_t>(dense.numel()) * sizeof *to);
}

// What all calls have in common: one thread, no recording for differentiation, exceptions become "failed".
template <class Work>
int guarded(const Work& work) {
  if (!capability_is_set) return -1;
  try {
    at::set_num_threads(1);
    const c10::NoGradGuard no_recording;
    work();
    return 0;
  } catch (...) {
    return -1;
  }
}

template <class Element, class Epsilon>
int forward(
    at::ScalarType type, std::size_t rows, std::size_t d, const Element* z, const Element* gain,
    const Element* bias, Epsilon eps, Element* y) {
  return guarded([&] {
    const Sizes row{static_cast<std::int64_t>(d)}, matrix{static_cast<std::int64_t>(rows), row[0]};
    const auto result = at::native_layer_norm(
        view(z, type, matrix), row, view_if_given(gain, type, row), view_if_given(bias, type, row), eps);
    copy(std::get<0>(result), y);
  });
}

// PyTorch wants a gain where its gradient is asked for: an absent one becomes ones then.
template <class Element, class Epsilon>
int backward(
    at::ScalarType type, std::size_t rows, std::size_t d, const Element* z, const Element* gain, Epsilon eps,
    const Element* dy, Element* dz, Element* dgain, Element* dbias) {
  return guarded([&] {
    const Sizes row{static_cast<std::int64_t>(d)}, matrix{static_cast<std::int64_t>(rows), row[0]};
    const bool parameters = dgain != nullptr || dbias != nullptr;
    const at::Tensor input = view(z, type, matrix);
    c10::optional<at::Tensor> weight = view_if_given(gain, type, row), shift;
    if (parameters && !weight) weight = at::ones(row, at::TensorOptions(type));
    if (parameters) shift = weight;
    const auto statistics = at::native_layer_norm(input, row, weight, shift, eps);
    const std::array<bool, 3> wanted{dz != nullptr, dgain != nullptr, dbias != nullptr};
    const auto [input_gradient, weight_gradient, shift_gradient] = at::native_layer_norm_backward(
        view(dy, type, matrix), input, row, std::get<1>(statistics), std::get<2>(statistics), weight, shift,
        wanted);
    copy(input_gradient, dz);
    copy(weight_gradient, dgain);
    copy(shift_gradient, dbias);
  });
}

}  // namespace

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward(at::kFloat, rows, d, z, gain, bias, eps, y);
}

int layer_norm_forward_f64(
    size_t rows, size_t d, const double* z, const double* gain, const double* bias, double eps, double* y) {
  return forward(at::kDouble, rows, d, z, gain, bias, eps, y);
}

int layer_norm_forward_bf16(
    size_t rows, size_t d, const uint16_t* z, const uint16_t* gain, const uint16_t* bias, float eps,
    uint16_t* y) {
  return forward(at::kBFloat16, rows, d, z, gain, bias, eps, y);
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  return backward(at::kFloat, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}

int layer_norm_backward_f64(
    size_t rows, size_t d, const double* z, const double* gain, double eps, const double* dy, double* dz,
    double* dgain, double* dbias) {
  return backward(at::kDouble, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}

int layer_norm_backward_bf16(
    size_t rows, size_t d, const uint16_t* z, const uint16_t* gain, float eps, const uint16_t* dy,
    uint16_t* dz, uint16_t* dgain, uint16_t* dbias) {
  return backward(at::kBFloat16, rows, d, z, gain, eps, dy, dz, dgain, dbias);
}

const char* layer_norm_kernel_name(void) { return "PyTorch " TORCH_VERSION " (" ATEN_CAPABILITY ")"; }
