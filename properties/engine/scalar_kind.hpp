// The scalars that a kernel can be tested in, under the names that flags, files and reports use.
#pragma once

#include <optional>
#include <string_view>

#include "layer_norm/format.hpp"

namespace lnverify {

enum class Scalar { f16, bf16, f32, f64, mp50, exact };

// "f16", "bf16", "f32", "f64", "mp50", "exact".
std::string_view name(Scalar scalar);
// The scalar of that name; nothing when there is none.
std::optional<Scalar> scalar_from_name(std::string_view name);
// The binary format that results are rounded to; `exact` has unit_roundoff 0: it does not round at all.
layer_norm::Format format_of(Scalar scalar);
// True for f16, bf16 and f32, whose kernels take epsilon as a float; the others take a double or wider.
bool has_float_epsilon(Scalar scalar);

}  // namespace lnverify
