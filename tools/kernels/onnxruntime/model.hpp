// The smallest ONNX model there is: one LayerNormalization node.
#pragma once

#include <cstddef>
#include <string>

// ONNX's numbers for element types.
enum class ElementType { f32 = 1, f16 = 10, f64 = 11, bf16 = 16 };

struct ModelKey {
  ElementType type;
  std::size_t d;
  float eps;
  bool bias;

  auto operator<=>(const ModelKey&) const = default;
};

// A serialized ONNX model y = LayerNormalization(z, gain[, bias]) with axis -1 and epsilon key.eps, on z:
// [rows, d] for any number of rows. Inputs are named z, gain and (where key.bias) bias; the output is y.
std::string layer_norm_model(const ModelKey& key);
