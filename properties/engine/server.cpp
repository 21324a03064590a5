#include "server.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "child.hpp"
#include "child_process.hpp"
#include "faults.hpp"
#include "one_line.hpp"
#include "placed_arrays.hpp"
#include "shared_region.hpp"

namespace lnverify {

namespace {

using Clock = std::chrono::steady_clock;

// Between looks at whether the child is alive and how much processor time it has used.
constexpr std::chrono::milliseconds watch_interval(20);

}  // namespace

class Server::Implementation {
 public:
  Implementation(KernelSource source, const Patience& patience)
      : source_(std::move(source)), patience_(patience), record_(patience), arrays_(region_) {}

  const KernelInfo& info();
  double added_epsilon(double eps);
  Reply call(const Call& call);

 private:
  // Why there was no answer: crashed (with or without a fault) or hung.
  struct Silence {
    CallStatus status = CallStatus::crashed;
    std::string detail;
    std::optional<Fault> fault;
  };

  void start();
  [[noreturn]] void refuse(const std::string& reason) const;
  std::optional<Silence> ask(const Limits& limits);
  std::optional<Silence> ended_turn();
  Reply reply_of_silence(const Silence& silence) const;
  Reply reply_of_answer(int returned) const;

  KernelSource source_;
  Patience patience_;
  PatienceRecord record_;
  SharedRegion region_;
  PlacedArrays arrays_;
  ChildProcess child_;
  Spinner spinner_;
  std::optional<KernelInfo> info_;
  bool tells_epsilon_ = false;
  Patience::Duration taken_{0};  // by the last request that was answered
  std::map<double, double> epsilons_;
};

void Server::Implementation::start() {
  if (child_.running()) return;
  Control& control = region_.control();
  control.introduction = Introduction{};
  control.turn.reset(Holder::child);
  child_.start([&control, this, parent = getpid()] { serve_kernel(control, source_, parent); });
  if (const auto silence = ask({patience_.first, patience_.first_wall}))
    refuse("the process that loaded it " + silence->detail);
  const Introduction introduction = control.introduction;
  const std::string text(introduction.text.data());
  if (!introduction.usable) {
    child_.end();
    refuse(text);
  }
  info_ = KernelInfo{
      .name = one_line(text),
      .forward = introduction.forward,
      .backward = introduction.backward,
      .in_place = introduction.in_place,
      .threads = introduction.threads};
  tells_epsilon_ = introduction.tells_epsilon;
  record_.restarted();
}

void Server::Implementation::refuse(const std::string& reason) const {
  const std::string& path = source_.library_path;
  const std::string what = path.empty() ? "kernel " + source_.name : "kernel library " + path;
  // dlerror often starts with the path itself.
  const std::string rest =
      !path.empty() && reason.starts_with(path + ": ") ? reason.substr(path.size() + 2) : reason;
  throw BadKernel(what + ": " + one_line(rest));
}

// Waits for the answer to the request that the child holds. After a silence the child is dead and reaped.
std::optional<Server::Implementation::Silence> Server::Implementation::ask(const Limits& limits) {
  const auto begin = Clock::now();
  std::optional<Patience::Duration> used_at_first_look;
  Patience::Duration used{0};
  while (!region_.control().turn.wait_for_parent_turn(spinner_, watch_interval)) {
    if (const auto death = child_.death()) {
      // It may have answered, or recorded its fault, just before.
      if (region_.control().turn.holder() != Holder::child) break;
      return Silence{CallStatus::crashed, *death, std::nullopt};
    }
    const Patience::Duration now = child_.processor_time();
    if (!used_at_first_look) used_at_first_look = now;
    used = now - *used_at_first_look;
    if (const auto words = end_of_patience(limits, used, Clock::now() - begin)) {
      child_.end();
      return Silence{CallStatus::hung, *words, std::nullopt};
    }
  }
  taken_ = Clock::now() - begin;
  if (used_at_first_look) taken_ = std::min<Patience::Duration>(taken_, used + watch_interval);
  return ended_turn();
}

std::optional<Server::Implementation::Silence> Server::Implementation::ended_turn() {
  if (region_.control().turn.holder() != Holder::parent_by_fault) return std::nullopt;
  child_.end();
  const Fault fault = region_.control().fault;
  return Silence{CallStatus::crashed, describe(fault), fault};
}

const KernelInfo& Server::Implementation::info() {
  if (!info_) start();
  return *info_;
}

double Server::Implementation::added_epsilon(double eps) {
  if (!info_) start();
  if (!tells_epsilon_) return eps;
  if (const auto known = epsilons_.find(eps); known != epsilons_.end()) return known->second;
  start();
  Control& control = region_.control();
  control.request.kind = Request::Kind::epsilon;
  control.request.eps = eps;
  control.turn.give(Holder::child);
  if (const auto silence = ask({patience_.early, patience_.wall}))
    refuse(fmt::format("asked what epsilon it adds for {}, it gave no answer: {}", eps, silence->detail));
  const double told = control.epsilon;
  if (const auto fault = fault_of_epsilon(eps, told)) refuse(*fault);
  return epsilons_[eps] = told;
}

Reply Server::Implementation::call(const Call& call) {
  if (!info().has(call.operation, call.scalar))
    return {
        .status = CallStatus::unsupported,
        .detail = fmt::format("the kernel does not offer {} in {}", name(call.operation), name(call.scalar))};
  arrays_.place(call);
  start();
  Control& control = region_.control();
  control.request = {
      .kind = Request::Kind::call,
      .operation = call.operation,
      .scalar = call.scalar,
      .rows = call.rows,
      .d = call.d,
      .eps = call.eps,
      .arrays = arrays_.addresses()};
  control.turn.give(Holder::child);
  const std::size_t threads = call.operation == Operation::forward_two_threads ? 2 : 1;
  if (const auto silence = ask({record_.processor_limit(threads * call.rows * call.d), record_.wall_limit()}))
    return reply_of_silence(*silence);
  record_.finished(taken_);
  return reply_of_answer(control.returned);
}

Reply Server::Implementation::reply_of_silence(const Silence& silence) const {
  Reply reply{.status = silence.status, .detail = silence.detail};
  if (silence.fault && silence.fault->address_known && region_.is_guarded(silence.fault->address)) {
    reply.status = CallStatus::out_of_bounds;
    reply.detail = arrays_.describe_access(silence.fault->address, access_verb(*silence.fault));
  } else if (const auto stray = arrays_.stray_write()) {
    // The crash is most likely a consequence.
    reply.status = CallStatus::out_of_bounds;
    reply.detail = *stray + ", then: " + silence.detail;
  }
  return reply;
}

Reply Server::Implementation::reply_of_answer(int returned) const {
  if (const auto stray = arrays_.stray_write())
    return {.status = CallStatus::out_of_bounds, .detail = *stray};
  if (returned != 0)
    return {
        .status = returned < 0 ? CallStatus::failed : CallStatus::unsupported,
        .detail = fmt::format("returned {}", returned)};
  if (const auto scribble = arrays_.scribble()) return {.status = CallStatus::scribbled, .detail = *scribble};
  if (const auto gap = arrays_.unwritten()) return {.status = CallStatus::not_written, .detail = *gap};
  Reply reply;
  arrays_.read_outputs(reply);
  return reply;
}

Server::Server(std::string library_path, const Patience& patience) {
  KernelSource source;
  source.name = std::filesystem::path(library_path).filename().string();
  source.library_path = std::move(library_path);
  implementation_ = std::make_unique<Implementation>(std::move(source), patience);
}

Server::Server(const KernelFunctions& functions, std::string name, const Patience& patience) {
  KernelSource source;
  source.functions = functions;
  source.name = std::move(name);
  implementation_ = std::make_unique<Implementation>(std::move(source), patience);
}

Server::~Server() = default;

const KernelInfo& Server::info() { return implementation_->info(); }
double Server::added_epsilon(double eps) { return implementation_->added_epsilon(eps); }
Reply Server::call(const Call& call) { return implementation_->call(call); }

}  // namespace lnverify
