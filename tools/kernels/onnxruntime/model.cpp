#include "model.hpp"

#include <bit>
#include <cstdint>

namespace {

// Protocol buffers, as much as is needed: a message is a string of fields, each with a number and a kind.
enum class Wire : std::uint32_t { varint = 0, bytes = 2, fixed32 = 5 };

std::string varint(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>((value & 0x7f) | 0x80);
  return text += static_cast<char>(value);
}

std::string tag(std::uint32_t field, Wire wire) {
  return varint(std::uint64_t{field} << 3 | static_cast<std::uint32_t>(wire));
}

std::string number(std::uint32_t field, std::uint64_t value) {
  return tag(field, Wire::varint) + varint(value);
}

std::string bytes(std::uint32_t field, const std::string& content) {
  return tag(field, Wire::bytes) + varint(content.size()) + content;
}

std::string real(std::uint32_t field, float value) {
  std::string text = tag(field, Wire::fixed32);
  const auto bits = std::bit_cast<std::uint32_t>(value);
  for (unsigned shift = 0; shift < 32; shift += 8) text += static_cast<char>(bits >> shift & 0xff);
  return text;
}

// Field numbers below are those of onnx.proto.

std::string dimension(std::size_t size) { return bytes(1, number(1, size)); }
std::string dimension(const char* name) { return bytes(1, bytes(2, name)); }

std::string value_info(const char* name, ElementType type, const std::string& shape) {
  const std::string tensor = number(1, static_cast<std::uint64_t>(type)) + bytes(2, shape);
  return bytes(1, name) + bytes(2, bytes(1, tensor));
}

std::string node(const ModelKey& key) {
  constexpr std::uint64_t float_attribute = 1, minus_one = ~std::uint64_t{0}, int_attribute = 2;
  const std::string epsilon = bytes(1, "epsilon") + real(2, key.eps) + number(20, float_attribute);
  const std::string axis = bytes(1, "axis") + number(3, minus_one) + number(20, int_attribute);
  return bytes(1, "z") + bytes(1, "gain") + (key.bias ? bytes(1, "bias") : "") + bytes(2, "y") +
         bytes(4, "LayerNormalization") + bytes(5, axis) + bytes(5, epsilon);
}

}  // namespace

std::string layer_norm_model(const ModelKey& key) {
  constexpr std::uint64_t ir_version = 8, opset = 17;
  const std::string matrix = dimension("rows") + dimension(key.d), vector = dimension(key.d);
  std::string graph = bytes(1, node(key)) + bytes(2, "layer_norm");
  graph += bytes(11, value_info("z", key.type, matrix)) + bytes(11, value_info("gain", key.type, vector));
  if (key.bias) graph += bytes(11, value_info("bias", key.type, vector));
  graph += bytes(12, value_info("y", key.type, matrix));
  return number(1, ir_version) + bytes(7, graph) + bytes(8, number(2, opset));
}
