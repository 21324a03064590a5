// Saved cases: one JSON file for each minimal failing case.
//
// A file holds the case exactly (hex floats), what was expected and given, where it was found, and room for
// people's notes. Its name is a hash of property, placement, sizes and arrays, so that the same case found
// twice is one file.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "engine/runner.hpp"

namespace lnverify {

constexpr int regression_schema = 1;

struct SavedCase {
  std::string path;
  std::string property;
  Case input;
  std::string scalar;   // where it was found
  std::string kernel;   // likewise
  std::string failure;  // "wrong-value", ...
  std::string key;      // "seed:index"
  std::string what;
  std::vector<double> expected;
  std::vector<double> got;
  double error = 0;
  double limit = 0;
  std::string note;
  std::vector<std::string> flags;
  std::vector<std::string> links;
};

// A file that is no saved case; what() is one line that names the file, the place and what was expected
// there.
class DamagedFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The whole text of the file for a result with a minimal case.
std::string regression_text(const PropertyResult& result, const std::string& kernel);

// "<property>/<hash>.json"
std::string regression_name(const std::string& property, const Case& c);

// Writes the minimal case of the result below the folder, atomically, and returns the path; a file that
// exists already stays as it is. Throws std::runtime_error naming the path when it can't be written.
std::string save_regression(
    const PropertyResult& result, const std::string& kernel, const std::string& folder);

// Throws DamagedFile. The arrays must be those that the property's inputs describe.
SavedCase load_regression(const std::string& path);

// All *.json files below the folder, sorted; of one property only when it is named. A missing folder has
// none.
std::vector<std::string> regression_files(const std::string& folder, const std::string& property = "");

}  // namespace lnverify
