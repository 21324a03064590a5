#include "engine/regression.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/number_text.hpp"

namespace lnverify {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t shortest_run = 8;
constexpr std::size_t most_values = std::size_t{1} << 26;  // of one array

// Hex floats; a run of equal values is one object {"repeat": n, "value": x}.
Json values_json(const std::vector<double>& values) {
  Json list = Json::array();
  for (std::size_t i = 0; i < values.size();) {
    std::size_t stop = i + 1;
    while (stop < values.size() && hex_float(values[stop]) == hex_float(values[i])) ++stop;
    if (stop - i >= shortest_run) {
      list.push_back({{"repeat", stop - i}, {"value", hex_float(values[i])}});
    } else {
      for (std::size_t k = i; k < stop; ++k) list.push_back(hex_float(values[k]));
    }
    i = stop;
  }
  return list;
}

std::string canonical_text(const std::string& property, const Case& c) {
  std::string text = property + "|" + std::string(name(c.placement));
  for (const auto& [axis, size] : c.sizes) text += fmt::format("|{}={}", axis, size);
  for (const Array& array : c.arrays) {
    text += "|" + array.name;
    for (const std::string& axis : array.axes) text += "," + axis;
    for (const double value : array.values) text += ":" + hex_float(value);
  }
  return text;
}

// A number that JSON may not be able to hold.
Json number_json(double value) {
  if (std::isfinite(value)) return value;
  return short_decimal(value);
}

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& place, const std::string& expected) const {
    throw DamagedFile(path_ + ": " + (place.empty() ? "" : place + ": ") + "expected " + expected);
  }

  const Json& member(const Json& object, const std::string& name, const std::string& place) const {
    if (!object.is_object() || !object.contains(name)) fail(place, "a member '" + name + "'");
    return object.at(name);
  }
  std::string text(const Json& object, const std::string& name, const std::string& place = "") const {
    const Json& value = member(object, name, place);
    if (!value.is_string()) fail(name, "a string, found " + value.dump());
    return value.get<std::string>();
  }
  std::string optional_text(const Json& object, const std::string& name) const {
    return object.contains(name) ? text(object, name) : "";
  }
  std::vector<std::string> texts(const Json& list, const std::string& place) const {
    if (!list.is_array()) fail(place, "a list of strings, found " + list.dump());
    std::vector<std::string> result;
    for (const Json& item : list) {
      if (!item.is_string()) fail(place, "a list of strings, found " + item.dump());
      result.push_back(item.get<std::string>());
    }
    return result;
  }
  double value(const Json& item, const std::string& place) const {
    const auto number = item.is_string() ? parse_hex_float(item.get<std::string>()) : std::nullopt;
    if (!number) fail(place, "a hex float such as \"0x1.8p+1\", found " + item.dump());
    return *number;
  }
  std::vector<double> values(const Json& list, const std::string& place) const {
    if (!list.is_array()) fail(place, "a list of hex floats, found " + list.dump());
    std::vector<double> result;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string here = fmt::format("{}[{}]", place, i);
      if (!list[i].is_object()) {
        result.push_back(value(list[i], here));
        continue;
      }
      const double repeated = value(member(list[i], "value", here), here + ".value");
      const std::size_t times = size(member(list[i], "repeat", here), here + ".repeat");
      if (result.size() + times > most_values)
        fail(here, fmt::format("at most {} values in all", most_values));
      result.insert(result.end(), times, repeated);
    }
    return result;
  }
  std::size_t size(const Json& item, const std::string& place) const {
    if (!item.is_number_unsigned() || item.get<std::size_t>() > most_values)
      fail(place, fmt::format("a whole number from 0 to {}, found {}", most_values, item.dump()));
    return item.get<std::size_t>();
  }

 private:
  std::string path_;
};

Json parsed_file(const std::string& path, const Reader& reader) {
  if (fs::is_directory(path)) throw DamagedFile(path + ": can't be read: is a directory");
  std::ifstream stream(path);
  if (!stream) throw DamagedFile(path + ": can't be read: " + std::strerror(errno));
  std::ostringstream text;
  text << stream.rdbuf();
  try {
    return Json::parse(text.str());
  } catch (const Json::parse_error& error) {
    std::string words = error.what();
    const std::size_t start = words.find("at line");
    words = start == std::string::npos ? words : words.substr(start);
    const std::size_t stop = words.find(':');
    reader.fail(
        words.substr(0, stop), "JSON" + (text.str().empty() ? std::string(", found an empty file") : ""));
  }
}

Array read_array(const Reader& reader, const Json& object, const std::string& name) {
  const std::string place = "arrays." + name;
  Array array;
  array.name = name;
  array.axes = reader.texts(reader.member(object, "axes", place), place + ".axes");
  array.values = reader.values(reader.member(object, "values", place), place + ".values");
  return array;
}

Case read_case(const Reader& reader, const Json& json, const LawInfo& law) {
  Case c;
  const std::string placement = reader.text(json, "placement");
  if (!placement_from_name(placement))
    reader.fail("placement", "end, begin or odd, found \"" + placement + "\"");
  c.placement = *placement_from_name(placement);
  const Json& sizes = reader.member(json, "sizes", "");
  if (!sizes.is_object()) reader.fail("sizes", "an object of axis sizes, found " + sizes.dump());
  for (const auto& [axis, size] : sizes.items()) c.sizes[axis] = reader.size(size, "sizes." + axis);
  for (const auto& [axis, size] : c.sizes)
    if (std::none_of(law.inputs.begin(), law.inputs.end(), [&axis = axis](const Input& input) {
          return std::find(input.axes.begin(), input.axes.end(), axis) != input.axes.end();
        }))
      reader.fail("sizes." + axis, "no such axis: " + law.id + " does not use it");
  const Json& arrays = reader.member(json, "arrays", "");
  for (const Input& input : law.inputs) {
    if (!arrays.is_object() || !arrays.contains(input.name)) {
      if (input.optional) continue;
      reader.fail("arrays", "an array '" + input.name + "', which " + law.id + " needs");
    }
    Array array = read_array(reader, arrays.at(input.name), input.name);
    array.optional = input.optional;
    if (array.axes != input.axes)
      reader.fail("arrays." + input.name + ".axes", "the axes " + Json(input.axes).dump());
    for (const std::string& axis : array.axes) {
      if (c.sizes.find(axis) == c.sizes.end()) reader.fail("sizes", "a size of the axis '" + axis + "'");
      if (c.sizes[axis] == 0) reader.fail("sizes." + axis, "at least 1, found 0");
    }
    if (array.values.size() != element_count(c, array))
      reader.fail(
          "arrays." + input.name + ".values",
          fmt::format("{} values, found {}", element_count(c, array), array.values.size()));
    if (is_epsilon(array) && !(std::isfinite(array.values[0]) && array.values[0] >= 0))
      reader.fail("arrays.eps.values[0]", "a finite number >= 0, found " + hex_float(array.values[0]));
    for (const double value : array.values)
      if (is_epsilon(array) && !(std::isfinite(value) && value >= 0))
        reader.fail("arrays.eps.values", "a finite epsilon that is not negative, found " + hex_float(value));
    c.arrays.push_back(std::move(array));
  }
  for (const auto& [name, array] : arrays.items())
    if (c.find(name) == nullptr)
      reader.fail("arrays." + name, "no such array: " + law.id + " does not use it");
  return c;
}

std::string system_error(const std::string& path) {
  return path + ": can't be written: " + std::strerror(errno);
}

// Under its own name only once it is whole and on the disk, and only if nobody was faster: link() fails where
// a file stands already, and that file stays.
void write_atomically(const std::string& path, const std::string& text) {
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) throw std::runtime_error(system_error(path));
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t step = ::write(file, text.data() + done, text.size() - done);
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) break;
    done += static_cast<std::size_t>(step);
  }
  const bool written = done == text.size() && ::fchmod(file, 0644) == 0 && ::fsync(file) == 0;
  const bool linked =
      ::close(file) == 0 && written &&
      (::link(temporary.c_str(), path.c_str()) == 0 || (errno == EEXIST && fs::is_regular_file(path)));
  const std::string message = system_error(path);
  ::unlink(temporary.c_str());
  if (!linked) throw std::runtime_error(message);
}

}  // namespace

std::string regression_name(const std::string& property, const Case& c) {
  return fmt::format("{}/{:016x}.json", property, stable_hash(canonical_text(property, c)));
}

std::string regression_text(const PropertyResult& result, const std::string& kernel) {
  const Finding& minimal = result.minimal.value();
  const LawInfo& law = result.property->info;
  const Verdict& verdict = minimal.verdict;
  Json json;
  json["schema"] = regression_schema;
  json["property"] = law.id;
  json["claims"] = law.claims;
  json["says"] = law.says;
  json["placement"] = name(minimal.input.placement);
  json["sizes"] = Json::object();
  for (const auto& [axis, size] : minimal.input.sizes) json["sizes"][axis] = size;
  json["arrays"] = Json::object();
  for (const Array& array : minimal.input.arrays)
    json["arrays"][array.name] = {
        {"axes", array.axes},
        {"values", values_json(array.values)},
        {"decimal", readable_list(array.values)}};
  json["failure"] = name(verdict.failure);
  json["what"] = verdict.what;
  json["expected"] = values_json(verdict.expected);
  json["got"] = values_json(verdict.got);
  json["error"] = number_json(verdict.error);
  json["limit"] = number_json(verdict.limit);
  json["ratio"] = number_json(verdict.ratio);
  if (result.worst)
    json["worst"] = {
        {"ratio", number_json(result.worst->verdict.ratio)},
        {"key", result.worst->key ? to_string(*result.worst->key) : ""}};
  json["kernel"] = kernel;
  json["scalar"] = name(result.scalar);
  json["key"] = minimal.key ? to_string(*minimal.key) : "";
  json["family"] = minimal.input.family;
  json["note"] = "";
  json["flags"] = Json::array();
  json["links"] = Json::array();
  return json.dump(2) + "\n";
}

std::string save_regression(
    const PropertyResult& result, const std::string& kernel, const std::string& folder) {
  const std::string path =
      (fs::path(folder) / regression_name(result.property->info.id, result.minimal.value().input)).string();
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error)
    throw std::runtime_error(fs::path(path).parent_path().string() + ": can't be made: " + error.message());
  if (fs::is_regular_file(path, error)) return path;
  write_atomically(path, regression_text(result, kernel));
  return path;
}

SavedCase load_regression(const std::string& path) {
  const Reader reader(path);
  const Json json = parsed_file(path, reader);
  const Json& schema = reader.member(json, "schema", "");
  if (schema != regression_schema)
    reader.fail("schema", fmt::format("{}, found {}", regression_schema, schema.dump()));
  SavedCase saved;
  saved.path = path;
  saved.property = reader.text(json, "property");
  const Property* property = find_property(saved.property);
  if (property == nullptr) reader.fail("property", "the id of a property, found \"" + saved.property + "\"");
  saved.input = read_case(reader, json, property->info);
  saved.input.family = reader.optional_text(json, "family");
  saved.scalar = reader.optional_text(json, "scalar");
  saved.kernel = reader.optional_text(json, "kernel");
  saved.failure = reader.optional_text(json, "failure");
  saved.key = reader.optional_text(json, "key");
  saved.what = reader.optional_text(json, "what");
  saved.note = reader.optional_text(json, "note");
  if (json.contains("expected")) saved.expected = reader.values(json["expected"], "expected");
  if (json.contains("got")) saved.got = reader.values(json["got"], "got");
  if (json.contains("error") && json["error"].is_number()) saved.error = json["error"].get<double>();
  if (json.contains("limit") && json["limit"].is_number()) saved.limit = json["limit"].get<double>();
  if (json.contains("flags")) saved.flags = reader.texts(json["flags"], "flags");
  if (json.contains("links")) saved.links = reader.texts(json["links"], "links");
  return saved;
}

std::vector<std::string> regression_files(const std::string& folder, const std::string& property) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file() && entry.path().extension() == ".json" &&
        (property.empty() || entry.path().parent_path().filename() == property))
      files.push_back(entry.path().string());
  std::error_code ignored;
  const bool none = error == std::errc::no_such_file_or_directory ||
                    (error == std::errc::not_a_directory && !fs::exists(folder, ignored));
  if (error && !none) throw std::runtime_error(folder + ": can't be read: " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace lnverify
