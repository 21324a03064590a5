#include <fmt/format.h>

#include "engine/number_text.hpp"
#include "engine/regression.hpp"
#include "lnverify/commands.hpp"
#include "lnverify/console.hpp"
#include "lnverify/exit_status.hpp"

namespace lnverify {

int show_command(const std::string& file) {
  const SavedCase saved = load_regression(file);
  const LawInfo& law = find_property(saved.property)->info;
  fmt::print(
      "{}\n  {} ({} {})\n  {}\n", saved.path, law.id, law.kind == Kind::law ? "law, claims" : "trait, claims",
      law.claims, law.says);
  fmt::print("  case\n{}", case_text(finding_json({saved.input, {}, std::nullopt, file}), "    "));
  fmt::print(
      "  found on {} in {}, key {}{}{}\n", saved.kernel.empty() ? "?" : saved.kernel,
      saved.scalar.empty() ? "?" : saved.scalar, saved.key.empty() ? "-" : saved.key,
      saved.input.family.empty() ? "" : ", family ", saved.input.family);
  fmt::print("  failure  {}{}{}\n", saved.failure, saved.what.empty() ? "" : ", ", saved.what);
  if (!saved.got.empty())
    fmt::print(
        "  expected {}\n  got      {}\n  error {} where {} is allowed\n", readable_list(saved.expected),
        readable_list(saved.got), short_decimal(saved.error), short_decimal(saved.limit));
  if (!saved.note.empty()) fmt::print("  note     {}\n", saved.note);
  if (!saved.flags.empty()) fmt::print("  flags    {}\n", fmt::join(saved.flags, ", "));
  for (const std::string& link : saved.links) fmt::print("  link     {}\n", link);
  return all_hold;
}

}  // namespace lnverify
