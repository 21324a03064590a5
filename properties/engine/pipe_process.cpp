#include "pipe_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace lnverify {

namespace {

using Clock = std::chrono::steady_clock;

// Between looks at whether the process is alive and how much processor time it has used.
constexpr int watch_milliseconds = 20;
// A process that closes its output is most likely ending; this long its exit status is waited for.
constexpr int looks_for_death = 25;

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  return {ends[0], ends[1]};
}

void close_end(int& file) {
  if (file >= 0) close(file);
  file = -1;
}

// Waits until nobody holds the other end of the pipe, then kills its own process group.
[[noreturn]] void outlive(int life) {
  dup2(life, STDIN_FILENO);
  close_range(STDOUT_FILENO, ~0U, 0);  // it must hold no end of the pipes that others wait on
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) {
  }
  kill(0, SIGKILL);
  _exit(0);
}

// In the new process. Only functions that are safe between fork and exec.
[[noreturn]] void become(const char* command, int input, int output, const Pipe& life) {
  setpgid(0, 0);
  close(life.write);
  // A signal at the parent's death would reach the shell alone, not what it started. Nobody's child, so that
  // the command waits for none but its own.
  const pid_t between = fork();
  if (between == 0) {
    if (fork() == 0) outlive(life.read);
    _exit(0);
  }
  waitpid(between, nullptr, 0);
  signal(SIGPIPE, SIG_DFL);  // an ignored signal would stay ignored in the command
  if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0)
    execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

void PipeProcess::start() {
  end();
  signal(SIGPIPE, SIG_IGN);  // writing to a process that is gone is an answer, not a reason to die
  Pipe input = make_pipe();
  Pipe output = make_pipe();
  Pipe life = make_pipe();
  child_.start([&] { become(command_.c_str(), input.read, output.write, life); });
  owner_ = getpid();
  setpgid(child_.id(), child_.id());  // here too, so that it is done whoever comes first
  close_end(input.read);
  close_end(output.write);
  close_end(life.read);
  life_ = life.write;
  to_ = input.write;
  from_ = output.read;
  fcntl(to_, F_SETFL, O_NONBLOCK);
  fcntl(from_, F_SETFL, O_NONBLOCK);
}

void PipeProcess::end() {
  close_end(to_);
  close_end(from_);
  // A copy of this object in another forked process owns no process.
  if (owner_ == getpid() && child_.running()) kill(-child_.id(), SIGKILL);
  close_end(life_);
  child_.end();
}

void PipeProcess::begin(const Limits& limits) {
  limits_ = limits;
  begin_ = Clock::now();
  looked_ = false;
  used_ = Patience::Duration{0};
}

Patience::Duration PipeProcess::taken() const {
  const Patience::Duration passed = Clock::now() - begin_;
  return looked_
             ? std::min<Patience::Duration>(passed, used_ + 2 * std::chrono::milliseconds(watch_milliseconds))
             : passed;
}

PipeProcess::Outcome PipeProcess::wait(int file, short events) {
  for (;;) {
    pollfd watched{file, events, 0};
    const int ready = poll(&watched, 1, watch_milliseconds);
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
    const Patience::Duration now = child_.processor_time();
    if (!looked_) used_at_first_look_ = now;
    looked_ = true;
    used_ = now - used_at_first_look_;
    if (const auto words = end_of_patience(limits_, used_, Clock::now() - begin_)) {
      end();
      return {CallStatus::hung, *words};
    }
  }
}

PipeProcess::Outcome PipeProcess::closed(const char* what) {
  for (int look = 0; look < looks_for_death; ++look) {
    if (const auto death = child_.death()) {
      end();
      return {CallStatus::crashed, *death};
    }
    poll(nullptr, 0, watch_milliseconds);
  }
  end();
  return {CallStatus::failed, what};
}

PipeProcess::Outcome PipeProcess::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t step = ::write(to_, bytes.data(), bytes.size());
    if (step > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(step));
    } else if (step < 0 && errno == EAGAIN) {
      if (const Outcome outcome = wait(to_, POLLOUT); outcome.status != CallStatus::done) return outcome;
    } else if (step < 0 && errno != EINTR) {
      return closed("closed its standard input");
    }
  }
  return {};
}

PipeProcess::Outcome PipeProcess::read(std::string& bytes, std::size_t size) {
  while (bytes.size() < size) {
    const std::size_t start = bytes.size();
    bytes.resize(size);
    const ssize_t step = ::read(from_, bytes.data() + start, size - start);
    const int error = errno;
    bytes.resize(start + static_cast<std::size_t>(std::max<ssize_t>(step, 0)));
    if (step == 0) return closed("closed its standard output");
    if (step > 0 || error == EINTR) continue;
    if (error != EAGAIN) return closed("can't be read from");
    if (const Outcome outcome = wait(from_, POLLIN); outcome.status != CallStatus::done) return outcome;
  }
  return {};
}

std::string PipeProcess::unread() {
  std::array<char, 64> bytes{};
  const ssize_t step = ::read(from_, bytes.data(), bytes.size());
  return step > 0 ? std::string(bytes.data(), static_cast<std::size_t>(step)) : std::string();
}

}  // namespace lnverify
