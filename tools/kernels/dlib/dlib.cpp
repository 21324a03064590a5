// dlib's layer normalization, f32 forward and backward, on the CPU.
//
// dlib owns its tensors, so that arrays are copied in and out: alignment and bounds are tested of the copies
// only. It asks for eps > 0 and for a gain and a bias; absent ones become ones and zeros. An empty batch is
// no tensor of dlib's: the zeros in dgain and dbias are the adapter's then.
#include <dlib/cuda/tensor_tools.h>
#include <dlib/revision.h>
#include <layer_norm/kernel.h>

#include <algorithm>
#include <limits>
#include <string>

namespace {

using dlib::resizable_tensor;

bool supported(std::size_t rows, std::size_t d, float eps) {
  constexpr std::size_t most = std::numeric_limits<long>::max();
  return eps > 0 && rows <= most && d <= most;
}

// The coordinates are channels: later versions take a gain for each channel, 19.24 one for each place.
resizable_tensor tensor(std::size_t rows, std::size_t d) {
  return resizable_tensor(static_cast<long>(rows), static_cast<long>(d), 1, 1);
}

// A tensor with the data of an array, or full of `otherwise` if there is none.
resizable_tensor tensor(std::size_t rows, std::size_t d, const float* data, float otherwise = 0) {
  resizable_tensor result = tensor(rows, d);
  if (data == nullptr)
    std::fill_n(result.host(), rows * d, otherwise);
  else
    std::copy_n(data, rows * d, result.host());
  return result;
}

void copy(const resizable_tensor& from, float* to) {
  if (to != nullptr) std::copy_n(from.host(), from.size(), to);
}

struct Normalized {
  resizable_tensor y, means, invstds;
};

Normalized normalize(
    float eps, const resizable_tensor& z, const resizable_tensor& gain, const resizable_tensor& bias) {
  Normalized result;
  dlib::tt::layer_normalize(static_cast<double>(eps), result.y, result.means, result.invstds, z, gain, bias);
  return result;
}

// Later versions want two more tensors to work in.
template <class... Arguments>
void gradient(double eps, Arguments&... arguments) {
  if constexpr (requires { dlib::tt::layer_normalize_gradient(eps, arguments...); }) {
    dlib::tt::layer_normalize_gradient(eps, arguments...);
  } else {
    resizable_tensor dmeans, dvars;
    dlib::tt::layer_normalize_gradient(eps, arguments..., dmeans, dvars);
  }
}

void backward(
    std::size_t rows, std::size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  const resizable_tensor input = tensor(rows, d, z), scale = tensor(1, d, gain, 1),
                         upstream = tensor(rows, d, dy);
  const Normalized forward = normalize(eps, input, scale, tensor(1, d, nullptr));
  // dlib adds to the gradient of the input.
  resizable_tensor input_gradient = tensor(rows, d, nullptr), scale_gradient = tensor(1, d),
                   shift_gradient = tensor(1, d);
  gradient(
      static_cast<double>(eps), upstream, forward.means, forward.invstds, input, scale, input_gradient,
      scale_gradient, shift_gradient);
  copy(input_gradient, dz);
  copy(scale_gradient, dgain);
  copy(shift_gradient, dbias);
}

}  // namespace

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  if (!supported(rows, d, eps)) return 1;
  if (rows == 0) return 0;
  try {
    copy(normalize(eps, tensor(rows, d, z), tensor(1, d, gain, 1), tensor(1, d, bias)).y, y);
    return 0;
  } catch (...) {
    return -1;
  }
}

int layer_norm_backward_f32(
    size_t rows, size_t d, const float* z, const float* gain, float eps, const float* dy, float* dz,
    float* dgain, float* dbias) {
  if (!supported(rows, d, eps)) return 1;
  if (rows == 0) {
    if (dgain != nullptr) std::fill_n(dgain, d, 0.0f);
    if (dbias != nullptr) std::fill_n(dbias, d, 0.0f);
    return 0;
  }
  try {
    backward(rows, d, z, gain, eps, dy, dz, dgain, dbias);
    return 0;
  } catch (...) {
    return -1;
  }
}

const char* layer_norm_kernel_name(void) {
  static const std::string name =
      "dlib " + std::to_string(DLIB_MAJOR_VERSION) + "." + std::to_string(DLIB_MINOR_VERSION);
  return name.c_str();
}
