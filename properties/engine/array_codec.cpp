#include "array_codec.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "layer_norm/storage.hpp"

namespace lnverify {

namespace {

struct F16 {
  using Bits = std::uint16_t;
  static constexpr Bits poison = 0x7F5A;
};
struct Bf16 {
  using Bits = std::uint16_t;
  static constexpr Bits poison = 0x7FDA;
};
struct F32 {
  using Bits = std::uint32_t;
  static constexpr Bits poison = 0x7FDA5A5A;
};
struct F64 {
  using Bits = std::uint64_t;
  static constexpr Bits poison = 0x7FFA5A5A5A5A5A5A;
};

template <class Function>
auto with_storage(Scalar scalar, Function function) {
  switch (scalar) {
    case Scalar::f16:
      return function(F16{});
    case Scalar::bf16:
      return function(Bf16{});
    case Scalar::f32:
      return function(F32{});
    case Scalar::f64:
      return function(F64{});
    default:
      break;
  }
  throw std::invalid_argument("kernels have no storage type for " + std::string(name(scalar)));
}

// Elements need not be aligned to more than a byte here, hence memcpy throughout.
template <class Element, class ValueOf>
void encode_each(std::span<const double> values, std::byte* to, ValueOf value_of) {
  for (const double value : values) {
    const Element element = value_of(value);
    std::memcpy(to, &element, sizeof element);
    to += sizeof element;
  }
}

template <class Element, class ValueOf>
std::vector<double> decode_each(const std::byte* from, std::size_t count, ValueOf value_of) {
  std::vector<double> values(count);
  for (double& value : values) {
    Element element;
    std::memcpy(&element, from, sizeof element);
    from += sizeof element;
    value = value_of(element);
  }
  return values;
}

double without_payload(double value) {
  return std::isnan(value) ? std::copysign(std::numeric_limits<double>::quiet_NaN(), value) : value;
}

}  // namespace

std::size_t element_size(Scalar scalar) {
  return with_storage(scalar, [](auto storage) { return sizeof(typename decltype(storage)::Bits); });
}

void encode(Scalar scalar, std::span<const double> values, std::byte* to) {
  if (scalar == Scalar::f64) return encode_each<double>(values, to, without_payload);
  if (scalar == Scalar::f32)
    return encode_each<float>(values, to, [](double x) { return static_cast<float>(without_payload(x)); });
  element_size(scalar);
  encode_each<std::uint16_t>(
      values, to, [format = format_of(scalar)](double x) { return layer_norm::encode16(x, format); });
}

std::vector<double> decode(Scalar scalar, const std::byte* from, std::size_t count) {
  if (scalar == Scalar::f64) return decode_each<double>(from, count, [](double x) { return x; });
  if (scalar == Scalar::f32)
    return decode_each<float>(from, count, [](float x) { return static_cast<double>(x); });
  element_size(scalar);
  return decode_each<std::uint16_t>(from, count, [format = format_of(scalar)](std::uint16_t bits) {
    return layer_norm::decode16(bits, format);
  });
}

void fill_with_poison(Scalar scalar, std::byte* begin, std::size_t count) {
  with_storage(scalar, [begin, count](auto storage) {
    const auto poison = decltype(storage)::poison;
    for (std::size_t i = 0; i < count; ++i) std::memcpy(begin + i * sizeof poison, &poison, sizeof poison);
  });
}

std::optional<std::size_t> first_poisoned(Scalar scalar, const std::byte* begin, std::size_t count) {
  return with_storage(scalar, [begin, count](auto storage) -> std::optional<std::size_t> {
    const auto poison = decltype(storage)::poison;
    for (std::size_t i = 0; i < count; ++i)
      if (std::memcmp(begin + i * sizeof poison, &poison, sizeof poison) == 0) return i;
    return std::nullopt;
  });
}

bool all_poisoned(Scalar scalar, const std::byte* begin, std::size_t count) {
  return with_storage(scalar, [begin, count](auto storage) {
    const auto poison = decltype(storage)::poison;
    for (std::size_t i = 0; i < count; ++i)
      if (std::memcmp(begin + i * sizeof poison, &poison, sizeof poison) != 0) return false;
    return true;
  });
}

std::byte poison_byte(Scalar scalar, std::size_t offset) {
  return with_storage(scalar, [offset](auto storage) {
    const auto poison = decltype(storage)::poison;
    std::array<std::byte, sizeof poison> bytes;
    std::memcpy(bytes.data(), &poison, sizeof poison);
    return bytes[offset % sizeof poison];
  });
}

}  // namespace lnverify
