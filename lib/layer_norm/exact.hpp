// exact: the numbers a + b sqrt(n) with rational a, b and one radicand n, without any rounding.
//
// The mean and the variance of a row of rationals are rational, and its core is v / sqrt(q + eps): the
// forward pass of one row never leaves these numbers. Each is kept in one form:
//   b = 0, and then n = 0; or b != 0 and n a positive integer that is no perfect square,
// so a value is rational iff b = 0. Of two forms with b, b' != 0 the values are equal iff a = a', b and b'
// have one sign and b^2 n = b'^2 n'. (If b sqrt(n) - b' sqrt(n') were a rational r != 0, its square would
// make sqrt(n n') rational, so sqrt(n) a rational multiple of sqrt(n'), hence r a rational multiple of an
// irrational number.)
//
// Arithmetic on two different radicands works if one is a rational square times the other, and throws
// std::domain_error naming both otherwise. Comparisons never throw.
#pragma once

#include <array>
#include <boost/multiprecision/gmp.hpp>
#include <cmath>
#include <compare>
#include <concepts>
#include <layer_norm/root_sum.hpp>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace layer_norm {

class exact {
 public:
  exact() = default;
  template <std::integral Integer>
  exact(Integer value) : rational_(value) {}
  // Throws std::domain_error naming the value if it is NaN or infinite.
  exact(double value) : rational_(finite(value)) {}
  exact(mpq_rational value) : rational_(std::move(value)) {}

  // a, b and n of a + b sqrt(n)
  const mpq_rational& rational_part() const { return rational_; }
  const mpq_rational& root_coefficient() const { return coefficient_; }
  const mpz_int& radicand() const { return radicand_; }
  bool is_rational() const { return coefficient_.is_zero(); }

  int sign() const { return sign_of(rational_, coefficient_, radicand_); }

  exact& operator+=(const exact& other) {
    // The root first: it is what may throw, and then nothing has changed.
    if (!other.is_rational()) set_root(coefficient_ + other.coefficient_over(*this), common_radicand(other));
    rational_ += other.rational_;
    return *this;
  }
  exact& operator-=(const exact& other) { return *this += -other; }
  exact& operator*=(const exact& other);
  // Throws std::domain_error if the divisor is zero.
  exact& operator/=(const exact& other) { return *this *= other.reciprocal(); }

  friend exact operator+(exact a, const exact& b) { return std::move(a += b); }
  friend exact operator-(exact a, const exact& b) { return std::move(a -= b); }
  friend exact operator*(exact a, const exact& b) { return std::move(a *= b); }
  friend exact operator/(exact a, const exact& b) { return std::move(a /= b); }
  friend exact operator+(const exact& a) { return a; }
  friend exact operator-(exact a) {
    a.rational_.backend().negate();
    a.coefficient_.backend().negate();
    return a;
  }

  friend bool operator==(const exact& a, const exact& b) {
    return a.rational_ == b.rational_ && a.coefficient_.sign() == b.coefficient_.sign() &&
           (a.is_rational() || a.root_squared() == b.root_squared());
  }
  friend std::strong_ordering operator<=>(const exact& a, const exact& b) { return compare(a, b) <=> 0; }

  friend exact abs(exact a) { return a.sign() < 0 ? -std::move(a) : std::move(a); }
  friend exact sqrt(const exact& a) { return a.square_root(); }

  // The nearest double, ties to even; beyond its range, infinity.
  explicit operator double() const { return nearest_value(terms(), f64_format()); }
  // The working type's value; relative error at most 5 units of roundoff where a and b sqrt(n) do not cancel.
  template <class Backend, boost::multiprecision::expression_template_option Option>
  explicit operator boost::multiprecision::number<Backend, Option>() const {
    using Float = boost::multiprecision::number<Backend, Option>;
    return Float(rational_) + Float(coefficient_) * sqrt(Float(radicand_));
  }

  friend std::string to_string(const exact& a) { return a.text(); }
  friend std::ostream& operator<<(std::ostream& out, const exact& a) { return out << a.text(); }

 private:
  static double finite(double value) {
    if (!std::isfinite(value)) throw std::domain_error("no exact number: " + std::to_string(value));
    return value;
  }

  // Sign of a + b sqrt(n), n >= 0: where the signs of a and b differ, the larger of a^2 and b^2 n decides.
  static int sign_of(const mpq_rational& a, const mpq_rational& b, const mpz_int& n) {
    const int sa = a.sign();
    const int sb = n.is_zero() ? 0 : b.sign();
    if (sa == sb || sb == 0) return sa;
    if (sa == 0) return sb;
    const mpq_rational squares = a * a - b * b * n;
    return squares.is_zero() ? 0 : squares.sign() > 0 ? sa : sb;
  }

  static int compare(const exact& a, const exact& b);

  mpq_rational root_squared() const { return coefficient_ * coefficient_ * radicand_; }
  void set_root(mpq_rational coefficient, mpz_int radicand) {
    coefficient_ = std::move(coefficient);
    radicand_ = coefficient_.is_zero() ? mpz_int(0) : std::move(radicand);
  }
  mpz_int common_radicand(const exact& other) const { return is_rational() ? other.radicand_ : radicand_; }
  mpq_rational coefficient_over(const exact& other) const;
  exact reciprocal() const;
  exact square_root() const;
  std::vector<SignedRoot> terms() const {
    return {
        signed_root({.coefficient = rational_, .radicand = 1}),
        signed_root({.coefficient = coefficient_, .radicand = radicand_})};
  }
  std::string text() const;

  mpq_rational rational_ = 0;
  mpq_rational coefficient_ = 0;
  mpz_int radicand_ = 0;
};

// The coefficient b' for which this number's root is b' sqrt(n), n the radicand of the other number.
inline mpq_rational exact::coefficient_over(const exact& other) const {
  if (other.is_rational() || is_rational() || radicand_ == other.radicand_) return coefficient_;
  const mpz_int product = radicand_ * other.radicand_;
  if (mpz_perfect_square_p(product.backend().data()) == 0)
    throw std::domain_error("different radicands: " + other.text() + " and " + text());
  return coefficient_ * mpq_rational(sqrt(product), other.radicand_);  // sqrt(m) = sqrt(m n) / n * sqrt(n)
}

inline exact& exact::operator*=(const exact& other) {
  if (other.is_rational()) {
    rational_ *= other.rational_;
    set_root(coefficient_ * other.rational_, radicand_);
  } else {
    const mpq_rational b = other.coefficient_over(*this);
    const mpz_int n = common_radicand(other);
    const mpq_rational a = rational_ * other.rational_ + coefficient_ * b * n;
    set_root(rational_ * b + coefficient_ * other.rational_, n);
    rational_ = a;
  }
  return *this;
}

// 1 / (a + b sqrt(n)) = (a - b sqrt(n)) / (a^2 - b^2 n); the divisor is 0 for the number 0 alone, sqrt(n)
// being irrational.
inline exact exact::reciprocal() const {
  const mpq_rational norm = rational_ * rational_ - root_squared();
  if (norm.is_zero()) throw std::domain_error("division by zero");
  exact result(mpq_rational(rational_ / norm));
  result.set_root(-coefficient_ / norm, radicand_);
  return result;
}

namespace detail {

// n = square^2 * rest: takes out the squares of small primes, and the whole of n if it is a perfect square.
// Keeps radicands short and printed values familiar; nothing depends on `rest` being squarefree.
inline std::pair<mpz_int, mpz_int> take_out_squares(mpz_int rest) {
  mpz_int square = 1;
  auto* const n = rest.backend().data();
  const mp_bitcnt_t twos = mpz_scan1(n, 0) / 2;
  mpz_tdiv_q_2exp(n, n, 2 * twos);
  square <<= twos;
  constexpr std::array<unsigned long, 14> odd_primes{3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
  for (const unsigned long prime : odd_primes)
    for (; mpz_divisible_ui_p(n, prime * prime) != 0; square *= prime) mpz_divexact_ui(n, n, prime * prime);
  if (mpz_perfect_square_p(n) != 0) {
    square *= sqrt(rest);
    rest = 1;
  }
  return {square, rest};
}

}  // namespace detail

// sqrt(p/q) = s/(t q') sqrt(p' q') where p = s^2 p', q = t^2 q'. Throws std::domain_error for a negative or
// irrational number.
inline exact exact::square_root() const {
  if (!is_rational() || rational_ < 0) throw std::domain_error("no exact square root of " + text());
  if (rational_.is_zero()) return {};
  const auto [s, p] = detail::take_out_squares(boost::multiprecision::numerator(rational_));
  const auto [t, q] = detail::take_out_squares(boost::multiprecision::denominator(rational_));
  const mpz_int radicand = p * q;
  mpq_rational coefficient(s, mpz_int(t * q));
  if (radicand == 1) return coefficient;
  exact result;
  result.set_root(std::move(coefficient), radicand);
  return result;
}

// Sign of a - b. With one radicand, a difference; with two, x = a's part and one root against y = the other
// root: if their signs agree, that of x^2 - y^2, which has one radicand again, decides.
inline int exact::compare(const exact& a, const exact& b) {
  const mpq_rational difference = a.rational_ - b.rational_;
  if (b.is_rational()) return sign_of(difference, a.coefficient_, a.radicand_);
  if (a.is_rational() || a.radicand_ == b.radicand_)
    return sign_of(difference, a.coefficient_ - b.coefficient_, b.radicand_);
  const int left = sign_of(difference, a.coefficient_, a.radicand_);
  const int right = b.coefficient_.sign();
  if (left != right) return left < right ? -1 : 1;
  const mpq_rational squares = difference * difference + a.root_squared() - b.root_squared();
  return left * sign_of(squares, 2 * difference * a.coefficient_, a.radicand_);
}

inline std::string exact::text() const {
  if (is_rational()) return rational_.str();
  const mpq_rational size = abs(coefficient_);
  const std::string root = (size == 1 ? "" : size.str() + "*") + "sqrt(" + radicand_.str() + ")";
  const bool negative = coefficient_ < 0;
  if (rational_.is_zero()) return (negative ? "-" : "") + root;
  return rational_.str() + (negative ? " - " : " + ") + root;
}

}  // namespace layer_norm
