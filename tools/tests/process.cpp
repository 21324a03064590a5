#include "process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

namespace program_tests {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void become(
    const std::vector<std::string>& command, const std::vector<std::string>& environment,
    const std::string& folder, const std::string& out, const std::string& err) {
  const int out_file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_file = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (::dup2(nothing, 0) < 0 || ::dup2(out_file, 1) < 0 || ::dup2(err_file, 2) < 0) ::_exit(126);
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) ::_exit(126);
  for (std::string setting : environment) {
    const std::size_t equals = setting.find('=');
    ::setenv(setting.substr(0, equals).c_str(), setting.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

Outcome run_command(
    const std::vector<std::string>& command, const std::vector<std::string>& environment,
    const std::string& folder) {
  const TemporaryFolder texts;
  const pid_t process = ::fork();
  if (process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process == 0) become(command, environment, folder, texts / "out", texts / "err");
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  return {
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), file_text(texts / "out"),
      file_text(texts / "err")};
}

Outcome run_program(
    std::vector<std::string> arguments, const std::vector<std::string>& environment,
    const std::string& folder) {
  arguments.insert(arguments.begin(), LNVERIFY_PROGRAM);
  return run_command(arguments, environment, folder);
}

std::string faulty_library(const std::string& name) {
  return std::string(LNVERIFY_FAULTY_DIR) + "/lib" + name + ".so";
}

std::string file_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("can't write " + path.string());
}

nlohmann::json json_file(const fs::path& path) { return nlohmann::json::parse(file_text(path)); }

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

nlohmann::json result_of(const nlohmann::json& report, const std::string& property) {
  for (const auto& result : report.at("results"))
    if (result.at("property") == property) return result;
  ADD_FAILURE() << "no result of " << property;
  return nullptr;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "layer norm XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace program_tests
