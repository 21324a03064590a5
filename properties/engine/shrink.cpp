#include "engine/shrink.hpp"

#include <rapidcheck/seq/Create.h>
#include <rapidcheck/seq/Transform.h>
#include <rapidcheck/shrinkable/Create.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

namespace lnverify {
namespace {

// One possible step; nothing where it does not apply.
using Step = std::function<std::optional<Case>(const Case&, const Grid&)>;
using Steps = std::vector<Step>;
using ValueStep = double (*)(double);

// Whether the array may hold the value: on its grid, and for epsilon finite and not negative.
bool is_allowed(double value, const Array& array, const Grid& grid) {
  if (is_epsilon(array)) return value >= 0 && std::isfinite(value) && grid.round_epsilon(value) == value;
  return std::isnan(value) || grid.round(value) == value;
}

// The case without `count` indices of an axis.
Step removal(const std::string& axis, std::size_t start, std::size_t count) {
  return [axis, start, count](const Case& from, const Grid&) -> std::optional<Case> {
    std::vector<bool> keep(from.size(axis), true);
    const std::size_t stop = std::min(start + count, keep.size());
    for (std::size_t i = start; i < stop; ++i) keep[i] = false;
    if (std::count(keep.begin(), keep.end(), true) == 0) return std::nullopt;
    return restricted(from, axis, keep);
  };
}

void add_axis_steps(Steps& steps, const Case& c) {
  // A short head first: bold, and it reaches every size whatever the parity of the chunks below.
  for (const auto& [axis, size] : c.sizes)
    for (const std::size_t kept : std::initializer_list<std::size_t>{1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33})
      if (kept < size) steps.push_back(removal(axis, kept, size - kept));
  // Where this many chunks fit, the fault is likely one of size, and it does not matter which indices go.
  for (const auto& [axis, size] : c.sizes) {
    const std::size_t most_chunks = size > 4096 ? 16 : 256;
    for (std::size_t chunk = size / 2; chunk >= 1; chunk /= 2) {
      if (size / chunk > most_chunks) {
        steps.push_back(removal(axis, 0, chunk));
        steps.push_back(removal(axis, size - chunk, chunk));
        continue;
      }
      for (std::size_t start = 0; start < size; start += chunk) steps.push_back(removal(axis, start, chunk));
    }
  }
}

void add_removal_steps(Steps& steps, const Case& c) {
  for (std::size_t k = 0; k < c.arrays.size(); ++k)
    if (c.arrays[k].optional)
      steps.push_back([k](const Case& from, const Grid&) -> std::optional<Case> {
        Case result = from;
        result.arrays.erase(result.arrays.begin() + static_cast<std::ptrdiff_t>(k));
        return result;
      });
}

// Replaces values by simpler ones; nothing when a value would leave the grid.
template <class Change>
std::optional<Case> with_values(const Case& from, const Grid& grid, std::size_t array, Change change) {
  Case result = from;
  Array& target = result.arrays[array];
  for (std::size_t i = 0; i < target.values.size(); ++i) {
    target.values[i] = change(i, target.values[i]);
    if (!is_allowed(target.values[i], target, grid)) return std::nullopt;
  }
  return result;
}

double keep_bits(double value, int bits) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(mantissa, bits)), exponent - bits);
}

double to_zero(double) { return 0; }
double to_one(double) { return 1; }
double to_minus_one(double) { return -1; }
double to_magnitude(double x) { return std::fabs(x); }
double to_power_of_two(double x) { return keep_bits(x, 1); }
double to_integer(double x) { return std::isfinite(x) ? std::trunc(x) : x; }
double to_half(double x) { return x / 2; }
double to_double(double x) { return x * 2; }
double to_fewer_bits(double x) { return keep_bits(x, 4); }
double to_twelve_bits(double x) { return keep_bits(x, 12); }
double one_less(double x) { return x - std::copysign(1.0, x); }
double to_two(double) { return 2; }

const std::vector<ValueStep> array_steps = {to_zero,       to_one,         to_power_of_two, to_integer,
                                            to_fewer_bits, to_twelve_bits, to_magnitude};
const std::vector<ValueStep> value_steps = {to_zero,         to_one,     to_minus_one,  to_two,
                                            to_power_of_two, to_integer, to_fewer_bits, to_twelve_bits,
                                            to_magnitude,    to_half,    to_double,     one_less};

void add_array_steps(Steps& steps, const Case& c) {
  for (std::size_t k = 0; k < c.arrays.size(); ++k)
    for (const ValueStep change : array_steps)
      steps.push_back([k, change](const Case& from, const Grid& grid) {
        return with_values(from, grid, k, [&](std::size_t, double x) { return change(x); });
      });
}

// z and epsilon scaled together towards 1: what a scale-covariant fault survives.
void add_scaling_steps(Steps& steps, const Case& c) {
  const Array* z = c.find("z");
  if (z == nullptr || z->values.empty()) return;
  double largest = 0;
  for (const double value : z->values)
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  if (largest == 0) return;
  const int exponent = std::ilogb(largest);
  for (const int shift : {exponent, exponent / 2, exponent > 0 ? 1 : -1}) {
    if (shift == 0) continue;
    steps.push_back([shift](const Case& from, const Grid& grid) -> std::optional<Case> {
      Case result = from;
      for (Array& array : result.arrays) {
        if (array.name != "z" && array.name != "eps") continue;
        for (double& value : array.values) {
          value = std::ldexp(value, array.name == "eps" ? -2 * shift : -shift);
          if (!is_allowed(value, array, grid)) return std::nullopt;
        }
      }
      return result;
    });
  }
}

// z with a common offset removed: its first or smallest value.
void add_offset_steps(Steps& steps, const Case& c) {
  for (std::size_t k = 0; k < c.arrays.size(); ++k) {
    if (c.arrays[k].name != "z" || c.arrays[k].values.empty()) continue;
    for (const double offset : {c.arrays[k].values.front(), c.arrays[k].values.front() / 2})
      steps.push_back([k, offset](const Case& from, const Grid& grid) {
        return with_values(from, grid, k, [&](std::size_t, double x) { return x - offset; });
      });
  }
}

void add_value_steps(Steps& steps, const Case& c) {
  constexpr std::size_t most_elements = 256;
  if (c.elements() > most_elements) return;
  for (std::size_t k = 0; k < c.arrays.size(); ++k)
    for (std::size_t i = 0; i < c.arrays[k].values.size(); ++i)
      for (const ValueStep change : value_steps)
        steps.push_back([k, i, change](const Case& from, const Grid& grid) -> std::optional<Case> {
          Case result = from;
          Array& target = result.arrays[k];
          target.values[i] = change(target.values[i]);
          if (!is_allowed(target.values[i], target, grid)) return std::nullopt;
          return result;
        });
}

void add_placement_steps(Steps& steps, const Case& c) {
  for (int simpler = 0; simpler < static_cast<int>(c.placement); ++simpler)
    steps.push_back([simpler](const Case& from, const Grid&) -> std::optional<Case> {
      Case result = from;
      result.placement = static_cast<Placement>(simpler);
      return result;
    });
}

Steps all_steps(const Case& c) {
  Steps steps;
  add_axis_steps(steps, c);
  add_removal_steps(steps, c);
  add_placement_steps(steps, c);
  add_array_steps(steps, c);
  add_scaling_steps(steps, c);
  add_offset_steps(steps, c);
  add_value_steps(steps, c);
  return steps;
}

// A lazy sequence over the steps that apply and make the case strictly simpler.
class StepSeq {
 public:
  using ValueType = Case;

  StepSeq(const Case& c, const Grid& grid)
      : case_(std::make_shared<Case>(c)),
        grid_(grid),
        complexity_(complexity(c)),
        steps_(std::make_shared<Steps>(all_steps(c))) {}

  rc::Maybe<Case> operator()() {
    while (next_ < steps_->size()) {
      const Step& step = (*steps_)[next_++];
      std::optional<Case> simpler = step(*case_, grid_);
      if (simpler && complexity(*simpler) < complexity_) return std::move(*simpler);
    }
    return rc::Nothing;
  }

 private:
  std::shared_ptr<const Case> case_;
  Grid grid_;
  CaseComplexity complexity_;
  std::shared_ptr<const Steps> steps_;
  std::size_t next_ = 0;
};

}  // namespace

rc::Seq<Case> simpler_cases(const Case& c, const Grid& grid) { return rc::makeSeq<StepSeq>(c, grid); }

rc::Shrinkable<Case> shrinkable_case(const Case& c, const Grid& grid) {
  return rc::shrinkable::shrinkRecur(c, [grid](const Case& from) { return simpler_cases(from, grid); });
}

}  // namespace lnverify
