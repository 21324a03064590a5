// One forked process: its start, its processor time, its death.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace lnverify {

class ChildProcess {
 public:
  ChildProcess() = default;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { end(); }

  bool running() const { return pid_ > 0; }
  pid_t id() const { return pid_; }
  // Forks; `body` runs in the child and must not return. Ends a running child first. Throws
  // std::system_error.
  void start(const std::function<void()>& body);
  // When it has died by itself: "exited with status 3", "killed by signal 9"; it is running no more then.
  std::optional<std::string> death();
  // Used by all of its threads so far.
  std::chrono::nanoseconds processor_time() const;
  // Kills and reaps it, if there is one.
  void end();

 private:
  pid_t pid_ = 0;
  pid_t owner_ = 0;
};

}  // namespace lnverify
