// From a key to a case: which family, which sizes, and every array the law asks for.
#pragma once

#include "engine/property.hpp"

namespace lnverify {

// The case of the law with this key; depends on nothing else.
Case generate(const LawInfo& law, Scalar scalar, const CaseKey& key);

// The families that the law draws from, in the order in which case numbers cycle through them.
std::vector<const Family*> families_of(const LawInfo& law);

}  // namespace lnverify
