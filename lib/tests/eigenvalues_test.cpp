// The eigenvalues of the dense Jacobian, from an eigensolver that knows nothing of layer normalization.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <layer_norm/jacobian.hpp>
#include <random>
#include <vector>

namespace layer_norm::test {
namespace {

Eigen::VectorXd solved(const Row<double>& z, double eps) {
  const auto d = static_cast<Eigen::Index>(z.size());
  const Matrix<double> j = jacobian(z, eps);
  const Eigen::Map<const Eigen::MatrixXd> dense(j.values().data(), d, d);
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense, Eigen::EigenvaluesOnly).eigenvalues();
}

// 0 once, eps/sigma^3 once where v is not 0, 1/sigma for the rest; ascending, as the solver gives them.
std::vector<double> predicted(const Row<double>& z, double eps) {
  const auto values = jacobian_eigenvalues(z, eps);
  std::vector<double> all(z.size(), values.other);
  all[0] = values.common;
  if (z.size() > 1) all[1] = values.radial;
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Eigenvalues, HasTheEigenvaluesOfTheFormula) {
  std::mt19937_64 generator(3);
  std::normal_distribution<double> normal;
  for (const std::size_t d : {1U, 2U, 3U, 4U, 8U, 17U, 40U})
    for (const double eps : {0.0, 1e-5, 0.5, 1.0, 100.0})
      for (const double spread : {0.0, 0.1, 1.0, 30.0}) {
        Row<double> z(d);
        for (double& value : z) value = 5 + spread * normal(generator);
        const double sigma = statistics(z, eps).sigma;
        if (!(sigma > 0)) continue;
        const Eigen::VectorXd found = solved(z, eps);
        const std::vector<double> expected = predicted(z, eps);
        // a symmetric eigensolver is backward stable: a few d roundoffs of the norm, which is at most 1/sigma
        const double room = 8 * static_cast<double>(d) * 0x1p-52 / sigma;
        for (std::size_t i = 0; i < d; ++i)
          EXPECT_NEAR(found[static_cast<Eigen::Index>(i)], expected[i], room) << "d " << d << ", eps " << eps;
        EXPECT_GE(found[0], -room);
      }
}

}  // namespace
}  // namespace layer_norm::test
