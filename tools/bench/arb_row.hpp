// The core of a row in the balls of FLINT/Arb, correctly rounded: the precision is doubled for the
// coordinates whose ball does not yet round to one number. A coordinate that lies on the midpoint of two
// numbers never does; such a row is given up.
#pragma once

#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#else
#include <arb.h>
#endif

#include <cstddef>
#include <layer_norm/array.hpp>
#include <layer_norm/format.hpp>
#include <stdexcept>
#include <vector>

namespace lnverify::bench {

class ArbRow {
 public:
  explicit ArbRow(std::size_t d) : z_(vector(d)), v_(vector(d)), d_(static_cast<slong>(d)) {
    for (arb_ptr number : {mean_, scale_, u_}) arb_init(number);
    for (arf_ptr number : {low_, high_}) arf_init(number);
  }
  ~ArbRow() {
    for (arb_ptr number : {mean_, scale_, u_}) arb_clear(number);
    for (arf_ptr number : {low_, high_}) arf_clear(number);
    _arb_vec_clear(z_, d_);
    _arb_vec_clear(v_, d_);
  }
  ArbRow(const ArbRow&) = delete;
  ArbRow& operator=(const ArbRow&) = delete;

  layer_norm::Row<double> core(
      const layer_norm::Row<double>& z, double eps, const layer_norm::Format& format) {
    constexpr slong most_bits = 1 << 14;
    layer_norm::Row<double> u(z.size());
    std::vector<bool> decided(z.size(), false);
    for (slong i = 0; i < d_; ++i) arb_set_d(z_ + i, z[static_cast<std::size_t>(i)]);
    std::size_t open = z.size();
    for (slong bits = 64; open > 0; bits *= 2) {
      if (bits > most_bits) throw std::runtime_error("a coordinate that balls can't round");
      normalize(eps, bits);
      for (slong i = 0; i < d_; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (decided[at]) continue;
        arb_mul(u_, v_ + i, scale_, bits);
        decided[at] = round(format, bits, u[at]);
        if (decided[at]) --open;
      }
    }
    return u;
  }

 private:
  static arb_ptr vector(std::size_t d) { return _arb_vec_init(static_cast<slong>(d)); }

  // v and 1 / sigma
  void normalize(double eps, slong bits) {
    arb_zero(mean_);
    for (slong i = 0; i < d_; ++i) arb_add(mean_, mean_, z_ + i, bits);
    arb_div_si(mean_, mean_, d_, bits);
    for (slong i = 0; i < d_; ++i) arb_sub(v_ + i, z_ + i, mean_, bits);
    arb_dot(scale_, nullptr, 0, v_, 1, v_, 1, d_, bits);
    arb_div_si(scale_, scale_, d_, bits);
    arb_set_d(u_, eps);
    arb_add(scale_, scale_, u_, bits);
    arb_rsqrt(scale_, scale_, bits);
  }

  // Rounds both ends of the ball u; true if they agree. The subnormal numbers of formats below double would
  // need more care; no row of the benchmark comes near them.
  bool round(const layer_norm::Format& format, slong bits, double& result) {
    arb_get_interval_arf(low_, high_, u_, bits);
    if (format.digits < 53)
      for (arf_ptr end : {low_, high_}) arf_set_round(end, end, format.digits, ARF_RND_NEAR);
    result = arf_get_d(low_, ARF_RND_NEAR);
    return result == arf_get_d(high_, ARF_RND_NEAR);
  }

  arb_ptr z_;
  arb_ptr v_;
  slong d_;
  arb_t mean_;
  arb_t scale_;
  arb_t u_;
  arf_t low_;
  arf_t high_;
};

}  // namespace lnverify::bench
