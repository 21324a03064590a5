#include "lnverify/warm_up.hpp"

#include <type_traits>
#include <variant>

#include "engine/patience.hpp"

namespace lnverify {
namespace {

// As many calls as the engine waits for before it trusts its measurements.
constexpr std::size_t calls = Patience{}.early_calls + 1;

}  // namespace

void warm_up(const Subject& subject) {
  const LawInfo any_forward{.id = "", .claims = "", .says = ""};
  for (const Scalar scalar : machine_scalars()) {
    if (!subject.offers(any_forward, scalar)) continue;
    std::visit(
        [](const auto* kernel) {
          using Row = typename std::decay_t<decltype(*kernel)>::Row;
          Row row(4);
          for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(i);
          kernel->begin(Placement::end);
          for (std::size_t i = 0; i < calls; ++i) kernel->core(row, 1.0);
        },
        subject.kernel(scalar));
  }
}

}  // namespace lnverify
