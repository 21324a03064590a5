// `plot`: the numbers behind each picture, and the pictures: well-formed, and drawn from those numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "process.hpp"

namespace program_tests {
namespace {

using Table = std::vector<std::vector<double>>;
constexpr std::size_t heading = 1;

Table numbers_of(const std::string& what) {
  const Outcome outcome = run_program({"plot", what, "--data"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream text(outcome.out);
  Table table;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream fields(line);
    table.emplace_back();
    for (double value = 0; fields >> value;) table.back().push_back(value);
  }
  return table;
}

TEST(Plot, ResponseHasTheNumbersOfTheFormula) {
  const Table table = numbers_of("response");
  ASSERT_EQ(table.size(), 601u);
  const std::vector<double> epsilons = {0.01, 0.1, 1, 10};
  for (const std::vector<double>& line : table) {
    ASSERT_EQ(line.size(), heading + 8);
    const double t = line[0];
    for (std::size_t k = 0; k < epsilons.size(); ++k) {
      const double square = 2 * t * t / 3 + epsilons[k];
      EXPECT_NEAR(line[heading + k], t / std::sqrt(square), 1e-14);
      EXPECT_NEAR(line[heading + 4 + k], epsilons[k] / (square * std::sqrt(square)), 1e-13);
      EXPECT_LT(std::abs(line[heading + k]), std::sqrt(1.5));
    }
  }
}

TEST(Plot, SensitivityHasTheNumbersOfTheFormula) {
  const Table table = numbers_of("sensitivity");
  ASSERT_EQ(table.size(), 81u);
  for (const std::vector<double>& line : table) {
    ASSERT_EQ(line.size(), heading + 2);
    const double square = 1 + line[0];
    EXPECT_NEAR(line[1] * square * std::sqrt(square), 1, 1e-13);
    EXPECT_NEAR(line[2] * std::sqrt(square), 1, 1e-13);
  }
}

class Picture : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::system("command -v gnuplot >/dev/null 2>&1") != 0) GTEST_SKIP() << "gnuplot is not installed";
    file = std::filesystem::temp_directory_path() / ("lnverify-plot-" + std::string(GetParam()) + ".svg");
    std::filesystem::remove(file);
    const Outcome outcome = run_program({"plot", GetParam(), "-o", file.string()});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  void TearDown() override {
    if (!file.empty()) std::filesystem::remove(file);
  }
  std::filesystem::path file;
};

TEST_P(Picture, IsWellFormed) {
  const Outcome parsed = run_command(
      {"python3", "-c", "import sys, xml.etree.ElementTree as e; print(e.parse(sys.argv[1]).getroot().tag)",
       file.string()});
  EXPECT_EQ(parsed.status, 0) << parsed.err;
  EXPECT_THAT(parsed.out, ::testing::HasSubstr("svg"));
}

// The points of the first curve, in pixels. Its path begins with the line in the legend.
std::vector<std::pair<double, double>> first_curve(const std::string& svg) {
  const std::size_t group = svg.find("id=\"gnuplot_plot_1");
  const std::size_t start = svg.find("d='M", svg.find("<path stroke=", group)) + 3;
  std::string path = svg.substr(start, svg.find('\'', start) - start);
  path = path.substr(path.rfind('M') + 1);
  for (char& c : path)
    if (c == ',' || c == 'L') c = ' ';
  std::istringstream fields(path);
  std::vector<std::pair<double, double>> points;
  for (double x = 0, y = 0; fields >> x >> y;) points.emplace_back(x, y);
  return points;
}

// Pixels are an affine image of the axes, which the outermost points determine.
TEST_P(Picture, DrawsThoseNumbers) {
  const bool is_response = std::string(GetParam()) == "response";
  const Table table = numbers_of(GetParam());
  const auto points = first_curve(file_text(file));
  ASSERT_EQ(points.size(), table.size());
  const auto on_axes = [&](const std::vector<double>& line) {
    return is_response ? std::pair(line[0], line[1]) : std::pair(std::log(line[0]), std::log(line[2]));
  };
  const auto low = on_axes(table.front());
  const auto high = on_axes(table.back());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto [x, y] = on_axes(table[i]);
    const double across = (x - low.first) / (high.first - low.first);
    const double up = (y - low.second) / (high.second - low.second);
    const auto& first = points.front();
    const auto& last = points.back();
    EXPECT_NEAR(points[i].first, first.first + across * (last.first - first.first), 0.5);
    EXPECT_NEAR(points[i].second, first.second + up * (last.second - first.second), 0.5);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Picture, ::testing::Values("response", "sensitivity"));

TEST(Plot, NamesThePackageWhereGnuplotIsMissing) {
  const Outcome outcome = run_program({"plot", "response", "-o", "unused.svg"}, {"PATH=/nonexistent"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, ::testing::HasSubstr("gnuplot-nox"));
}

TEST(Plot, NeedsAFileThatItCanWrite) {
  EXPECT_EQ(run_program({"plot", "response"}).status, 2);
  EXPECT_EQ(run_program({"plot", "nothing", "--data"}).status, 2);
  if (std::system("command -v gnuplot >/dev/null 2>&1") == 0) {
    EXPECT_EQ(run_program({"plot", "response", "-o", "/nonexistent/folder/p.svg"}).status, 2);
  }
}

TEST(ListClaims, GivesEveryClaimItsChecks) {
  const Outcome outcome = run_program({"list", "claims", "--markdown"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("| S1 |"));
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("shift_invariance"));
  EXPECT_THAT(outcome.out, ::testing::Not(::testing::HasSubstr("|  |  |")));
}

}  // namespace
}  // namespace program_tests
