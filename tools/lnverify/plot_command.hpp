// `lnverify plot`: pictures of what the core does, drawn by gnuplot from numbers of the reference library.
#pragma once

#include <string>

namespace lnverify {

struct PlotOptions {
  std::string what;    // "response" or "sensitivity"
  std::string output;  // the SVG file
  bool data = false;   // print the numbers instead
};

// response: the third coordinate h_eps(t) of the core of (-t, 0, t) for several eps, with the asymptotes
// +-sqrt(3/2), and its slope beside it. sensitivity: the largest eigenvalue of the Jacobian, times sqrt(eps),
// against q/eps. Throws UsageError when there is nothing to do, gnuplot is missing or it fails.
int plot_command(const PlotOptions& options);

// The numbers: a table with '#' before its heading, one column for each curve.
std::string plot_data(const std::string& what);

}  // namespace lnverify
