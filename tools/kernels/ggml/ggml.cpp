// ggml's layer normalization on the CPU, f32 forward: ggml_norm, then ggml_mul and ggml_add where there are a
// gain and a bias, which is how language models are built from it.
//
// ggml owns its tensors, so that arrays are copied in and out: alignment and bounds are tested of the copies
// only.
#include <layer_norm/kernel.h>

#include <cstring>
#include <memory>
#include <string>

#include "library.hpp"

namespace {

// Never destroyed: what it has loaded stays in use until the process ends.
const ggml::Library& library() {
  static const ggml::Library& instance = *new ggml::Library(GGML_FOLDER);
  return instance;
}

// One block of memory for all contexts: it only grows.
void* memory_of_size(std::size_t size) {
  static std::unique_ptr<std::byte[]> memory;
  static std::size_t available = 0;
  if (size > available) {
    memory.reset(new std::byte[size]);
    available = size;
  }
  return memory.get();
}

constexpr std::size_t most_nodes = 8;

class Context {
 public:
  explicit Context(std::size_t elements) : ggml_(library()) {
    constexpr std::size_t tensors = 6, slack = 64 << 10;
    const std::size_t size = elements * sizeof(float) + tensors * ggml_.tensor_overhead() +
                             ggml_.graph_overhead_custom(most_nodes, false) + slack;
    context_ = ggml_.init({size, memory_of_size(size), false});
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { ggml_.free(context_); }

  ggml::Context* get() const { return context_; }

  ggml::Tensor* filled(ggml::Tensor* tensor, const float* data, std::size_t count) const {
    std::memcpy(ggml_.get_data(tensor), data, count * sizeof *data);
    return tensor;
  }

 private:
  const ggml::Library& ggml_;
  ggml::Context* context_;
};

int forward(
    std::size_t rows, std::size_t d, const float* z, const float* gain, const float* bias, float eps,
    float* y) {
  const ggml::Library& ggml = library();
  // Input, core, product, sum, and two vectors.
  const Context context(4 * rows * d + 2 * d);
  ggml::Context* c = context.get();
  const auto columns = static_cast<std::int64_t>(d), lines = static_cast<std::int64_t>(rows);
  const auto vector = [&](const float* data) {
    return context.filled(ggml.new_tensor_1d(c, ggml::type_f32, columns), data, d);
  };

  ggml::Tensor* result =
      ggml.norm(c, context.filled(ggml.new_tensor_2d(c, ggml::type_f32, columns, lines), z, rows * d), eps);
  if (gain != nullptr) result = ggml.mul(c, result, vector(gain));
  if (bias != nullptr) result = ggml.add(c, result, vector(bias));
  ggml::Graph* graph = ggml.new_graph_custom(c, most_nodes, false);
  ggml.build_forward_expand(graph, result);
  if (ggml.graph_compute_with_ctx(c, graph, 1) != ggml::status_success) return -1;
  std::memcpy(y, ggml.get_data(result), rows * d * sizeof *y);
  return 0;
}

}  // namespace

int layer_norm_forward_f32(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  if (rows == 0) return 0;
  try {
    return forward(rows, d, z, gain, bias, eps, y);
  } catch (...) {
    return -1;
  }
}

const char* layer_norm_kernel_name(void) {
  static const std::string name = [] {
    try {
      return std::string("ggml ") + library().version() + " (" + library().variant + ")";
    } catch (const std::exception& error) {
      return std::string("ggml, which does not load: ") + error.what();
    }
  }();
  return name.c_str();
}
