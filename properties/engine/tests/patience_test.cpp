// PatienceRecord: generous at first, then in proportion to what the kernel has been seen to need.
#include "patience.hpp"

#include <gtest/gtest.h>

namespace lnverify {
namespace {

using namespace std::chrono_literals;

TEST(Patience, ShrinksFromFirstToEarlyToMeasured) {
  PatienceRecord record{Patience{}};
  EXPECT_EQ(record.processor_limit(0), 60s);
  EXPECT_EQ(record.wall_limit(), 120s);
  record.finished(200ms);
  EXPECT_EQ(record.processor_limit(0), 5s);
  EXPECT_EQ(record.wall_limit(), 10s);
  record.finished(1ms);
  record.finished(1ms);
  EXPECT_EQ(record.processor_limit(0), 50ms)
      << "the first call, slow by loading, says nothing about later ones";
  record.finished(10ms);
  record.finished(1ms);
  EXPECT_EQ(record.processor_limit(0), 200ms);
}

TEST(Patience, GrowsWithTheArrays) {
  PatienceRecord record{Patience{}};
  for (int i = 0; i < 4; ++i) record.finished(1us);
  EXPECT_EQ(record.processor_limit(4'000'000), 50ms + 4s);
}

TEST(Patience, FirstCallAfterARestartMayBeAsSlowAsFirstCallsAre) {
  PatienceRecord record{Patience{}};
  record.finished(100ms);
  for (int i = 0; i < 4; ++i) record.finished(1us);
  EXPECT_EQ(record.processor_limit(0), 50ms);
  record.restarted();
  EXPECT_EQ(record.processor_limit(0), 2s);
  record.finished(1us);
  EXPECT_EQ(record.processor_limit(0), 50ms);
}

}  // namespace
}  // namespace lnverify
