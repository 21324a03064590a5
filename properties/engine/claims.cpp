#include "engine/claims.hpp"

#include <algorithm>
#include <sstream>

namespace lnverify {
namespace {

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

bool names(const Property& property, std::string_view claim) {
  const std::vector<std::string> ids = words(property.info.claims);
  return std::find(ids.begin(), ids.end(), claim) != ids.end();
}

void append(std::string& list, std::string_view entry) {
  list += (list.empty() ? "" : ", ") + std::string(entry);
}

}  // namespace

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = {
      // Values
      {"V1", "z = (2, 6) with eps = 1 gives (-2/sqrt(5), 2/sqrt(5))", "V1TwoCoordinates"},
      {"V2", "z = (1, 2, 3) with eps = 1/3 gives (-1, 0, 1)", "V2ThreeInARow"},
      {"V3", "(11, 12, 13) and (101, 102, 103) give the same core as (1, 2, 3)",
       "V3CommonShiftIsRemovedBitForBit"},
      {"V4", "(2, 4, 6) gives (-2/sqrt(3), 0, 2/sqrt(3)), so scale is not removed", "V4ScaleIsNotRemoved"},
      {"V5", "(1, 2, 3) with eps = 4/3 gives (-1, 0, 1)/sqrt(2)", "V5LargerEps"},
      {"V6", "(1, 2, 4) gives (-4, -1, 5)/sqrt(17): an unequal shift is seen", "V6UnequalShiftIsNotRemoved"},
      {"V7",
       "the last coordinate of the core of (-t, 0, t) is t/sqrt(2t^2/3 + eps), which tends to sqrt(3/2)",
       "V7SaturatesAtRootThreeHalves"},
      {"V8", "a constant row gives the bias", "V8ConstantRowGivesTheBiasExactly"},
      {"V9", "a row of one coordinate gives the bias", "V9OneCoordinate"},
      // Moments
      {"M1", "the core has mean 0", ""},
      {"M2", "the core has variance q/(q + eps): 1/2 at q = eps, below 1 for every eps > 0", ""},
      {"M3", "|u|^2 = d q/(q + eps), and no coordinate exceeds sqrt((d - 1) q/(q + eps))", ""},
      {"M4", "unequal gains move the mean of the output by <P gain, u>/d; equal ones never do", ""},
      // Symmetries
      {"S1", "a common shift of z changes neither variance nor core nor output", ""},
      {"S2", "for eps > 0 no other shift is invisible: u moves by at least eps/max(sigma)^3 |Ps|", ""},
      {"S3", "for eps > 0 the core determines the centered row: v = u sqrt(eps/(1 - |u|^2/d))", ""},
      {"S4", "for eps > 0 a scale a multiplies the core by a sqrt((q + eps)/(a^2 q + eps)), 1 only for a = 1",
       ""},
      {"S5", "scaling z by a is dividing eps by a^2", ""},
      {"S6", "for eps = 0 a positive scale is invisible", ""},
      {"S7", "the core is odd", ""},
      {"S8", "permuting z, gain and bias alike permutes the output", ""},
      {"S9", "the core of a repeated row is the repeated core", ""},
      {"S10", "normalizing twice is normalizing once with another eps and a factor", ""},
      // Batches and recurrence
      {"B1", "the output of a case depends on that case alone", ""},
      {"B2", "normalizing over the batch would make it depend on the others", "BatchAxisMixesTheCases"},
      {"B3", "a recurrent state depends neither on later steps nor on other sequences",
       "PrefixesAndCompanionsChangeNoBit"},
      {"B4", "adding a common row to W_hh or W_xh leaves the trajectory unchanged", ""},
      // Jacobian
      {"J1", "J = (P - v v^T/(d sigma^2))/sigma, symmetric and positive semidefinite",
       "HasTheEigenvaluesOfTheFormula"},
      {"J2", "J 1 = 0", ""},
      {"J3", "J v = eps/sigma^3 v", ""},
      {"J4", "J w = w/sigma for w orthogonal to 1 and v", ""},
      {"J5", "at a constant row J = P/sqrt(eps)", ""},
      {"J6", "J has rank d - 1, or d - 2 for eps = 0; sigma^3 trace J = (d - 2) sigma^2 + eps", ""},
      {"J7", "the norm of J is at most eps^(-1/2), reached at a constant row", "NormDependsOnTheDimension"},
      {"J8", "the full output's Jacobian is diag(gain) J, of norm at most max|gain| eps^(-1/2)", ""},
      {"J9", "central differences miss J w by at most h^2 |Pw|^3/(2 d eps^(3/2)), reached at v = 0",
       "AgreesWithCentralDifferences"},
      {"J10", "sigma^3 J is rational, with the eigenvalues 0, eps and sigma^2", "ScaledFormIsRational"},
      // Lipschitz
      {"L1", "|u(z) - u(z')| is at most eps^(-1/2) |z - z'| and at most 2 |P(z - z')|/(sigma + sigma')", ""},
      {"L2", "with a gain, at most max|gain| times as much", ""},
      {"L3", "the constant eps^(-1/2) is approached at constant rows", ""},
      {"L4", "the core is the gradient of d sqrt(q + eps), convex, and cocoercive with constant sqrt(eps)",
       "CoreIsTheGradientOfThePotential"},
      // Redundancy
      {"R1", "a common shift of the bias before the normalization is invisible", ""},
      {"R2", "so is a common row added to every row of the weights", ""},
      {"R3", "a shift a of the input is invisible if and only if W a is a multiple of 1", ""},
      {"R4", "every gradient by these weights and biases sums to 0 over the coordinates", ""},
      {"R5", "gradient descent keeps mean(b) and the column means of W; Adam moves them, unseen",
       "DescentKeepsTheMeansAndAdamMovesThem"},
      // Backward
      {"G1", "dz = J (gain dy), dgain = sum dy u, dbias = sum dy", ""},
      {"G2", "dz sums to 0, and <v, dz> = eps/sigma^3 <v, gain dy>", ""},
      {"G3", "gain dy constant gives dz = 0", ""},
      {"G4", "dz agrees with finite differences", ""},
      {"G5", "<J g, h> = <g, J h>", ""},
      {"G6", "dz of a row depends on that row alone; dgain and dbias add over rows", ""},
      // Adam
      {"A1", "for a constant gradient Adam's corrected averages are g and g^2 at every step", ""},
      {"A2", "Adam's step depends on the history of gradients", "HistoriesThatEndAlikeStepApart"},
      {"A3", "without eta Adam does not see the scale of the gradients; its first step is their sign", ""},
      // Floating point
      {"X1", "results lie within the derived bounds of the exact ones", ""},
      {"X2", "so they do on the whole finite range", ""},
      {"X3", "NaN and infinities spoil their own row and no other", ""},
      {"X4", "subnormal inputs and a tiny eps are honoured", ""},
      {"X5", "no core blows up, whatever the condition number", ""},
      {"X6", "the same call gives the same bits", ""},
      {"X7", "nothing outside the arrays is touched, and inputs are left alone", ""},
      {"X8", "no rows do nothing, and a batch is its rows", ""},
  };
  return all;
}

std::vector<const Property*> properties_of(std::string_view claim) {
  std::vector<const Property*> result;
  for (const Property& property : properties())
    if (names(property, claim)) result.push_back(&property);
  return result;
}

Coverage coverage(const Claim& claim) {
  Coverage result;
  std::vector<Scalar> scalars;
  for (const Property* property : properties_of(claim.id)) {
    append(result.checks, property->info.id);
    scalars.insert(scalars.end(), property->info.scalars.begin(), property->info.scalars.end());
  }
  for (const std::string& example : words(claim.examples)) append(result.checks, example);
  for (const Scalar scalar : all_scalars())
    if (std::find(scalars.begin(), scalars.end(), scalar) != scalars.end()) {
      append(result.scalars, name(scalar));
      result.zero_tolerance = result.zero_tolerance || scalar == Scalar::exact;
    }
  return result;
}

std::vector<std::string> unchecked_claims() {
  std::vector<std::string> result;
  for (const Claim& claim : claims())
    if (coverage(claim).checks.empty()) result.emplace_back(claim.id);
  return result;
}

std::vector<std::string> unknown_claims() {
  std::vector<std::string> result;
  for (const Property& property : properties())
    for (const std::string& id : words(property.info.claims))
      if (std::none_of(claims().begin(), claims().end(), [&](const Claim& claim) { return claim.id == id; }))
        result.push_back(property.info.id + ": " + id);
  return result;
}

}  // namespace lnverify
