// The body that evaluates a batch with the steps of a kernel (see honest.hpp), in one storage type.
//
// All inputs of a call are read before any output is written, so y may be z.
#pragma once

#include <optional>

#include "engine/storage_types.hpp"
#include "mutants/honest.hpp"

namespace lnverify::mutants {

template <class Storage>
using Arithmetic = typename Storage::arithmetic;

template <class Storage>
Row<Arithmetic<Storage>> loaded(const typename Storage::element* values, std::size_t count) {
  Row<Arithmetic<Storage>> row(values == nullptr ? 0 : count);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = Storage::load(values[i]);
  return row;
}

template <class Steps, class Storage>
layer_norm::Matrix<Arithmetic<Storage>> loaded_batch(
    const typename Storage::element* values, std::size_t rows, std::size_t d) {
  layer_norm::Matrix<Arithmetic<Storage>> batch(rows, d);
  for (std::size_t t = 0; t < rows; ++t)
    for (std::size_t i = 0; i < d; ++i) batch(t, i) = Storage::load(values[Steps::offset(t, d) + i]);
  return batch;
}

template <class Steps, class Storage>
void write(typename Storage::element& to, const Slot& slot, Arithmetic<Storage> value) {
  if (Steps::writes(slot)) to = Storage::store(Steps::stored(slot, value, Storage::load(to)));
}

template <class T>
const Row<T>* if_given(const Row<T>& row) {
  return row.empty() ? nullptr : &row;
}

// Mean, sigma and core of one row.
template <class T>
struct Normalized {
  T sigma;
  Row<T> u;
};
template <class Steps, class T>
Normalized<T> normalized(const Row<T>& z, const Place<T>& p) {
  const T mean = Steps::mean(z, p);
  const T sigma = Steps::sigma(Steps::variance(z, mean, p), p);
  Row<T> u(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) u[i] = Steps::core(z[i], mean, sigma, i, p);
  return {sigma, u};
}

template <class Steps, class Storage>
int forward(
    std::size_t rows, std::size_t d, const typename Storage::element* z,
    const typename Storage::element* gain, const typename Storage::element* bias, Arithmetic<Storage> eps,
    typename Storage::element* y) {
  using T = Arithmetic<Storage>;
  const ForwardCall<Storage> call{rows, d, z, gain, bias, eps, y};
  if (const int status = Steps::before(call); status != 0) return status;
  const auto batch = loaded_batch<Steps, Storage>(z, rows, d);
  const Row<T> gains = loaded<Storage>(gain, d);
  const Row<T> biases = loaded<Storage>(bias, d);
  Steps::for_rows(rows, [&](std::size_t t) {
    const Place<T> p{rows, d, t, static_cast<T>(d), eps, if_given(gains), if_given(biases), batch, z};
    const Row<T> u = normalized<Steps>(batch.row(t), p).u;
    for (std::size_t i = 0; i < d; ++i)
      write<Steps, Storage>(
          y[Steps::offset(t, d) + i], {Output::y, rows, d, t, i}, Steps::output(u[i], i, p));
  });
  Steps::after(call);
  return 0;
}

template <class Steps, class Storage>
int backward(
    std::size_t rows, std::size_t d, const typename Storage::element* z,
    const typename Storage::element* gain, Arithmetic<Storage> eps, const typename Storage::element* dy,
    typename Storage::element* dz, typename Storage::element* dgain, typename Storage::element* dbias) {
  using T = Arithmetic<Storage>;
  const BackwardCall<Storage> call{rows, d, z, gain, eps, dy, dz, dgain, dbias};
  if (const int status = Steps::before(call); status != 0) return status;
  const auto batch = loaded_batch<Steps, Storage>(z, rows, d);
  const auto upstreams = loaded_batch<Steps, Storage>(dy, rows, d);
  const Row<T> gains = loaded<Storage>(gain, d);
  Row<T> gain_sums(d);
  Row<T> bias_sums(d);
  for (std::size_t t = 0; t < rows; ++t) {
    const Place<T> p{rows, d, t, static_cast<T>(d), eps, if_given(gains), nullptr, batch, z};
    const Normalized<T> row = normalized<Steps>(batch.row(t), p);
    Row<T> g = upstreams.row(t);
    for (std::size_t i = 0; i < d; ++i) g[i] = Steps::upstream(g[i], i, p);
    const T mean_g = Steps::mean_g(g, p);
    const T mean_gu = Steps::mean_gu(g, row.u, p);
    for (std::size_t i = 0; i < d; ++i) {
      if (dz != nullptr)
        write<Steps, Storage>(
            dz[Steps::offset(t, d) + i], {Output::dz, rows, d, t, i},
            Steps::gradient(g[i], row.u[i], mean_g, mean_gu, row.sigma, i, p));
      gain_sums[i] = Steps::added(gain_sums[i], Steps::gain_term(upstreams(t, i), row.u[i], i, p), p);
      bias_sums[i] = Steps::added(bias_sums[i], Steps::bias_term(upstreams(t, i), i, p), p);
    }
  }
  for (std::size_t i = 0; i < d; ++i) {
    if (dgain != nullptr) write<Steps, Storage>(dgain[i], {Output::dgain, rows, d, 0, i}, gain_sums[i]);
    if (dbias != nullptr) write<Steps, Storage>(dbias[i], {Output::dbias, rows, d, 0, i}, bias_sums[i]);
  }
  Steps::after(call);
  return 0;
}

}  // namespace lnverify::mutants
