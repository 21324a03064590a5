#include "lnverify/plot_command.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <layer_norm/core.hpp>
#include <layer_norm/jacobian.hpp>

#include "lnverify/exit_status.hpp"
#include "lnverify/options.hpp"

namespace lnverify {
namespace {

using Row = layer_norm::Row<double>;

constexpr std::array<double, 4> epsilons = {0.01, 0.1, 1, 10};
constexpr std::array<std::size_t, 2> dimensions = {2, 3};

// h_eps(t), and its derivative along (-1, 0, 1).
std::string response_data() {
  std::string table = "# t";
  for (const double eps : epsilons) table += fmt::format(" h({})", eps);
  for (const double eps : epsilons) table += fmt::format(" slope({})", eps);
  table += "\n";
  constexpr int half = 300;
  for (int i = -half; i <= half; ++i) {
    const double t = 6.0 * i / half;
    const Row z = {-t, 0, t};
    table += fmt::format("{:.17g}", t);
    for (const double eps : epsilons) table += fmt::format(" {:.17g}", layer_norm::core(z, eps)[2]);
    for (const double eps : epsilons)
      table += fmt::format(" {:.17g}", layer_norm::jacobian_apply(z, eps, Row{-1, 0, 1})[2]);
    table += "\n";
  }
  return table;
}

// sqrt(eps) |J| at q = ratio eps, for eps = 1 and rows (-s, s) and (-s, 0, s) of that variance.
std::string sensitivity_data() {
  std::string table = "# q/eps";
  for (const std::size_t d : dimensions) table += fmt::format(" d={}", d);
  table += "\n";
  for (int i = -40; i <= 40; ++i) {
    const double ratio = std::pow(10, i / 10.0);
    table += fmt::format("{:.17g}", ratio);
    for (const std::size_t d : dimensions) {
      Row z(d);
      z[d - 1] = std::sqrt(ratio * static_cast<double>(d) / 2);
      z[0] = -z[d - 1];
      table += fmt::format(" {:.17g}", layer_norm::jacobian_norm(z, 1.0));
    }
    table += "\n";
  }
  return table;
}

// Inside single quotes gnuplot takes everything literally; a quote itself is doubled.
std::string gnuplot_string(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

std::string curves(std::size_t first_column) {
  std::string text;
  for (std::size_t i = 0; i < epsilons.size(); ++i)
    text += fmt::format(
        "{}$data using 1:{} with lines lw 2 title 'ε = {}'", i == 0 ? "plot " : ", ", first_column + i,
        epsilons[i]);
  return text;
}

std::string response_script() {
  return "set multiplot layout 1,2\nset grid\nset xlabel 't'\nset xrange [-6:6]\nset samples 2\n"
         "set title 'third coordinate of the core of (−t, 0, t)'\nset key left center\n"
         "set yrange [-1.5:1.5]\n" +
         curves(2) +
         ", sqrt(1.5) with lines dt 2 lc 'black' title '±√(3/2)', -sqrt(1.5) with lines dt 2 lc 'black' "
         "notitle\n"
         "set title 'its slope'\nset key top right\nset yrange [0.001:20]\nset logscale y\n" +
         curves(static_cast<std::size_t>(2 + epsilons.size())) + "\nunset multiplot\n";
}

std::string sensitivity_script() {
  return "set grid\nset logscale xy\nset xlabel 'q/ε'\nset ylabel '√ε · largest eigenvalue of the Jacobian'\n"
         "set format xy '10^{%T}'\nset xrange [1e-4:1e4]\nset yrange [1e-6:3]\nset key bottom left\n"
         "plot $data using 1:3 with lines lw 2 title 'd ≥ 3: σ^{−1}', "
         "$data using 1:2 with lines lw 2 title 'd = 2: ε σ^{−3}', "
         "1 with lines dt 2 lc 'black' title 'ε^{−1/2}'\n";
}

bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null 2>&1") == 0; }

void draw(const PlotOptions& options, const std::string& data) {
  if (!has_gnuplot())
    throw UsageError("'plot' draws with gnuplot, which is not installed: apt-get install gnuplot-nox");
  // gnuplot draws to standard output where it can't write the file.
  if (!std::ofstream(options.output, std::ios::app))
    throw UsageError("plot: " + options.output + " can't be written");
  std::FILE* gnuplot = ::popen("gnuplot", "w");
  if (gnuplot == nullptr) throw UsageError("gnuplot can't be started");
  const bool response = options.what == "response";
  fmt::print(
      gnuplot,
      "set encoding utf8\nset terminal svg size {},420 dynamic enhanced background rgb 'white' font "
      "'sans-serif,12'\nset output {}\n$data << EOD\n{}EOD\n{}",
      response ? 960 : 560, gnuplot_string(options.output), data,
      response ? response_script() : sensitivity_script());
  const int status = ::pclose(gnuplot);
  if (status != 0 || !std::filesystem::exists(options.output))
    throw UsageError("gnuplot could not write '" + options.output + "'");
}

}  // namespace

std::string plot_data(const std::string& what) {
  return what == "response" ? response_data() : sensitivity_data();
}

int plot_command(const PlotOptions& options) {
  if (options.data) {
    fmt::print("{}", plot_data(options.what));
    return all_hold;
  }
  if (options.output.empty()) throw UsageError("plot needs -o FILE.svg, or --data to print the numbers");
  draw(options, plot_data(options.what));
  return all_hold;
}

}  // namespace lnverify
