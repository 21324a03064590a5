// Accesses outside of the arrays, writes to inputs, misaligned vector loads, undersized scratch, aliasing.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* memory = "out of bounds, misaligned, undersized scratch";

// A load that the compiler must not leave out.
template <class T>
void touch(const T* address) {
  static_cast<void>(*static_cast<const volatile T*>(address));
}

struct WritesPast : Honest<WritesPast> {
  static constexpr Entry entry{
      "writes_past_the_end", memory, "the last vector of 4 is stored whole", "attorch#18"};
  template <class Call>
  static void after(const Call& call) {
    const std::size_t size = call.rows * call.d;
    for (std::size_t i = size; i < (size + 3) / 4 * 4; ++i) call.y[i] = 0;
  }
};

struct WritesBefore : Honest<WritesBefore> {
  static constexpr Entry entry{
      "writes_before_the_start", memory, "a row counted from 1 is stored one element early",
      "pytorch#193016"};
  template <class Call>
  static void after(const Call& call) {
    if (call.rows > 0) *(call.y - 1) = 0;
  }
};

struct ReadsPast : Honest<ReadsPast> {
  static constexpr Entry entry{
      "reads_past_the_end", memory, "the last vector of 8 is loaded whole", "attorch#18"};
  template <class Call>
  static void after(const Call& call) {
    const std::size_t size = call.rows * call.d;
    for (std::size_t i = size; i < (size + 7) / 8 * 8; ++i) touch(call.z + i);
  }
};

struct ReadsBefore : Honest<ReadsBefore> {
  static constexpr Entry entry{
      "reads_before_the_start", memory, "a prefetch reads the element before the row", "pytorch#193016"};
  template <class Call>
  static void after(const Call& call) {
    if (call.rows > 0) touch(call.z - 1);
  }
};

struct ReadsGainPast : Honest<ReadsGainPast> {
  static constexpr Entry entry{
      "reads_past_the_gain", memory, "the gain is loaded in whole vectors of 8", "attorch#18"};
  template <class Call>
  static void after(const Call& call) {
    if (call.gain == nullptr || call.rows == 0) return;
    for (std::size_t i = call.d; i < (call.d + 7) / 8 * 8; ++i) touch(call.gain + i);
  }
};

struct AlignedLoads : Honest<AlignedLoads> {
  static constexpr Entry entry{
      "aligned_loads", memory, "vectors of 16 bytes are loaded with an instruction that wants alignment",
      "pytorch#193016"};
  // Dies as the instruction does, whatever this is compiled for.
  template <class Call>
  static int before(const Call& call) {
    if (call.rows * call.d >= 4 && reinterpret_cast<std::uintptr_t>(call.z) % 16 != 0) __builtin_trap();
    return 0;
  }
};

struct Scribbles : Honest<Scribbles> {
  static constexpr Entry entry{
      "input_overwritten", memory, "the centred row is written back into z", "attorch#18"};
  template <class Call>
  static void after(const Call& call) {
    if (call.rows > 0) const_cast<typename Call::element*>(call.z)[0] += 1;
  }
};

struct ScribblesUpstream : Honest<ScribblesUpstream> {
  static constexpr Entry entry{
      "upstream_overwritten", memory, "the backward pass uses dy for scratch", "attorch#18"};
  template <class Call>
  static void after(const Call& call) {
    if (call.rows > 0) const_cast<typename Call::element*>(call.dy)[call.rows * call.d - 1] = 0;
  }
};

struct SmallScratch : Honest<SmallScratch> {
  static constexpr Entry entry{"scratch_of_256_elements",
                               memory,
                               "the scratch holds 256 elements, whatever d",
                               "attorch#18",
                               "",
                               false};
  // One page that ends before a forbidden one, so that the fault does not depend on what lies behind.
  template <class Call>
  static void after(const Call& call) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    static char* const pages = static_cast<char*>(
        ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(pages + page, page, PROT_NONE);
    std::memset(pages + page - 256 * sizeof(*call.z), 0, call.d * sizeof(*call.z));
  }
};

struct ParametersPast : Honest<ParametersPast> {
  static constexpr Entry entry{
      "dgain_written_past_the_end", memory, "dgain is stored in whole vectors of 4", "pytorch#193016"};
  template <class Call>
  static void after(const Call& call) {
    if (call.dgain == nullptr) return;
    for (std::size_t i = call.d; i < (call.d + 3) / 4 * 4; ++i) call.dgain[i] = 0;
  }
};

// Three passes, the last of which reads z again: wrong when y is z.
struct Aliased {
  static constexpr Entry entry{
      "in_place_rereads_z", "aliasing", "declares that y may be z, but re-reads z after writing y",
      "tt-mlir#8561", "in_place"};
  static int forward(
      std::size_t rows, std::size_t d, const float* z, const float* gain, const float* bias, float eps,
      float* y) {
    for (std::size_t t = 0; t < rows; ++t) {
      const float* row = z + t * d;
      float* out = y + t * d;
      float mean = 0;
      for (std::size_t i = 0; i < d; ++i) mean += row[i];
      mean /= static_cast<float>(d);
      float q = 0;
      for (std::size_t i = 0; i < d; ++i) out[i] = (row[i] - mean) * (row[i] - mean);
      for (std::size_t i = 0; i < d; ++i) q += out[i];
      const float sigma = std::sqrt(q / static_cast<float>(d) + eps);
      for (std::size_t i = 0; i < d; ++i)
        out[i] =
            (gain == nullptr ? 1 : gain[i]) * ((row[i] - mean) / sigma) + (bias == nullptr ? 0 : bias[i]);
    }
    return 0;
  }
};

struct Swallowed : Honest<Swallowed> {
  static constexpr Entry entry{
      "in_place_returns_early", "aliasing", "declares that y may be z, and takes y = z for work done",
      "tt-mlir#8561", "in_place"};
  template <class Call>
  static void after(const Call& call) {
    if (call.rows > 0 && call.y == call.z) call.y[0] = call.y[call.d - 1];
  }
};

Mutant in_place(Mutant mutant) {
  mutant.functions.traits = declares_in_place;
  return mutant;
}

Mutant aliased() {
  Mutant mutant{Aliased::entry, {}};
  mutant.functions.forward_f32 = Aliased::forward;
  return in_place(mutant);
}

}  // namespace

std::vector<Mutant> memory_faults() {
  return {
      wrong_forward<WritesPast, Float, F16>(),
      wrong_forward<WritesBefore, Float>(),
      wrong_forward<ReadsPast, Float, Double>(),
      wrong_forward<ReadsBefore, Float>(),
      wrong_forward<ReadsGainPast, Float>(),
      wrong_forward<AlignedLoads, Float>(),
      wrong_forward<Scribbles, Float>(),
      wrong_backward<ScribblesUpstream, Float>(),
      wrong_forward<SmallScratch, Float>(),
      wrong_backward<ParametersPast, Float>(),
      aliased(),
      in_place(wrong_forward<Swallowed, Float>())};
}

}  // namespace lnverify::mutants
