// Families: the kinds of rows that layer normalization kernels fail on.
//
// Case number i of a run is of family i mod (number of families), so each has a guaranteed share whatever the
// seed. A family draws rows; some also tie epsilon to the variance of the first row.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "engine/draw.hpp"
#include "engine/grid.hpp"

namespace lnverify {

enum class EpsilonRule {
  ordinary,        // from 0 to 1, sometimes equal to the variance
  near_variance,   // variance times 2^-2 ... 2^2, most often exactly once
  above_variance,  // variance times 2^4 ... 2^20
};

struct Family {
  std::string_view name;
  std::string_view says;
  std::vector<double> (*row)(Draw&, const Grid&, std::size_t d);
  EpsilonRule epsilon = EpsilonRule::ordinary;
  bool power_of_two_d = false;
};

const std::vector<Family>& families();
const Family* find_family(std::string_view name);

// Values of moderate size with short or full significands; the building block of most inputs.
std::vector<double> gentle_values(Draw& draw, const Grid& grid, std::size_t count);

// How large and how small the exponents of unremarkable values get: 20 for float and wider, 6 for f16.
int moderate_exponent(const Grid& grid);

// Two-pass mean and variance in double, in a fixed order: good enough to place epsilon near the variance.
double approximate_variance(const std::vector<double>& row);

}  // namespace lnverify
