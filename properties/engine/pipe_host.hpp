// A kernel in any language: a command that is started once and serves single calls through its standard input
// and output. The protocol is in tools/kernels/python/PROTOCOL.md.
//
// Whatever comes back instead of an answer (death, garbage, half a frame, wrong sizes, silence) becomes the
// status of the call, and the command is started anew for the next one. The arrays lie in the memory of the
// other process, where nothing can be guarded: stray accesses, changed inputs and outputs that were not
// written can't be seen, and a call in place or from two threads does not exist. Not for use from two
// threads.
#pragma once

#include <map>
#include <string>

#include "kernel_host.hpp"
#include "patience.hpp"
#include "pipe_frames.hpp"
#include "pipe_process.hpp"

namespace lnverify {

class PipeHost : public KernelHost {
 public:
  // A command for /bin/sh. Nothing is started yet. The processor time that counts is that of the process that
  // the shell becomes; in a command of several parts, the last should begin with `exec`.
  explicit PipeHost(std::string command, const Patience& patience = {});

  const KernelInfo& info() override;
  double added_epsilon(double eps) override;
  Reply call(const Call& call) override;

 private:
  struct Answer {
    PipeProcess::Outcome outcome;
    std::string payload{};
  };
  void start();
  [[noreturn]] void refuse(const std::string& reason);
  PipeProcess::Outcome misbehaved(std::string detail);
  // One frame out, one frame of this kind and of at most this size back. After anything but `done` the
  // process is gone.
  Answer ask(const std::string& frame, FrameKind kind, std::uint64_t most);
  Answer answer(FrameKind kind, std::uint64_t most);

  std::string command_;
  Patience patience_;
  PatienceRecord record_;
  PipeProcess process_;
  std::optional<KernelInfo> info_;
  bool tells_epsilon_ = false;
  std::map<double, double> epsilons_;
};

}  // namespace lnverify
