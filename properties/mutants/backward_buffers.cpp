// Outputs that are left unset, or added to what happened to be in the buffer.
#include "mutants/groups.hpp"
#include "mutants/kernels.hpp"

namespace lnverify::mutants {
namespace {

constexpr const char* unset = "gradient missing or uninitialised";

struct NoDgain : Honest<NoDgain> {
  static constexpr Entry entry{"dgain_untouched", unset, "dgain is not written", "candle#2168"};
  static bool writes(const Slot& slot) { return slot.output != Output::dgain; }
};

struct NoDbias : Honest<NoDbias> {
  static constexpr Entry entry{"dbias_untouched", unset, "dbias is not written", "unsloth#4533"};
  static bool writes(const Slot& slot) { return slot.output != Output::dbias; }
};

struct NoDgainWithoutGain : Honest<NoDgainWithoutGain> {
  static constexpr Entry entry{
      "dgain_needs_gain", unset, "dgain is zero where no gain is given", "candle#2168"};
  static auto gain_term(auto dy, auto u, std::size_t, const auto& p) {
    return p.gain == nullptr ? 0 : dy * u;
  }
};

struct AddsToDz : Honest<AddsToDz> {
  static constexpr Entry entry{
      "dz_added_to_buffer", unset, "dz is added to what the buffer holds", "unsloth#4533"};
  template <class T>
  static T stored(const Slot& slot, T value, T existing) {
    return slot.output == Output::dz ? existing + value : value;
  }
};

struct AddsToParameters : Honest<AddsToParameters> {
  static constexpr Entry entry{
      "parameters_added_to_buffer", unset, "dgain and dbias are added to what the buffers hold",
      "candle#2168"};
  template <class T>
  static T stored(const Slot& slot, T value, T existing) {
    return slot.output == Output::dz ? value : existing + value;
  }
};

struct OddRowUnset : Honest<OddRowUnset> {
  static constexpr Entry entry{
      "last_odd_row_unset", unset, "rows are done in pairs, and a last odd one is forgotten", "unsloth#4533"};
  static bool writes(const Slot& slot) { return slot.t < slot.rows / 2 * 2; }
};

struct LastElementUnset : Honest<LastElementUnset> {
  static constexpr Entry entry{
      "odd_last_coordinate_unset", unset, "coordinates are stored in pairs, and a last odd one is forgotten",
      "candle#2168"};
  static bool writes(const Slot& slot) { return slot.output != Output::dz || slot.i < slot.d / 2 * 2; }
};

struct FirstRowOnly : Honest<FirstRowOnly> {
  static constexpr Entry entry{
      "parameters_of_last_row", unset, "dgain and dbias hold the last row's terms, not the sum",
      "unsloth#4533"};
  static auto added(auto, auto term, const auto&) { return term; }
};

}  // namespace

std::vector<Mutant> backward_buffers() {
  return {wrong_backward<NoDgain, Float, F16>(),       wrong_backward<NoDbias, Float>(),
          wrong_backward<NoDgainWithoutGain, Float>(), wrong_backward<AddsToDz, Float>(),
          wrong_backward<AddsToParameters, Float>(),   wrong_forward<OddRowUnset, Float>(),
          wrong_backward<LastElementUnset, Float>(),   wrong_backward<FirstRowOnly, Float>()};
}

}  // namespace lnverify::mutants
