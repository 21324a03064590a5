#include "engine/draw.hpp"

#include <rapidcheck/Random.h>

#include <cmath>

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

Draw::Draw(const CaseKey& key, std::string_view property, std::string_view scalar)
    : random_(std::make_unique<rc::Random>(
          rc::Random::Key{key.seed, stable_hash(property), stable_hash(scalar), key.index})) {}
Draw::Draw(const rc::Random& random) : random_(std::make_unique<rc::Random>(random)) {}
Draw::~Draw() = default;
Draw::Draw(Draw&&) noexcept = default;

std::uint64_t Draw::bits() { return random_->next(); }

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
  return 1.0 + std::ldexp(static_cast<double>(fraction), 1 - digits);
}

}  // namespace lnverify
