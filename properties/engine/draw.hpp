// Draw: the stream of random decisions that a case is made of.
//
// Every case has a key, seed:index, and its own stream, derived from the key, the property and the scalar, so
// any case can be made alone. RapidCheck's generator, which is a block cipher, gives the first 256 bits; they
// start a small generator that is some ten times as fast, xoshiro256** (Blackman and Vigna, "Scrambled linear
// pseudorandom number generators", ACM TOMS 47, 2021). Only exact operations are used, so a key gives the
// same bits with every compiler and at every optimization level. Draw one value per statement: the order of
// arguments is not the same everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lnverify {

struct CaseKey {
  std::uint64_t seed = 0;
  std::uint64_t index = 0;
  friend bool operator==(const CaseKey&, const CaseKey&) = default;
};
std::string to_string(const CaseKey& key);

// FNV-1a; part of the stream's definition and of the names of saved cases.
std::uint64_t stable_hash(std::string_view text);

class Draw {
 public:
  Draw(const CaseKey& key, std::string_view property, std::string_view scalar);
  Draw(Draw&&) = default;
  Draw(const Draw&) = delete;  // two copies would draw the same values

  std::uint64_t bits();                               // 64 uniform bits
  std::uint64_t below(std::uint64_t n);               // 0 .. n-1
  int between(int low, int high);                     // low .. high, both included
  bool chance(std::uint64_t hits, std::uint64_t of);  // true in `hits` of `of` draws
  double sign();                                      // +1 or -1
  double significand(int digits);                     // in [1, 2), with at most `digits` bits
  std::size_t permuted_index(std::size_t n) { return static_cast<std::size_t>(below(n)); }
  template <class T>
  const T& pick(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(below(choices.size()))];
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace lnverify
