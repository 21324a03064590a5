// Saved cases: what is written reads back as the same case, a damaged file is
// refused in words that say where and why, and writing is atomic and never
// overwrites.
#include "engine/regression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/generate.hpp"
#include "engine/number_text.hpp"
#include "hand_made.hpp"

namespace lnverify {
namespace {

using hand_made::infinity;
using hand_made::nan;

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Values = std::vector<double>;

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Regression : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string unique =
        std::string(info->test_suite_name()) + "." + info->name() + std::to_string(::getpid());
    for (char& c : unique)
      if (c == '/') c = '.';
    folder_ = fs::temp_directory_path() / unique;
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string folder() const { return folder_.string(); }
  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  // Every file below the folder, whatever its name.
  std::vector<std::string> all_files() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    return files;
  }

 private:
  fs::path folder_;
};

Case accuracy_case() {
  Case c;
  c.sizes = {{"rows", 2}, {"d", 2}};
  c.placement = Placement::odd;
  c.family = "gentle";
  c.arrays = {{"z", {"rows", "d"}, {0.1, -0.0, 3, 4}}, {"gain", {"d"}, {1, 2}, true}, {"eps", {}, {1e-5}}};
  return c;
}

PropertyResult result_with(const Case& c, const std::string& property = "accuracy") {
  PropertyResult result;
  result.property = find_property(property);
  result.scalar = Scalar::f64;
  result.conclusion = Conclusion::falsified;
  Verdict verdict = falsified(Failure::wrong_value, "y[1]");
  verdict.ratio = 3;
  verdict.error = 0.75;
  verdict.limit = 0.25;
  verdict.expected = {1, nan, 0.5};
  verdict.got = {1, 2, infinity};
  result.minimal = Finding{c, verdict, CaseKey{42, 7}};
  verdict.ratio = infinity;
  result.worst = Finding{c, verdict, CaseKey{42, 9}};
  return result;
}

TEST_F(Regression, ASavedCaseReadsBackWithAllThatWasSaid) {
  const std::string path = save_regression(result_with(accuracy_case()), "a kernel", folder());
  const SavedCase saved = load_regression(path);
  EXPECT_EQ(saved.path, path);
  EXPECT_EQ(saved.property, "accuracy");
  EXPECT_EQ(saved.input, accuracy_case());
  EXPECT_TRUE(std::signbit(saved.input.find("z")->values[1]));
  EXPECT_TRUE(saved.input.find("gain")->optional);
  EXPECT_EQ(saved.input.family, "gentle");
  EXPECT_EQ(saved.scalar, "f64");
  EXPECT_EQ(saved.kernel, "a kernel");
  EXPECT_EQ(saved.failure, "wrong-value");
  EXPECT_EQ(saved.key, "42:7");
  EXPECT_EQ(saved.what, "y[1]");
  EXPECT_EQ(saved.error, 0.75);
  EXPECT_EQ(saved.limit, 0.25);
  ASSERT_EQ(saved.expected.size(), 3U);
  EXPECT_TRUE(std::isnan(saved.expected[1]));
  EXPECT_EQ(saved.got, (Values{1, 2, infinity}));
}

TEST_F(Regression, EveryGeneratedCaseReadsBackBitForBit) {
  for (const char* id : {"accuracy", "gradient_accuracy", "row_independence", "bias_shift"})
    for (std::uint64_t index = 0; index < 80; ++index) {
      const Case c = generate(find_property(id)->info, Scalar::f32, {3, index});
      const Case read = load_regression(save_regression(result_with(c, id), "k", folder())).input;
      ASSERT_EQ(read.sizes, c.sizes);
      ASSERT_EQ(read.placement, c.placement);
      ASSERT_EQ(read.arrays.size(), c.arrays.size());
      for (std::size_t k = 0; k < c.arrays.size(); ++k)
        for (std::size_t i = 0; i < c.arrays[k].values.size(); ++i)
          ASSERT_EQ(hex_float(read.arrays[k].values[i]), hex_float(c.arrays[k].values[i]))
              << id << " 3:" << index;
    }
}

TEST_F(Regression, LongRunsOfOneValueAreWrittenOnce) {
  Case c = accuracy_case();
  c.sizes = {{"rows", 1}, {"d", 1000}};
  c.arrays = {{"z", {"rows", "d"}, Values(1000, 0.1)}, {"eps", {}, {0}}};
  c.arrays[0].values[999] = 7;
  const std::string path = save_regression(result_with(c), "k", folder());
  const Json values = Json::parse(content(path))["arrays"]["z"]["values"];
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0]["repeat"], 999);
  EXPECT_EQ(load_regression(path).input, c);
}

TEST_F(Regression, TheFileSaysInDecimalsWhatItHoldsAndLeavesRoomForPeople) {
  const Json json = Json::parse(regression_text(result_with(accuracy_case()), "k"));
  EXPECT_EQ(json["schema"], regression_schema);
  EXPECT_EQ(json["arrays"]["z"]["decimal"], "[0.1, 0, 3, 4]");
  EXPECT_EQ(json["worst"]["ratio"], "inf");
  EXPECT_EQ(json["worst"]["key"], "42:9");
  EXPECT_EQ(json["says"], find_property("accuracy")->info.says);
  EXPECT_EQ(json["note"], "");
  EXPECT_TRUE(json["flags"].is_array() && json["links"].is_array());
}

TEST_F(Regression, NotesFlagsAndLinksOfPeopleAreRead) {
  Json json = Json::parse(regression_text(result_with(accuracy_case()), "k"));
  json["note"] = "seen on a Tuesday";
  json["flags"] = {"slow", "odd"};
  json["links"] = {"https://example.org/1"};
  const SavedCase saved = load_regression(write("accuracy/x.json", json.dump()));
  EXPECT_EQ(saved.note, "seen on a Tuesday");
  EXPECT_EQ(saved.flags, (std::vector<std::string>{"slow", "odd"}));
  EXPECT_EQ(saved.links, (std::vector<std::string>{"https://example.org/1"}));
}

// What the case is decides the name; what was found in it, and by whom, does
// not.
TEST_F(Regression, TheNameDependsOnTheCaseAlone) {
  const Case c = accuracy_case();
  const std::string name = regression_name("accuracy", c);
  EXPECT_THAT(name, testing::MatchesRegex("accuracy/[0-9a-f]+\\.json"));
  Case same = c;
  same.family = "another";
  EXPECT_EQ(regression_name("accuracy", same), name);
  EXPECT_NE(regression_name("batching", c), name);
  const std::vector<std::function<void(Case&)>> changes = {
      [](Case& x) { x.placement = Placement::end; }, [](Case& x) { x.arrays[0].values[0] = 0.2; },
      [](Case& x) { x.arrays.erase(x.arrays.begin() + 1); },
      [](Case& x) {
        x.sizes = {{"rows", 1}, {"d", 4}};
      }};
  for (const auto& change : changes) {
    Case other = c;
    change(other);
    EXPECT_NE(regression_name("accuracy", other), name);
  }
}

// A file whose name changed would be saved a second time by the next run.
TEST_F(Regression, TheNameIsPinned) {
  EXPECT_EQ(regression_name("accuracy", accuracy_case()), "accuracy/f5700936242886e7.json");
}

TEST_F(Regression, TheFirstWriterOfACaseIsKept) {
  const std::string path = save_regression(result_with(accuracy_case()), "first", folder());
  PropertyResult later = result_with(accuracy_case());
  later.minimal->verdict.error = 99;
  EXPECT_EQ(save_regression(later, "second", folder()), path);
  const SavedCase saved = load_regression(path);
  EXPECT_EQ(saved.kernel, "first");
  EXPECT_EQ(saved.error, 0.75);
}

TEST_F(Regression, NoTemporaryIsLeft) {
  const std::string path = save_regression(result_with(accuracy_case()), "k", folder());
  EXPECT_EQ(all_files(), std::vector<std::string>{path});
}

// Below a regular file no folder can be made, by nobody.
TEST_F(Regression, AFolderThatCannotBeMadeIsNamed) {
  const std::string file = write("plain", "");
  try {
    save_regression(result_with(accuracy_case()), "k", file + "/below");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), AllOf(StartsWith(file + "/below"), HasSubstr("Not a directory")));
  }
}

TEST_F(Regression, AFileThatCannotBeWrittenIsNamedAndLeavesNoTemporary) {
  const std::string path = folder() + "/" + regression_name("accuracy", accuracy_case());
  fs::create_directories(path);
  try {
    save_regression(result_with(accuracy_case()), "k", folder());
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), AllOf(StartsWith(path), HasSubstr("can't be written")));
  }
  EXPECT_TRUE(all_files().empty());
}

TEST_F(Regression, FilesAreListedSortedAndByProperty) {
  const std::string b = write("batching/b.json", "");
  const std::string a = write("batching/a.json", "");
  const std::string c = write("accuracy/c.json", "");
  write("accuracy/c.json.123.tmp", "");
  write("accuracy/README.md", "");
  EXPECT_EQ(regression_files(folder()), (std::vector<std::string>{c, a, b}));
  EXPECT_EQ(regression_files(folder(), "batching"), (std::vector<std::string>{a, b}));
  EXPECT_TRUE(regression_files(folder(), "shift_invariance").empty());
  EXPECT_TRUE(regression_files(folder() + "/missing").empty());
}

// Saved cases that can't be listed must not look like none at all.
TEST_F(Regression, AFolderThatIsNoFolderIsNamed) {
  const std::string file = write("plain", "");
  try {
    regression_files(file);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), AllOf(StartsWith(file), HasSubstr("can't be read")));
  }
}

// A way to damage the text of a good file, and what the message must say after
// the file's name.
struct Damage {
  const char* name;
  std::function<std::string(Json)> text;
  const char* message;
};

std::string edited(Json json, const std::string& pointer, const Json& value) {
  json[Json::json_pointer(pointer)] = value;
  return json.dump(2);
}
std::function<std::string(Json)> set(const std::string& pointer, const Json& value) {
  return [=](Json json) { return edited(std::move(json), pointer, value); };
}
std::function<std::string(Json)> without(const std::string& parent, const std::string& member) {
  return [=](Json json) {
    json[Json::json_pointer(parent)].erase(member);
    return json.dump(2);
  };
}
std::function<std::string(Json)> whole(const std::string& text) {
  return [=](const Json&) { return text; };
}

const std::vector<Damage> damages = {
    {"empty", whole(""), ": at line 1, column 1: expected JSON, found an empty file"},
    {"truncated", [](const Json& json) { return json.dump(2).substr(0, 40); },
     ": at line 3, column 24: expected JSON"},
    {"not_json", whole("schema = 1"), ": at line 1, column 1: expected JSON"},
    {"trailing_text", [](const Json& json) { return json.dump() + "}"; }, ": at line 1, column "},
    {"a_list", whole("[]"), ": expected a member 'schema'"},
    {"no_schema", without("", "schema"), ": expected a member 'schema'"},
    {"later_schema", set("/schema", 2), ": schema: expected 1, found 2"},
    {"schema_in_words", set("/schema", "1"), ": schema: expected 1, found \"1\""},
    {"no_property", without("", "property"), ": expected a member 'property'"},
    {"unknown_property", set("/property", "acuracy"),
     ": property: expected the id of a property, found \"acuracy\""},
    {"property_is_a_number", set("/property", 3), ": property: expected a string, found 3"},
    {"no_placement", without("", "placement"), ": expected a member 'placement'"},
    {"unknown_placement", set("/placement", "middle"),
     ": placement: expected end, begin or odd, found \"middle\""},
    {"no_sizes", without("", "sizes"), ": expected a member 'sizes'"},
    {"sizes_no_object", set("/sizes", 3), ": sizes: expected an object of axis sizes, found 3"},
    {"size_missing", without("/sizes", "d"), ": sizes: expected a size of the axis 'd'"},
    {"size_zero", set("/sizes/d", 0), ": sizes.d: expected at least 1, found 0"},
    {"size_negative", set("/sizes/d", -2), ": sizes.d: expected a whole number from 0 to 67108864, found -2"},
    {"size_no_whole_number", set("/sizes/d", 2.5),
     ": sizes.d: expected a whole number from 0 to 67108864, found 2.5"},
    {"size_huge", set("/sizes/d", std::size_t{1} << 40),
     ": sizes.d: expected a whole number from 0 to 67108864, found "
     "1099511627776"},
    {"size_unknown", set("/sizes/widht", 3),
     ": sizes.widht: expected no such axis: accuracy does not use it"},
    {"no_arrays", without("", "arrays"), ": expected a member 'arrays'"},
    {"arrays_no_object", set("/arrays", 1), ": arrays: expected an array 'z', which accuracy needs"},
    {"array_missing", without("/arrays", "eps"), ": arrays: expected an array 'eps', which accuracy needs"},
    {"array_unknown", set("/arrays/shift", 1),
     ": arrays.shift: expected no such array: accuracy does not use it"},
    {"array_no_object", set("/arrays/z", 1), ": arrays.z: expected a member 'axes'"},
    {"axes_missing", without("/arrays/z", "axes"), ": arrays.z: expected a member 'axes'"},
    {"axes_no_list", set("/arrays/z/axes", "d"), ": arrays.z.axes: expected a list of strings, found \"d\""},
    {"axes_no_strings", set("/arrays/z/axes/0", 1), ": arrays.z.axes: expected a list of strings, found 1"},
    {"axes_wrong", set("/arrays/z/axes", {"d", "rows"}),
     ": arrays.z.axes: expected the axes [\"rows\",\"d\"]"},
    {"values_missing", without("/arrays/z", "values"), ": arrays.z: expected a member 'values'"},
    {"values_no_list", set("/arrays/z/values", "0x1p+0"),
     ": arrays.z.values: expected a list of hex floats, found \"0x1p+0\""},
    {"values_too_few",
     [](Json json) {
       json["arrays"]["z"]["values"].erase(3);
       return json.dump();
     },
     ": arrays.z.values: expected 4 values, found 3"},
    {"values_too_many", set("/arrays/eps/values/1", "0x0p+0"),
     ": arrays.eps.values: expected 1 values, found 2"},
    {"value_decimal", set("/arrays/z/values/2", "0.1"),
     ": arrays.z.values[2]: expected a hex float such as \"0x1.8p+1\", found "
     "\"0.1\""},
    {"value_a_number", set("/arrays/z/values/2", 0.5),
     ": arrays.z.values[2]: expected a hex float such as \"0x1.8p+1\", found "
     "0.5"},
    {"run_without_value", set("/arrays/z/values/0", {{"repeat", 4}}),
     ": arrays.z.values[0]: expected a member 'value'"},
    {"run_without_length", set("/arrays/z/values/0", {{"value", "0x1p+0"}}),
     ": arrays.z.values[0]: expected a member 'repeat'"},
    {"run_of_negative_length", set("/arrays/z/values/0", {{"value", "0x1p+0"}, {"repeat", -1}}),
     ": arrays.z.values[0].repeat: expected a whole number from 0 to 67108864, "
     "found -1"},
    {"epsilon_negative", set("/arrays/eps/values/0", "-0x1p+0"),
     ": arrays.eps.values[0]: expected a finite number >= 0, found -0x1p+0"},
    {"epsilon_nan", set("/arrays/eps/values/0", "nan"),
     ": arrays.eps.values[0]: expected a finite number >= 0, found nan"},
    {"epsilon_infinite", set("/arrays/eps/values/0", "inf"),
     ": arrays.eps.values[0]: expected a finite number >= 0, found inf"},
    {"note_no_string", set("/note", 3), ": note: expected a string, found 3"},
    {"flags_no_list", set("/flags", "slow"), ": flags: expected a list of strings, found \"slow\""},
    {"links_no_strings", set("/links", {1}), ": links: expected a list of strings, found 1"},
    {"expected_no_hex_float", set("/expected", {"one"}),
     ": expected[0]: expected a hex float such as \"0x1.8p+1\", found \"one\""},
};

class DamagedRegression : public Regression, public testing::WithParamInterface<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(
    Damage, DamagedRegression, testing::Range(std::size_t{0}, damages.size()),
    [](const auto& index) { return std::string(damages[index.param].name); });

TEST_P(DamagedRegression, IsRefusedInWordsThatSayWhereAndWhy) {
  const Damage& damage = damages[GetParam()];
  const Json good = Json::parse(regression_text(result_with(accuracy_case()), "k"));
  EXPECT_NO_THROW(load_regression(write("accuracy/good.json", good.dump())));
  const std::string path = write("accuracy/damaged.json", damage.text(good));
  try {
    load_regression(path);
    FAIL() << "was read in spite of " << damage.name;
  } catch (const DamagedFile& error) {
    EXPECT_THAT(error.what(), StartsWith(path + damage.message));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
  }
}

TEST_F(Regression, AFileThatIsNotThereIsNamed) {
  const std::string path = folder() + "/missing.json";
  try {
    load_regression(path);
    FAIL();
  } catch (const DamagedFile& error) {
    EXPECT_EQ(std::string(error.what()), path + ": can't be read: No such file or directory");
  }
}

}  // namespace
}  // namespace lnverify
