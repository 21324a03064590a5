#include "engine/family.hpp"

#include <algorithm>
#include <cmath>
#include <layer_norm/power_of_two.hpp>

namespace lnverify {
namespace {

using Values = std::vector<double>;

double power(int exponent) { return layer_norm::power_of_two(exponent); }

// A scale for a whole row: 1 half of the time.
int row_exponent(Draw& draw, const Grid& grid) {
  const int limit = moderate_exponent(grid);
  return draw.chance(1, 2) ? 0 : draw.between(-limit, limit / 2);
}

Values integers(Draw& draw, const Grid&, std::size_t d) {
  const int span = draw.chance(1, 2) ? 3 : 10;
  Values z(d);
  for (double& value : z) value = draw.between(-span, span);
  return z;
}

// Integers around a large one, times a power of two: every value is exact, and the normalization cancels most
// of its significand.
Values large_offset(Draw& draw, const Grid& grid, std::size_t d) {
  const int digits = grid.values.digits;
  const int offset_bits = draw.between(4, std::min(digits, 53) - 2);
  const int spread_bits = draw.between(1, std::max(1, std::min(6, offset_bits - 1)));
  const double offset = std::floor(power(offset_bits - 1) * draw.significand(std::min(digits, 53)));
  const double top = power(std::min(digits, grid.values.digits));
  const int exponent = draw.chance(1, 2) ? 0 : draw.between(-std::min(offset_bits, 12), 2);
  const double sign = draw.sign();
  Values z(d);
  for (double& value : z) {
    const double step = static_cast<double>(draw.below(std::uint64_t{1} << spread_bits));
    value = sign * std::min(offset + step, top) * power(exponent);
  }
  return z;
}

Values progression(Draw& draw, const Grid& grid, std::size_t d) {
  const int bits = draw.between(0, std::min(grid.values.digits, 53) - 2);
  const double start = std::floor(power(bits) * draw.significand(grid.values.digits));
  const double step = draw.sign();
  Values z(d);
  for (std::size_t i = 0; i < d; ++i) z[i] = grid.round(start + step * static_cast<double>(i));
  return z;
}

Values constant(Draw& draw, const Grid& grid, std::size_t d) {
  const int digits = draw.chance(1, 4) ? 2 : grid.values.digits;
  const double significand = draw.significand(digits);
  const double sign = draw.sign();
  // Large beside the root of epsilon: where a mean that is folded into a product shows.
  const bool large = draw.chance(1, 2);
  const int exponent =
      large ? draw.between(4, std::max(4, moderate_exponent(grid))) : row_exponent(draw, grid);
  return Values(d, draw.chance(1, 16) ? 0.0 : sign * significand * power(exponent));
}

Values one_ulp_apart(Draw& draw, const Grid& grid, std::size_t d) {
  const double low = draw.significand(grid.values.digits);
  const double ulp = power(1 - grid.values.digits);
  const int exponent = row_exponent(draw, grid);
  Values z(d);
  for (double& value : z) value = (draw.chance(1, 2) ? low : low + ulp) * power(exponent);
  return z;
}

// Small integers whose sum is a multiple of d, with d a power of two: the mean and every partial sum are
// exact.
Values lattice(Draw& draw, const Grid& grid, std::size_t d) {
  const int span = draw.chance(1, 2) ? 3 : 15;
  Values z(d);
  long total = 0;
  for (double& value : z) {
    const int n = draw.between(-span, span);
    value = n;
    total += n;
  }
  const long excess = total % static_cast<long>(d);
  const double last = z.back() - static_cast<double>(excess);
  if (grid.round(last) == last) z.back() = last;
  const int exponent = draw.chance(1, 2) ? 0 : draw.between(-4, 4);
  for (double& value : z) value *= power(exponent);
  return z;
}

Values one_hot(Draw& draw, const Grid& grid, std::size_t d) {
  const double background = draw.chance(3, 4) ? 0.0 : static_cast<double>(draw.between(-3, 3));
  const int exponent =
      draw.chance(1, 2) ? 0 : draw.between(-moderate_exponent(grid) / 2, moderate_exponent(grid) / 2);
  const double sign = draw.sign();
  Values z(d, background);
  z[draw.permuted_index(d)] = sign * power(exponent);
  return z;
}

Values one_outlier(Draw& draw, const Grid& grid, std::size_t d) {
  Values z = gentle_values(draw, grid, d);
  const int exponent = draw.between(3, moderate_exponent(grid));
  const std::size_t place = draw.permuted_index(d);
  z[place] = grid.round(z[place] * power(exponent));
  return z;
}

Values alternating(Draw& draw, const Grid& grid, std::size_t d) {
  const int digits = draw.chance(1, 2) ? 1 : grid.values.digits;
  const double size = draw.significand(digits) * power(row_exponent(draw, grid));
  Values z(d);
  for (std::size_t i = 0; i < d; ++i) z[i] = i % 2 == 0 ? size : -size;
  if (draw.chance(1, 3)) z[draw.permuted_index(d)] = 0;
  return z;
}

Values wide_exponents(Draw& draw, const Grid& grid, std::size_t d) {
  const int low = grid.values.min_exponent / 2;
  const int high = -low - 1;
  Values z(d);
  for (double& value : z) {
    const double significand = draw.significand(grid.values.digits);
    const double sign = draw.sign();
    const int exponent = draw.between(low, high);
    value = draw.chance(1, 16) ? 0.0 : sign * significand * power(exponent);
  }
  return z;
}

Values subnormal(Draw& draw, const Grid& grid, std::size_t d) {
  const int bits = draw.between(1, grid.values.digits + 1);
  Values z(d);
  for (double& value : z) {
    const std::uint64_t steps = draw.bits() >> (64 - bits);
    const double sign = draw.sign();
    value = sign * grid.round(static_cast<double>(steps) * grid.values.min_subnormal);
  }
  return z;
}

Values near_overflow(Draw& draw, const Grid& grid, std::size_t d) {
  const int top = std::ilogb(grid.values.largest);
  const bool same_sign = draw.chance(1, 3);
  Values z(d);
  for (double& value : z) {
    const double significand = draw.significand(grid.values.digits);
    const double sign = draw.sign();
    const int below = draw.between(0, 3);
    value = (same_sign ? 1.0 : sign) * significand * power(top - below);
  }
  return z;
}

Values repeated(Draw& draw, const Grid& grid, std::size_t d) {
  const Values few = gentle_values(draw, grid, static_cast<std::size_t>(draw.between(2, 3)));
  Values z(d);
  for (double& value : z) value = draw.pick(few);
  return z;
}

Values small_gentle(Draw& draw, const Grid& grid, std::size_t d) {
  Values z = gentle_values(draw, grid, d);
  const int exponent = draw.between(-moderate_exponent(grid) / 2, 0);
  for (double& value : z) value = grid.round(value * power(exponent));
  return z;
}

}  // namespace

int moderate_exponent(const Grid& grid) { return std::min(20, (-grid.values.min_exponent) / 2 - 1); }

std::vector<double> gentle_values(Draw& draw, const Grid& grid, std::size_t count) {
  const int digits = draw.chance(1, 2) ? std::min(4, grid.values.digits) : grid.values.digits;
  Values values(count);
  for (double& value : values) {
    const double significand = draw.significand(digits);
    const double sign = draw.sign();
    const int exponent = draw.between(-2, 1);
    value = sign * significand * power(exponent);
  }
  return values;
}

double approximate_variance(const std::vector<double>& row) {
  const auto d = static_cast<double>(row.size());
  double mean = 0;
  for (const double value : row) mean += value / d;
  double variance = 0;
  for (const double value : row) {
    const double deviation = value - mean;
    variance += deviation * deviation / d;
  }
  return variance;
}

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"integers", "small integers", integers},
      {"gentle", "values near 1 with short or full significands", gentle_values},
      {"large_offset", "a small spread on a large common offset", large_offset},
      {"variance_near_epsilon", "epsilon equal to the variance, or near it", small_gentle,
       EpsilonRule::near_variance},
      {"variance_below_epsilon", "epsilon far above the variance", small_gentle, EpsilonRule::above_variance},
      {"constant", "all coordinates equal", constant},
      {"one_ulp_apart", "two neighbouring numbers", one_ulp_apart},
      {"lattice", "integers on which every sum is exact, d a power of two", lattice, EpsilonRule::ordinary,
       true},
      {"one_hot", "one coordinate differs from all others", one_hot},
      {"one_outlier", "gentle, but for one large coordinate", one_outlier},
      {"alternating", "plus and minus the same value", alternating},
      {"progression", "consecutive integers from a large one", progression},
      {"wide_exponents", "exponents over half of the format's range", wide_exponents},
      {"subnormal", "around the smallest numbers of the format", subnormal},
      {"near_overflow", "around the largest numbers of the format", near_overflow},
      {"repeated", "two or three different values only", repeated},
  };
  return all;
}

const Family* find_family(std::string_view name) {
  for (const Family& family : families())
    if (family.name == name) return &family;
  return nullptr;
}

}  // namespace lnverify
