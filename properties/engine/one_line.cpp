#include "engine/one_line.hpp"

#include <cstddef>

namespace lnverify {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// The length of the UTF-8 sequence that begins the text, 0 where none does. Overlong forms, surrogates and
// what lies beyond U+10FFFF are none (RFC 3629).
std::size_t sequence_length(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, i) & 0xC0U) != 0x80) return 0;
  const unsigned char second = byte_at(text, 1);
  const bool excluded = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return excluded ? 0 : length;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const bool control = length == 1 && (byte_at(text, 0) < 0x20 || byte_at(text, 0) == 0x7F);
    const bool high_control = length == 2 && byte_at(text, 0) == 0xC2 && byte_at(text, 1) < 0xA0;
    if (length == 0)
      line += '?';
    else if (control || high_control)
      line += ' ';
    else
      line += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return line;
}

}  // namespace lnverify
