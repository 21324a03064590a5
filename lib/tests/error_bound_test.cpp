// The derived bounds: the formulas at rows where every quantity is known, the ranges, and what they must tell
// apart: an honest kernel in float, and the faults that users meet.
#include <gtest/gtest.h>

#include <cmath>
#include <layer_norm/backward.hpp>
#include <layer_norm/core.hpp>
#include <layer_norm/error_bound.hpp>
#include <limits>

#include "number_types.hpp"

namespace layer_norm::test {
namespace {

const double infinity = std::numeric_limits<double>::infinity();

// z = (1, 5, 1, 5), eps = 0: v = (-2, 2, -2, 2), sigma = 2, u = (-1, 1, -1, 1), M = 5, kappa = 5/2, e = 17/2.
template <class W>
Row<W> plain_row() {
  return {W(1), W(5), W(1), W(5)};
}

template <class W>
class ErrorBound : public ::testing::Test {
 protected:
  const Statistics<W> s = statistics(plain_row<W>(), W(0));
  const Precision f32 = uniform_precision(f32_format());
  const Precision f16 = mixed_precision(f16_format());

  static void expect_close(const W& got, double expected) {
    const W error = magnitude(W(got - W(expected)));
    EXPECT_TRUE(error <= W(1e-12) * W(expected)) << got << " for " << expected;
  }
};
// W: wider than the formats under test, so never float.
using WorkingTypes = ::testing::Types<double, mp50, mp100>;
TYPED_TEST_SUITE(ErrorBound, WorkingTypes);

TYPED_TEST(ErrorBound, CountsDPlusEightRoundoffs) { EXPECT_EQ(roundoff_count(17), 25); }

TYPED_TEST(ErrorBound, ForwardInOneFormat) {
  const double u = 0x1p-24;
  const double lambda = 0x1p-149;
  const auto core_bound = forward_bound(this->s, std::nullopt, std::nullopt, this->f32, 12, Range::stated);
  this->expect_close(core_bound[0], 12 * u * (8.5 + 1) + lambda * (1 + 1 + 2 + 0.5));
  using W = TypeParam;
  const auto bound = forward_bound(this->s, Row<W>(4, W(-3)), Row<W>(4, W(10)), this->f32, 1, Range::stated);
  this->expect_close(bound[0], u * (3 * 8.5 + 13) + lambda * (1 + 3 + 2 + 0.5));
  this->expect_close(bound[1], u * (3 * 8.5 + 7) + lambda * (1 + 3 + 2 + 0.5));
}

// Honouring subnormal numbers is asked for over the whole range only: a kernel that flushes them to zero
// stays within the stated bound, and leaves the other.
TYPED_TEST(ErrorBound, FlushingToZeroIsWithinTheStatedBoundAlone) {
  using W = TypeParam;
  const auto tiny = statistics(Row<W>{W(0), W(0x1p-127)}, W(1));
  const W lost = magnitude(tiny.core[1]);
  EXPECT_GT(forward_bound(tiny, std::nullopt, std::nullopt, this->f32, 10, Range::stated)[1], lost);
  EXPECT_LT(forward_bound(tiny, std::nullopt, std::nullopt, this->f32, 10, Range::whole)[1], lost);
}

TYPED_TEST(ErrorBound, ForwardWithHalfStorage) {
  using W = TypeParam;
  const auto bound = forward_bound(this->s, Row<W>(4, W(-3)), Row<W>(4, W(10)), this->f16, 12, Range::stated);
  this->expect_close(
      bound[0],
      4 * 0x1p-11 * (3 + 13) + 12 * 0x1p-24 * 3 * 8.5 + 0x1p-24 * (1 + 3) + 0x1p-149 * (1 + 3 + 2 + 0.5));
}

TYPED_TEST(ErrorBound, ForwardIsInfiniteOutsideItsRange) {
  using W = TypeParam;
  const auto first = [](const Row<W>& z, double eps, double gain, double bias, const Precision& p,
                        Range range) {
    const std::size_t d = z.size();
    return static_cast<double>(forward_bound(
        statistics(z, W(eps)), Row<W>(d, W(gain)), Row<W>(d, W(bias)), p, roundoff_count(d), range)[0]);
  };
  const Row<W> plain = plain_row<W>();
  const Row<W> zeros(4);
  const Row<W> large(plain * W(0x1p64));
  const auto is_outside = [&](const Row<W>& z, double eps, double gain, double bias, const Precision& p) {
    return first(z, eps, gain, bias, p, Range::stated) == infinity &&
           first(z, eps, gain, bias, p, Range::whole) < infinity;
  };
  EXPECT_LT(first(zeros, 0x1p-124, 1, 0, this->f32, Range::stated), infinity);
  EXPECT_TRUE(is_outside(zeros, 0x1p-125, 1, 0, this->f32));  // sigma^2 < 4 N
  EXPECT_TRUE(is_outside(large, 0, 1, 0, this->f32));         // 4 d M^2 > F
  EXPECT_LT(first(plain, 0, 0x1p124, 0, this->f32, Range::stated), infinity);
  EXPECT_TRUE(is_outside(plain, 0, 0x1p126, 0, this->f32));  // |gain| 2 M > F
  EXPECT_TRUE(is_outside(plain, 0, 1, 0x1p127, this->f32));  // |bias| > F/2
  EXPECT_TRUE(is_outside(plain, 0, 1, 59000, this->f16));    // |gain u| + |y| > 0.9 F_h
  EXPECT_LT(first(plain, 0, 1, 59000, mixed_precision(bf16_format()), Range::stated), infinity) << "bf16";
  EXPECT_LT(first(plain, 0, 1, 59000, this->f32, Range::stated), infinity);
}

TYPED_TEST(ErrorBound, SaysNothingWhereTheConditionExceedsThePrecision) {
  using W = TypeParam;
  const auto bound = [this](const Row<W>& z, Range range) {
    return static_cast<double>(
        forward_bound(statistics(z, W(0)), std::nullopt, std::nullopt, this->f32, 16, range)[0]);
  };
  const Row<W> z{W(-1), W(1)};
  EXPECT_LT(bound(z + W(0x1p20 - 1), Range::whole), infinity);
  EXPECT_EQ(bound(z + W(0x1p20), Range::whole), infinity);
  EXPECT_EQ(bound(Row<W>(2, W(3)), Range::whole), infinity);  // sigma = 0
}

TYPED_TEST(ErrorBound, FormatsWithoutRangeOrRoundoff) {
  using W = TypeParam;
  const Row<W> z(plain_row<W>() * W(0x1p1000));
  const Row<W> huge(4, W(0x1p1000));
  const auto huge_row = statistics(z, W(0));
  if constexpr (!std::is_same_v<W, double>) {
    const Precision mp = uniform_precision(mp50_format());
    const auto bound = forward_bound(huge_row, huge, huge, mp, 1, Range::stated);
    const W expected = W(mp.compute.unit_roundoff) * W(0x1p1000) * W(8.5);
    EXPECT_TRUE(magnitude(W(bound[0] - expected)) <= W(1e-12) * expected);  // y = 0 there
    const auto gradients =
        backward_bound(Matrix<W>::of_row(z), huge, W(0), Matrix<W>::of_row(z), mp, 1, Range::stated);
    for (const W& x : gradients.dz.values()) EXPECT_TRUE(x < W(infinity));
    for (const W& x : gradients.dgain) EXPECT_TRUE(x < W(infinity));
  }
  const Precision exact;
  EXPECT_EQ(forward_bound(huge_row, huge, huge, exact, 12, Range::stated), Row<W>(4));
  EXPECT_EQ(
      backward_bound(Matrix<W>::of_row(z), huge, W(0), Matrix<W>::of_row(z), exact, 1, Range::stated).dz,
      Matrix<W>::of_row(Row<W>(4)));
}

TYPED_TEST(ErrorBound, BackwardInOneFormatAndInTwo) {
  using W = TypeParam;
  // g = dy = (4, 0, 0, 0): mean g = mean |g| = 1, mean(g u) = -1, mean |g u| = 1, mean(|g| e) = 8.5, b = (2,
  // 0, -2, 0)
  const Matrix<W> z = Matrix<W>::of_row(plain_row<W>());
  const Matrix<W> dy = Matrix<W>::of_row({W(4), W(0), W(0), W(0)});
  const double C = 12 * 0x1p-24;
  const double terms = 4 + 1 + 1;
  const double carried = 3.5 * 2 + 8.5 + (1 + C * 8.5) * 8.5;
  const double underflow = 1 + (2 + 1 + 2) / 2.0;
  const auto one = backward_bound(z, std::nullopt, W(0), dy, this->f32, 12, Range::stated);
  const double float_dz = C * (terms + carried) / 2 + 0x1p-149 * underflow;
  this->expect_close(one.dz(0, 0), float_dz);
  this->expect_close(one.dz(0, 1), C * (2 + 8.5 + (1 + C * 8.5) * 8.5) / 2 + 0x1p-149 * underflow);
  const double float_dgain = 0x1p-24 * 4 * (12 * 8.5 + 3) + 0x1p-149 * 6;
  this->expect_close(one.dgain[0], float_dgain);
  EXPECT_EQ(one.dbias, Row<W>(4, W(0x1p-126)));  // one row: dbias is dy, unless dy is flushed to zero
  const auto whole = backward_bound(z, std::nullopt, W(0), dy, this->f32, 12, Range::whole);
  EXPECT_EQ(whole.dbias, Row<W>(4));
  const auto two = backward_bound(z, std::nullopt, W(0), dy, this->f16, 12, Range::stated);
  this->expect_close(two.dz(0, 0), float_dz + 4 * 0x1p-11 * terms / 2 + 0x1p-24 * underflow);
  this->expect_close(two.dgain[0], float_dgain + 0x1p-11 * 8 + 0x1p-24 * 5);
  this->expect_close(two.dbias[0], 0x1p-11 * 4 + 0x1p-24 * 4 + 0x1p-24);
}

TYPED_TEST(ErrorBound, BackwardSumsOverRows) {
  using W = TypeParam;
  Matrix<W> z(3, 4);
  Matrix<W> dy(3, 4);
  for (std::size_t t = 0; t < 3; ++t) {
    z.set_row(t, plain_row<W>());
    dy.set_row(t, Row<W>(4, W(t == 1 ? -2 : 1)));
  }
  const auto bound = backward_bound(z, std::nullopt, W(0), dy, this->f32, 12, Range::stated);
  this->expect_close(bound.dbias[2], 2 * 0x1p-24 * 4);
  this->expect_close(bound.dgain[2], 0x1p-24 * 4 * (12 * 8.5 + 5) + 0x1p-149 * (3 + 1 + 4));
  const auto none =
      backward_bound(Matrix<W>(0, 4), std::nullopt, W(0), Matrix<W>(0, 4), this->f32, 12, Range::stated);
  EXPECT_EQ(none.dgain, Row<W>(4));
  EXPECT_EQ(none.dbias, Row<W>(4));
}

TYPED_TEST(ErrorBound, BackwardIsInfiniteOutsideItsRange) {
  using W = TypeParam;
  const auto bound = [this](double scale, double dy_scale, Range range) {
    const Matrix<W> z = Matrix<W>::of_row(plain_row<W>() * W(scale));
    const Matrix<W> dy = Matrix<W>::of_row(Row<W>{W(dy_scale), W(0), W(0), W(0)});
    return backward_bound(z, std::nullopt, W(0), dy, this->f32, 12, range);
  };
  EXPECT_TRUE(bound(1, 0x1p40, Range::stated).dz(0, 0) < W(infinity));
  EXPECT_TRUE(bound(1, 0x1p41, Range::stated).dz(0, 0) == W(infinity));
  EXPECT_TRUE(bound(1, 0x1p41, Range::stated).dgain[0] < W(infinity));
  EXPECT_TRUE(bound(1, 0x1p41, Range::whole).dz(0, 0) < W(infinity));
  EXPECT_TRUE(bound(0x1p30, 1, Range::stated).dz(0, 0) == W(infinity));  // sigma = 2^31
  EXPECT_TRUE(bound(0x1p30, 1, Range::stated).dgain[0] == W(infinity));
  EXPECT_TRUE(bound(0x1p30, 1, Range::whole).dgain[0] < W(infinity));
  const Matrix<W> zeros(1, 2);
  EXPECT_TRUE(
      backward_bound(zeros, std::nullopt, W(1), zeros, this->f32, 10, Range::stated).dz(0, 0) < W(infinity));
}

TYPED_TEST(ErrorBound, LimitsOfTheCore) {
  using W = TypeParam;
  const double room = 1 + 0x1p-21;
  const double summed = 1 + 20 * 0x1p-24;
  this->expect_close(constant_row_limit<W>(12, this->f32), summed);
  this->expect_close(constant_row_limit<W>(12, this->f16), summed * (1 + 0x1p-10));
  this->expect_close(core_limit(this->s, this->f32), 2 * room);
  this->expect_close(core_norm_limit<W>(9, this->f32), 3 * room);
  const auto far = statistics(Row<W>{W(0x1p30 - 1), W(0x1p30 + 1)}, W(0));  // kappa = 2^30 + 1
  this->expect_close(core_limit(far, this->f32), (1 + 0x1p-24 * (0x1p30 + 1)) * room);
  this->expect_close(dgain_limit(W(10), 2, this->f32), 10 * (1 + 4 * 0x1p-24));
}

TYPED_TEST(ErrorBound, ChecksItsArguments) {
  using W = TypeParam;
  const Matrix<W> z(1, 4);
  EXPECT_THROW(
      forward_bound(this->s, Row<W>(3), std::nullopt, this->f32, 1, Range::whole), std::invalid_argument);
  EXPECT_THROW(
      forward_bound(this->s, std::nullopt, Row<W>(5), this->f32, 1, Range::whole), std::invalid_argument);
  EXPECT_THROW(backward_bound(z, Row<W>(3), W(1), z, this->f32, 1, Range::whole), std::invalid_argument);
  EXPECT_THROW(backward_bound(z, std::nullopt, W(-1), z, this->f32, 1, Range::whole), std::invalid_argument);
  EXPECT_THROW(
      backward_bound(z, std::nullopt, W(1), Matrix<W>(2, 4), this->f32, 1, Range::whole),
      std::invalid_argument);
}

// A two-pass kernel as it is usually written, all in float.
struct TwoPass {
  float divisor_excess = 0;  // 1: the divisor d - 1
  Row<float> core(const Row<float>& z, float eps) const {
    const auto d = static_cast<float>(z.size());
    const float m = sum(z) / d;
    const Row<float> v = z - m;
    return v * (1 / std::sqrt(squared_norm(v) / (d - divisor_excess) + eps));
  }
};

// The mean is off, and the sum of 1023 equal squares is low by 255 roundoffs: no fault of the kernel.
TEST(ErrorBoundOfKernels, ConstantRowsMayExceedOneByTheRoundingsOfTheSumOfSquares) {
  const Row<float> u = TwoPass().core(Row<float>(1023, -1825978.625F), 0x1p-60F);
  const double excess = std::abs(static_cast<double>(u[0])) - 1;
  EXPECT_GT(excess, 100 * 0x1p-24);
  EXPECT_LE(1 + excess, constant_row_limit<double>(1023, uniform_precision(f32_format())));
}

double worst_ratio(const TwoPass& kernel, std::size_t d) {
  Draw<float> draw(31);
  double worst = 0;
  for (int k = 0; k < 200; ++k) {
    const Row<float> z = draw.row(d, -3, 1) + draw.value(-1, 8);
    const auto s = statistics(widened<double>(z), 1e-5F);
    const auto bound = forward_bound(
        s, std::nullopt, std::nullopt, uniform_precision(f32_format()), roundoff_count(d), Range::stated);
    const Row<float> u = kernel.core(z, 1e-5F);
    for (std::size_t i = 0; i < d; ++i)
      worst = std::max(worst, std::abs(static_cast<double>(u[i]) - s.core[i]) / bound[i]);
  }
  return worst;
}

TEST(ErrorBoundOfKernels, AcceptsTwoPassesAndConvictsTheDivisorDMinusOne) {
  for (const std::size_t d : {std::size_t(2), std::size_t(3), std::size_t(17), std::size_t(100)}) {
    EXPECT_LT(worst_ratio(TwoPass{}, d), 0.25) << d;
    EXPECT_GT(worst_ratio(TwoPass{.divisor_excess = 1}, d), 1) << d;
  }
}

// Without the second-order product C e_i this honest backward pass would be accused many hundredfold.
TEST(ErrorBoundOfKernels, AcceptsABackwardPassFarFromTheOrigin) {
  const Row<float> z{5999981, 6000001, 6000021};
  const float eps = 1e-5F;
  const Row<float> u = TwoPass{}.core(z, eps);
  const Row<float> v = z - sum(z) / 3;
  const Row<float> g(3, 1.0F);
  const float rstd = 1 / std::sqrt(squared_norm(v) / 3 + eps);
  const Row<float> dz = ((g - sum(g) / 3) - u * (dot(g, u) / 3)) * rstd;
  const auto wide = Matrix<double>::of_row(widened<double>(z));
  const auto dy = Matrix<double>::of_row(Row<double>(3, 1.0));
  const auto bound = backward_bound(
      wide, std::nullopt, eps, dy, uniform_precision(f32_format()), roundoff_count(3), Range::stated);
  expect_within(dz, backward_row(wide.row(0), std::nullopt, eps, dy.row(0)), bound.dz.row(0));
  EXPECT_LT(bound.dz(0, 0), infinity);
}

}  // namespace
}  // namespace layer_norm::test
