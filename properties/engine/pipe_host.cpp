#include "pipe_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "placed_arrays.hpp"

namespace lnverify {

PipeHost::PipeHost(std::string command, const Patience& patience)
    : command_(std::move(command)), patience_(patience), record_(patience), process_(command_) {}

void PipeHost::refuse(const std::string& reason) {
  process_.end();
  throw BadKernel(fmt::format("kernel command '{}': {}", command_, reason));
}

PipeProcess::Outcome PipeHost::misbehaved(std::string detail) {
  process_.end();
  return {CallStatus::failed, std::move(detail)};
}

PipeHost::Answer PipeHost::answer(FrameKind kind, std::uint64_t most) {
  std::string bytes;
  if (auto outcome = process_.read(bytes, header_size); outcome.status != CallStatus::done) {
    if (bytes.empty()) return {std::move(outcome)};
    const std::string sent = looks_like_header(bytes)
                                 ? fmt::format("{} of the {} bytes of a header", bytes.size(), header_size)
                                 : readable_bytes(bytes) + " instead of a frame";
    outcome.detail = fmt::format("sent {}, then: {}", sent, outcome.detail);
    return {std::move(outcome)};
  }
  const auto header = parse_header(bytes);
  if (!header) return {misbehaved("sent " + readable_bytes(bytes) + " instead of a frame")};
  if (header->kind != kind)
    return {misbehaved(fmt::format(
        "sent a frame of kind {} where {} was expected", static_cast<int>(header->kind),
        static_cast<int>(kind)))};
  if (header->size > most)
    return {misbehaved(
        fmt::format("announced a frame of {} bytes where at most {} were expected", header->size, most))};
  bytes.clear();
  if (auto outcome = process_.read(bytes, header->size); outcome.status != CallStatus::done) {
    outcome.detail = fmt::format(
        "sent {} of the {} bytes that it announced, then: {}", bytes.size(), header->size, outcome.detail);
    return {std::move(outcome)};
  }
  return {{}, std::move(bytes)};
}

PipeHost::Answer PipeHost::ask(const std::string& frame, FrameKind kind, std::uint64_t most) {
  if (const std::string stray = process_.unread(); !stray.empty())
    return {misbehaved("sent " + readable_bytes(stray) + " that nobody had asked for")};
  if (auto outcome = process_.write(frame); outcome.status != CallStatus::done) return {std::move(outcome)};
  return answer(kind, most);
}

void PipeHost::start() {
  if (process_.running()) return;
  process_.start();
  process_.begin({patience_.first, patience_.first_wall});
  const Answer first = answer(FrameKind::hello, 8 + most_text);
  if (first.outcome.status != CallStatus::done) refuse(first.outcome.detail);
  const auto hello = parse_hello(first.payload);
  if (!hello) refuse("its hello offers no function");
  info_ = hello->info;
  if (info_->name.empty()) info_->name = command_;
  tells_epsilon_ = hello->tells_epsilon;
  record_.restarted();
}

const KernelInfo& PipeHost::info() {
  if (!info_) start();
  return *info_;
}

double PipeHost::added_epsilon(double eps) {
  info();
  if (!tells_epsilon_) return eps;
  if (const auto known = epsilons_.find(eps); known != epsilons_.end()) return known->second;
  start();
  process_.begin({patience_.early, patience_.wall});
  const Answer told = ask(epsilon_frame(eps), FrameKind::added_epsilon, sizeof(double));
  const std::optional<double> added = parse_added_epsilon(told.payload);
  if (!added) refuse(fmt::format("asked what epsilon it adds for {}, it gave no answer", eps));
  if (const auto fault = fault_of_epsilon(eps, *added)) refuse(*fault);
  return epsilons_[eps] = *added;
}

Reply PipeHost::call(const Call& call) {
  const std::size_t elements = checked_size(call);
  if (!info().has(call.operation, call.scalar))
    return {
        .status = CallStatus::unsupported,
        .detail = fmt::format("the kernel does not offer {} in {}", name(call.operation), name(call.scalar))};
  start();
  process_.begin({record_.processor_limit(elements), record_.wall_limit()});
  const Answer result =
      ask(call_frame(call, elements), FrameKind::result,
          std::max<std::uint64_t>(result_size(call, elements), 8 + most_text));
  if (result.outcome.status != CallStatus::done)
    return {.status = result.outcome.status, .detail = result.outcome.detail};
  record_.finished(process_.taken());
  return parse_result(result.payload, call, elements);
}

}  // namespace lnverify
