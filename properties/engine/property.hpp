// How a law is written down and registered: one file in properties/, nothing else to touch.
//
//   static const bool shift_invariance = law(
//       {.id = "shift_invariance", .claims = "S1", .says = "u(z + c1) = u(z)",
//        .inputs = {row("z"), scalar("shift"), epsilon()}},
//       [](const auto& kernel, const auto& in) { ... return within(left, right, limit); });
//
// A law is total: it must return a verdict for every case, whatever generated it, and discards what it can't
// decide.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/input.hpp"
#include "engine/inputs.hpp"
#include "engine/instances.hpp"
#include "engine/kernel.hpp"
#include "engine/verdict.hpp"

namespace lnverify {

enum class Exercises {
  forward,   // the kernel's forward function
  backward,  // its backward function, perhaps besides the other
  library,   // the reference library only: run once, never counted for a kernel
};

enum class Kind {
  law,    // must hold: a kernel that breaks it is wrong
  trait,  // a quality that good kernels may lack: reported, counted only when required
};

inline std::vector<Scalar> all_scalars() {
  return {Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::f64, Scalar::mp50, Scalar::exact};
}
// Where there is rounding, and a bound of its effect.
inline std::vector<Scalar> rounded_scalars() {
  return {Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::f64, Scalar::mp50};
}
// Where overflow and special values exist besides.
inline std::vector<Scalar> machine_scalars() { return {Scalar::f16, Scalar::bf16, Scalar::f32, Scalar::f64}; }

struct LawInfo {
  std::string id;      // permanent, snake_case, the same as the file's name
  std::string claims;  // ids of the claims that it checks, separated by spaces
  std::string says;    // one sentence that can be true or false
  std::vector<Input> inputs = {};
  Kind kind = Kind::law;
  Exercises exercises = Exercises::forward;
  std::vector<Scalar> scalars = all_scalars();
  std::vector<std::string> families = {};  // which kinds of rows; none named: all
  std::vector<std::string> required = {};  // families that must have given a decided case
  bool rare_by_nature = false;             // may discard more than nine cases in ten
};

struct Property {
  LawInfo info;
  std::function<Verdict(const AnyKernel&, const Case&)> check;
};

// All registered properties, by id.
const std::vector<Property>& properties();
const Property* find_property(std::string_view id);

namespace detail {
bool add_property(Property property);
}

// Registers a law; it is called with Kernel<W> and Inputs<W> for each working type W.
template <class Law>
bool law(LawInfo info, Law law) {
  return detail::add_property({std::move(info), [law](const AnyKernel& any, const Case& c) {
                                 return std::visit(
                                     [&](const auto* kernel) {
                                       using W = typename std::decay_t<decltype(*kernel)>::Row::value_type;
                                       return law(*kernel, Inputs<W>(c));
                                     },
                                     any);
                               }});
}

}  // namespace lnverify
