// What nearly every law calls, compiled once for each working type instead of once in each law.
#pragma once

#include <layer_norm/backward.hpp>
#include <layer_norm/core.hpp>
#include <layer_norm/moments.hpp>
#include <optional>

#include "engine/inputs.hpp"
#include "engine/verdict.hpp"
#include "engine/working_types.hpp"

#define LNVERIFY_LIBRARY_INSTANCES(LINKAGE, W)                                                   \
  LINKAGE template Row<W> operator+(Row<W>, const Row<W>&);                                      \
  LINKAGE template Row<W> operator-(Row<W>, const Row<W>&);                                      \
  LINKAGE template Row<W> operator*(Row<W>, const Row<W>&);                                      \
  LINKAGE template Row<W> operator+(Row<W>, const W&);                                           \
  LINKAGE template Row<W> operator-(Row<W>, const W&);                                           \
  LINKAGE template Row<W> operator*(Row<W>, const W&);                                           \
  LINKAGE template Row<W> operator*(const W&, Row<W>);                                           \
  LINKAGE template Row<W> operator/(Row<W>, const W&);                                           \
  LINKAGE template Row<W> operator-(Row<W>);                                                     \
  LINKAGE template W sum(const Row<W>&);                                                         \
  LINKAGE template W dot(const Row<W>&, const Row<W>&);                                          \
  LINKAGE template W max_abs(const Row<W>&);                                                     \
  LINKAGE template W magnitude(const W&);                                                        \
  LINKAGE template bool detail::is_finite(const W&);                                             \
  LINKAGE template detail::CenteredRow<W> detail::center(const Row<W>&);                         \
  LINKAGE template detail::NormalizedRow<W> detail::normalize(detail::CenteredRow<W>, const W&); \
  LINKAGE template W mean(const Row<W>&);                                                        \
  LINKAGE template W variance(const Row<W>&);                                                    \
  LINKAGE template Row<W> centered(const Row<W>&);                                               \
  LINKAGE template Statistics<W> statistics<W>(const Row<W>&, const W&);                         \
  LINKAGE template Row<W> core<W>(const Row<W>&, const W&);                                      \
  LINKAGE template Row<W> forward<W>(                                                            \
      const Row<W>&, const std::optional<Row<W>>&, const std::optional<Row<W>>&, const W&);      \
  LINKAGE template Matrix<W> forward<W>(                                                         \
      const Matrix<W>&, const std::optional<Row<W>>&, const std::optional<Row<W>>&, const W&);   \
  LINKAGE template Row<W> backward_row<W>(                                                       \
      const Row<W>&, const std::optional<Row<W>>&, const W&, const Row<W>&);                     \
  LINKAGE template Gradients<W> backward<W>(                                                     \
      const Matrix<W>&, const std::optional<Row<W>>&, const W&, const Matrix<W>&);

#define LNVERIFY_ENGINE_INSTANCES(LINKAGE, W)                                                             \
  LINKAGE template class Inputs<W>;                                                                       \
  LINKAGE template Verdict within(                                                                        \
      const layer_norm::Row<W>&, const layer_norm::Row<W>&, const layer_norm::Row<W>&, std::string_view); \
  LINKAGE template Verdict within(const W&, const W&, const W&, std::string_view);                        \
  LINKAGE template Verdict at_most(const W&, const W&, std::string_view);                                 \
  LINKAGE template Verdict identical(const layer_norm::Row<W>&, const layer_norm::Row<W>&, std::string_view);

#define LNVERIFY_INSTANCES(LINKAGE, W)   \
  namespace layer_norm {                 \
  LNVERIFY_LIBRARY_INSTANCES(LINKAGE, W) \
  }                                      \
  namespace lnverify {                   \
  LNVERIFY_ENGINE_INSTANCES(LINKAGE, W)  \
  }

LNVERIFY_INSTANCES(extern, double)
LNVERIFY_INSTANCES(extern, layer_norm::mp50)
LNVERIFY_INSTANCES(extern, layer_norm::mp100)
LNVERIFY_INSTANCES(extern, layer_norm::exact)
