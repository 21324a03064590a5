#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/claims.hpp"
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

// A cell of a Markdown table: a bar would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

void list_claims(bool markdown) {
  if (markdown) fmt::print("| claim | | checked by | in | zero tolerance |\n|---|---|---|---|---|\n");
  for (const Claim& claim : claims()) {
    const Coverage found = coverage(claim);
    if (markdown)
      fmt::print(
          "| {} | {} | {} | {} | {} |\n", claim.id, cell(claim.says), found.checks, found.scalars,
          found.zero_tolerance ? "yes" : "");
    else
      fmt::print(
          "{:<4} {}\n     {}\n     {}{}\n", claim.id, claim.says, found.checks, found.scalars,
          found.zero_tolerance ? " (exact: with zero tolerance)" : "");
  }
}

void list_families() {
  for (const Family& family : families()) fmt::print("{:<24} {}\n", family.name, family.says);
}

// One line for each test that ctest should have: property, scalar, kind, what it exercises.
void list_tests(const Options& options) {
  const std::vector<Scalar> scalars = named_scalars(options);
  for (const Property* property : selected_properties(options))
    for (const Scalar scalar : property->info.scalars) {
      const bool wanted = std::find(scalars.begin(), scalars.end(), scalar) != scalars.end();
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
  if (what == "claims") list_claims(options.markdown);
  if (what == "families") list_families();
  if (what == "kernel") list_kernel(options);
  if (what == "tests") list_tests(options);
  return all_hold;
}

}  // namespace lnverify
