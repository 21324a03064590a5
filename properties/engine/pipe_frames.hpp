// The frames that a kernel in another process and its host exchange: tools/kernels/python/PROTOCOL.md in
// code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_host.hpp"

namespace lnverify {

enum class FrameKind : std::uint32_t { hello = 1, call = 2, result = 3, epsilon = 4, added_epsilon = 5 };

struct FrameHeader {
  FrameKind kind = FrameKind::hello;
  std::uint64_t size = 0;  // of the payload
};

constexpr std::size_t header_size = 16;
// The longest text (a name, the words of an error) that a frame may hold.
constexpr std::size_t most_text = 4096;

// Nothing when the bytes are no header.
std::optional<FrameHeader> parse_header(std::string_view bytes);
// Whether these first bytes of something could be those of a header.
bool looks_like_header(std::string_view bytes);

// What a kernel says of itself.
struct Hello {
  KernelInfo info;
  bool tells_epsilon = false;
};
// Nothing when the payload is too short or offers no function.
std::optional<Hello> parse_hello(std::string_view payload);

// Whole frames, header and payload. `elements` is rows * d.
std::string call_frame(const Call& call, std::size_t elements);
std::string epsilon_frame(double eps);
std::optional<double> parse_added_epsilon(std::string_view payload);

// The size that the payload of a result with status 0 has.
std::uint64_t result_size(const Call& call, std::size_t elements);
// The reply that the payload of a result holds; `failed`, with words, when its size is wrong.
Reply parse_result(std::string_view payload, const Call& call, std::size_t elements);

// The first bytes of what is no frame, as a person can read them: `"Hello" (48 65 6c 6c 6f)`.
std::string readable_bytes(std::string_view bytes);

}  // namespace lnverify
