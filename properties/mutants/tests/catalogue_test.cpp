// The catalogue: every entry is readable, unique, and has functions to be tested.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/property.hpp"
#include "mutants/mutant.hpp"

namespace lnverify::mutants {
namespace {

TEST(Catalogue, HasAtLeastSeventyMutantsAndTenControls) {
  EXPECT_GE(all_mutants().size(), 70u);
  EXPECT_GE(all_controls().size(), 10u);
}

TEST(Catalogue, EveryMutantSaysWhatIsWrongAndCitesAReport) {
  std::set<std::string> ids;
  for (const Mutant& mutant : all_mutants()) {
    const std::string id = mutant.entry.id;
    EXPECT_TRUE(ids.insert(id).second) << id << " is there twice";
    EXPECT_FALSE(std::string(mutant.entry.wrong).empty()) << id;
    EXPECT_FALSE(std::string(mutant.entry.fault).empty()) << id;
    EXPECT_NE(std::string(mutant.entry.report).find('#'), std::string::npos) << id;
    EXPECT_TRUE(offers_anything(mutant.functions)) << id;
    EXPECT_EQ(find_mutant(id), &mutant);
  }
}

TEST(Catalogue, ATraitThatAMutantBreaksExists) {
  for (const Mutant& mutant : all_mutants()) {
    const std::string trait = mutant.entry.trait;
    if (trait.empty()) continue;
    const Property* property = find_property(trait);
    ASSERT_NE(property, nullptr) << mutant.entry.id;
    EXPECT_EQ(property->info.kind, Kind::trait) << mutant.entry.id;
  }
}

TEST(Catalogue, CoversEveryClassOfFault) {
  std::set<std::string> faults;
  for (const Mutant& mutant : all_mutants()) faults.insert(mutant.entry.fault);
  for (const char* fault :
       {"half accumulation",
        "one-pass variance",
        "weak precision",
        "epsilon lost or another used",
        "lost partial sums",
        "wrong statistic",
        "wrong axis, rows mixed",
        "epsilon misplaced",
        "out of bounds, misaligned, undersized scratch",
        "strides, offset, layout",
        "gain and bias",
        "backward formula",
        "race",
        "padded lanes counted",
        "index overflow",
        "gradient missing or uninitialised",
        "centring folded into a multiply-add",
        "singular at zero variance",
        "saved statistics",
        "epsilon vanishes in half",
        "batch-size dependence",
        "range of squares",
        "empty shapes",
        "higher derivatives",
        "aliasing",
        "non-finite inputs",
        "near miss",
        "combination"})
    EXPECT_EQ(faults.count(fault), 1u) << fault;
}

}  // namespace
}  // namespace lnverify::mutants
