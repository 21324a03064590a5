#include "pipe_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "array_codec.hpp"
#include "one_line.hpp"

namespace lnverify {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied into frames as they are");

constexpr std::string_view magic = "LNK1";
constexpr std::uint32_t tells_epsilon_bit = 1;

enum Present : std::uint32_t { gain_bit = 1, bias_bit = 2, dz_bit = 4, dgain_bit = 8, dbias_bit = 16 };

template <class T>
void put(std::string& to, T value) {
  std::array<char, sizeof value> bytes;
  std::memcpy(bytes.data(), &value, sizeof value);
  to.append(bytes.data(), bytes.size());
}

template <class T>
T get(std::string_view from, std::size_t offset) {
  T value;
  std::memcpy(&value, from.data() + offset, sizeof value);
  return value;
}

std::string frame(FrameKind kind, const std::string& payload) {
  std::string bytes(magic);
  bytes.reserve(header_size + payload.size());
  put(bytes, static_cast<std::uint32_t>(kind));
  put(bytes, static_cast<std::uint64_t>(payload.size()));
  return bytes + payload;
}

void put_values(std::string& to, Scalar scalar, const double* values, std::size_t count) {
  if (values == nullptr || count == 0) return;
  const std::size_t start = to.size();
  to.resize(start + count * element_size(scalar));
  encode(scalar, std::span(values, count), reinterpret_cast<std::byte*>(to.data() + start));
}

std::uint32_t present(const Call& call) {
  std::uint32_t bits = call.gain != nullptr ? gain_bit : 0U;
  if (call.operation != Operation::backward) return bits | (call.bias != nullptr ? bias_bit : 0U);
  return bits | (call.want_dz ? dz_bit : 0U) | (call.want_dgain ? dgain_bit : 0U) |
         (call.want_dbias ? dbias_bit : 0U);
}

Reply refused(std::int32_t status, std::string_view words) {
  return {
      .status = status < 0 ? CallStatus::failed : CallStatus::unsupported,
      .detail = words.empty() ? fmt::format("returned {}", status) : one_line(words.substr(0, most_text))};
}

}  // namespace

std::optional<FrameHeader> parse_header(std::string_view bytes) {
  if (bytes.size() < header_size || !bytes.starts_with(magic)) return std::nullopt;
  const auto kind = get<std::uint32_t>(bytes, 4);
  if (kind < static_cast<std::uint32_t>(FrameKind::hello) ||
      kind > static_cast<std::uint32_t>(FrameKind::added_epsilon))
    return std::nullopt;
  return FrameHeader{static_cast<FrameKind>(kind), get<std::uint64_t>(bytes, 8)};
}

bool looks_like_header(std::string_view bytes) {
  const std::size_t known = std::min(bytes.size(), magic.size());
  return bytes.substr(0, known) == magic.substr(0, known);
}

std::optional<Hello> parse_hello(std::string_view payload) {
  if (payload.size() < 8) return std::nullopt;
  const auto functions = get<std::uint32_t>(payload, 0);
  Hello hello;
  for (std::size_t i = 0; i < hello.info.forward.size(); ++i) {
    hello.info.forward[i] = (functions >> i & 1U) != 0;
    hello.info.backward[i] = (functions >> (i + 4) & 1U) != 0;
  }
  if ((functions & 0xFFU) == 0) return std::nullopt;
  hello.tells_epsilon = (get<std::uint32_t>(payload, 4) & tells_epsilon_bit) != 0;
  hello.info.name = one_line(payload.substr(8).substr(0, most_text));
  return hello;
}

std::string call_frame(const Call& call, std::size_t elements) {
  std::string payload;
  put(payload, static_cast<std::uint32_t>(call.operation == Operation::backward ? 1 : 0));
  put(payload, static_cast<std::uint32_t>(call.scalar));
  put(payload, static_cast<std::uint64_t>(call.rows));
  put(payload, static_cast<std::uint64_t>(call.d));
  put(payload, call.eps);
  put(payload, present(call));
  put(payload, std::uint32_t{0});
  put_values(payload, call.scalar, call.z, elements);
  put_values(payload, call.scalar, call.gain, call.d);
  if (call.operation == Operation::backward)
    put_values(payload, call.scalar, call.dy, elements);
  else
    put_values(payload, call.scalar, call.bias, call.d);
  return frame(FrameKind::call, payload);
}

std::string epsilon_frame(double eps) {
  std::string payload;
  put(payload, eps);
  return frame(FrameKind::epsilon, payload);
}

std::optional<double> parse_added_epsilon(std::string_view payload) {
  if (payload.size() != sizeof(double)) return std::nullopt;
  return get<double>(payload, 0);
}

std::uint64_t result_size(const Call& call, std::size_t elements) {
  std::size_t count = elements;
  if (call.operation == Operation::backward)
    count = (call.want_dz ? elements : 0) + (call.want_dgain ? call.d : 0) + (call.want_dbias ? call.d : 0);
  return 8 + count * element_size(call.scalar);
}

Reply parse_result(std::string_view payload, const Call& call, std::size_t elements) {
  if (payload.size() < 8)
    return {
        .status = CallStatus::failed,
        .detail = fmt::format("sent a result of {} bytes, which is shorter than its status", payload.size())};
  if (const auto status = get<std::int32_t>(payload, 0); status != 0)
    return refused(status, payload.substr(8));
  if (payload.size() != result_size(call, elements))
    return {
        .status = CallStatus::failed,
        .detail = fmt::format(
            "sent a result of {} bytes where {} were expected", payload.size(), result_size(call, elements))};
  const auto* bytes = reinterpret_cast<const std::byte*>(payload.data() + 8);
  const auto values = [&](std::size_t count) {
    std::vector<double> result = decode(call.scalar, bytes, count);
    bytes += count * element_size(call.scalar);
    return result;
  };
  Reply reply;
  if (call.operation != Operation::backward) {
    reply.y = values(elements);
    return reply;
  }
  if (call.want_dz) reply.dz = values(elements);
  if (call.want_dgain) reply.dgain = values(call.d);
  if (call.want_dbias) reply.dbias = values(call.d);
  return reply;
}

std::string readable_bytes(std::string_view bytes) {
  std::string text;
  std::string codes;
  for (const char c : bytes.substr(0, header_size)) {
    text += c >= ' ' && c <= '~' ? c : '.';
    codes += fmt::format("{}{:02x}", codes.empty() ? "" : " ", static_cast<unsigned char>(c));
  }
  return fmt::format("\"{}\" ({})", text, codes);
}

}  // namespace lnverify
