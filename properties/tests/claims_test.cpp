// Every claim is checked by something, and everything that checks names a claim that exists.
#include "engine/claims.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace lnverify {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The texts of all tests of the library.
std::string library_tests() {
  std::string all;
  for (const char* name :
       {"worked_examples", "batch_axis", "jacobian", "sensitivity", "recurrent", "adam", "eigenvalues",
        "training"}) {
    std::ifstream file(std::string(LNVERIFY_LIBRARY_TESTS) + "/" + name + "_test.cpp");
    EXPECT_TRUE(file.good()) << name;
    all.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return all;
}

TEST(Claims, AreAllChecked) { EXPECT_THAT(unchecked_claims(), IsEmpty()); }

TEST(Claims, AreTheOnlyOnesThatPropertiesName) { EXPECT_THAT(unknown_claims(), IsEmpty()); }

TEST(Claims, HaveEachAnIdOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Claim& claim : claims()) EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
}

TEST(Claims, NameExamplesThatExist) {
  const std::string tests = library_tests();
  for (const Claim& claim : claims()) {
    std::istringstream examples{std::string(claim.examples)};
    for (std::string example; examples >> example;) EXPECT_THAT(tests, HasSubstr(", " + example + ")"));
  }
}

TEST(Claims, ThatAreClosedInExactArithmeticAreCheckedWithoutTolerance) {
  const std::set<std::string_view> closed = {"V1", "V2", "V3",  "V4", "V5", "V6", "V7", "V8", "V9",  "M1",
                                             "M2", "M3", "M4",  "S1", "S2", "S3", "S4", "S5", "S6",  "S7",
                                             "S8", "S9", "S10", "J1", "J2", "J3", "J4", "J5", "J10", "L1",
                                             "L2", "L4", "R1",  "R2", "R3", "R4", "G1", "G2", "G3",  "G5"};
  for (const Claim& claim : claims()) {
    const bool must = closed.contains(claim.id);
    EXPECT_TRUE(coverage(claim).zero_tolerance || !must) << claim.id;
  }
}

}  // namespace
}  // namespace lnverify
