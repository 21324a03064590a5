// Controls: honest kernels in other orders of evaluation. A law that falsifies one of them accuses wrongly.
#include <thread>

#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* honest = "control";

struct Serial : Honest<Serial> {
  static constexpr Entry entry{"serial", honest, "sums in the order of the coordinates", ""};
};

struct Reversed : Honest<Reversed> {
  static constexpr Entry entry{"reversed", honest, "sums from the last coordinate to the first", ""};
  template <class T>
  static T total(const Row<T>& values) {
    T sum(0);
    for (std::size_t i = values.size(); i-- > 0;) sum += values[i];
    return sum;
  }
};

struct Pairwise : Honest<Pairwise> {
  static constexpr Entry entry{"pairwise", honest, "sums by halves", ""};
  template <class T>
  static T part(const T* values, std::size_t count) {
    if (count <= 2) return count == 0 ? T(0) : count == 1 ? values[0] : values[0] + values[1];
    return part(values, count / 2) + part(values + count / 2, count - count / 2);
  }
  template <class T>
  static T total(const Row<T>& values) {
    return part(values.data(), values.size());
  }
};

template <std::size_t lanes>
struct Blocked : Honest<Blocked<lanes>> {
  template <class T>
  static T total(const Row<T>& values) {
    Row<T> sums(lanes);
    for (std::size_t i = 0; i < values.size(); ++i) sums[i % lanes] += values[i];
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t k = 0; k < half; ++k) sums[k] += sums[k + half];
    return sums[0];
  }
};
struct Blocked4 : Blocked<4> {
  static constexpr Entry entry{"blocked_4", honest, "sums in 4 lanes", ""};
};
struct Blocked8 : Blocked<8> {
  static constexpr Entry entry{"blocked_8", honest, "sums in 8 lanes", ""};
};
struct Blocked16 : Blocked<16> {
  static constexpr Entry entry{"blocked_16", honest, "sums in 16 lanes", ""};
};

struct Compensated : Honest<Compensated> {
  static constexpr Entry entry{"compensated", honest, "sums with a compensation for lost bits", ""};
  template <class T>
  static T total(const Row<T>& values) {
    T sum(0);
    T lost(0);
    for (const T& value : values) {
      const T term = value - lost;
      const T next = sum + term;
      lost = (next - sum) - term;
      sum = next;
    }
    return sum - sum == 0 ? sum : Honest::total(values);
  }
};

struct DoubleSums : Honest<DoubleSums> {
  static constexpr Entry entry{"double_sums", honest, "sums of floats in double", ""};
  static float total(const Row<float>& values) {
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value);
    return static_cast<float>(sum);
  }
};

// With every product and sum contracted to a multiply-add that a compiler may contract.
struct Contracted : Honest<Contracted> {
  static constexpr Entry entry{"contracted", honest, "products and sums contracted to multiply-adds", ""};
  static auto variance(const auto& z, auto mean, const auto& p) {
    auto sum = p.n - p.n;
    for (const auto x : z) sum = std::fma(x - mean, x - mean, sum);
    return sum / p.n;
  }
  static auto output(auto u, std::size_t i, const auto& p) { return std::fma(p.gain_at(i), u, p.bias_at(i)); }
  static auto mean_gu(const auto& g, const auto& u, const auto& p) {
    auto sum = p.n - p.n;
    for (std::size_t i = 0; i < p.d; ++i) sum = std::fma(g[i], u[i], sum);
    return sum / p.n;
  }
  static auto gradient(auto g, auto u, auto mean_g, auto mean_gu, auto sigma, std::size_t, const auto&) {
    return std::fma(-u, mean_gu, g - mean_g) / sigma;
  }
};

struct Reciprocal : Honest<Reciprocal> {
  static constexpr Entry entry{"reciprocal", honest, "multiplies by 1/sigma", ""};
  static auto core(auto z, auto mean, auto sigma, std::size_t, const auto&) {
    return (z - mean) * (1 / sigma);
  }
  static auto gradient(auto g, auto u, auto mean_g, auto mean_gu, auto sigma, std::size_t, const auto&) {
    return (g - mean_g - u * mean_gu) * (1 / sigma);
  }
};

struct HonestHalf : Honest<HonestHalf> {
  static constexpr Entry entry{"honest_half", honest, "half storage, statistics in float", ""};
};

struct RoundedCore : Honest<RoundedCore> {
  static constexpr Entry entry{
      "half_with_rounded_core", honest, "half storage; the core is rounded to half before gain and bias", ""};
  static float output(float u, std::size_t i, const Place<float>& p) {
    return p.gain_at(i) * F16::round(u) + p.bias_at(i);
  }
};

struct Threads : Honest<Threads> {
  static constexpr Entry entry{
      "threads", honest, "two threads with a fixed partition, the second half started first", ""};
  template <class Do>
  static void for_rows(std::size_t rows, Do&& one_row) {
    if (rows < 4) return Honest::for_rows(rows, one_row);
    std::thread second([&] {
      for (std::size_t t = rows; t-- > rows / 2;) one_row(t);
    });
    for (std::size_t t = 0; t < rows / 2; ++t) one_row(t);
    second.join();
  }
};

}  // namespace

const std::vector<Mutant>& all_controls() {
  static const std::vector<Mutant> all = {
      both_passes<Serial, Float, Double>(),
      both_passes<Reversed, Float, Double>(),
      both_passes<Pairwise, Float, Double>(),
      both_passes<Blocked4, Float>(),
      both_passes<Blocked8, Float>(),
      both_passes<Blocked16, Float, Double>(),
      both_passes<Compensated, Float>(),
      both_passes<DoubleSums, Float>(),
      both_passes<Contracted, Float, Double>(),
      both_passes<Reciprocal, Float>(),
      both_passes<HonestHalf, F16, BF16>(),
      wrong_forward<RoundedCore, F16>(),
      both_passes<Threads, Float>()};
  return all;
}

}  // namespace lnverify::mutants
