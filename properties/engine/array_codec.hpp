// Between the doubles of a call and the elements that a kernel sees, and the poison that marks what nobody
// wrote.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "scalar_kind.hpp"

namespace lnverify {

// 2, 4 or 8 bytes. All functions here are for f16, bf16, f32 and f64 and throw std::invalid_argument for
// others.
std::size_t element_size(Scalar scalar);
// Writes each value (on the scalar's grid, infinite or NaN) in storage form; a NaN never becomes the poison.
void encode(Scalar scalar, std::span<const double> values, std::byte* to);
std::vector<double> decode(Scalar scalar, const std::byte* from, std::size_t count);

// The poison is one particular quiet NaN of the scalar that no honest arithmetic makes.
void fill_with_poison(Scalar scalar, std::byte* begin, std::size_t count);
// Index of the first element that is the poison, bit for bit.
std::optional<std::size_t> first_poisoned(Scalar scalar, const std::byte* begin, std::size_t count);
// Whether every element is the poison.
bool all_poisoned(Scalar scalar, const std::byte* begin, std::size_t count);
// The poison, byte by byte, as it lies at `offset` bytes from an element's start.
std::byte poison_byte(Scalar scalar, std::size_t offset);

}  // namespace lnverify
