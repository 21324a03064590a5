// Correct rounding: against an independent program in Python (oracle.py), against ties and ends of range
// known by hand, and the quick enclosures against integers and against 100 digits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <layer_norm/correct_rounding.hpp>
#include <layer_norm/scalar.hpp>
#include <layer_norm/storage.hpp>
#include <limits>
#include <memory>
#include <random>
#include <sstream>
#include <string>

namespace layer_norm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct NamedFormat {
  const char* name;
  Format format;
  int max_exponent;
};
std::array<NamedFormat, 4> formats() {
  return {
      {{"f16", f16_format(), 15},
       {"bf16", bf16_format(), 127},
       {"f32", f32_format(), 127},
       {"f64", f64_format(), 1023}}};
}

// Draws with raw bits of the engine only, so the rows are the same with every standard library.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  int between(int low, int high) {
    const auto count = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<int>(engine_() % count);
  }
  // Significand in [1, 2) or (-2, -1], on the grid of the format.
  double value(const Format& format, int low_exponent, int high_exponent) {
    const double significand = 1 + static_cast<double>(engine_() >> 11) * 0x1p-53;
    const int exponent = between(low_exponent, high_exponent);
    const double sign = between(0, 1) == 0 ? 1 : -1;
    const double x = nearest_value(std::ldexp(sign * significand, exponent), format);
    return std::isinf(x) ? sign * format.largest : x;
  }

 private:
  std::mt19937_64 engine_;
};

struct Case {
  Row<double> z;
  Row<double> gain;
  Row<double> bias;  // also dy
  double eps = 0;
};

Case ordinary(Draw& draw, const NamedFormat& f, std::size_t d, int low, int high) {
  Case c{Row<double>(d), Row<double>(d), Row<double>(d), 0};
  for (double& x : c.z) x = draw.value(f.format, low, high);
  for (double& x : c.gain) x = draw.value(f.format, -2, 2);
  for (double& x : c.bias) x = draw.value(f.format, -2, 2);
  c.eps = draw.between(0, 3) == 0 ? 0 : std::fabs(draw.value(f32_format(), -20, 2));
  return c;
}

// Two values A, B with an odd difference of digits + 1 bits, and q + eps a power of four: u is a tie, at
// times among the subnormal numbers. Not for f64, where such an eps has more bits than a double.
Case core_tie(Draw& draw, const NamedFormat& f) {
  const int digits = std::min(f.format.digits, 24);
  const int whole = 1 << digits;
  const double high = whole - 1;
  const double low = -2.0 * draw.between(1, whole / 2 - 1);
  Case c = ordinary(draw, f, 2, 0, 0);
  c.z = {high, low};
  const double v = (high - low) / 2;
  const int power = digits + (draw.between(0, 1) == 0 ? 1 : 0);
  c.eps = std::ldexp(1.0, 2 * power) - v * v;
  return c;
}

// u = (-1, 1), so y = gain + bias is a sum of two values of the format: often a tie.
Case output_tie(Draw& draw, const NamedFormat& f) {
  Case c = ordinary(draw, f, 2, -3, 3);
  c.z = {1, 3};
  c.eps = 0;
  for (std::size_t i = 0; i < 2; ++i)
    c.bias[i] =
        std::ldexp(c.gain[i] < 0 ? -1.0 : 1.0, std::ilogb(c.gain[i]) - f.format.digits) * (i == 0 ? -1 : 1);
  return c;
}

// Kinds of rows; which are the hard ones of each format is in the exponents.
Case make_case(Draw& draw, const NamedFormat& f, int kind) {
  const int subnormal = f.format.min_exponent - f.format.digits + 1;
  const auto d = static_cast<std::size_t>(draw.between(2, 12));
  switch (kind) {
    case 0:
      return core_tie(draw, f);
    case 1:
      return output_tie(draw, f);
    case 2: {  // subnormal rows: eps = 1 makes u tiny, eps = 0 or subnormal does not
      Case c = ordinary(draw, f, d, subnormal, f.format.min_exponent);
      const int choice = draw.between(0, 2);
      c.eps = choice == 0 ? 1.0 : choice == 1 ? 0.0 : f.format.min_subnormal;
      return c;
    }
    case 3: {  // all exponents, gains that overflow and underflow
      Case c = ordinary(draw, f, d, subnormal, f.max_exponent);
      for (double& x : c.gain) x = draw.value(f.format, subnormal, f.max_exponent);
      for (double& x : c.bias) x = draw.value(f.format, subnormal, f.max_exponent);
      c.eps = std::fabs(draw.value(f.format, subnormal, f.max_exponent));
      return c;
    }
    case 4: {  // small integers, zeros among the deviations, equal coordinates
      Case c = ordinary(draw, f, d, 0, 0);
      for (double& x : c.z) x = draw.between(-3, 3);
      for (double& x : c.gain) x = draw.between(-2, 2);
      for (double& x : c.bias) x = draw.between(-2, 2);
      c.eps = draw.between(1, 8);
      return c;
    }
    case 5: {  // a large common offset
      Case c = ordinary(draw, f, d, -4, 0);
      const double offset = draw.value(f.format, f.format.digits - 5, f.format.digits - 3);
      for (double& x : c.z) x = nearest_value(x + offset, f.format);
      if (c.eps == 0) c.eps = 0x1p-30;
      return c;
    }
    case 6: {  // d = 1 and constant rows
      Case c = ordinary(draw, f, draw.between(0, 1) == 0 ? 1 : d, 0, 4);
      for (double& x : c.z) x = c.z[0];
      c.eps = 1e-5;
      return c;
    }
    case 7: {  // one coordinate at the end of the range
      Case c = ordinary(draw, f, d, -4, 4);
      c.z[0] = f.format.largest;
      c.gain[0] = f.format.largest;
      return c;
    }
    default:
      return ordinary(draw, f, d, -2, 3);
  }
}

std::string hex(const Row<double>& row) {
  std::string text;
  std::array<char, 40> buffer{};
  for (const double x : row) {
    std::snprintf(buffer.data(), buffer.size(), "%a ", x);
    text += buffer.data();
  }
  return text;
}

// Writes cases and results, one line each, and counts the results.
class Protocol {
 public:
  explicit Protocol(const std::filesystem::path& path) : out_(path) {}
  void write(
      const NamedFormat& f, const char* kind, std::size_t rows, double eps, const Row<double>& z,
      const Row<double>& gain, const Row<double>& third, const Row<double>& results) {
    out_ << f.name << ' ' << kind << ' ' << rows << ' ' << hex({eps}) << ';' << hex(z) << ';' << hex(gain)
         << ';' << hex(third) << ';' << hex(results) << '\n';
    count_ += results.size();
  }
  std::size_t count() const { return count_; }

 private:
  std::ofstream out_;
  std::size_t count_ = 0;
};

void write_case(Protocol& protocol, const NamedFormat& f, const Case& c) {
  const RowOracle oracle(c.z, c.eps);
  const auto write = [&](const char* kind, const Row<double>& results) {
    protocol.write(f, kind, 1, c.eps, c.z, c.gain, c.bias, results);
  };
  write("mean", {oracle.mean(f.format)});
  write("variance", {oracle.variance(f.format)});
  if (oracle.variance(f64_format()) == 0 && c.eps == 0) return;
  write("rstd", {oracle.rstd(f.format)});
  write("core", oracle.core(f.format));
  write("output", oracle.output(c.gain, c.bias, f.format));
  write("dz", oracle.input_gradient(c.gain, c.bias, f.format));
}

// Batches whose rows are often multiples of one another, so that roots cancel exactly.
void write_batch(Protocol& protocol, Draw& draw, const NamedFormat& f) {
  const auto rows = static_cast<std::size_t>(draw.between(1, 3));
  const auto d = static_cast<std::size_t>(draw.between(2, 5));
  const bool related = draw.between(0, 1) == 0;
  Matrix<double> z(rows, d);
  Matrix<double> dy(rows, d);
  const Case first = ordinary(draw, f, d, -2, 1);
  for (std::size_t t = 0; t < rows; ++t) {
    const Case other = ordinary(draw, f, d, -2, 1);
    z.set_row(t, related ? first.z * std::ldexp(1.0, static_cast<int>(t)) : other.z);
    dy.set_row(t, related ? first.bias * (t == 0 ? 1.0 : -1 / static_cast<double>(rows - 1)) : other.bias);
  }
  for (double& x : dy.values()) x = nearest_value(x, f.format);
  const double eps = related ? 0 : 1e-5;
  protocol.write(f, "dgain", rows, eps, z.values(), {}, dy.values(), gain_gradient(z, eps, dy, f.format));
  protocol.write(f, "dbias", rows, eps, {}, {}, dy.values(), bias_gradient(dy, f.format));
}

struct Count {
  std::size_t checked = 0;
  std::size_t wrong = 0;
};

// Runs the Python program on the file; the counts by format.
std::array<Count, 4> judge(const std::filesystem::path& path) {
  const std::string command = "python3 '" LAYER_NORM_ORACLE "' < '" + path.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 256> buffer{};
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) output += buffer.data();
  std::array<Count, 4> counts;
  std::istringstream lines(output);
  std::string name;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    lines >> name >> counts[k].checked >> counts[k].wrong;
    EXPECT_EQ(name, formats()[k].name) << "output of oracle.py: " << output;
  }
  return counts;
}

TEST(correct_rounding, agrees_with_fractions) {
  const std::size_t wanted = std::getenv("LAYER_NORM_SLOW_TESTS") != nullptr ? 100000 : 10000;
  const auto path = std::filesystem::temp_directory_path() /
                    ("layer_norm_oracle_" + std::to_string(std::random_device{}()) + ".txt");
  std::array<std::size_t, 4> written{};
  {
    Protocol protocol(path);
    Draw draw(20240607);
    for (std::size_t k = 0; k < written.size(); ++k) {
      const std::size_t before = protocol.count();
      for (int kind = 0; protocol.count() - before < wanted; kind = (kind + 1) % 9) {
        write_case(protocol, formats()[k], make_case(draw, formats()[k], kind));
        write_batch(protocol, draw, formats()[k]);
      }
      written[k] = protocol.count() - before;
    }
  }
  const auto counts = judge(path);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    EXPECT_EQ(counts[k].checked, written[k]) << formats()[k].name;
    EXPECT_EQ(counts[k].wrong, 0u) << formats()[k].name;
    std::printf(
        "%s: %zu of %zu results agree\n", formats()[k].name, counts[k].checked - counts[k].wrong,
        counts[k].checked);
  }
  if (!HasFailure()) std::filesystem::remove(path);
}

// What the enclosures decide must be what the integers decide, bit for bit.
TEST(correct_rounding, quick_stage_agrees_with_integers) {
  Draw draw(7);
  std::size_t quick = 0;
  std::size_t all = 0;
  for (const NamedFormat& f : formats()) {
    for (int round = 0; round < 900; ++round) {
      const Case c = make_case(draw, f, round % 9);
      const RowOracle oracle(c.z, c.eps);
      if (oracle.variance(f64_format()) == 0 && c.eps == 0) continue;
      EXPECT_EQ(oracle.core(f.format), oracle.core_by_integers(f.format)) << f.name << ' ' << hex(c.z);
      EXPECT_EQ(
          oracle.input_gradient(c.gain, c.bias, f.format),
          oracle.input_gradient_by_integers(c.gain, c.bias, f.format))
          << f.name << ' ' << hex(c.z);
      EXPECT_EQ(oracle.output(c.gain, c.bias, f.format), oracle.output_by_integers(c.gain, c.bias, f.format))
          << f.name << ' ' << hex(c.z);
      const QuickRow row(c.z, c.eps);
      for (std::size_t i = 0; i < c.z.size(); ++i, ++all) {
        const auto enclosure = row.core(i);
        if (enclosure && decided_value(*enclosure, f.format)) ++quick;
      }
    }
  }
  EXPECT_GT(static_cast<double>(quick), 0.5 * static_cast<double>(all)) << "the quick stage is hardly used";
}

// The error of an enclosure's center over its radius.
double relative_error(const Enclosure& x, const mp100& truth) {
  const mp100 error = abs(mp100(x.center.high) + x.center.low - truth);
  return static_cast<double>(mp100(error / x.radius));
}

// The true results, at 100 digits, lie within the radius of every enclosure.
TEST(correct_rounding, enclosures_hold_the_truth) {
  Draw draw(11);
  double worst_core = 0;
  double worst_output = 0;
  double worst_gradient = 0;
  for (int round = 0; round < 3000; ++round) {
    const Case c = make_case(draw, formats()[3], std::array{4, 5, 8}[static_cast<std::size_t>(round % 3)]);
    const std::size_t d = c.z.size();
    const Row<mp100> z(c.z.begin(), c.z.end());
    const Row<mp100> g = Row<mp100>(c.gain.begin(), c.gain.end()) * Row<mp100>(c.bias.begin(), c.bias.end());
    const Row<mp100> v = z - mp100(sum(z) / d);
    const mp100 scale = 1 / sqrt(mp100(squared_norm(v) / d + c.eps));
    const Row<mp100> u = v * scale;
    const Row<mp100> dz = (g - mp100(sum(g) / d) - u * mp100(dot(g, u) / d)) * scale;
    const QuickRow quick(c.z, c.eps);
    const auto gradients = quick.input_gradient(c.gain, c.bias);
    for (std::size_t i = 0; i < d; ++i) {
      if (const auto x = quick.core(i)) worst_core = std::max(worst_core, relative_error(*x, u[i]));
      if (const auto y = quick.output(i, c.gain[i], c.bias[i]))
        worst_output = std::max(worst_output, relative_error(*y, c.gain[i] * u[i] + c.bias[i]));
      if (gradients[i]) worst_gradient = std::max(worst_gradient, relative_error(*gradients[i], dz[i]));
    }
  }
  std::printf(
      "largest error over radius: core %.3f, output %.3f, dz %.3f\n", worst_core, worst_output,
      worst_gradient);
  for (const double worst : {worst_core, worst_output, worst_gradient}) {
    EXPECT_LE(worst, 1);
    EXPECT_GT(worst, 1e-3) << "the radius is far too large to be of use";
  }
}

// The errors that double_word.hpp quotes, in units of 2^-106.
TEST(correct_rounding, double_words_have_their_errors) {
  using double_word::DoubleWord;
  Draw draw(13);
  const auto wide = [](const DoubleWord& x) { return mp100(x.high) + x.low; };
  const auto draw_word = [&draw] {
    const double high = draw.value(f64_format(), -3, 3);
    return double_word::two_sum(high, draw.value(f64_format(), -60, -57));
  };
  const auto expect = [&](const DoubleWord& result, const mp100& truth, double units) {
    EXPECT_LE(abs(wide(result) - truth), abs(truth) * units * 0x1p-106);
  };
  for (int round = 0; round < 20000; ++round) {
    const DoubleWord x = draw_word();
    const DoubleWord y = draw_word();
    const double a = draw.value(f64_format(), -3, 3);
    expect(double_word::two_sum(a, y.low), mp100(a) + y.low, 0);
    expect(double_word::two_product(a, y.high), mp100(a) * y.high, 0);
    expect(x + a, wide(x) + a, 2.001);
    expect(x + y, wide(x) + wide(y), 3.001);
    expect(x * a, wide(x) * a, 2.001);
    expect(x * y, wide(x) * wide(y), 5.001);
    expect(x / a, wide(x) / a, 3.001);
    expect(x / y, wide(x) / wide(y), 15.001);
    if (x.high > 0) expect(sqrt(x), sqrt(wide(x)), 3.126);
  }
}

TEST(correct_rounding, nearest_value_of_a_double_is_round_to) {
  Draw draw(3);
  for (const NamedFormat& f : formats())
    for (int round = 0; round < 20000; ++round) {
      // One bit more than the format has, so that every second value is a tie.
      const Format finer =
          binary_format(std::min(f.format.digits + 1, 53), f.format.min_exponent, f.max_exponent);
      const double x = draw.value(finer, f.format.min_exponent - f.format.digits - 2, f.max_exponent);
      const double expected = round_to(x, f.format);
      EXPECT_EQ(nearest_value(x, f.format), expected) << x;
      EXPECT_EQ(std::signbit(nearest_value(x, f.format)), std::signbit(expected)) << x;
      const ScaledInteger exact_x(x);
      EXPECT_EQ(nearest_value(exact_x.integer, exact_x.exponent, f.format), expected) << x;
      EXPECT_EQ(nearest_value(exact_x.root(), f.format), expected) << x;
    }
}

TEST(correct_rounding, known_values) {
  const RowOracle oracle({2, 6}, 1);  // u = -2/sqrt(5), 2/sqrt(5)
  EXPECT_EQ(oracle.mean(f32_format()), 4);
  EXPECT_EQ(oracle.variance(f32_format()), 4);
  EXPECT_EQ(oracle.rstd(f64_format()), 0x1.c9f25c5bfedd9p-2);
  EXPECT_EQ(oracle.core(f64_format()), (Row<double>{-0x1.c9f25c5bfedd9p-1, 0x1.c9f25c5bfedd9p-1}));
  EXPECT_EQ(RowOracle({1, 2, 3}, 0).core_by_integers(f64_format())[1], 0);
  EXPECT_EQ(RowOracle({7}, 1).core(f64_format()), (Row<double>{0}));
  EXPECT_EQ(RowOracle({7, 7, 7}, 1e-5).output({1, 2, 3}, {4, 5, 6}, f32_format()), (Row<double>{4, 5, 6}));
}

TEST(correct_rounding, ties_go_to_even) {
  const double half_ulp = 0x1p-53;
  // u = (-1, 1): y_1 = 1 + half an ulp, and 1 + 3 half ulps.
  const RowOracle oracle({1, 3}, 0);
  EXPECT_EQ(oracle.output({1, 1}, {0, half_ulp}, f64_format())[1], 1);
  EXPECT_EQ(oracle.output({1, 1 + 2 * half_ulp}, {0, half_ulp}, f64_format())[1], 1 + 4 * half_ulp);
  // q + eps = 4^12: u = 2047.5 / 4096, in f16 a tie between 2047/4096 and 2048/4096.
  const double v = 2047.5;
  EXPECT_EQ(RowOracle({2047, -2048}, 0x1p24 - v * v).core(f16_format())[0], 0.5);
}

TEST(correct_rounding, ends_of_the_range) {
  const Format f16 = f16_format();
  const RowOracle oracle({-1, 1}, 0);
  // 65504 is the largest; 65520 is the midpoint to 65536 and overflows; just below it does not.
  EXPECT_EQ(oracle.output({65504, 65504}, {16, 16}, f16)[1], infinity);
  EXPECT_EQ(oracle.output({65504, 65504}, {16, 15.9990234375}, f16)[1], 65504);
  EXPECT_EQ(oracle.output({65504, 65504}, {-16, 16}, f16)[0], -infinity);
  // Half the smallest subnormal number goes to zero, of its sign; anything above it does not.
  EXPECT_EQ(oracle.output({0x1p-25, 0x1p-25}, {0, 0}, f16)[1], 0);
  EXPECT_TRUE(std::signbit(oracle.output({0x1p-25, 0x1p-25}, {0, 0}, f16)[0]));
  EXPECT_EQ(oracle.output({0x1p-25, 0x1p-25}, {0, 0x1p-70}, f16)[1], 0x1p-24);
  EXPECT_EQ(RowOracle({-0x1p-1074, 0x1p-1074}, 1).core(f64_format())[1], 0x1p-1074);
  EXPECT_EQ(RowOracle({-0x1p-1074, 0x1p-1074}, 0).core(f64_format())[1], 1);
  EXPECT_EQ(RowOracle({-0x1p-1074, 0x1p-1074}, 0).rstd(f64_format()), infinity);
  EXPECT_EQ(RowOracle({-0x1p1023, 0x1p1023}, 0).variance(f64_format()), infinity);
}

TEST(correct_rounding, gradients_that_cancel_are_zero) {
  // u of the second row equals u of the first: 3 * u - 3 * u, with radicands that differ by a square.
  const Matrix<double> z(2, 3, {1, 2, 4, 2, 4, 8});
  const Matrix<double> dy(2, 3, {3, 3, 3, -3, -3, 5});
  const Row<double> dgain = gain_gradient(z, 0, dy, f64_format());
  EXPECT_EQ(dgain[0], 0);
  EXPECT_FALSE(std::signbit(dgain[0]));
  EXPECT_EQ(dgain[1], 0);
  EXPECT_GT(dgain[2], 0);
  EXPECT_EQ(bias_gradient(dy, f64_format()), (Row<double>{0, 0, 8}));
  EXPECT_EQ(
      RowOracle({1, 2, 4}, 1).input_gradient({1, 2, 4}, {4, 2, 1}, f64_format()), (Row<double>{0, 0, 0}));
  EXPECT_EQ(gain_gradient(Matrix<double>(0, 2), 1, Matrix<double>(0, 2), f64_format()), (Row<double>{0, 0}));
}

TEST(correct_rounding, refuses_what_is_undefined) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Format f32 = f32_format();
  EXPECT_THROW(RowOracle({1, nan}, 1), std::domain_error);
  EXPECT_THROW(RowOracle({1, infinity}, 1), std::domain_error);
  EXPECT_THROW(RowOracle({}, 1), std::invalid_argument);
  EXPECT_THROW(RowOracle({1, 2}, -1), std::invalid_argument);
  EXPECT_THROW(RowOracle({1, 2}, nan), std::invalid_argument);
  EXPECT_THROW(RowOracle({1, 2}, infinity), std::invalid_argument);
  const RowOracle constant({2, 2}, 0);
  EXPECT_EQ(constant.mean(f32), 2);
  EXPECT_EQ(constant.variance(f32), 0);
  EXPECT_THROW(constant.rstd(f32), std::domain_error);
  EXPECT_THROW(constant.core(f32), std::domain_error);
  EXPECT_THROW(constant.output({1, 1}, {0, 0}, f32), std::domain_error);
  EXPECT_THROW(constant.input_gradient({1, 1}, {0, 1}, f32), std::domain_error);
  EXPECT_THROW(RowOracle({1, 2}, 1).output({1}, {0, 0}, f32), std::invalid_argument);
  EXPECT_THROW(RowOracle({1, 2}, 1).output({1, nan}, {0, 0}, f32), std::domain_error);
  EXPECT_THROW(RowOracle({1, 2}, 1).core(mp50_format()), std::invalid_argument);
  EXPECT_THROW(RowOracle({1, 2}, 1).core(binary_format(53, -126, 127)), std::invalid_argument);
}

}  // namespace
}  // namespace layer_norm
