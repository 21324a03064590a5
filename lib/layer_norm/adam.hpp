// Adam (Kingma and Ba, "Adam: a method for stochastic optimization", 2015), one step at a time:
//
//   m_t = beta1 m_{t-1} + (1 - beta1) g_t        m^ = m_t / (1 - beta1^t)       m_0 = 0
//   w_t = beta2 w_{t-1} + (1 - beta2) g_t^2      w^ = w_t / (1 - beta2^t)       w_0 = 0
//   step = -alpha m^ / (sqrt(w^) + eta)          elementwise
//
// The corrections undo the zero start: for a constant gradient g, m^ = g and w^ = g^2 at every t. The step is
// elementwise, so it need not keep what every gradient through layer normalization keeps, a zero mean.
#pragma once

#include <cmath>
#include <layer_norm/array.hpp>
#include <stdexcept>
#include <utility>

namespace layer_norm {

// 0 <= beta < 1; alpha > 0; eta >= 0.
template <class T>
struct AdamOptions {
  T alpha = T(0.001);
  T beta1 = T(0.9);
  T beta2 = T(0.999);
  T eta = T(1e-8);
};

template <class T>
class Adam {
 public:
  // For `size` parameters. Throws std::invalid_argument for options outside their ranges, NaN included.
  explicit Adam(std::size_t size, AdamOptions<T> options = {})
      : options_(std::move(options)), first_(size), second_(size) {
    require(options_.alpha > T(0), "alpha must be positive");
    require(options_.beta1 >= T(0) && options_.beta1 < T(1), "beta1 must be in [0, 1)");
    require(options_.beta2 >= T(0) && options_.beta2 < T(1), "beta2 must be in [0, 1)");
    require(options_.eta >= T(0), "eta must be at least 0");
  }

  // Takes the gradient g_t and returns what is to be added to the parameters. With eta = 0 a parameter whose
  // gradients were all 0 does not move. Throws std::invalid_argument if g has not `size` entries.
  Row<T> step(const Row<T>& gradient) {
    detail::require_same_size(gradient.size(), first_.size());
    power1_ *= options_.beta1;
    power2_ *= options_.beta2;
    first_ = first_ * options_.beta1 + gradient * T(T(1) - options_.beta1);
    second_ = second_ * options_.beta2 + gradient * gradient * T(T(1) - options_.beta2);
    const Row<T> m = corrected_first();
    const Row<T> w = corrected_second();
    Row<T> result(m.size());
    for (std::size_t i = 0; i < m.size(); ++i) result[i] = element(m[i], w[i]);
    return result;
  }

  // m_t and w_t, and both with their corrections; before the first step the latter divide 0 by 0.
  const Row<T>& first() const { return first_; }
  const Row<T>& second() const { return second_; }
  Row<T> corrected_first() const { return first_ / T(T(1) - power1_); }
  Row<T> corrected_second() const { return second_ / T(T(1) - power2_); }

 private:
  static void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
  }
  T element(const T& m, const T& w) const {
    using std::sqrt;
    const T root = sqrt(w);
    const T divisor = root + options_.eta;
    if (divisor == T(0)) return T(0);
    return -options_.alpha * m / divisor;
  }

  AdamOptions<T> options_;
  Row<T> first_;
  Row<T> second_;
  T power1_ = T(1);  // beta1^t
  T power2_ = T(1);
};

}  // namespace layer_norm
