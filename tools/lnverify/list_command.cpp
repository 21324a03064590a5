#include <fmt/format.h>

#include <algorithm>

#include "engine/family.hpp"
#include "engine/server.hpp"
#include "lnverify/commands.hpp"
#include "lnverify/exit_status.hpp"

namespace lnverify {
namespace {

std::string_view kind_name(Kind kind) { return kind == Kind::law ? "law" : "trait"; }

std::string scalar_names(const LawInfo& law) {
  std::string text;
  for (const Scalar scalar : law.scalars) text += (text.empty() ? "" : " ") + std::string(name(scalar));
  return text;
}

void list_properties() {
  for (const Property& property : properties()) {
    const LawInfo& law = property.info;
    fmt::print(
        "{:<33} {:<6} {}\n{:<33} claims {}; {}{}\n", law.id, kind_name(law.kind), law.says, "", law.claims,
        scalar_names(law), law.exercises == Exercises::library ? "; the reference library only" : "");
  }
}

void list_claims() {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Property& property : properties())
    for (const std::string& claim : split(property.info.claims, ' '))
      rows.emplace_back(claim, property.info.id);
  std::sort(rows.begin(), rows.end());
  for (const auto& [claim, property] : rows) fmt::print("{:<4} {}\n", claim, property);
}

void list_families() {
  for (const Family& family : families()) fmt::print("{:<24} {}\n", family.name, family.says);
}

// One line for each test that ctest should have: property, scalar, kind, what it exercises.
void list_tests(const Options& options) {
  for (const Property* property : selected_properties(options))
    for (const Scalar scalar : property->info.scalars) {
      const bool wanted =
          std::find(options.scalars.begin(), options.scalars.end(), name(scalar)) != options.scalars.end();
      const bool is_library = property->info.exercises == Exercises::library;
      if (wanted && (!is_library || options.kernel == "reference"))
        fmt::print("{} {} {}\n", property->info.id, name(scalar), kind_name(property->info.kind));
    }
}

void list_kernel(const Options& options) {
  const Subject subject = make_subject(options.kernel);
  fmt::print("{}", subject.name());
  for (const Scalar scalar : subject.scalars()) {
    const LawInfo forward{.id = "", .claims = "", .says = ""};
    LawInfo backward = forward;
    backward.exercises = Exercises::backward;
    fmt::print(
        "\n  {:<5}{}{}", name(scalar), subject.offers(forward, scalar) ? " forward" : "",
        subject.offers(backward, scalar) ? " backward" : "");
  }
  fmt::print("\n");
}

}  // namespace

int list_command(const std::string& what, const Options& options) {
  if (what == "properties") list_properties();
  if (what == "claims") list_claims();
  if (what == "families") list_families();
  if (what == "kernel") list_kernel(options);
  if (what == "tests") list_tests(options);
  return all_hold;
}

}  // namespace lnverify
