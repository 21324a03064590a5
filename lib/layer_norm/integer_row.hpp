// One row of doubles in integers: every quantity of layer normalization as a sum of signed roots.
//
// Let z_i = X_i 2^g with integers X_i, S = sum X_i, V_i = d X_i - S, P = d sum X_i^2 - S^2, and
// D = (P + eps d^2 2^(-2g)) 2^s with the least s >= 0 that makes it an integer. Then, with V_i 2^g = d v_i,
// P 2^(2g) = d^2 q and D 2^(2g - s) = d^2 (q + eps):
//   mean = S 2^g / d                     variance = P 2^(2g) / d^2
//   rstd = sqrt(d^2 2^(s - 2g) / D)      u_i = sign(V_i) sqrt(V_i^2 2^s / D)
// and for integers G_i with g_i = G_i 2^h, T = sum G_i, W = sum G_i V_i, the backward pass
// dz_i = (g_i - mean(g) - u_i mean(g u)) / sigma, in which u_i mean(g u) = v_i mean(g v) / (q + eps), becomes
//   N_i = (d G_i - T) D - V_i W 2^s
//   dz_i = 2^h N_i / (d D) * rstd = sign(N_i) sqrt(N_i^2 2^(s + 2h - 2g) / D^3).
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <layer_norm/array.hpp>
#include <layer_norm/root_sum.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace layer_norm {

// The number integer * 2^exponent, exactly.
struct ScaledInteger {
  mpz_int integer = 0;
  std::int64_t exponent = 0;

  ScaledInteger() = default;
  // Throws std::domain_error naming the value if it is NaN or infinite.
  explicit ScaledInteger(double x) {
    if (!std::isfinite(x)) throw std::domain_error("not a finite number: " + std::to_string(x));
    if (x == 0) return;
    int power = 0;
    auto significand = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &power), 53));
    const int zeros = std::countr_zero(static_cast<std::uint64_t>(significand));
    integer = significand >> zeros;  // odd, so that a row of short numbers stays short
    exponent = power - 53 + zeros;
  }

  friend ScaledInteger operator*(const ScaledInteger& a, const ScaledInteger& b) {
    ScaledInteger product;
    product.integer = a.integer * b.integer;
    product.exponent = a.exponent + b.exponent;
    return product;
  }
  // The same number, as the root of its square.
  SignedRoot root() const {
    return {
        .sign = integer.sign(), .numerator = integer * integer, .denominator = 1, .exponent = 2 * exponent};
  }
};

// The row integers[i] * 2^exponent.
struct ScaledIntegers {
  std::vector<mpz_int> integers;
  std::int64_t exponent = 0;

  explicit ScaledIntegers(std::vector<ScaledInteger> row) {
    bool found = false;
    for (const ScaledInteger& x : row) {
      if (x.integer.is_zero()) continue;
      exponent = found ? std::min(exponent, x.exponent) : x.exponent;
      found = true;
    }
    integers.reserve(row.size());
    for (ScaledInteger& x : row) {
      if (!x.integer.is_zero()) x.integer <<= static_cast<std::size_t>(x.exponent - exponent);
      integers.push_back(std::move(x.integer));
    }
  }
  explicit ScaledIntegers(const Row<double>& row)
      : ScaledIntegers(std::vector<ScaledInteger>(row.begin(), row.end())) {}

  mpz_int sum() const {
    mpz_int total = 0;
    for (const mpz_int& x : integers) total += x;
    return total;
  }
};

class IntegerRow {
 public:
  // Preconditions: z not empty, eps >= 0. Throws std::domain_error for NaN and infinities.
  IntegerRow(const Row<double>& z, double eps);

  SignedRoot mean() const { return {sum_.sign(), sum_ * sum_, d_ * d_, 2 * exponent_}; }
  SignedRoot variance() const {
    return {squares_.sign(), squares_ * squares_, d_ * d_ * d_ * d_, 4 * exponent_};
  }
  // The rest needs q + eps > 0 and throws std::domain_error otherwise.
  SignedRoot rstd() const {
    require_positive();
    return {1, d_ * d_, divisor_, shift_ - 2 * exponent_};
  }
  SignedRoot core(std::size_t i) const {
    require_positive();
    const mpz_int& v = deviations_[i];
    return {v.sign(), v * v, divisor_, shift_};
  }
  // u_i * factor
  SignedRoot core(std::size_t i, const ScaledInteger& factor) const {
    require_positive();
    const mpz_int product = deviations_[i] * factor.integer;
    return {product.sign(), product * product, divisor_, shift_ + 2 * factor.exponent};
  }
  // dz for the rows gain and dy, of the size of z.
  std::vector<SignedRoot> input_gradient(const Row<double>& gain, const Row<double>& dy) const;

 private:
  void require_positive() const {
    if (divisor_.is_zero()) throw std::domain_error("variance + eps = 0: the core is not defined");
  }

  mpz_int d_;
  std::int64_t exponent_ = 0;        // g
  mpz_int sum_;                      // S
  std::vector<mpz_int> deviations_;  // V
  mpz_int squares_;                  // P
  mpz_int divisor_;                  // D
  std::int64_t shift_ = 0;           // s
};

inline IntegerRow::IntegerRow(const Row<double>& z, double eps) : d_(z.size()) {
  ScaledIntegers row(z);
  exponent_ = row.exponent;
  sum_ = row.sum();
  deviations_ = std::move(row.integers);
  for (mpz_int& x : deviations_) {
    mpz_addmul(squares_.backend().data(), x.backend().data(), x.backend().data());
    x *= d_;
    x -= sum_;
  }
  squares_ = d_ * squares_ - sum_ * sum_;
  divisor_ = squares_;
  if (eps == 0) return;
  const ScaledInteger stabilizer(eps);
  const std::int64_t power = stabilizer.exponent - 2 * exponent_;
  mpz_int term = stabilizer.integer * d_ * d_;
  if (power >= 0) {
    term <<= static_cast<std::size_t>(power);
  } else {
    shift_ = -power;
    divisor_ <<= static_cast<std::size_t>(shift_);
  }
  divisor_ += term;
}

inline std::vector<SignedRoot> IntegerRow::input_gradient(
    const Row<double>& gain, const Row<double>& dy) const {
  require_positive();
  std::vector<ScaledInteger> products;
  for (std::size_t i = 0; i < dy.size(); ++i)
    products.push_back(ScaledInteger(gain[i]) * ScaledInteger(dy[i]));
  const ScaledIntegers g(std::move(products));
  const mpz_int total = g.sum();
  mpz_int projection = 0;  // W 2^s
  for (std::size_t i = 0; i < dy.size(); ++i) projection += g.integers[i] * deviations_[i];
  projection <<= static_cast<std::size_t>(shift_);

  const mpz_int cube = divisor_ * divisor_ * divisor_;
  std::vector<SignedRoot> roots;
  for (std::size_t i = 0; i < dy.size(); ++i) {
    const mpz_int n = (d_ * g.integers[i] - total) * divisor_ - deviations_[i] * projection;
    roots.push_back({n.sign(), n * n, cube, shift_ + 2 * g.exponent - 2 * exponent_});
  }
  return roots;
}

}  // namespace layer_norm
