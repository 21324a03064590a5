// What one small call costs, with a limit so wide that only a broken hand-over between the processes exceeds
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "server.hpp"

namespace lnverify {
namespace {

int copy(size_t rows, size_t d, const float* z, const float*, const float*, float, float* y) {
  std::copy_n(z, rows * d, y);
  return 0;
}

TEST(ServerSpeed, SmallCallsAreFast) {
  Server server({.forward_f32 = copy}, "copy");
  const std::vector<double> z(64, 1.0);
  Call call;
  call.rows = 1;
  call.d = z.size();
  call.z = z.data();
  double best = std::numeric_limits<double>::infinity();
  constexpr int calls = 1000;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) server.call(call);
    best = std::min(
        best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  RecordProperty("microseconds_per_call", std::to_string(best / calls));
  std::printf("best of 20: %.2f microseconds per call\n", best / calls);
  EXPECT_LT(best / calls, 200) << "a small call should take about 10 microseconds on an idle machine";
}

}  // namespace
}  // namespace lnverify
