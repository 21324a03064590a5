// Every law of the library alone was seen to fail: here they are compiled against wrong headers.
#include <gtest/gtest.h>

#include <string>

#include "engine/runner.hpp"

namespace lnverify {
namespace {

TEST(LibraryLaws, AllFailOnAWrongLibrary) {
  const Subject reference = Subject::reference();
  RunOptions options;
  options.cases = 200;
  options.shrink = false;
  options.stop_at_first = true;
  ASSERT_EQ(properties().size(), 11u);
  for (const Property& property : properties())
    for (const Scalar scalar : property.info.scalars)
      EXPECT_EQ(run_property(property, reference, scalar, options).conclusion, Conclusion::falsified)
          << property.info.id << "/" << name(scalar);
}

}  // namespace
}  // namespace lnverify
