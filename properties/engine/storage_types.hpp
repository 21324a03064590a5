// The storage types of the kernel interface: how elements are read and written, and the type of the
// arithmetic. Shared by the reference as a kernel, the mutants and the honest controls.
#pragma once

#include <cstdint>
#include <layer_norm/storage.hpp>

namespace lnverify {

struct Float {
  using element = float;
  using arithmetic = float;
  static float load(float x) { return x; }
  static float store(float x) { return x; }
};

struct Double {
  using element = double;
  using arithmetic = double;
  static double load(double x) { return x; }
  static double store(double x) { return x; }
};

template <layer_norm::Format (*format)()>
struct Half {
  using element = std::uint16_t;
  using arithmetic = float;
  static float load(std::uint16_t bits) { return static_cast<float>(layer_norm::decode16(bits, format())); }
  static float round(float x) {
    return static_cast<float>(layer_norm::round_to(static_cast<double>(x), format()));
  }
  static std::uint16_t store(float x) {
    return layer_norm::encode16(static_cast<double>(round(x)), format());
  }
};
using F16 = Half<layer_norm::f16_format>;
using BF16 = Half<layer_norm::bf16_format>;

}  // namespace lnverify
