// The claims about layer normalization that this project verifies, and what checks each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/property.hpp"

namespace lnverify {

struct Claim {
  std::string_view id;        // "S1"; permanent, as laws name it
  std::string_view says;      // one sentence
  std::string_view examples;  // GoogleTests that check it besides, or alone; names separated by spaces
};

const std::vector<Claim>& claims();

// The properties that name the claim, by id.
std::vector<const Property*> properties_of(std::string_view claim);

// What is known of a claim from its properties: one line of the table.
struct Coverage {
  std::string checks;   // property ids and examples, separated by commas
  std::string scalars;  // all scalars in which something checks it, in the usual order
  bool zero_tolerance = false;
};
Coverage coverage(const Claim& claim);

// Claims that nothing checks, and ids that a property names but no claim has.
std::vector<std::string> unchecked_claims();
std::vector<std::string> unknown_claims();

}  // namespace lnverify
