#include <algorithm>
#include <stdexcept>

#include "engine/property.hpp"

namespace lnverify {
namespace {

std::vector<Property>& registry() {
  static std::vector<Property> all;
  return all;
}

}  // namespace

const std::vector<Property>& properties() { return registry(); }

const Property* find_property(std::string_view id) {
  for (const Property& property : registry())
    if (property.info.id == id) return &property;
  return nullptr;
}

namespace detail {

bool add_property(Property property) {
  std::vector<Property>& all = registry();
  const auto place = std::lower_bound(
      all.begin(), all.end(), property.info.id,
      [](const Property& p, const std::string& id) { return p.info.id < id; });
  if (place != all.end() && place->info.id == property.info.id)
    throw std::logic_error("two properties have the id '" + property.info.id + "'");
  all.insert(place, std::move(property));
  return true;
}

}  // namespace detail
}  // namespace lnverify
