// A two-layer network with layer normalization between its layers, trained by gradient descent and by Adam.
//
//   prediction = <w2, tanh(gain * u_eps(W x + b) + bias)>      loss = mean of (prediction - target)^2 / 2
//
// The normalization cannot see mean(b) or the column means of W. Gradient descent therefore never moves them;
// Adam, being elementwise, does; and with them taken out again the trained network's output is the same.
#include <gtest/gtest.h>

#include <cmath>
#include <layer_norm/adam.hpp>
#include <layer_norm/affine_map.hpp>
#include <layer_norm/backward.hpp>
#include <layer_norm/core.hpp>
#include <random>

namespace layer_norm::test::training {
namespace {

constexpr std::size_t d = 6;
constexpr std::size_t n = 3;
constexpr std::size_t samples = 24;
constexpr double eps = 1e-3;

struct Network {
  AffineMap<double> layer;
  Row<double> gain;
  Row<double> bias;
  Row<double> readout;
};

struct Data {
  Matrix<double> x;
  Row<double> target;
};

// All parameters, or all gradients, in one row: W, b, gain, bias, readout.
Row<double> flat(const Network& net) {
  Row<double> all;
  std::vector<double> values;
  for (const Row<double>* part :
       {&net.layer.weight.values(), &net.layer.bias, &net.gain, &net.bias, &net.readout})
    values.insert(values.end(), part->begin(), part->end());
  return Row<double>(values.begin(), values.end());
}

void add(Network& net, const Row<double>& step) {
  std::size_t k = 0;
  for (Row<double>* part : {&net.layer.weight.values(), &net.layer.bias, &net.gain, &net.bias, &net.readout})
    for (double& value : *part) value += step[k++];
}

Matrix<double> summed(const Network& net, const Data& data) {
  Matrix<double> z(samples, d);
  for (std::size_t t = 0; t < samples; ++t) z.set_row(t, net.layer(data.x.row(t)));
  return z;
}

Row<double> predictions(const Network& net, const Data& data) {
  Row<double> result(samples);
  const auto y = forward<double>(summed(net, data), net.gain, net.bias, eps);
  for (std::size_t t = 0; t < samples; ++t)
    for (std::size_t i = 0; i < d; ++i) result[t] += net.readout[i] * std::tanh(y(t, i));
  return result;
}

double loss(const Network& net, const Data& data) {
  return squared_norm(predictions(net, data) - data.target) / (2 * samples);
}

Network gradient(const Network& net, const Data& data) {
  Network result{{Matrix<double>(d, n), Row<double>(d)}, Row<double>(d), Row<double>(d), Row<double>(d)};
  const auto z = summed(net, data);
  const auto y = forward<double>(z, net.gain, net.bias, eps);
  const auto errors = (predictions(net, data) - data.target) / static_cast<double>(samples);
  Matrix<double> dy(samples, d);
  for (std::size_t t = 0; t < samples; ++t)
    for (std::size_t i = 0; i < d; ++i) {
      const double active = std::tanh(y(t, i));
      result.readout[i] += errors[t] * active;
      dy(t, i) = errors[t] * net.readout[i] * (1 - active * active);
    }
  const auto gradients = backward<double>(z, net.gain, eps, dy);
  result.gain = gradients.dgain;
  result.bias = gradients.dbias;
  for (std::size_t t = 0; t < samples; ++t)
    for (std::size_t i = 0; i < d; ++i) {
      result.layer.bias[i] += gradients.dz(t, i);
      for (std::size_t j = 0; j < n; ++j) result.layer.weight(i, j) += gradients.dz(t, i) * data.x(t, j);
    }
  return result;
}

// mean(b), and the means of the columns of W.
Row<double> invisible_part(const Network& net) {
  Row<double> result(n + 1);
  result[n] = sum(net.layer.bias) / d;
  for (std::size_t j = 0; j < n; ++j) result[j] = sum(net.layer.weight.column(j)) / d;
  return result;
}

Network without_invisible_part(const Network& net) {
  const Row<double> part = invisible_part(net);
  return {
      net.layer.recentered(-Row<double>(part.begin(), part.begin() + n)).shifted_bias(-part[n]), net.gain,
      net.bias, net.readout};
}

class Training : public ::testing::Test {
 protected:
  void SetUp() override {
    std::mt19937_64 generator(4);
    std::normal_distribution<double> normal;
    data.x = Matrix<double>(samples, n);
    for (double& value : data.x.values()) value = normal(generator);
    data.target = Row<double>(samples);
    for (std::size_t t = 0; t < samples; ++t)
      data.target[t] = std::sin(data.x(t, 0)) - 0.5 * data.x(t, 1) * data.x(t, 2);
    start = {{Matrix<double>(d, n), Row<double>(d)}, Row<double>(d, 1), Row<double>(d), Row<double>(d)};
    for (double& value : start.layer.weight.values()) value = normal(generator);
    for (double& value : start.layer.bias) value = normal(generator);
    for (double& value : start.readout) value = 0.5 * normal(generator);
  }

  Data data;
  Network start;
};

TEST_F(Training, GradientsAreThoseOfTheLoss) {
  const Row<double> slopes = flat(gradient(start, data));
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    constexpr double h = 1e-5;
    Row<double> step(slopes.size());
    Network ahead = start;
    Network behind = start;
    step[k] = h;
    add(ahead, step);
    add(behind, -step);
    EXPECT_NEAR(slopes[k], (loss(ahead, data) - loss(behind, data)) / (2 * h), 1e-8) << k;
  }
}

TEST_F(Training, DescentKeepsTheMeansAndAdamMovesThem) {
  Network descended = start;
  for (int step = 0; step < 400; ++step) add(descended, flat(gradient(descended, data)) * -0.1);
  Network adapted = start;
  Adam<double> adam(flat(start).size(), {.alpha = 0.01});
  for (int step = 0; step < 400; ++step) add(adapted, adam.step(flat(gradient(adapted, data))));

  EXPECT_LT(loss(descended, data), 0.25 * loss(start, data));
  EXPECT_LT(loss(adapted, data), 0.25 * loss(start, data));

  // Each of the 400 steps rounds a sum of d parameters below 16 once: less than 400 * 16 * 2^-52 together.
  const double drift = max_abs(invisible_part(descended) - invisible_part(start));
  EXPECT_LE(drift, 400 * 16 * 0x1p-52);
  EXPECT_GE(max_abs(invisible_part(adapted) - invisible_part(start)), 0.01);

  const auto with = predictions(adapted, data);
  const auto without = predictions(without_invisible_part(adapted), data);
  EXPECT_LE(max_abs(with - without), 1e-12);
}

}  // namespace
}  // namespace layer_norm::test::training
