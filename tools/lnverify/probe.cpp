#include "lnverify/probe.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "engine/expectation.hpp"

namespace lnverify {
namespace {

constexpr double usual_epsilon = 1e-5;
constexpr std::size_t batch_rows = 4;
constexpr std::size_t kappa_d = 32;
constexpr int kappa_points = 28;
constexpr std::size_t range_d = 8;
constexpr int range_columns = 21;
constexpr int range_rows = 15;
// A kernel that dies or hangs again and again is not asked for the rest.
constexpr int most_breakdowns = 3;

// Numbers in [-2, 2), the same on every machine.
class Numbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 34) * 0x1p-28 - 2;
  }

 private:
  std::uint64_t state_ = 1;
};

template <class W>
class Probe {
 public:
  using Row = layer_norm::Row<W>;
  using Matrix = layer_norm::Matrix<W>;

  explicit Probe(const Kernel<W>& kernel) : kernel_(kernel) {}

  Json samples() {
    Json json;
    json["kappa"] = {
        {"d", kappa_d}, {"limit", layer_norm::roundoff_count(kappa_d)}, {"points", kappa_curve()}};
    json["d"] = {{"points", size_curve()}};
    json["range"] = range_map();
    return json;
  }

 private:
  Matrix batch(std::size_t d, double shift) {
    Matrix z(batch_rows, d, Row(batch_rows * d, W(0)));
    for (W& x : z.values()) x = kernel_.round(W(shift + numbers_.next()));
    return z;
  }

  bool gone() const { return breakdowns_ >= most_breakdowns; }

  // What the kernel makes of a batch; false when there is nothing to be judged.
  bool call(const Matrix& z, const W& eps, Matrix& y) {
    kernel_.begin(Placement::end);
    y = kernel_.forward(z, std::nullopt, std::nullopt, eps);
    if (kernel_.record().worst >= CallStatus::crashed) ++breakdowns_;
    return kernel_.record().worst == CallStatus::done;
  }

  void add_point(Json& points, const Json& x, const Matrix& z) {
    if (gone()) return;
    const W eps = kernel_.round_epsilon(W(usual_epsilon));
    const MaybeRow<W> none;
    Matrix y = z;
    const bool done = call(z, eps, y);
    const Verdict verdict = done ? accurate(kernel_, y, z, none, none, eps) : discard("no result");
    if (done && verdict.outcome == Outcome::discarded) return;
    const bool finite = done && verdict.failure != Failure::not_finite;
    points.push_back({x, finite ? Json(verdict.unit_ratio) : Json(nullptr)});
  }

  // The shift goes up to where the grid can hold the row no more, or the bound says nothing any more.
  Json kappa_curve() {
    const layer_norm::Precision& p = kernel_.precision();
    const double bounded = -std::log2(layer_norm::roundoff_count(kappa_d) * p.compute.unit_roundoff);
    const double last = std::min<double>(p.storage.digits - 3, bounded - 1.5);
    Json points = Json::array();
    for (int i = 0; i < kappa_points; ++i) {
      const Matrix z = batch(kappa_d, i == 0 ? 0 : 1.3 * std::exp2(last * i / (kappa_points - 1) - 1));
      double kappa = 0;
      for (std::size_t t = 0; t < z.rows(); ++t) {
        const auto s = kernel_.statistics(z.row(t), W(usual_epsilon));
        kappa = std::max(kappa, static_cast<double>(W(s.max_abs / s.sigma)));
      }
      add_point(points, kappa, z);
    }
    return points;
  }

  Json size_curve() {
    Json points = Json::array();
    for (const std::size_t d : {2UL,  3UL,   4UL,   5UL,   7UL,   8UL,   13UL,   16UL,   31UL,   32UL,
                                64UL, 100UL, 128UL, 255UL, 256UL, 512UL, 1000UL, 1024UL, 2048UL, 4096UL})
      add_point(points, d, batch(d, 0));
    return points;
  }

  char cell(const Row& z, const W& eps) {
    if (gone()) return 'x';
    Matrix y = Matrix::of_row(z);
    if (!call(Matrix::of_row(z), eps, y))
      return kernel_.record().worst == CallStatus::unsupported ? 'u' : 'c';
    const auto s = kernel_.statistics(z, eps);
    const Row limit = kernel_.bound(z, std::nullopt, std::nullopt, eps, 0, layer_norm::Range::whole);
    const Verdict verdict = within(y.row(0), s.core, limit);
    if (verdict.outcome == Outcome::discarded) return 'x';
    if (verdict.outcome == Outcome::holds) return 'r';
    if (verdict.failure == Failure::not_finite) return 'n';
    double largest = 0;
    for (const W& u : s.core) largest = std::max(largest, std::fabs(static_cast<double>(u)));
    return verdict.error <= largest / 100 ? 'i' : 'w';
  }

  static std::vector<int> exponents(const layer_norm::Format& format, int count) {
    const int first = std::ilogb(format.min_subnormal) + 2;
    const int last = std::ilogb(format.largest) - 1;
    std::vector<int> list;
    for (int i = 0; i < count; ++i) list.push_back(first + (last - first) * i / (count - 1));
    return list;
  }

  Json range_map() {
    Row base(range_d);
    for (W& x : base) x = W(numbers_.next());
    const std::vector<int> columns = exponents(kernel_.grid().values, range_columns);
    const std::vector<int> rows = exponents(kernel_.grid().epsilon, range_rows);
    Json map = {{"d", range_d}, {"z", columns}, {"eps", Json::array()}, {"cells", Json::array()}};
    for (std::size_t i = 0; i <= rows.size(); ++i) {
      const bool none = i == rows.size();
      std::string cells;
      for (const int column : columns) {
        Row z = base;
        for (W& x : z) x = kernel_.round(W(x * W(std::ldexp(1.0, column))));
        cells += cell(z, none ? W(0) : W(std::ldexp(1.0, rows[i])));
      }
      map["eps"].push_back(none ? Json(nullptr) : Json(rows[i]));
      map["cells"].push_back(cells);
    }
    return map;
  }

  const Kernel<W>& kernel_;
  Numbers numbers_;
  int breakdowns_ = 0;
};

}  // namespace

Json probe_json(const Subject& subject) {
  const LawInfo any_forward{.id = "", .claims = "", .says = ""};
  Json samples = Json::object();
  for (const Scalar scalar : machine_scalars()) {
    if (!subject.offers(any_forward, scalar)) continue;
    const AnyKernel kernel = subject.kernel(scalar);
    samples[std::string(name(scalar))] =
        scalar == Scalar::f64 ? Probe(*std::get<const Kernel<layer_norm::mp50>*>(kernel)).samples()
                              : Probe(*std::get<const Kernel<double>*>(kernel)).samples();
  }
  return samples;
}

}  // namespace lnverify
