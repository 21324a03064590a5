// Work spread over processes: each item is done in one of N forked workers, results come back as JSON.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lnverify/result_json.hpp"

namespace lnverify {

using Work = std::function<Json(std::size_t)>;

// Does items 0 ... count - 1 in up to `processes` processes (in this one when that is 1). Each process makes
// its own work with make_work(), since a process must not share the kernel's server with another. received(i,
// result) is called here as each item is done; where a process died, the result is absent. Throws
// std::runtime_error with the words of an exception that came out of the work.
void run_jobs(
    std::size_t count, unsigned processes, const std::function<Work()>& make_work,
    const std::function<void(std::size_t, std::optional<Json>)>& received);

}  // namespace lnverify
