#include "engine/subject.hpp"

#include <algorithm>

#include "engine/pipe_host.hpp"
#include "engine/reference_kernel.hpp"
#include "engine/server.hpp"

namespace lnverify {
namespace {

Failure failure_of(CallStatus status) {
  switch (status) {
    case CallStatus::done:
    case CallStatus::unsupported:
      return Failure::none;
    case CallStatus::not_written:
      return Failure::not_written;
    case CallStatus::scribbled:
      return Failure::scribbled;
    case CallStatus::out_of_bounds:
      return Failure::out_of_bounds;
    case CallStatus::crashed:
      return Failure::crashed;
    case CallStatus::hung:
      return Failure::hung;
    case CallStatus::failed:
      return Failure::failed;
  }
  return Failure::failed;
}

// Exact arithmetic has no NaN: a row that is undefined there throws, and says nothing about the law.
Verdict checked(const Property& property, const AnyKernel& kernel, const Case& c) {
  if (!std::holds_alternative<const Kernel<layer_norm::exact>*>(kernel)) return property.check(kernel, c);
  try {
    return property.check(kernel, c);
  } catch (const std::domain_error& error) {
    return discard(std::string("undefined in exact arithmetic: ") + error.what());
  }
}

}  // namespace

Subject::Subject(std::unique_ptr<KernelHost> host, bool is_reference)
    : host_(std::move(host)), name_(host_->info().name), is_reference_(is_reference) {
  for (const Scalar scalar : {Scalar::f16, Scalar::bf16, Scalar::f32})
    narrow_[scalar] = std::make_unique<Kernel<double>>(scalar, host_.get());
  f64_ = std::make_unique<Kernel<layer_norm::mp50>>(Scalar::f64, host_.get());
  if (!is_reference) return;
  mp50_ = std::make_unique<Kernel<layer_norm::mp100>>(Scalar::mp50, nullptr);
  exact_ = std::make_unique<Kernel<layer_norm::exact>>(Scalar::exact, nullptr);
}

Subject Subject::reference() {
  return Subject(std::make_unique<Server>(reference_functions(), "reference"), true);
}

Subject Subject::library(const std::string& path) { return Subject(std::make_unique<Server>(path), false); }

Subject Subject::command(const std::string& command) {
  Subject subject(std::make_unique<PipeHost>(command), false);
  subject.guards_memory_ = false;
  return subject;
}

Subject Subject::functions(const KernelFunctions& functions, const std::string& name) {
  return Subject(std::make_unique<Server>(functions, name), false);
}

std::vector<Scalar> Subject::scalars() const {
  std::vector<Scalar> result;
  for (const Scalar scalar : machine_scalars())
    if (host_->info().has(Operation::forward, scalar) || host_->info().has(Operation::backward, scalar))
      result.push_back(scalar);
  if (is_reference_) result.insert(result.end(), {Scalar::mp50, Scalar::exact});
  return result;
}

bool Subject::offers(const LawInfo& law, Scalar scalar) const {
  if (std::find(law.scalars.begin(), law.scalars.end(), scalar) == law.scalars.end()) return false;
  if (!guards_memory_ && (law.id == "memory" || law.id == "gradient_memory")) return false;
  if (law.exercises == Exercises::library) return is_reference_;
  if (scalar == Scalar::mp50 || scalar == Scalar::exact) return is_reference_;
  return host_->info().has(
      law.exercises == Exercises::backward ? Operation::backward : Operation::forward, scalar);
}

AnyKernel Subject::kernel(Scalar scalar) const {
  if (scalar == Scalar::mp50) return mp50_.get();
  if (scalar == Scalar::exact) return exact_.get();
  if (scalar == Scalar::f64) return f64_.get();
  return narrow_.at(scalar).get();
}

Verdict evaluate(const Property& property, const AnyKernel& any, const Case& c) {
  return std::visit(
      [&](const auto* kernel) {
        kernel->begin(c.placement);
        Verdict verdict = checked(property, any, c);
        const CallRecord& record = kernel->record();
        if (record.worst == CallStatus::done) return verdict;
        if (record.worst == CallStatus::unsupported) {
          verdict = discard("not supported: " + record.detail);
          verdict.not_supported = true;
          return verdict;
        }
        return falsified(failure_of(record.worst), record.detail);
      },
      any);
}

}  // namespace lnverify
