#include "lnverify/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>
#include <sstream>

namespace lnverify {
namespace {

std::uint64_t whole_number(std::string_view text, const std::string& what) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || text.empty())
    throw UsageError(fmt::format("{}: expected a whole number, found '{}'", what, text));
  return value;
}

std::uint64_t seed_from(const std::string& text, const std::string& what) {
  if (text != "random") return whole_number(text, what);
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32 | device()) >> 16;
}

bool flag_from(std::string_view text, const std::string& what) {
  if (text != "0" && text != "1")
    throw UsageError(fmt::format("{}: expected 0 or 1, found '{}'", what, text));
  return text == "1";
}

void apply_rc_params(RunOptions& run, const std::string& params) {
  std::istringstream words(params);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    const std::string what = "RC_PARAMS: " + key;
    if (key == "seed") {
      run.seed = seed_from(value, what);
    } else if (key == "max_success") {
      run.cases = static_cast<std::size_t>(whole_number(value, what));
    } else if (key == "max_discard_ratio") {
      run.max_discard_ratio = static_cast<double>(whole_number(value, what));
    } else if (key == "noshrink") {
      run.shrink = !flag_from(value, what);
    } else {
      throw UsageError(fmt::format(
          "RC_PARAMS: unknown key '{}'; expected seed, max_success, max_discard_ratio or noshrink", key));
    }
  }
}

}  // namespace

RunOptions run_options(const Options& options, const char* rc_params) {
  RunOptions run;
  if (rc_params != nullptr) apply_rc_params(run, rc_params);
  if (!options.seed.empty()) run.seed = seed_from(options.seed, "--seed");
  if (options.cases) run.cases = options.cases;
  if (run.cases && *run.cases == 0) throw UsageError("--cases: expected at least 1, found 0");
  if (!options.key.empty()) {
    const std::size_t colon = options.key.find(':');
    if (colon == std::string::npos)
      throw UsageError("--key: expected seed:index such as 42:17, found '" + options.key + "'");
    run.seed = whole_number(std::string_view(options.key).substr(0, colon), "--key");
    run.only_index = whole_number(std::string_view(options.key).substr(colon + 1), "--key");
  }
  return run;
}

Subject make_subject(const std::string& kernel) {
  constexpr std::string_view command = "exec:";
  if (kernel.starts_with(command)) return Subject::command(kernel.substr(command.size()));
  return kernel == "reference" ? Subject::reference() : Subject::library(kernel);
}

std::vector<const Property*> selected_properties(const Options& options) {
  std::vector<const Property*> chosen;
  for (const std::string& pattern : options.properties)
    if (std::none_of(properties().begin(), properties().end(), [&](const Property& p) {
          return glob_matches(pattern, p.info.id);
        }))
      throw UsageError("--property: nothing matches '" + pattern + "'; `lnverify list` names all properties");
  for (const Property& property : properties())
    if (options.properties.empty() ||
        std::any_of(options.properties.begin(), options.properties.end(), [&](const std::string& pattern) {
          return glob_matches(pattern, property.info.id);
        }))
      chosen.push_back(&property);
  return chosen;
}

std::vector<Scalar> named_scalars(const Options& options) {
  std::vector<Scalar> chosen;
  for (const std::string& text : options.scalars) {
    const std::optional<Scalar> scalar = scalar_from_name(text);
    if (!scalar)
      throw UsageError("--scalar: expected f16, bf16, f32, f64, mp50 or exact, found '" + text + "'");
    chosen.push_back(*scalar);
  }
  return chosen;
}

std::vector<Scalar> selected_scalars(const Options& options, const Subject& subject) {
  return options.scalars.empty() ? subject.scalars() : named_scalars(options);
}

void check_required(const Options& options) {
  std::vector<std::string> traits;
  for (const Property& property : properties())
    if (property.info.kind == Kind::trait) traits.push_back(property.info.id);
  for (const std::string& name : options.required)
    if (std::find(traits.begin(), traits.end(), name) == traits.end())
      throw UsageError(
          fmt::format("--require: '{}' is no trait; expected one of {}", name, fmt::join(traits, ", ")));
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*')
    return glob_matches(pattern.substr(1), text) || (!text.empty() && glob_matches(pattern, text.substr(1)));
  if (text.empty() || (pattern.front() != '?' && pattern.front() != text.front())) return false;
  return glob_matches(pattern.substr(1), text.substr(1));
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

}  // namespace lnverify
