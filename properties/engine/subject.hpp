// Subject: what is under test in this run, in every scalar that it offers.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/kernel.hpp"
#include "engine/kernel_functions.hpp"
#include "engine/property.hpp"

namespace lnverify {

class Subject {
 public:
  // The built-in reference: f16 ... f64 through the C interface in a child process, as for any kernel; mp50
  // here.
  static Subject reference();
  // A shared library; throws BadKernel when it can't be used.
  static Subject library(const std::string& path);
  // A command that speaks the protocol of tools/kernels/python/PROTOCOL.md; throws BadKernel likewise.
  static Subject command(const std::string& command);
  // Functions compiled into this program.
  static Subject functions(const KernelFunctions& functions, const std::string& name);

  const std::string& name() const { return name_; }
  bool is_reference() const { return is_reference_; }
  // The scalars it has at least one function for.
  std::vector<Scalar> scalars() const;
  bool offers(const LawInfo& law, Scalar scalar) const;
  // The kernel in one scalar; lives as long as the subject.
  AnyKernel kernel(Scalar scalar) const;

 private:
  Subject(std::unique_ptr<KernelHost> host, bool is_reference);

  std::unique_ptr<KernelHost> host_;
  std::string name_;
  bool is_reference_;
  bool guards_memory_ = true;  // whether what the kernel does outside of its arrays can be seen
  // Shared by f16, bf16 and f32; by f64; by mp50; by exact.
  mutable std::map<Scalar, std::unique_ptr<Kernel<double>>> narrow_;
  std::unique_ptr<Kernel<layer_norm::mp50>> f64_;
  std::unique_ptr<Kernel<layer_norm::mp100>> mp50_;
  std::unique_ptr<Kernel<layer_norm::exact>> exact_;
};

// One evaluation: calls the law, then lets whatever happened in the kernel's calls outrank what the law says.
Verdict evaluate(const Property& property, const AnyKernel& kernel, const Case& c);

}  // namespace lnverify
