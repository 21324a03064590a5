#include "engine/generate.hpp"

#include <algorithm>
#include <stdexcept>

#include "engine/family.hpp"

namespace lnverify {
namespace {

// Sizes that vector code trips over: around its block sizes, and primes.
const std::vector<std::size_t> block_sizes = {47, 63, 64, 65, 97, 127, 128, 129, 191, 255, 256, 257};
const std::vector<std::size_t> long_rows = {1023, 1024, 1025, 1031, 1536, 2047, 2048, 2049, 4096, 4099};

bool cheap(Scalar scalar) { return scalar != Scalar::mp50 && scalar != Scalar::exact; }

// Rare big sizes stand at fixed places of the stream, so that no seed is without them.
bool has_long_rows(Scalar scalar, std::uint64_t index) { return cheap(scalar) && index % 67 == 19; }
bool has_many_rows(Scalar scalar, std::uint64_t index) { return cheap(scalar) && index % 53 == 29; }
bool has_huge_batch(Scalar scalar, std::uint64_t index) {
  return (scalar == Scalar::f32 || scalar == Scalar::f64) && index % 4001 == 173;
}

std::size_t draw_d(Draw& draw, Scalar scalar, std::uint64_t index) {
  if (has_huge_batch(scalar, index)) return 2;
  if (has_many_rows(scalar, index)) return static_cast<std::size_t>(draw.between(1, 9));
  if (has_long_rows(scalar, index)) return draw.pick(long_rows);
  const std::uint64_t kind = draw.below(16);
  if (kind < 5) return static_cast<std::size_t>(draw.between(1, 4));
  if (kind < 14 || scalar == Scalar::exact)
    return static_cast<std::size_t>(draw.between(1, scalar == Scalar::exact ? 9 : 33));
  return draw.pick(block_sizes);
}

std::size_t draw_rows(Draw& draw, Scalar scalar, std::uint64_t index) {
  static const std::vector<std::size_t> usual = {1, 1, 2, 2, 3, 3, 4, 5, 8, 17};
  static const std::vector<std::size_t> many = {255, 256, 257, 300, 300, 513};
  if (has_huge_batch(scalar, index)) return 65537;
  if (has_many_rows(scalar, index)) return draw.pick(many);
  if (has_long_rows(scalar, index)) return static_cast<std::size_t>(draw.between(1, 3));
  return draw.pick(usual);
}

std::size_t power_of_two_at_most(std::size_t n) {
  std::size_t result = 1;
  while (2 * result <= n) result *= 2;
  return result;
}

std::size_t draw_size(
    Draw& draw, const std::string& axis, Scalar scalar, std::uint64_t index, const Family& family) {
  if (axis == "rows") return draw_rows(draw, scalar, index);
  if (axis != "d") return static_cast<std::size_t>(draw.between(1, 6));
  const std::size_t d = draw_d(draw, scalar, index);
  return family.power_of_two_d ? power_of_two_at_most(d) : d;
}

Case draw_case(Draw& draw, const LawInfo& law, Scalar scalar, std::uint64_t index) {
  const std::vector<const Family*> choices = families_of(law);
  const Family& family = *choices[static_cast<std::size_t>(index % choices.size())];
  const Grid grid = grid_of(scalar);
  Case c;
  c.family = family.name;
  c.placement = static_cast<Placement>(draw.below(3));
  for (const Input& input : law.inputs)
    for (const std::string& axis : input.axes)
      if (c.sizes.find(axis) == c.sizes.end()) c.sizes[axis] = draw_size(draw, axis, scalar, index, family);
  for (const Input& input : law.inputs) {
    if (input.optional && draw.chance(1, 4)) continue;
    std::vector<double> values = input.draw(draw, DrawContext{grid, family, c});
    c.arrays.push_back({input.name, input.axes, std::move(values), input.optional});
    if (c.arrays.back().values.size() != element_count(c, c.arrays.back()))
      throw std::logic_error(
          law.id + ": input '" + input.name + "' drew an array that does not fit its axes");
  }
  return c;
}

}  // namespace

std::vector<const Family*> families_of(const LawInfo& law) {
  std::vector<const Family*> result;
  for (const std::string& wanted : law.families) {
    const Family* family = find_family(wanted);
    if (family == nullptr) throw std::logic_error(law.id + ": there is no family '" + wanted + "'");
    result.push_back(family);
  }
  if (law.families.empty())
    for (const Family& family : families()) result.push_back(&family);
  return result;
}

Case generate(const LawInfo& law, Scalar scalar, const CaseKey& key) {
  Draw draw(key, law.id, name(scalar));
  return draw_case(draw, law, scalar, key.index);
}

}  // namespace lnverify
