// exact and sign_of_root_sum: laws of an ordered field on random numbers, comparisons against 100 digits,
// canonical forms, conversions, errors, and the worked examples of layer normalization with ==.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <layer_norm/array.hpp>
#include <layer_norm/exact.hpp>
#include <layer_norm/scalar.hpp>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace layer_norm {
namespace {

class ExactDraw {
 public:
  explicit ExactDraw(std::uint64_t seed) : engine_(seed) {}
  int between(int low, int high) {
    const auto count = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<int>(engine_() % count);
  }
  mpq_rational rational() { return mpq_rational(between(-30, 30), between(1, 30)); }
  exact number(const exact& root) { return exact(rational()) + exact(rational()) * root; }

 private:
  std::mt19937_64 engine_;
};

// Of a number whose parts may cancel, by more digits than any two different numbers of these tests share.
mp100 wide(const exact& x) { return static_cast<mp100>(x); }

exact ratio(int p, int q) { return mpq_rational(p, q); }

TEST(exact, is_a_field) {
  ExactDraw draw(1);
  for (int round = 0; round < 500; ++round) {
    const exact root = sqrt(exact(draw.between(2, 40)));
    const exact a = draw.number(root);
    const exact b = draw.number(root);
    const exact c = draw.number(root);
    EXPECT_EQ(a + b, b + a);
    EXPECT_EQ((a + b) + c, a + (b + c));
    EXPECT_EQ(a * b, b * a);
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_EQ(a - a, 0);
    EXPECT_EQ(a - b, -(b - a));
    if (b != 0) {
      EXPECT_EQ(a / b * b, a);
      EXPECT_EQ(b / b, 1);
      EXPECT_TRUE((b / b).is_rational());
    }
    EXPECT_NE(a, a + 1);
    EXPECT_EQ(abs(a) * abs(a), a * a);
    EXPECT_GE(abs(a), 0);
  }
}

TEST(exact, arithmetic_is_near_that_of_100_digits) {
  ExactDraw draw(2);
  const mp100 tolerance("1e-90");
  for (int round = 0; round < 500; ++round) {
    const exact root = sqrt(exact(draw.between(0, 1) == 0 ? 9 : 10));
    exact a = root.is_rational() ? exact(draw.rational()) : draw.number(root);
    const exact b = root.is_rational() ? exact(draw.rational()) : draw.number(root);
    EXPECT_LE(abs(wide(a + b) - (wide(a) + wide(b))), tolerance);
    EXPECT_LE(abs(wide(a - b) - (wide(a) - wide(b))), tolerance);
    EXPECT_LE(abs(wide(a * b) - wide(a) * wide(b)), tolerance);
    if (b != 0) {
      EXPECT_LE(abs(wide(a / b) * wide(b) - wide(a)), tolerance);
    }
    const exact before = a;
    a += b;
    EXPECT_EQ(a, before + b);
    a -= b;
    EXPECT_EQ(a, before);
    a *= b;
    EXPECT_EQ(a, before * b);
  }
}

TEST(exact, order_agrees_with_100_digits) {
  ExactDraw draw(3);
  int different_radicands = 0;
  int equal = 0;
  for (int round = 0; round < 4000; ++round) {
    const exact a = draw.number(sqrt(exact(draw.between(0, 12))));
    const exact b = draw.between(0, 19) == 0 ? a : draw.number(sqrt(exact(draw.between(0, 12))));
    if (a.radicand() != b.radicand()) ++different_radicands;
    const mp100 difference = wide(a) - wide(b);
    if (abs(difference) > mp100("1e-80")) {
      EXPECT_EQ(a < b, difference < 0) << a << " and " << b;
      EXPECT_EQ(a > b, difference > 0) << a << " and " << b;
      EXPECT_NE(a, b) << a << " and " << b;
    } else {  // numbers this small that differ, differ by more than 1e-30
      ++equal;
      EXPECT_EQ(a, b);
      EXPECT_FALSE(a < b);
      EXPECT_LE(a, b);
    }
  }
  EXPECT_GT(different_radicands, 1000);
  EXPECT_GT(equal, 0);
}

TEST(exact, order_is_decided_where_numbers_are_near) {
  // (p/q)^2 - 2 = +-1/q^2 for the convergents of sqrt(2), far beyond 100 digits.
  mpz_int p = 1;
  mpz_int q = 1;
  const exact root = sqrt(exact(2));
  for (int step = 0; step < 600; ++step) {
    const exact convergent = mpq_rational(p, q);
    EXPECT_EQ(convergent < root, step % 2 == 0) << step;
    EXPECT_EQ(convergent > root, step % 2 == 1) << step;
    // The same with two radicands on both sides: multiplied by sqrt(3), plus 1
    EXPECT_EQ(1 + convergent * sqrt(exact(3)) < 1 + sqrt(exact(6)), step % 2 == 0) << step;
    const std::vector<RootTerm> sum{{mpq_rational(p, q), 1}, {-1, 2}, {1, 3}, {-3, mpq_rational(1, 3)}};
    EXPECT_EQ(sign_of_root_sum(sum), step % 2 == 0 ? -1 : 1) << step;
    const mpz_int next = p + 2 * q;
    q += p;
    p = next;
  }
}

TEST(exact, compares_different_radicands) {
  const exact two = sqrt(exact(2));
  const exact three = sqrt(exact(3));
  EXPECT_LT(two, three);
  EXPECT_GT(-two, -three);
  EXPECT_LT(-three, two);
  EXPECT_GT(3 * two, 2 * three);
  EXPECT_LT(1 + two, 1 + three);
  EXPECT_GT(1 + two, three);          // 2.41 and 1.73
  EXPECT_LT(2 - two, 2 - three + 1);  // 0.59 and 1.27
  EXPECT_LT(two - 2, three - 2);      // both negative
  EXPECT_NE(two, three);
  EXPECT_NE(1 + two, 1 + three);
  // (1 + sqrt(2))^2 = 3 + 2 sqrt(2) = 5.82842...
  EXPECT_GT(1 + two, sqrt(ratio(5828, 1000)));
  EXPECT_LT(1 + two, sqrt(ratio(5829, 1000)));
}

TEST(exact, has_one_form) {
  EXPECT_TRUE(sqrt(exact(49)).is_rational());
  EXPECT_EQ(sqrt(exact(49)), 7);
  EXPECT_EQ(sqrt(ratio(4, 9)), ratio(2, 3));
  EXPECT_EQ(sqrt(exact(0)), 0);
  const mpz_int big_prime("170141183460469231731687303715884105727");  // 2^127 - 1
  EXPECT_EQ(sqrt(exact(mpq_rational(big_prime * big_prime))), exact(mpq_rational(big_prime)));
  const exact root = sqrt(exact(8));
  EXPECT_EQ(root.radicand(), 2);
  EXPECT_EQ(root.root_coefficient(), 2);
  EXPECT_EQ(root.rational_part(), 0);
  EXPECT_EQ(sqrt(ratio(1, 3)).radicand(), 3);
  EXPECT_EQ(sqrt(ratio(1, 3)).root_coefficient(), mpq_rational(1, 3));
  EXPECT_TRUE((root - root).is_rational());
  EXPECT_EQ((root - root).radicand(), 0);
  EXPECT_TRUE((root * root).is_rational());
  EXPECT_EQ(root * root, 8);
  EXPECT_EQ(0 * root + 3, 3);
}

TEST(exact, converts_radicands_that_differ_by_a_square) {
  // 53 and 59 are not among the primes that are taken out, so these radicands really differ.
  const exact a = sqrt(exact(2 * 53 * 53));
  const exact b = sqrt(exact(2 * 59 * 59));
  ASSERT_NE(a.radicand(), b.radicand());
  const exact root = sqrt(exact(2));
  EXPECT_EQ(a, 53 * root);
  EXPECT_EQ(a + b, 112 * root);
  EXPECT_EQ(b - a, 6 * root);
  EXPECT_EQ(a * b, 2 * 53 * 59);
  EXPECT_EQ(a / b, ratio(53, 59));
  EXPECT_LT(a, b);
  EXPECT_EQ(59 * a - 53 * b, 0);
}

TEST(exact, converts_to_the_nearest_double) {
  EXPECT_EQ(static_cast<double>(sqrt(exact(2))), std::sqrt(2.0));
  EXPECT_EQ(static_cast<double>(ratio(1, 3)), 1.0 / 3.0);
  EXPECT_EQ(static_cast<double>(exact(1) + exact(0x1p-53)), 1.0);
  EXPECT_EQ(static_cast<double>(exact(1) + exact(0x1p-53) + exact(0x1p-1074)), 1 + 0x1p-52);
  EXPECT_EQ(
      static_cast<double>(exact(1) + exact(0x1p-53) + sqrt(exact(0x1p-1000) * exact(0x1p-1001))),
      1 + 0x1p-52);
  EXPECT_EQ(static_cast<double>(exact(1e308) * 10), std::numeric_limits<double>::infinity());
  EXPECT_EQ(static_cast<double>(exact(0x1p-1074) * ratio(3, 4)), 0x1p-1074);
  EXPECT_EQ(static_cast<double>(exact(-0.1)), -0.1);
  EXPECT_EQ(exact(0.1), exact(mpq_rational(mpz_int("3602879701896397"), mpz_int("36028797018963968"))));
  ExactDraw draw(4);
  for (int round = 0; round < 300; ++round) {
    const exact x = draw.number(sqrt(exact(draw.between(2, 30))));
    EXPECT_EQ(static_cast<double>(x), static_cast<double>(wide(x))) << x;
  }
}

TEST(exact, prints_for_people) {
  EXPECT_EQ(to_string(exact(-2) / sqrt(exact(5))), "-2/5*sqrt(5)");
  EXPECT_EQ(to_string(sqrt(exact(5))), "sqrt(5)");
  EXPECT_EQ(to_string(-sqrt(exact(5))), "-sqrt(5)");
  EXPECT_EQ(to_string(ratio(1, 2) - 3 * sqrt(exact(2))), "1/2 - 3*sqrt(2)");
  EXPECT_EQ(to_string(1 + sqrt(exact(2))), "1 + sqrt(2)");
  EXPECT_EQ(to_string(exact(0)), "0");
  EXPECT_EQ(to_string(exact(0.75)), "3/4");
}

TEST(exact, refuses_what_it_cannot_hold) {
  EXPECT_THROW(exact{std::numeric_limits<double>::quiet_NaN()}, std::domain_error);
  EXPECT_THROW(exact{std::numeric_limits<double>::infinity()}, std::domain_error);
  EXPECT_THROW(sqrt(exact(-1)), std::domain_error);
  EXPECT_THROW(sqrt(sqrt(exact(2))), std::domain_error);
  EXPECT_THROW(exact(1) / exact(0), std::domain_error);
  EXPECT_THROW(sqrt(exact(2)) / (sqrt(exact(2)) - sqrt(exact(2))), std::domain_error);
  const exact two = sqrt(exact(2));
  const exact three = sqrt(exact(3));
  EXPECT_THROW(two + three, std::domain_error);
  EXPECT_THROW(two * three, std::domain_error);
  EXPECT_THROW(two / three, std::domain_error);
  try {
    static_cast<void>(1 + two - three);
    FAIL() << "no exception";
  } catch (const std::domain_error& error) {
    EXPECT_NE(std::string(error.what()).find("1 + sqrt(2)"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("sqrt(3)"), std::string::npos) << error.what();
  }
  EXPECT_EQ(two, sqrt(exact(2))) << "a refused operation must leave its operands alone";
}

TEST(exact, a_refused_assignment_changes_nothing) {
  exact x = 1 + sqrt(exact(2));
  EXPECT_THROW(x += 5 + sqrt(exact(3)), std::domain_error);
  EXPECT_EQ(x, 1 + sqrt(exact(2)));
  EXPECT_THROW(x *= 5 + sqrt(exact(3)), std::domain_error);
  EXPECT_EQ(x, 1 + sqrt(exact(2)));
}

TEST(exact, may_be_its_own_operand) {
  const exact start = 3 + 2 * sqrt(exact(7));
  exact x = start;
  EXPECT_EQ(x += x, 2 * start);
  EXPECT_EQ(x *= x, 4 * start * start);
  EXPECT_EQ(x /= x, 1);
  EXPECT_EQ(x -= x, 0);
}

TEST(exact, works_in_rows_and_matrices) {
  const Row<exact> row{exact(1), exact(2.5), ratio(1, 3)};
  EXPECT_EQ(sum(row), ratio(23, 6));
  EXPECT_EQ(squared_norm(row), ratio(265, 36));
  EXPECT_EQ(max_abs(-row), exact(2.5));
  const std::size_t d = row.size();
  EXPECT_EQ((row / exact(d))[0], ratio(1, 3));
  Matrix<exact> identity(3, 3);
  for (std::size_t i = 0; i < 3; ++i) identity(i, i) += 1;
  EXPECT_EQ(identity * row, row);
  EXPECT_EQ(dot(row * sqrt(exact(2)), row), squared_norm(row) * sqrt(exact(2)));
}

// The core of one row, straight from its definition.
Row<exact> core_of(const Row<exact>& z, const exact& eps) {
  const exact d = z.size();
  const Row<exact> v = z - sum(z) / d;
  return v / sqrt(squared_norm(v) / d + eps);
}

TEST(exact, worked_examples) {
  const exact one = 1;
  EXPECT_EQ(core_of({2, 6}, 1), (Row<exact>{-2 / sqrt(exact(5)), 2 / sqrt(exact(5))}));
  EXPECT_EQ(core_of({1, 2, 3}, ratio(1, 3)), (Row<exact>{-1, 0, 1}));
  EXPECT_EQ(core_of({11, 12, 13}, ratio(1, 3)), (Row<exact>{-1, 0, 1}));
  EXPECT_EQ(core_of({101, 102, 103}, ratio(1, 3)), (Row<exact>{-1, 0, 1}));
  EXPECT_EQ(core_of({2, 4, 6}, ratio(1, 3)), (Row<exact>{-2 / sqrt(exact(3)), 0, 2 / sqrt(exact(3))}));
  EXPECT_EQ(core_of({1, 2, 3}, ratio(4, 3)), (Row<exact>{-one / sqrt(exact(2)), 0, one / sqrt(exact(2))}));
  EXPECT_EQ(core_of({1, 2, 4}, ratio(1, 3)), (Row<exact>{-4, -1, 5}) / sqrt(exact(17)));
  const exact t = ratio(7, 5);
  EXPECT_EQ(core_of({-t, 0, t}, ratio(1, 4))[2], t / sqrt(2 * t * t / 3 + ratio(1, 4)));
  EXPECT_LT(core_of({-t, 0, t}, ratio(1, 4))[2], sqrt(ratio(3, 2)));
  EXPECT_EQ(core_of({5, 5, 5}, 1), (Row<exact>{0, 0, 0}));
  EXPECT_EQ(core_of({5}, 1), (Row<exact>{0}));
}

TEST(root_sum, known_signs) {
  const auto sign = [](const std::vector<RootTerm>& terms) { return sign_of_root_sum(terms); };
  EXPECT_EQ(sign({}), 0);
  EXPECT_EQ(sign({{0, 5}, {3, 0}}), 0);
  EXPECT_EQ(sign({{-1, 5}}), -1);
  EXPECT_EQ(sign({{1, 2}, {1, 8}, {-3, 2}}), 0);
  EXPECT_EQ(sign({{1, 2}, {1, 3}, {-1, 10}}), -1);  // 3.146 and 3.162
  EXPECT_EQ(sign({{1, 5}, {1, 6}, {-1, 21}}), 1);   // 4.686 and 4.583
  EXPECT_EQ(sign({{1, mpq_rational(1, 2)}, {mpq_rational(-1, 2), 2}}), 0);
  EXPECT_EQ(sign({{1, 2}, {-1, 2}, {1, 3}, {-2, mpq_rational(3, 4)}}), 0);
  EXPECT_EQ(sign({{1, 2}, {-1, 2}, {1, 3}, {-1, mpq_rational(299999, 100000)}}), 1);
  EXPECT_THROW(sign({{1, -2}}), std::domain_error);
}

// sqrt(2^1) = sqrt(2), sqrt(2^-3) = sqrt(1/8): powers of two of either parity beside the fraction.
TEST(root_sum, merges_powers_of_two) {
  const auto value = [](const SignedRoot& a, const SignedRoot& b) {
    return nearest_value(std::vector<SignedRoot>{a, b}, f64_format());
  };
  EXPECT_EQ(value({1, 1, 1, 1}, {-1, 2, 1, 0}), 0);
  EXPECT_EQ(value({1, 1, 1, -3}, {-1, 1, 8, 0}), 0);
  EXPECT_EQ(value({1, 3, 1, 7}, {-1, 6, 1, 6}), 0);
  EXPECT_EQ(value({1, 1, 1, 1}, {-1, 8, 1, -2}), 0);
  EXPECT_EQ(value({1, 9, 2, 1}, {1, 1, 1, -106}), 3 + 0x1p-53);
}

// Two implementations that share no step: nested squares against enclosures and classes.
TEST(root_sum, agrees_with_the_order_of_exact) {
  ExactDraw draw(5);
  int zeros = 0;
  for (int round = 0; round < 3000; ++round) {
    const int n = draw.between(0, 20);
    const int m = draw.between(0, 3) == 0 ? 4 * n : draw.between(0, 20);
    const mpq_rational a = mpq_rational(draw.between(-4, 4), draw.between(1, 3));
    const mpq_rational b = mpq_rational(draw.between(-4, 4), draw.between(1, 3));
    const mpq_rational c = m == 4 * n && draw.between(0, 1) == 0 ? mpq_rational(b / 2) : draw.rational();
    const exact left = exact(a) + exact(b) * sqrt(exact(n));
    const exact right =
        exact(draw.between(0, 1) == 0 ? mpq_rational(a) : mpq_rational(0)) + exact(c) * sqrt(exact(m));
    const std::vector<RootTerm> terms{
        {a - right.rational_part(), 1}, {b, n}, {-right.root_coefficient(), mpq_rational(right.radicand())}};
    const int expected = left < right ? -1 : left > right ? 1 : 0;
    EXPECT_EQ(sign_of_root_sum(terms), expected) << left << " and " << right;
    if (expected == 0) ++zeros;
  }
  EXPECT_GT(zeros, 100);
}

}  // namespace
}  // namespace layer_norm
