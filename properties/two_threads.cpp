// X6: where the kernel says that two threads may call it at once, each gets what it would get alone.
#include "engine/expectation.hpp"
#include "engine/property.hpp"

namespace lnverify {
namespace {

const bool registered = law(
    {.id = "two_threads",
     .claims = "X6",
     .says = "two threads that make the same call at once both get the bits of one call alone",
     .inputs = {batch("z"), gain(), bias(), epsilon()},
     .kind = Kind::trait,
     .scalars = machine_scalars(),
     .families = {"integers", "gentle", "large_offset"}},
    [](const auto& kernel, const auto& in) -> Verdict {
      const auto z = in.matrix("z");
      const auto alone = kernel.forward(z, in.gain(), in.bias(), in.eps());
      const auto both = kernel.forward_two_threads(z, in.gain(), in.bias(), in.eps());
      return all_of(
          {identical(both.first.values(), alone.values()), identical(both.second.values(), alone.values())});
    });

}  // namespace
}  // namespace lnverify
