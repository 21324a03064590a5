// ONNX Runtime's LayerNormalization on the CPU: forward, in every scalar that the version offers.
//
// The scale is not optional in ONNX, so that an absent gain becomes ones; the bias is, and is left out.
// Epsilon is an attribute of the model, and a float in every scalar: layer_norm_kernel_epsilon says so, and
// one that is too large for a float is not supported.
#include <layer_norm/kernel.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "model.hpp"
#include "runtime.hpp"

namespace {

// Sessions that have been used lately; a null session stands for a model that ONNX Runtime refuses.
class Sessions {
 public:
  explicit Sessions(const Runtime& runtime) : runtime_(runtime) {}

  Runtime::Session* get(const ModelKey& key) {
    constexpr std::size_t most_sessions = 64;
    if (const auto found = sessions_.find(key); found != sessions_.end()) return found->second;
    if (sessions_.size() >= most_sessions) clear();
    return sessions_.emplace(key, make(key)).first->second;
  }

 private:
  Runtime::Session* make(const ModelKey& key) const {
    try {
      return runtime_.make_session(layer_norm_model(key));
    } catch (const RuntimeError& error) {
      if (error.unsupported) return nullptr;
      throw;
    }
  }

  void clear() {
    for (const auto& [key, session] : sessions_)
      if (session != nullptr) runtime_.release(session);
    sessions_.clear();
  }

  const Runtime& runtime_;
  std::map<ModelKey, Runtime::Session*> sessions_;
};

// Never destroyed: at the end of the process ONNX Runtime's own globals may be gone already.
const Runtime& runtime() {
  static const Runtime& instance = *new Runtime(ONNXRUNTIME_LIBRARY);
  return instance;
}

Sessions& sessions() {
  static Sessions& instance = *new Sessions(runtime());
  return instance;
}

template <class Element>
int forward(
    ElementType type, Element one, std::size_t rows, std::size_t d, const Element* z, const Element* gain,
    const Element* bias, double wide_eps, Element* y) {
  const auto eps = static_cast<float>(wide_eps);
  if (!std::isfinite(eps)) return 1;
  try {
    Runtime::Session* session = sessions().get({type, d, eps, bias != nullptr});
    if (session == nullptr) return 1;
    const std::vector<Element> ones(gain == nullptr ? d : 0, one);
    const std::array<Argument, 3> inputs{
        Argument{"z", z, true}, Argument{"gain", gain == nullptr ? ones.data() : gain, false},
        Argument{"bias", bias, false}};
    runtime().run(session, type, rows, d, inputs.data(), bias == nullptr ? 2 : 3, y);
    return 0;
  } catch (const RuntimeError& error) {
    return error.unsupported ? 1 : -1;
  } catch (...) {
    return -1;
  }
}

}  // namespace

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  return forward(ElementType::f32, 1.0f, rows, d, z, gain, bias, eps, y);
}

int layer_norm_forward_f64(
    size_t rows, size_t d, const double* z, const double* gain, const double* bias, double eps, double* y) {
  return forward(ElementType::f64, 1.0, rows, d, z, gain, bias, eps, y);
}

int layer_norm_forward_f16(
    size_t rows, size_t d, const uint16_t* z, const uint16_t* gain, const uint16_t* bias, float eps,
    uint16_t* y) {
  constexpr uint16_t one = 0x3c00;
  return forward(ElementType::f16, one, rows, d, z, gain, bias, eps, y);
}

int layer_norm_forward_bf16(
    size_t rows, size_t d, const uint16_t* z, const uint16_t* gain, const uint16_t* bias, float eps,
    uint16_t* y) {
  constexpr uint16_t one = 0x3f80;
  return forward(ElementType::bf16, one, rows, d, z, gain, bias, eps, y);
}

double layer_norm_kernel_epsilon(double eps) { return static_cast<double>(static_cast<float>(eps)); }

const char* layer_norm_kernel_name(void) {
  static const std::string name = [] {
    try {
      return "ONNX Runtime " + runtime().version();
    } catch (const RuntimeError& error) {
      return std::string("ONNX Runtime, which does not load: ") + error.what();
    }
  }();
  return name.c_str();
}
