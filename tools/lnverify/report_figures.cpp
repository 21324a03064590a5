#include "lnverify/report_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace lnverify {
namespace {

using Point = std::pair<double, double>;

constexpr double width = 420;
constexpr double height = 250;
constexpr double left = 46;
constexpr double right = 12;
constexpr double top = 12;
constexpr double bottom = 40;
// Exact results have ratio 0, which a logarithmic scale can't show.
constexpr double least_ratio = 1e-3;

struct Scale {
  double first;  // log10
  double last;
  double x(double value) const {
    return left + (width - left - right) * (std::log10(value) - first) / (last - first);
  }
  double y(double value) const {
    const double log = std::log10(std::max(value, least_ratio));
    return height - bottom - (height - top - bottom) * (log - first) / (last - first);
  }
};

std::string power_of_ten(int exponent) {
  if (exponent == 0) return "1";
  if (exponent == 1) return "10";
  return fmt::format("10<tspan dy=\"-5\" font-size=\"8\">{}</tspan>", exponent);
}

struct Curve {
  std::string scalar;
  std::vector<Point> points;
  std::size_t missing = 0;  // no finite result
};

std::vector<Curve> curves(const Json& samples, const char* name) {
  std::vector<Curve> result;
  for (const auto& [scalar, values] : samples.items()) {
    Curve curve{scalar, {}, 0};
    for (const Json& point : values[name]["points"]) {
      if (point[1].is_null())
        ++curve.missing;
      else
        curve.points.emplace_back(point[0].get<double>(), point[1].get<double>());
    }
    result.push_back(curve);
  }
  return result;
}

std::string marker(const std::string& scalar, double x, double y) {
  if (scalar == "f16") return fmt::format("<path d=\"M{:.1f} {:.1f}l3.5 6h-7z\"/>", x, y - 4);
  if (scalar == "bf16")
    return fmt::format("<path d=\"M{:.1f} {:.1f}l3.5 3.5-3.5 3.5-3.5-3.5z\"/>", x, y - 3.5);
  if (scalar == "f64")
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"5\" height=\"5\"/>", x - 2.5, y - 2.5);
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.8\"/>", x, y);
}

std::string drawn(const Curve& curve, const Scale& xs, const Scale& ys) {
  std::string line;
  std::string markers;
  for (const auto& [x, y] : curve.points) {
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", xs.x(x), ys.y(y));
    markers += marker(curve.scalar, xs.x(x), ys.y(y));
  }
  return fmt::format(
      "<g class=\"curve {}\"><path class=\"line\" d=\"{}\"/>{}</g>", curve.scalar, line, markers);
}

std::string axes(const Scale& xs, const Scale& ys, const std::string& x_label) {
  std::string text = "<g class=\"axes\">";
  const int step = xs.last - xs.first > 8 ? 2 : 1;
  for (int e = static_cast<int>(std::ceil(xs.first)); e <= xs.last; e += step) {
    const double x = xs.x(std::pow(10.0, e));
    text += fmt::format(
        "<path d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>", x,
        top, height - bottom, height - bottom + 14, power_of_ten(e));
  }
  for (int e = static_cast<int>(std::ceil(ys.first)); e <= ys.last; ++e) {
    const double y = ys.y(std::pow(10.0, e));
    text += fmt::format(
        "<path d=\"M{0} {1:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>", left, y,
        width - right, left - 6, y + 4, power_of_ten(e));
  }
  return text +
         fmt::format(
             "<text x=\"{:.0f}\" y=\"{}\" text-anchor=\"middle\">{}</text>"
             "<text transform=\"translate(11 {:.0f}) rotate(-90)\" text-anchor=\"middle\">error / bound with "
             "c = 1</text></g>",
             (left + width - right) / 2, height - 8, x_label, (top + height - bottom) / 2);
}

// Words for those who can't see the curves, and a legend for those who can.
std::string described(const std::vector<Curve>& all, const char* x_name) {
  std::string text;
  for (const Curve& curve : all) {
    if (!text.empty()) text += " ";
    const auto worst = std::max_element(
        curve.points.begin(), curve.points.end(),
        [](const Point& a, const Point& b) { return a.second < b.second; });
    text += worst == curve.points.end()
                ? fmt::format("{}: no finite result.", curve.scalar)
                : fmt::format(
                      "{}: at most {:.2g}, at {} {:.3g}.", curve.scalar, worst->second, x_name, worst->first);
    if (curve.missing > 0)
      text += fmt::format(" {} points of {} without a finite result.", curve.missing, curve.scalar);
  }
  return text;
}

std::string legend(const std::vector<Curve>& all) {
  std::string text = "<ul class=\"legend\">";
  for (const Curve& curve : all)
    text += fmt::format(
        "<li><svg viewBox=\"0 0 24 10\" width=\"24\" height=\"10\" aria-hidden=\"true\"><g class=\"curve "
        "{0}\"><path "
        "class=\"line\" d=\"M0 5H24\"/>{1}</g></svg> {0}</li>",
        curve.scalar, marker(curve.scalar, 12, 5));
  return text + "</ul>";
}

std::string figure(
    const std::vector<Curve>& all, const std::vector<Point>& bound, const Scale& xs,
    const std::string& x_label, const char* x_name, const std::string& title, const std::string& caption,
    const std::string& id) {
  double largest = 10;
  for (const Curve& curve : all)
    for (const auto& [x, y] : curve.points) largest = std::max(largest, y);
  for (const auto& [x, y] : bound) largest = std::max(largest, y);
  const Scale ys{std::log10(least_ratio), std::ceil(std::log10(largest) + 0.05)};
  std::string svg = fmt::format(
      "<figure><svg class=\"plot\" role=\"img\" viewBox=\"0 0 {0} {1}\" aria-labelledby=\"{2}-t "
      "{2}-d\"><title "
      "id=\"{2}-t\">{3}</title><desc id=\"{2}-d\">{4}</desc>",
      width, height, id, escaped(title), escaped(described(all, x_name)));
  svg += axes(xs, ys, x_label);
  std::string line;
  for (const auto& [x, y] : bound)
    line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", xs.x(x), ys.y(y));
  svg += fmt::format(
      "<path class=\"bound\" d=\"{}\"/><text class=\"note\" x=\"{}\" y=\"{:.1f}\" "
      "text-anchor=\"end\">bound: d + 8</text>",
      line, width - right - 4, ys.y(bound.back().second) - 5);
  svg += fmt::format(
      "<path class=\"unit\" d=\"M{} {:.1f}H{}\"/><text class=\"note\" x=\"{}\" y=\"{:.1f}\" "
      "text-anchor=\"end\">c = 1: grade A</text>",
      left, ys.y(1), width - right, width - right - 4, ys.y(1) - 5);
  for (const Curve& curve : all) svg += drawn(curve, xs, ys);
  return svg + "</svg>" + legend(all) +
         fmt::format(
             "<figcaption><b>{}.</b> {} {}</figcaption></figure>\n", title, caption,
             escaped(described(all, x_name)));
}

const char* cell_class(char letter) {
  switch (letter) {
    case 'r':
      return "right";
    case 'i':
      return "inaccurate";
    case 'w':
      return "wrong";
    case 'n':
      return "nonfinite";
    case 'u':
      return "unsupported";
    case 'c':
      return "crashed";
    default:
      return "unjudged";
  }
}

std::string range_words(const Json& cells) {
  std::string all;
  for (const Json& row : cells) all += row.get<std::string>();
  std::string text;
  for (const auto& [letter, word] : std::vector<std::pair<char, const char*>>{
           {'r', "right"},
           {'i', "inaccurate"},
           {'w', "wrong"},
           {'n', "not finite"},
           {'u', "not supported"},
           {'c', "crashed or failed"},
           {'x', "not judged"}}) {
    const auto count = std::count(all.begin(), all.end(), letter);
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  }
  return fmt::format("{} of {} points.", text, all.size());
}

// Neighbours in a row that are alike are one rectangle, with one letter.
std::string range_row(const std::string& cells, double x0, double y, double step) {
  std::string text;
  for (std::size_t i = 0; i < cells.size();) {
    std::size_t stop = i;
    while (stop < cells.size() && cells[stop] == cells[i]) ++stop;
    const double x = x0 + step * static_cast<double>(i);
    const double w = step * static_cast<double>(stop - i);
    text += fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
        cell_class(cells[i]), x, y, w - 1, step - 1);
    if (cells[i] != 'r' && cells[i] != 'x')
      text += fmt::format(
          "<text class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + w / 2 - 0.5, y + step - 4,
          cells[i]);
    i = stop;
  }
  return text;
}

std::string range_map(const std::string& scalar, const Json& map, const std::string& id) {
  constexpr double step = 13;
  constexpr double x0 = 52;
  constexpr double y0 = 8;
  const std::size_t columns = map["z"].size();
  const std::size_t rows = map["eps"].size();
  const double map_width = x0 + step * static_cast<double>(columns) + 8;
  const double map_bottom = y0 + step * static_cast<double>(rows);
  std::string svg = fmt::format(
      "<figure><svg class=\"map\" role=\"img\" viewBox=\"0 0 {0:.0f} {1:.0f}\" aria-labelledby=\"{2}-t "
      "{2}-d\"><title id=\"{2}-t\">Range map in {3}</title><desc id=\"{2}-d\">{4}</desc><g class=\"axes\">",
      map_width, map_bottom + 34, id, scalar, range_words(map["cells"]));
  std::string cells;
  for (std::size_t r = 0; r < rows; ++r) {
    // Epsilon 0 comes last in the data and lowest in the map; the largest comes first.
    const std::size_t source = r + 1 == rows ? rows - 1 : rows - 2 - r;
    const double y = y0 + step * static_cast<double>(r);
    const Json& eps = map["eps"][source];
    if (eps.is_null() || r % 3 == 0)
      svg += fmt::format(
          "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", x0 - 5, y + step - 3,
          eps.is_null() ? "0" : fmt::format("2<tspan dy=\"-4\" font-size=\"8\">{}</tspan>", eps.dump()));
    cells += range_row(map["cells"][source], x0, y, step);
  }
  for (std::size_t i = 0; i < columns; i += 5)
    svg += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">2<tspan dy=\"-4\" "
        "font-size=\"8\">{}</tspan></text>",
        x0 + step * (static_cast<double>(i) + 0.5), map_bottom + 15, map["z"][i].dump());
  svg += fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">size of z</text><text transform=\"translate(11 "
      "{:.0f}) "
      "rotate(-90)\" text-anchor=\"middle\">epsilon</text></g>",
      (x0 + map_width) / 2, map_bottom + 30, (y0 + map_bottom) / 2);
  return svg + cells +
         fmt::format(
             "</svg><figcaption><b>Range in {}.</b> {}</figcaption></figure>\n", scalar,
             range_words(map["cells"]));
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string kappa_figure(const Json& samples, const std::string& id) {
  const std::vector<Curve> all = curves(samples, "kappa");
  double last = 10;
  for (const Curve& curve : all)
    for (const auto& [x, y] : curve.points) last = std::max(last, x);
  const Scale xs{0, std::ceil(std::log10(last))};
  const Json& first = *samples.begin();
  const double limit = first["kappa"]["limit"].get<double>();
  return figure(
      all, {{1, limit}, {std::pow(10.0, xs.last), limit}}, xs,
      "condition number \xCE\xBA = max|z| / \xCF\x83", "\xCE\xBA", "Error against condition number",
      "The bound grows with \xCE\xBA, so a careful kernel stays level; one that cancels rises.",
      id + "-kappa");
}

std::string size_figure(const Json& samples, const std::string& id) {
  const std::vector<Curve> all = curves(samples, "d");
  const Scale xs{std::log10(2.0), std::log10(4096.0)};
  std::vector<Point> bound;
  for (double d = 2; d <= 4096; d *= 2) bound.emplace_back(d, d + 8);
  return figure(
      all, bound, xs, "coordinates d", "d", "Error against size",
      "Pairwise or blocked sums stay level; a plain sum may rise with d.", id + "-size");
}

std::string range_figures(const Json& samples, const std::string& id) {
  std::string text;
  for (const auto& [scalar, values] : samples.items())
    text += range_map(scalar, values["range"], id + "-range-" + scalar);
  return text;
}

}  // namespace lnverify
