// Subject: what a kernel offers in which scalar, and how what happens inside of
// its calls becomes the verdict.
#include "engine/subject.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/kernel_host.hpp"
#include "hand_made.hpp"

namespace lnverify {
namespace {

using hand_made::copy_row;
using hand_made::row_case;
using Values = std::vector<double>;

LawInfo exercising(Exercises exercises) {
  LawInfo info;
  info.id = "hand_made";
  info.exercises = exercises;
  return info;
}

int copy_backward(
    std::size_t rows, std::size_t d, const double*, const double*, double, const double* dy, double* dz,
    double* dgain, double* dbias) {
  for (std::size_t i = 0; i < rows * d; ++i) dz[i] = dy[i];
  for (std::size_t i = 0; i < d; ++i) dgain[i] = dbias[i] = 0;
  return 0;
}

TEST(Subject, OffersWhatItHasFunctionsFor) {
  KernelFunctions functions;
  functions.forward_f32 = copy_row;
  functions.backward_f64 = copy_backward;
  const Subject subject = Subject::functions(functions, "two functions");
  EXPECT_EQ(subject.name(), "two functions");
  EXPECT_FALSE(subject.is_reference());
  EXPECT_EQ(subject.scalars(), (std::vector<Scalar>{Scalar::f32, Scalar::f64}));
  EXPECT_TRUE(subject.offers(exercising(Exercises::forward), Scalar::f32));
  EXPECT_FALSE(subject.offers(exercising(Exercises::backward), Scalar::f32));
  EXPECT_FALSE(subject.offers(exercising(Exercises::forward), Scalar::f64));
  EXPECT_TRUE(subject.offers(exercising(Exercises::backward), Scalar::f64));
  for (const Scalar scalar : {Scalar::f16, Scalar::bf16, Scalar::mp50, Scalar::exact})
    EXPECT_FALSE(subject.offers(exercising(Exercises::forward), scalar)) << name(scalar);
}

TEST(Subject, LawsOfTheLibraryAreForTheReferenceAlone) {
  EXPECT_FALSE(hand_made::subject(copy_row).offers(exercising(Exercises::library), Scalar::f32));
  EXPECT_TRUE(Subject::reference().offers(exercising(Exercises::library), Scalar::f32));
}

TEST(Subject, TheReferenceOffersEveryScalarBothWays) {
  const Subject reference = Subject::reference();
  EXPECT_TRUE(reference.is_reference());
  EXPECT_EQ(reference.scalars(), all_scalars());
  for (const Scalar scalar : all_scalars())
    for (const Exercises exercises : {Exercises::forward, Exercises::backward})
      EXPECT_TRUE(reference.offers(exercising(exercises), scalar)) << name(scalar);
}

TEST(Subject, TheReferenceNormalizesInEveryScalar) {
  const Subject reference = Subject::reference();
  const Property law =
      hand_made::property(exercising(Exercises::forward), [](const auto& kernel, const auto& in) {
        using W = std::decay_t<decltype(in.eps())>;
        // z = (2, 6), eps = 0: the core is (-1, 1) in every format.
        return identical(kernel.core(in["z"], in.eps()), layer_norm::Row<W>{W(-1), W(1)});
      });
  for (const Scalar scalar : reference.scalars())
    EXPECT_EQ(evaluate(law, reference.kernel(scalar), row_case({2, 6}, 0)).outcome, Outcome::holds)
        << name(scalar);
}

TEST(Subject, ALibraryThatIsNotThereIsNamed) {
  try {
    Subject::library("/nowhere/libmissing.so");
    FAIL();
  } catch (const BadKernel& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("/nowhere/libmissing.so"));
  }
}

TEST(Subject, FunctionsThatOfferNothingAreRefused) {
  EXPECT_THROW(Subject::functions(KernelFunctions{}, "nothing"), BadKernel);
}

// A law that calls forward once and would say that all is well.
const Property trusting =
    hand_made::property(exercising(Exercises::forward), [](const auto& kernel, const auto& in) {
      kernel.core(in["z"], in.eps());
      return holds();
    });

int returns_minus_one(std::size_t, std::size_t, const float*, const float*, const float*, float, float*) {
  return -1;
}
int refuses_all(std::size_t, std::size_t, const float*, const float*, const float*, float, float*) {
  return 1;
}
int writes_nothing(std::size_t, std::size_t, const float*, const float*, const float*, float, float*) {
  return 0;
}

TEST(Evaluate, WhatHappensInACallOutranksWhatTheLawSays) {
  const Subject failing = hand_made::subject(returns_minus_one);
  const Verdict verdict = evaluate(trusting, failing.kernel(Scalar::f32), row_case({1, 2}, 0));
  EXPECT_EQ(verdict.failure, Failure::failed);
  EXPECT_THAT(verdict.what, testing::HasSubstr("-1"));
  const Subject silent = hand_made::subject(writes_nothing);
  EXPECT_EQ(
      evaluate(trusting, silent.kernel(Scalar::f32), row_case({1, 2}, 0)).failure, Failure::not_written);
}

TEST(Evaluate, ARefusedCallIsADiscardThatSaysSo) {
  const Subject subject = hand_made::subject(refuses_all);
  const Verdict verdict = evaluate(trusting, subject.kernel(Scalar::f32), row_case({1, 2}, 0));
  EXPECT_EQ(verdict.outcome, Outcome::discarded);
  EXPECT_TRUE(verdict.not_supported);
  EXPECT_THAT(verdict.what, testing::StartsWith("not supported"));
}

TEST(Evaluate, AnOperationThatIsNotOfferedIsADiscard) {
  const Property in_place =
      hand_made::property(exercising(Exercises::forward), [](const auto& kernel, const auto& in) {
        kernel.forward(in.matrix("z"), {}, {}, in.eps(), Operation::forward_in_place);
        return falsified(Failure::wrong_value, "must not be seen");
      });
  const Subject subject = hand_made::subject(copy_row);
  EXPECT_TRUE(evaluate(in_place, subject.kernel(Scalar::f32), row_case({1}, 0)).not_supported);
}

TEST(Evaluate, OneMisdeedDoesNotTaintTheNextEvaluation) {
  const Subject subject = hand_made::subject(
      [](std::size_t rows, std::size_t d, const float* z, const float*, const float*, float, float* y) {
        if (z[0] == 13) return -1;
        return copy_row(rows, d, z, nullptr, nullptr, 0, y);
      });
  EXPECT_TRUE(evaluate(trusting, subject.kernel(Scalar::f32), row_case({13}, 0)).falsified());
  EXPECT_EQ(evaluate(trusting, subject.kernel(Scalar::f32), row_case({12}, 0)).outcome, Outcome::holds);
}

// Reads one element past the end, which only the placement against the guard
// page behind shows.
int reads_past_the_end(
    std::size_t rows, std::size_t d, const float* z, const float*, const float*, float, float* y) {
  const volatile float* beyond = z + rows * d;
  const float stray = *beyond;
  return copy_row(rows, d, z, nullptr, nullptr, 0, y) + (stray == 99 ? 1 : 0);
}

TEST(Evaluate, ThePlacementOfTheCaseReachesTheCall) {
  const Subject subject = hand_made::subject(reads_past_the_end);
  Case c = row_case({1, 2}, 0);
  c.placement = Placement::begin;
  EXPECT_EQ(evaluate(trusting, subject.kernel(Scalar::f32), c).outcome, Outcome::holds);
  c.placement = Placement::end;
  EXPECT_EQ(evaluate(trusting, subject.kernel(Scalar::f32), c).failure, Failure::out_of_bounds);
}

// A law must not hand the kernel what its scalar can't hold: that would test
// the conversion.
TEST(Evaluate, AValueOffTheGridIsAFaultOfTheLaw) {
  const Property careless =
      hand_made::property(exercising(Exercises::forward), [](const auto& kernel, const auto& in) {
        using W = std::decay_t<decltype(in.eps())>;
        kernel.core(in["z"] * W(0.1), in.eps());
        return holds();
      });
  const Subject subject = hand_made::subject(copy_row);
  EXPECT_THROW(evaluate(careless, subject.kernel(Scalar::f32), row_case({1}, 0)), std::logic_error);
}

}  // namespace
}  // namespace lnverify
