#include "engine/neighbour.hpp"

#include <cmath>

#include "engine/family.hpp"

namespace lnverify {
namespace {

std::vector<double> draw_neighbour(Draw& draw, const DrawContext& context) {
  if (draw.chance(1, 2)) return context.family.row(draw, context.grid, context.size("d"));
  std::vector<double> row = context.so_far.find("z")->values;
  const int exponent = draw.between(-12, 2);
  for (double& value : row) {
    const double step = draw.between(-3, 3);
    const double moved = context.grid.round(value + std::ldexp(step, exponent));
    if (std::isfinite(moved)) value = moved;
  }
  return row;
}

}  // namespace

Input neighbour(std::string name) { return {std::move(name), {"d"}, false, draw_neighbour}; }

}  // namespace lnverify
