#include "shared_region.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <new>
#include <system_error>

namespace lnverify {

namespace {

// guard, control block, guard, slot, guard, slot, ..., guard
constexpr std::size_t stride = SharedRegion::slot_size + SharedRegion::guard_size;
constexpr std::size_t control_size = std::size_t{1} << 16;
constexpr std::size_t control_offset = SharedRegion::guard_size;
constexpr std::size_t first_slot_offset = control_offset + control_size + SharedRegion::guard_size;
constexpr std::size_t region_size = first_slot_offset + array_count * stride;
static_assert(sizeof(Control) <= control_size);

void open_for_use(std::byte* begin, std::size_t size) {
  if (mprotect(begin, size, PROT_READ | PROT_WRITE) != 0)
    throw std::system_error(errno, std::generic_category(), "mprotect of shared memory");
}

}  // namespace

std::string_view name(Argument array) {
  constexpr std::array<std::string_view, array_count> names = {"z",  "gain",  "bias",  "y",       "dy",
                                                               "dz", "dgain", "dbias", "second y"};
  return names.at(static_cast<std::size_t>(array));
}

SharedRegion::SharedRegion() {
  void* memory = mmap(nullptr, region_size, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap of shared memory");
  base_ = static_cast<std::byte*>(memory);
  try {
    open_for_use(base_ + control_offset, control_size);
    for (std::size_t i = 0; i < array_count; ++i) open_for_use(slot(static_cast<Argument>(i)), slot_size);
  } catch (...) {
    munmap(base_, region_size);
    throw;
  }
  control_ = new (base_ + control_offset) Control;
}

SharedRegion::~SharedRegion() { munmap(base_, region_size); }

std::byte* SharedRegion::slot(Argument array) const {
  return base_ + first_slot_offset + static_cast<std::size_t>(array) * stride;
}

bool SharedRegion::is_guarded(std::uintptr_t address) const {
  const auto base = reinterpret_cast<std::uintptr_t>(base_);
  if (address < base || address >= base + region_size) return false;
  const std::size_t offset = address - base;
  if (offset < first_slot_offset) return offset < control_offset || offset >= control_offset + control_size;
  return (offset - first_slot_offset) % stride >= slot_size;
}

}  // namespace lnverify
