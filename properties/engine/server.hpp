// A kernel in a child process that is forked from this one and serves single calls on shared memory.
//
// The parent never loads the library: a library may set flush-to-zero for its whole process, and a stray
// write could change a verdict. The child is started when first needed and anew after each death. Not for use
// from two threads.
#pragma once

#include <memory>
#include <string>

#include "kernel_functions.hpp"
#include "kernel_host.hpp"
#include "patience.hpp"

namespace lnverify {

class Server : public KernelHost {
 public:
  // A shared library with the functions of layer_norm/kernel.h. Nothing is loaded yet.
  explicit Server(std::string library_path, const Patience& patience = {});
  // Functions that are compiled into this program; `name` is used where they give none.
  Server(const KernelFunctions& functions, std::string name, const Patience& patience = {});
  ~Server() override;

  const KernelInfo& info() override;
  double added_epsilon(double eps) override;
  Reply call(const Call& call) override;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace lnverify
