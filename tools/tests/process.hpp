// Programs run as a user runs them: arguments in, exit status and texts out; and folders that vanish again.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace program_tests {

struct Outcome {
  int status = -1;  // 128 + signal where a signal ended it
  std::string out;
  std::string err;
};

// Runs the command, found in PATH where it has no slash, with `environment` ("NAME=value") set besides what
// this process has, in the given folder or this one. Throws std::system_error when it can't be started.
Outcome run_command(
    const std::vector<std::string>& command, const std::vector<std::string>& environment = {},
    const std::string& folder = "");

// The verification program itself with these arguments.
Outcome run_program(
    std::vector<std::string> arguments, const std::vector<std::string>& environment = {},
    const std::string& folder = "");

// "libNAME.so" among the libraries of faulty/.
std::string faulty_library(const std::string& name);

std::string file_text(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& text);
nlohmann::json json_file(const std::filesystem::path& path);

// All regular files below the folder, sorted.
std::vector<std::string> files_below(const std::filesystem::path& folder);

// The entry of a property in the text of --json; a failed expectation and null where there is none.
nlohmann::json result_of(const nlohmann::json& report, const std::string& property);

// An empty folder with a space in its name, removed with all it holds at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace program_tests
