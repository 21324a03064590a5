#include "engine/draw.hpp"

#include <rapidcheck/Random.h>

#include <bit>

namespace lnverify {

std::string to_string(const CaseKey& key) {
  return std::to_string(key.seed) + ":" + std::to_string(key.index);
}

std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

Draw::Draw(const CaseKey& key, std::string_view property, std::string_view scalar) {
  rc::Random random(rc::Random::Key{key.seed, stable_hash(property), stable_hash(scalar), key.index});
  for (std::uint64_t& word : state_) word = random.next();
}

std::uint64_t Draw::bits() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Draw::below(std::uint64_t n) { return bits() % n; }

int Draw::between(int low, int high) {
  return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low) + 1));
}

bool Draw::chance(std::uint64_t hits, std::uint64_t of) { return below(of) < hits; }

double Draw::sign() { return chance(1, 2) ? 1.0 : -1.0; }

double Draw::significand(int digits) {
  const std::uint64_t drawn = bits();
  if (digits <= 1) return 1.0;
  const std::uint64_t fraction = drawn >> (65 - digits);  // digits - 1 bits
  constexpr int fraction_bits = 52;
  constexpr std::uint64_t one = std::uint64_t{1023} << fraction_bits;
  return std::bit_cast<double>(one | fraction << (fraction_bits + 1 - digits));
}

}  // namespace lnverify
