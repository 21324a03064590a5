#include "child_process.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace lnverify {

void ChildProcess::start(const std::function<void()>& body) {
  end();
  // What waits in the buffers would be written twice if the child filled them.
  std::fflush(stdout);
  std::fflush(stderr);
  owner_ = getpid();
  const pid_t pid = fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid == 0) {
    body();
    _exit(0);
  }
  pid_ = pid;
}

std::optional<std::string> ChildProcess::death() {
  int status = 0;
  const pid_t reaped = waitpid(pid_, &status, WNOHANG);
  if (reaped == 0 || (reaped < 0 && errno == EINTR)) return std::nullopt;
  pid_ = 0;
  if (reaped < 0) return "ended, nobody knows how";
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  return "exited with status " + std::to_string(WEXITSTATUS(status));
}

std::chrono::nanoseconds ChildProcess::processor_time() const {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

void ChildProcess::end() {
  // A copy of this object in another forked process owns nothing.
  if (pid_ > 0 && owner_ == getpid()) {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = 0;
}

}  // namespace lnverify
