// A command with pipes at its standard input and output, written to and read from with deadlines.
//
// Nothing here waits for ever, whatever the other side does: reads and writes end when they are done, when
// the process is gone or has closed its end, or when patience is over. The command runs in a process group of
// its own, which is killed as a whole.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "child_process.hpp"
#include "kernel_host.hpp"
#include "patience.hpp"

namespace lnverify {

class PipeProcess {
 public:
  explicit PipeProcess(std::string command) : command_(std::move(command)) {}
  PipeProcess(const PipeProcess&) = delete;
  PipeProcess& operator=(const PipeProcess&) = delete;
  ~PipeProcess() { end(); }

  bool running() const { return child_.running(); }
  // Starts the command by /bin/sh -c; ends a running one first. Throws std::system_error.
  void start();
  void end();

  // What became of an attempt: done, or crashed (the process died), hung, failed (it closed its end), with
  // words.
  struct Outcome {
    CallStatus status = CallStatus::done;
    std::string detail{};
  };
  // The time from here on is what the limits of the attempts that follow are for.
  void begin(const Limits& limits);
  Outcome write(std::string_view bytes);
  // Appends until `bytes` has `size` bytes.
  Outcome read(std::string& bytes, std::size_t size);
  // Bytes that are there to be read now, which nobody waits for.
  std::string unread();
  Patience::Duration taken() const;

 private:
  Outcome wait(int file, short events);
  Outcome closed(const char* what);

  std::string command_;
  ChildProcess child_;
  pid_t owner_ = 0;
  int to_ = -1;
  int from_ = -1;
  int life_ = -1;  // open while this process lives: the command does not outlive it
  Limits limits_;
  std::chrono::steady_clock::time_point begin_;
  bool looked_ = false;
  Patience::Duration used_at_first_look_{0};
  Patience::Duration used_{0};
};

}  // namespace lnverify
