// The runner: what it concludes from many verdicts, that it finds the simplest failing case and keeps the
// worst beside it, and that nothing passes without having been tried.
#include "engine/runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "engine/family.hpp"
#include "engine/generate.hpp"
#include "engine/kernel_host.hpp"
#include "hand_made.hpp"

namespace lnverify {
namespace {

using hand_made::copy_row;
using hand_made::property;
using hand_made::row_case;
using hand_made::subject;
using std::size_t;
using testing::HasSubstr;
using Values = std::vector<double>;

LawInfo rows_of(std::vector<std::string> families = {"integers"}) {
  return {
      .id = "hand_made",
      .claims = "",
      .says = "y = z",
      .inputs = {row("z"), epsilon()},
      .families = std::move(families)};
}

// y = z, which is what copy_row computes.
const Property copies = property(rows_of(), [](const auto& kernel, const auto& in) {
  return identical(kernel.core(in["z"], in.eps()), in["z"]);
});
RunOptions cases(size_t count) {
  RunOptions options;
  options.cases = count;
  return options;
}
PropertyResult run(
    const Property& law, const Subject& on, const RunOptions& options = cases(400),
    const std::vector<Finding>& saved = {}) {
  return run_property(law, on, Scalar::f32, options, saved);
}

// --- Holds ---

TEST(Runner, ALawThatHoldsIsDecidedInEveryCase) {
  Property law = copies;
  law.info.families = {"integers", "gentle", "constant", "lattice"};
  const PropertyResult result = run(law, subject(copy_row));
  EXPECT_EQ(result.conclusion, Conclusion::holds);
  EXPECT_EQ(result.decided, 400U);
  EXPECT_EQ(result.discarded, 0U);
  EXPECT_EQ(result.failures, 0U);
  EXPECT_FALSE(result.minimal || result.worst || result.first_failure);
  EXPECT_THAT(
      result.families, testing::ElementsAre(
                           testing::Pair("constant", 100U), testing::Pair("gentle", 100U),
                           testing::Pair("integers", 100U), testing::Pair("lattice", 100U)));
}

TEST(Runner, TheNumberOfCasesDependsOnTheCostOfTheScalar) {
  EXPECT_EQ(default_cases(Scalar::f16), 2000U);
  EXPECT_EQ(default_cases(Scalar::f64), 2000U);
  EXPECT_EQ(default_cases(Scalar::mp50), 500U);
  EXPECT_EQ(default_cases(Scalar::exact), 200U);
  EXPECT_EQ(run(copies, subject(copy_row), RunOptions{}).decided, 2000U);
}

TEST(Runner, TheLargestRatioIsReportedWithAKeyThatGivesItAgain) {
  const Property law = property(rows_of(), [](const auto&, const auto& in) {
    Verdict verdict = holds();
    verdict.ratio = verdict.unit_ratio = layer_norm::max_abs(in["z"]) > 9 ? 0.75 : 0.25;
    return verdict;
  });
  const Subject on = subject(copy_row);
  const PropertyResult result = run(law, on);
  EXPECT_EQ(result.conclusion, Conclusion::holds);
  EXPECT_EQ(result.worst_ratio, 0.75);
  EXPECT_EQ(result.unit_ratio, 0.75);
  ASSERT_TRUE(result.worst_ratio_key);
  const Case again = generate(law.info, Scalar::f32, *result.worst_ratio_key);
  EXPECT_EQ(evaluate(law, on.kernel(Scalar::f32), again).ratio, 0.75);
}

// --- Falsified ---

int zero_above_five(size_t rows, size_t d, const float* z, const float*, const float*, float, float* y) {
  for (size_t i = 0; i < rows * d; ++i) y[i] = z[i] > 5 ? 0 : z[i];
  return 0;
}

TEST(Runner, AFailureIsShrunkToTheSimplestCaseThatFails) {
  const PropertyResult result = run(copies, subject(zero_above_five));
  EXPECT_EQ(result.conclusion, Conclusion::falsified);
  ASSERT_TRUE(result.minimal);
  EXPECT_EQ(result.minimal->input, row_case({8}, 0)) << "8 is simpler than 6 and 7";
  EXPECT_EQ(result.minimal->verdict.failure, Failure::wrong_value);
  EXPECT_EQ(result.minimal->verdict.expected, Values{8});
  EXPECT_EQ(result.minimal->verdict.got, Values{0});
  ASSERT_TRUE(result.minimal->key);
  const Case origin = generate(copies.info, Scalar::f32, *result.minimal->key);
  EXPECT_GT(origin.elements(), 2U) << "the key names the case that was found, not the shrunk one";
}

TEST(Runner, TheSimplestCaseIsASingleNumberWhateverTheSeed) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    RunOptions options = cases(100);
    options.seed = seed;
    const Case end = run(copies, subject(zero_above_five), options).minimal.value().input;
    // From 6 no single step leads to 8, which is simpler.
    EXPECT_THAT(end.find("z")->values, testing::AnyOf(Values{8}, Values{6})) << seed;
    EXPECT_EQ(end.find("eps")->values, Values{0}) << seed;
    EXPECT_EQ(end.placement, Placement::end) << seed;
  }
}

TEST(Runner, WithoutShrinkingTheFirstFailureStaysAsItIs) {
  RunOptions options = cases(100);
  options.shrink = false;
  const PropertyResult result = run(copies, subject(zero_above_five), options);
  ASSERT_TRUE(result.minimal && result.minimal->key && result.first_failure);
  EXPECT_EQ(result.minimal->input, generate(copies.info, Scalar::f32, *result.minimal->key));
  EXPECT_EQ(*result.first_failure, result.minimal->key->index + 1);
}

TEST(Runner, ShrinkingStaysWithinItsBudget) {
  size_t calls = 0;
  const Property law = property(rows_of(), [&calls](const auto&, const auto&) {
    ++calls;
    return falsified(Failure::wrong_value, "always");
  });
  const Subject on = subject(copy_row);
  RunOptions options;
  options.shrink_evaluations = 2;
  const Finding found{row_case({9, 9, 9, 9, 9, 9, 9, 9}, 1), falsified(Failure::wrong_value, "always"), {}};
  const Finding end = simplest(law, on.kernel(Scalar::f32), Scalar::f32, found, options);
  EXPECT_EQ(calls, 2U);
  EXPECT_LT(complexity(end.input), complexity(found.input)) << "what was reached so far is kept";
  options.shrink_evaluations = 0;
  EXPECT_EQ(simplest(law, on.kernel(Scalar::f32), Scalar::f32, found, options).input, found.input);
}

// The error grows with the value, the simplest failing case is small.
TEST(Runner, TheWorstCaseIsKeptBesideTheMinimalOne) {
  const Property law = property(rows_of({"integers", "gentle"}), [](const auto& kernel, const auto& in) {
    using W = std::decay_t<decltype(in.eps())>;
    const auto z = in["z"];
    return within(kernel.core(z, in.eps()), z, layer_norm::Row<W>(z.size(), W(0.5)));
  });
  const Subject on = subject(zero_above_five);
  const PropertyResult result = run(law, on);
  ASSERT_TRUE(result.worst && result.worst->key && result.minimal);
  EXPECT_EQ(result.minimal->verdict.ratio, 16);
  EXPECT_EQ(result.worst->verdict.ratio, 20) << "10 with a limit of 1/2";
  EXPECT_EQ(result.worst_ratio, 20);
  const Case again = generate(law.info, Scalar::f32, *result.worst->key);
  EXPECT_EQ(evaluate(law, on.kernel(Scalar::f32), again).ratio, 20);
  EXPECT_GT(result.failures, 1U);
}

TEST(Runner, MayStopAtTheFirstFailure) {
  RunOptions options = cases(400);
  options.stop_at_first = true;
  const PropertyResult result = run(copies, subject(zero_above_five), options);
  EXPECT_EQ(result.failures, 1U);
  EXPECT_EQ(result.decided + result.discarded, result.first_failure);
}

TEST(Runner, EnoughFailuresAreEnough) {
  const Property never =
      property(rows_of(), [](const auto&, const auto&) { return falsified(Failure::wrong_value, "always"); });
  EXPECT_EQ(run(never, subject(copy_row), cases(1000)).failures, 200U);
}

// --- Misdeeds, each as its kind and shrunk within its kind ---

// Well-behaved unless z[0] is above 5; then it does what the template says.
using Misdeed = int (*)(size_t, const float*, float*);
template <Misdeed misdeed>
int misbehaves_above_five(
    size_t rows, size_t d, const float* z, const float*, const float*, float, float* y) {
  if (rows * d > 0 && z[0] > 5) return misdeed(rows * d, z, y);
  return copy_row(rows, d, z, nullptr, nullptr, 0, y);
}
int crash(size_t, const float*, float*) {
  volatile std::uintptr_t address = 8;
  *reinterpret_cast<volatile int*>(address) = 1;
  return 0;
}
int hang(size_t count, const float* z, float* y) {
  for (volatile int forever = 1; forever != 0;)
    for (size_t i = 0; i < count; ++i) y[i] = z[i];
  return 0;
}
int overrun(size_t count, const float* z, float* y) {
  for (size_t i = 0; i < count; ++i) y[i] = z[i];
  reinterpret_cast<volatile float*>(y)[count] = 1;
  return 0;
}
int scribble(size_t count, const float* z, float* y) {
  for (size_t i = 0; i < count; ++i) y[i] = z[i];
  const_cast<float*>(z)[0] = 99;
  return 0;
}
int forget(size_t, const float*, float*) { return 0; }
int fail(size_t, const float*, float*) { return -3; }

template <Misdeed misdeed>
void expect_kind(Failure failure) {
  // Patience adapts to a kernel that has answered some calls; a first call that
  // hangs takes a minute.
  const Subject on = subject(misbehaves_above_five<misdeed>);
  const Property warm_up = copies;
  for (int i = 0; i < 5; ++i) evaluate(warm_up, on.kernel(Scalar::f32), row_case({1}, 0));
  RunOptions options = cases(200);
  options.shrink_seconds = 2;
  const PropertyResult result = run(copies, on, options);
  EXPECT_EQ(result.conclusion, Conclusion::falsified);
  ASSERT_TRUE(result.minimal);
  EXPECT_EQ(name(result.minimal->verdict.failure), name(failure)) << result.minimal->verdict.what;
  EXPECT_FALSE(result.minimal->verdict.what.empty());
  EXPECT_GT(result.minimal->input.find("z")->values[0], 5);
  if (failure == Failure::hung) return;  // each attempt costs its patience
  EXPECT_EQ(result.minimal->input.find("z")->values, Values{8});
}

TEST(RunnerMisdeed, ACrashIsACrash) { expect_kind<crash>(Failure::crashed); }
TEST(RunnerMisdeed, AnEndlessLoopIsAHang) { expect_kind<hang>(Failure::hung); }
TEST(RunnerMisdeed, AWriteBeyondTheEndIsOutOfBounds) { expect_kind<overrun>(Failure::out_of_bounds); }
TEST(RunnerMisdeed, AChangedInputIsScribbled) { expect_kind<scribble>(Failure::scribbled); }
TEST(RunnerMisdeed, AMissingOutputIsNotWritten) { expect_kind<forget>(Failure::not_written); }
TEST(RunnerMisdeed, ANegativeReturnIsFailed) { expect_kind<fail>(Failure::failed); }

TEST(RunnerMisdeed, CrashesAndHangsStopTheRunSoon) {
  const PropertyResult result = run(copies, subject(misbehaves_above_five<crash>));
  EXPECT_EQ(result.failures, 3U);
}

// Wrong above 2, fails above 5: the simplest failure at all is 4, the simplest
// of the failed calls is 8.
int wrong_above_two_fails_above_five(
    size_t rows, size_t d, const float* z, const float*, const float*, float, float* y) {
  for (size_t i = 0; i < rows * d; ++i) {
    if (z[i] > 5) return -1;
    y[i] = z[i] > 2 ? 0 : z[i];
  }
  return 0;
}

TEST(Runner, ShrinkingDoesNotSlipIntoAnotherKindOfFailure) {
  const Subject on = subject(wrong_above_two_fails_above_five);
  const auto end_of = [&](Failure failure, const Values& z) {
    const Finding found{row_case(z, 1), falsified(failure, ""), {}};
    return simplest(copies, on.kernel(Scalar::f32), Scalar::f32, found, {}).input;
  };
  EXPECT_EQ(end_of(Failure::failed, {9, 4}), row_case({8}, 0));
  EXPECT_EQ(end_of(Failure::wrong_value, {5, 1}), row_case({4}, 0));
}

// --- Not exercised, not supported ---

// Discards all but every k-th case, counted by itself.
Property decides_one_in(int k) {
  return property(rows_of(), [k, count = std::make_shared<int>(0)](const auto&, const auto&) {
    return (*count)++ % k == 0 ? holds() : discard("not my turn");
  });
}

TEST(Runner, DiscardsAreCountedWithTheirReasons) {
  const PropertyResult result = run(decides_one_in(4), subject(copy_row));
  EXPECT_EQ(result.conclusion, Conclusion::holds);
  EXPECT_EQ(result.decided, 100U);
  EXPECT_EQ(result.discarded, 300U);
  EXPECT_THAT(result.discards, testing::ElementsAre(testing::Pair("not my turn", 300U)));
}

TEST(Runner, NineDiscardsForOneDecidedCaseAreTheMost) {
  EXPECT_EQ(run(decides_one_in(10), subject(copy_row), cases(100)).conclusion, Conclusion::holds);
  const PropertyResult result = run(decides_one_in(11), subject(copy_row), cases(110));
  EXPECT_EQ(result.conclusion, Conclusion::not_exercised);
  EXPECT_EQ(result.reason, "100 of 110 cases were discarded");
}

TEST(Runner, TheDiscardRatioIsAnOption) {
  RunOptions options = cases(100);
  options.max_discard_ratio = 3;
  EXPECT_EQ(run(decides_one_in(5), subject(copy_row), options).conclusion, Conclusion::not_exercised);
  EXPECT_EQ(run(decides_one_in(4), subject(copy_row), options).conclusion, Conclusion::holds);
}

TEST(Runner, ALawMayBeRareByNature) {
  Property law = decides_one_in(50);
  law.info.rare_by_nature = true;
  EXPECT_EQ(run(law, subject(copy_row)).conclusion, Conclusion::holds);
}

TEST(Runner, NothingDecidedIsNotExercisedAndSaysWhyMostly) {
  Property law = property(rows_of(), [count = std::make_shared<int>(0)](const auto&, const auto&) {
    return discard((*count)++ % 3 == 0 ? "rare reason" : "common reason");
  });
  law.info.rare_by_nature = true;
  const PropertyResult result = run(law, subject(copy_row));
  EXPECT_EQ(result.conclusion, Conclusion::not_exercised);
  EXPECT_EQ(result.reason, "no case was decided; common reason");
}

TEST(Runner, NoCasesAtAllIsNotExercised) {
  EXPECT_EQ(run(copies, subject(copy_row), cases(0)).conclusion, Conclusion::not_exercised);
}

TEST(Runner, ARequiredFamilyMustHaveGivenADecidedCase) {
  Property law = property(rows_of({"integers", "constant"}), [](const auto&, const auto& in) {
    const auto z = in["z"];
    for (const auto& value : z)
      if (value != z[0]) return holds();
    return discard("constant");
  });
  law.info.required = {"integers"};
  EXPECT_EQ(run(law, subject(copy_row)).conclusion, Conclusion::holds);
  law.info.required = {"integers", "constant"};
  const PropertyResult result = run(law, subject(copy_row));
  EXPECT_EQ(result.conclusion, Conclusion::not_exercised);
  EXPECT_EQ(result.reason, "no case of the family constant was decided");
}

TEST(Runner, AFailureCountsHoweverFewCasesWereDecided) {
  Property law = property(rows_of(), [count = std::make_shared<int>(0)](const auto&, const auto&) {
    return (*count)++ == 50 ? falsified(Failure::wrong_value, "once") : discard("rest");
  });
  law.info.required = {"constant"};
  EXPECT_EQ(run(law, subject(copy_row)).conclusion, Conclusion::falsified);
}

TEST(Runner, WhatTheKernelDoesNotOfferIsNotSupported) {
  Property law = copies;
  law.info.exercises = Exercises::backward;
  const PropertyResult result = run(law, subject(copy_row));
  EXPECT_EQ(result.conclusion, Conclusion::not_supported);
  EXPECT_EQ(result.decided + result.discarded, 0U);
}
int refuses(size_t, size_t, const float*, const float*, const float*, float, float*) { return 1; }
int refuses_odd_lengths(size_t rows, size_t d, const float* z, const float*, const float*, float, float* y) {
  return d % 2 == 1 ? 1 : copy_row(rows, d, z, nullptr, nullptr, 0, y);
}

TEST(Runner, AKernelThatRefusesEveryCaseDoesNotSupportIt) {
  EXPECT_EQ(run(copies, subject(refuses)).conclusion, Conclusion::not_supported);
}

TEST(Runner, CasesThatTheKernelRefusesAreDiscarded) {
  const PropertyResult result = run(copies, subject(refuses_odd_lengths));
  EXPECT_EQ(result.conclusion, Conclusion::holds);
  EXPECT_GT(result.discarded, 100U);
  EXPECT_GT(result.decided, 100U);
}

// --- Saved cases ---

Finding saved_case(Case c, const std::string& file) {
  c.family = "integers";
  return {std::move(c), {}, std::nullopt, file};
}

TEST(RunnerSaved, AreTriedFirstAndAsTheyAre) {
  std::vector<Values> seen;
  const Property law = property(rows_of(), [&seen](const auto& kernel, const auto& in) {
    const auto z = in["z"];
    Values values;
    for (const auto& value : z) values.push_back(static_cast<double>(value));
    seen.push_back(values);
    return identical(kernel.core(z, in.eps()), z);
  });
  const std::vector<Finding> saved = {
      saved_case(row_case({1, 3}, 0), "a.json"), saved_case(row_case({7, 7.5}, 0.5), "b.json")};
  const PropertyResult result = run(law, subject(zero_above_five), cases(300), saved);
  ASSERT_GE(seen.size(), 2U);
  EXPECT_EQ(seen[0], (Values{1, 3}));
  EXPECT_EQ(seen[1], (Values{7, 7.5}));
  EXPECT_EQ(result.conclusion, Conclusion::falsified);
  EXPECT_EQ(result.replayed, 2U);
  ASSERT_TRUE(result.minimal);
  EXPECT_EQ(result.minimal->file, "b.json");
  EXPECT_EQ(result.first_failure, 2U);
  EXPECT_FALSE(result.minimal->key);
}

TEST(RunnerSaved, AreNotCountedAsReplayedWhenDiscarded) {
  const PropertyResult result =
      run(decides_one_in(2), subject(copy_row), cases(10),
          {saved_case(row_case({1}, 0), "a.json"), saved_case(row_case({2}, 0), "b.json")});
  EXPECT_EQ(result.replayed, 1U);
}

// A saved case shows that one old fault is gone; it must not stand in for the
// random cases.
TEST(RunnerSaved, DoNotStandInForRandomCases) {
  Property law = property(rows_of({"integers", "constant"}), [](const auto&, const auto& in) {
    return in["z"].size() == 1 && in["z"][0] == 77 ? holds() : discard("random");
  });
  const std::vector<Finding> saved = {saved_case(row_case({77}, 0), "a.json")};
  EXPECT_EQ(run(law, subject(copy_row), cases(5), saved).conclusion, Conclusion::not_exercised);
  Property needy = decides_one_in(1);
  needy.info.required = {"constant"};
  Finding constant = saved[0];
  constant.input.family = "constant";
  EXPECT_EQ(run(needy, subject(copy_row), cases(5), {constant}).conclusion, Conclusion::not_exercised);
}

// --- Keys and errors ---

TEST(Runner, OneCaseCanBeRunAlone) {
  const Property never =
      property(rows_of(), [](const auto&, const auto&) { return falsified(Failure::wrong_value, "always"); });
  RunOptions options;
  options.shrink = false;
  options.only_index = 37;
  const PropertyResult alone = run(never, subject(copy_row), options);
  EXPECT_EQ(alone.decided + alone.discarded, 1U);
  ASSERT_TRUE(alone.minimal && alone.minimal->key);
  EXPECT_EQ(alone.minimal->key->index, 37U);
  EXPECT_EQ(alone.minimal->input, generate(never.info, Scalar::f32, {default_seed, 37}));
}

TEST(Runner, OneCaseAloneNeedsNoRequiredFamily) {
  Property law = copies;
  law.info.required = {"constant"};
  RunOptions options;
  options.only_index = 3;
  EXPECT_EQ(run(law, subject(copy_row), options).conclusion, Conclusion::holds);
}
const Property throwing = property(rows_of(), [](const auto&, const auto& in) {
  if (layer_norm::max_abs(in["z"]) > 9) throw std::out_of_range("the law is wrong");
  return holds();
});

TEST(Runner, AnExceptionOutOfALawNamesPropertyScalarAndKey) {
  std::string message;
  try {
    run(throwing, subject(copy_row));
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  EXPECT_THAT(
      message, testing::MatchesRegex("internal error in hand_made/f32, case "
                                     "20160721:[0-9]+: the law is wrong"));
}

TEST(Runner, AnExceptionInASavedCaseNamesItsFile) {
  std::string message;
  try {
    run(throwing, subject(copy_row), cases(0), {saved_case(row_case({10}, 0), "a.json")});
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "internal error in hand_made/f32, a.json: the law is wrong");
}

TEST(Runner, ProgressIsReported) {
  std::vector<size_t> done;
  run_property(copies, subject(copy_row), Scalar::f32, cases(200), {}, [&](size_t now, size_t of) {
    done.push_back(now);
    EXPECT_EQ(of, 200U);
  });
  EXPECT_GE(done.size(), 2U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
}

TEST(CanRepresent, IsDecidedByTheGridOfTheScalar) {
  EXPECT_TRUE(can_represent(row_case({2048}, 1e-5F), Scalar::f16));
  EXPECT_FALSE(can_represent(row_case({2049}, 0), Scalar::f16));
  EXPECT_FALSE(can_represent(row_case({70000}, 0), Scalar::f16)) << "overflows";
  EXPECT_TRUE(can_represent(row_case({2049}, 0), Scalar::f32));
  EXPECT_FALSE(can_represent(row_case({0.1}, 0), Scalar::f32));
  EXPECT_TRUE(can_represent(row_case({0.1}, 0.1), Scalar::f64));
  EXPECT_FALSE(can_represent(row_case({1}, 0.1), Scalar::f32)) << "epsilon is a float";
  EXPECT_TRUE(can_represent(row_case({0.1}, 0.1), Scalar::mp50));
  EXPECT_TRUE(can_represent(row_case({std::nan("")}), Scalar::f16));
  EXPECT_FALSE(can_represent(row_case({std::nan("")}), Scalar::exact));
}

TEST(Conclusion, EveryOneHasAName) {
  EXPECT_EQ(name(Conclusion::holds), "holds");
  EXPECT_EQ(name(Conclusion::falsified), "falsified");
  EXPECT_EQ(name(Conclusion::not_exercised), "not-exercised");
  EXPECT_EQ(name(Conclusion::not_supported), "not-supported");
}

}  // namespace
}  // namespace lnverify
