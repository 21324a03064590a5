#include "engine/input.hpp"

#include <algorithm>
#include <cmath>
#include <layer_norm/power_of_two.hpp>

#include "engine/family.hpp"

namespace lnverify {
namespace {

using Values = std::vector<double>;

std::size_t count(const DrawContext& context, const std::vector<std::string>& axes) {
  std::size_t result = 1;
  for (const std::string& axis : axes) result *= context.size(axis);
  return result;
}

Values first_row(const DrawContext& context) {
  const Array* z = context.so_far.find("z");
  if (z == nullptr || z->values.empty()) return {1.0, -1.0};
  const std::size_t d = std::min(context.size("d"), z->values.size());
  return Values(z->values.begin(), z->values.begin() + static_cast<std::ptrdiff_t>(d));
}

Values draw_batch(Draw& draw, const DrawContext& context) {
  const std::size_t rows = context.size("rows");
  const std::size_t d = context.size("d");
  Values all;
  all.reserve(rows * d);
  const Values shared = context.family.row(draw, context.grid, d);
  for (std::size_t t = 0; t < rows; ++t) {
    // Long batches repeat a few rows: what matters there is the number of rows.
    const Values z =
        t == 0 || (rows > 64 && t % 16 != 0) ? shared : context.family.row(draw, context.grid, d);
    all.insert(all.end(), z.begin(), z.end());
  }
  return all;
}

// The usual values, or one tied to the variance of the first row.
Values draw_epsilon(Draw& draw, const DrawContext& context) {
  static const Values usual = {0, 1e-12, 1e-8, 1e-6, 1e-5, 1e-3, 1};
  const double variance = approximate_variance(first_row(context));
  // Without variance epsilon is all there is: mostly a small one.
  static const Values small = {1e-12, 1e-8, 1e-5};
  double epsilon = draw.pick(usual);
  if (variance == 0 && draw.chance(1, 2)) epsilon = draw.pick(small);
  EpsilonRule rule = context.family.epsilon;
  if (rule == EpsilonRule::ordinary && draw.chance(1, 8)) rule = EpsilonRule::near_variance;
  const int near = draw.chance(1, 2) ? 0 : draw.between(-2, 2);
  const int above = draw.between(4, 20);
  if (rule == EpsilonRule::near_variance) epsilon = std::ldexp(variance, near);
  if (rule == EpsilonRule::above_variance) epsilon = std::ldexp(variance, above);
  epsilon = context.grid.round_epsilon(epsilon);
  return {std::isfinite(epsilon) ? epsilon : 1.0};
}

// Different in every coordinate, so that a coefficient used in the wrong place shows.
Values draw_coefficients(Draw& draw, const DrawContext& context) {
  const std::size_t d = context.size("d");
  Values values(d);
  switch (draw.below(4)) {
    case 0:
      for (std::size_t i = 0; i < d; ++i) values[i] = context.grid.round(static_cast<double>(i + 1));
      return values;
    case 1:
      for (double& value : values) {
        const double sign = draw.sign();
        value = sign * layer_norm::power_of_two(draw.between(-4, 4));
      }
      return values;
    case 2: {
      values = gentle_values(draw, context.grid, d);
      values[draw.permuted_index(d)] = 0;
      return values;
    }
    default:
      return gentle_values(draw, context.grid, d);
  }
}

Values draw_gradient(Draw& draw, const DrawContext& context, std::size_t size) {
  Values values(size);
  switch (draw.below(12)) {
    case 0: {
      const double value = draw.between(1, 3);
      return Values(size, value);
    }
    case 1:
    case 2:
      if (!values.empty()) values[draw.permuted_index(size)] = 1;
      return values;
    case 3:
    case 4:
    case 5:
    case 6:
      for (double& value : values) value = draw.between(-5, 5);
      return values;
    default:
      return gentle_values(draw, context.grid, size);
  }
}

Values draw_scalar(Draw& draw, const DrawContext& context) {
  const Values z = first_row(context);
  double largest = 0;
  for (const double value : z) largest = std::max(largest, std::fabs(value));
  const double sign = draw.sign();
  if (draw.chance(1, 3) || largest == 0) {
    const int small = draw.between(1, 100);
    return {sign * context.grid.round(small)};
  }
  const int digits = draw.chance(1, 2) ? 3 : context.grid.values.digits;
  const double significand = draw.significand(digits);
  const int relative = draw.between(-3, std::min(10, moderate_exponent(context.grid)));
  const double value =
      context.grid.round(sign * significand * std::ldexp(1.0, std::ilogb(largest) + relative));
  return {std::isfinite(value) && value != 0 ? value : sign * largest};
}

}  // namespace

Input row(std::string name) {
  return {std::move(name), {"d"}, false, [](Draw& draw, const DrawContext& context) {
            return context.family.row(draw, context.grid, context.size("d"));
          }};
}

Input batch(std::string name) { return {std::move(name), {"rows", "d"}, false, draw_batch}; }

Input epsilon() { return {"eps", {}, false, draw_epsilon}; }

Input gain() { return {"gain", {"d"}, true, draw_coefficients}; }
Input bias() { return {"bias", {"d"}, true, draw_coefficients}; }

Input gradient(std::string name) {
  return {std::move(name), {"d"}, false, [](Draw& draw, const DrawContext& context) {
            return draw_gradient(draw, context, context.size("d"));
          }};
}

Input gradients(std::string name) {
  return {std::move(name), {"rows", "d"}, false, [](Draw& draw, const DrawContext& context) {
            return draw_gradient(draw, context, context.size("rows") * context.size("d"));
          }};
}

Input scalar(std::string name) { return {std::move(name), {}, false, draw_scalar}; }

Input place(std::string name, std::string axis) {
  return {std::move(name), {}, false, [axis = std::move(axis)](Draw& draw, const DrawContext& context) {
            const std::size_t size = context.size(axis);
            const double index = context.grid.round(static_cast<double>(draw.below(size)));
            return Values{index < static_cast<double>(size) ? index : 0.0};
          }};
}

Input non_finite(std::string name) {
  return {std::move(name), {}, false, [](Draw& draw, const DrawContext&) {
            static const Values choices = {std::nan(""), HUGE_VAL, -HUGE_VAL};
            return Values{draw.pick(choices)};
          }};
}

Input scale(std::string name) {
  return {std::move(name), {}, false, [](Draw& draw, const DrawContext& context) {
            const int limit = std::min(12, moderate_exponent(context.grid) / 2 + 2);
            const int exponent = draw.chance(1, 2) ? draw.between(1, 2) : draw.between(1, limit);
            return Values{std::ldexp(1.0, draw.chance(1, 2) ? exponent : -exponent)};
          }};
}

Input direction(std::string name) {
  return {std::move(name), {"d"}, false, [](Draw& draw, const DrawContext& context) {
            Values values(context.size("d"));
            for (double& value : values) value = draw.between(-3, 3);
            values[draw.permuted_index(values.size())] = 1;
            return values;
          }};
}

Input vector(std::string name, std::string axis) {
  std::vector<std::string> axes = {std::move(axis)};
  return {std::move(name), axes, false, [axes](Draw& draw, const DrawContext& context) {
            return gentle_values(draw, context.grid, count(context, axes));
          }};
}

Input matrix(std::string name, std::string row_axis, std::string col_axis) {
  std::vector<std::string> axes = {std::move(row_axis), std::move(col_axis)};
  return {std::move(name), axes, false, [axes](Draw& draw, const DrawContext& context) {
            return gentle_values(draw, context.grid, count(context, axes));
          }};
}

}  // namespace lnverify
