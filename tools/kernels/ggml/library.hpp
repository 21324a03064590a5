// The functions of ggml that are used here. The package brings libraries only, without headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ggml {

struct Context;
struct Tensor;
struct Graph;

// As ggml_init takes it, by value.
struct InitParameters {
  std::size_t memory_size;
  void* memory;
  bool no_alloc;
};

constexpr int type_f32 = 0;
constexpr int status_success = 0;

struct Library {
  // Loads libggml-base.so and, of the libraries for different processors in `folder`, the one that rates
  // itself highest on this processor; throws std::runtime_error if there is none.
  explicit Library(const std::string& folder);

  std::string variant;  // such as "haswell"

  const char* (*version)();
  Context* (*init)(InitParameters);
  void (*free)(Context*);
  std::size_t (*tensor_overhead)();
  std::size_t (*graph_overhead_custom)(std::size_t nodes, bool gradients);
  Tensor* (*new_tensor_1d)(Context*, int type, std::int64_t);
  Tensor* (*new_tensor_2d)(Context*, int type, std::int64_t columns, std::int64_t rows);
  void* (*get_data)(const Tensor*);
  Tensor* (*norm)(Context*, Tensor*, float eps);
  Tensor* (*mul)(Context*, Tensor*, Tensor*);
  Tensor* (*add)(Context*, Tensor*, Tensor*);
  Graph* (*new_graph_custom)(Context*, std::size_t nodes, bool gradients);
  void (*build_forward_expand)(Graph*, Tensor*);
  int (*graph_compute_with_ctx)(Context*, Graph*, int threads);
};

}  // namespace ggml
