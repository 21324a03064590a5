// The core of a row in MPFR at a fixed precision, each coordinate then rounded once more: what one would
// write without an oracle. Correct rounding is likely, not guaranteed.
#pragma once

#include <mpfr.h>

#include <cstddef>
#include <layer_norm/array.hpp>
#include <layer_norm/binary_rounding.hpp>
#include <memory>
#include <vector>

namespace lnverify::bench {

class MpfrNumber {
 public:
  explicit MpfrNumber(mpfr_prec_t bits) { mpfr_init2(value_, bits); }
  ~MpfrNumber() { mpfr_clear(value_); }
  MpfrNumber(const MpfrNumber&) = delete;
  MpfrNumber& operator=(const MpfrNumber&) = delete;
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

// Numbers for rows of d coordinates, kept between rows so that no time goes into allocation.
class MpfrRow {
 public:
  MpfrRow(std::size_t d, mpfr_prec_t bits) : mean_(bits), sigma_(bits), square_(bits) {
    for (std::size_t i = 0; i < d; ++i) v_.push_back(std::make_unique<MpfrNumber>(bits));
  }

  layer_norm::Row<double> core(
      const layer_norm::Row<double>& z, double eps, const layer_norm::Format& format) {
    const auto d = static_cast<double>(z.size());
    mpfr_set_zero(mean_, 1);
    for (const double x : z) mpfr_add_d(mean_, mean_, x, MPFR_RNDN);
    mpfr_div_d(mean_, mean_, d, MPFR_RNDN);
    mpfr_set_zero(sigma_, 1);
    for (std::size_t i = 0; i < z.size(); ++i) {
      mpfr_ptr v = *v_[i];
      mpfr_d_sub(v, z[i], mean_, MPFR_RNDN);
      mpfr_sqr(square_, v, MPFR_RNDN);
      mpfr_add(sigma_, sigma_, square_, MPFR_RNDN);
    }
    mpfr_div_d(sigma_, sigma_, d, MPFR_RNDN);
    mpfr_add_d(sigma_, sigma_, eps, MPFR_RNDN);
    mpfr_sqrt(sigma_, sigma_, MPFR_RNDN);
    layer_norm::Row<double> u(z.size());
    const bool is_float = format == layer_norm::f32_format();
    for (std::size_t i = 0; i < z.size(); ++i) {
      mpfr_ptr v = *v_[i];
      mpfr_div(v, v, sigma_, MPFR_RNDN);
      u[i] = is_float ? static_cast<double>(mpfr_get_flt(v, MPFR_RNDN)) : mpfr_get_d(v, MPFR_RNDN);
    }
    return u;
  }

 private:
  MpfrNumber mean_;
  MpfrNumber sigma_;
  MpfrNumber square_;
  std::vector<std::unique_ptr<MpfrNumber>> v_;
};

}  // namespace lnverify::bench
