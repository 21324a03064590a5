// PipeHost: an honest command's results arrive unchanged; death, garbage, half a frame, wrong sizes and
// silence are each named for what they are, end in time, and the next call is served by a new process.
#include "pipe_host.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace lnverify {
namespace {

using Clock = std::chrono::steady_clock;
using Values = std::vector<double>;

Patience short_patience() {
  Patience patience;
  patience.first = patience.early = std::chrono::milliseconds(1000);
  patience.first_wall = std::chrono::milliseconds(5000);  // an interpreter must start, on a busy machine
  patience.wall = std::chrono::milliseconds(700);
  patience.least = std::chrono::milliseconds(300);
  return patience;
}

std::string script(const std::string& misdeed) {
  return "exec python3 '" LNVERIFY_TEST_PIPES_DIR "/kernel.py' " + misdeed;
}

Call forward_call(const Values& z, std::size_t rows = 1) {
  Call call;
  call.rows = rows;
  call.d = z.size() / rows;
  call.z = z.data();
  return call;
}

TEST(PipeHost, HonestCommandIsIntroducedAndAnswers) {
  PipeHost host(script(""));
  EXPECT_EQ(host.info().name, "tëst 1.0");
  EXPECT_TRUE(host.info().has(Operation::forward, Scalar::f32));
  EXPECT_TRUE(host.info().has(Operation::backward, Scalar::f32));
  EXPECT_FALSE(host.info().has(Operation::forward, Scalar::f64));
  EXPECT_FALSE(host.info().has(Operation::forward_in_place, Scalar::f32));
  EXPECT_FALSE(host.info().has(Operation::forward_two_threads, Scalar::f32));
  EXPECT_EQ(host.added_epsilon(0.25), 0.5);
  const Values z = {1, 2, 3, 4};
  const Values gain = {1, 10};
  const Values bias = {100, 200};
  Call call = forward_call(z, 2);
  call.eps = 0.5;
  EXPECT_EQ(host.call(call).y, (Values{2.5, 4.5, 6.5, 8.5}));
  call.gain = gain.data();
  call.bias = bias.data();
  EXPECT_EQ(host.call(call).y, (Values{102.5, 240.5, 106.5, 280.5}));
}

TEST(PipeHost, BackwardReturnsWhatIsWanted) {
  PipeHost host(script(""));
  const Values z = {1, 2};
  const Values gain = {5, 6};
  const Values dy = {7, 8};
  Call call = forward_call(z);
  call.operation = Operation::backward;
  call.gain = gain.data();
  call.dy = dy.data();
  const Reply all = host.call(call);
  EXPECT_EQ(all.status, CallStatus::done) << all.detail;
  EXPECT_EQ(all.dz, (Values{14, 16}));
  EXPECT_EQ(all.dgain, (Values{15, 18}));
  EXPECT_EQ(all.dbias, (Values{20, 24}));
  call.want_dgain = false;
  const Reply some = host.call(call);
  EXPECT_EQ(some.dz, (Values{14, 16}));
  EXPECT_TRUE(some.dgain.empty());
  EXPECT_EQ(some.dbias, (Values{20, 24}));
}

TEST(PipeHost, LargeAndEmptyBatchesPass) {
  PipeHost host(script(""));
  const Values z(1 << 20, 1.5);  // far beyond what a pipe holds, in both directions
  const Reply reply = host.call(forward_call(z, 16));
  EXPECT_EQ(reply.status, CallStatus::done) << reply.detail;
  EXPECT_EQ(reply.y, Values(z.size(), 3.0));
  Call empty;
  empty.d = 3;
  EXPECT_EQ(host.call(empty).status, CallStatus::done);
}

TEST(PipeHost, UnsupportedAndImpossibleCallsNeverReachTheCommand) {
  PipeHost host(script(""));
  const Values z = {1};
  Call call = forward_call(z);
  call.scalar = Scalar::f16;
  EXPECT_EQ(host.call(call).status, CallStatus::unsupported);
  call.scalar = Scalar::f32;
  call.d = 0;
  EXPECT_THROW(host.call(call), std::invalid_argument);
  call.d = 1;
  call.z = nullptr;
  EXPECT_THROW(host.call(call), std::invalid_argument);
}

struct Misdeed {
  std::string name;
  CallStatus status;
  std::string words;
};
void PrintTo(const Misdeed& misdeed, std::ostream* stream) { *stream << misdeed.name; }

class PipeHostMisdeed : public testing::TestWithParam<Misdeed> {};

TEST_P(PipeHostMisdeed, IsAVerdictInTimeAndTheNextCallIsServed) {
  PipeHost host(script(GetParam().name), short_patience());
  const Values good = {1, 2};
  const Values bad = {13, 2};
  for (int i = 0; i < 4; ++i) ASSERT_EQ(host.call(forward_call(good)).status, CallStatus::done);
  for (int round = 0; round < 2; ++round) {
    const auto begin = Clock::now();
    const Reply reply = host.call(forward_call(bad));
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
    EXPECT_EQ(reply.status, GetParam().status) << name(reply.status) << ": " << reply.detail;
    EXPECT_NE(reply.detail.find(GetParam().words), std::string::npos) << reply.detail;
    EXPECT_EQ(reply.detail.find('\n'), std::string::npos) << reply.detail;
    const Reply next = host.call(forward_call(good));
    EXPECT_EQ(next.status, CallStatus::done) << next.detail;
    EXPECT_EQ(next.y, (Values{2, 4}));
  }
}

INSTANTIATE_TEST_SUITE_P(
    , PipeHostMisdeed,
    testing::Values(
        Misdeed{"dies", CallStatus::crashed, "exited with status 3"},
        Misdeed{"is_killed", CallStatus::crashed, "killed by signal 9"},
        Misdeed{"dies_within", CallStatus::crashed, "sent 4 of the 16 bytes that it announced, then: exited"},
        Misdeed{"garbage", CallStatus::failed, "\"Traceback (most \" (54 72"},
        Misdeed{"short_garbage", CallStatus::hung, "sent \"oh.\" (6f 68 0a) instead of a frame, then"},
        Misdeed{"half_a_frame", CallStatus::hung, "sent 4 of the 16 bytes that it announced, then: gave no"},
        Misdeed{"half_a_header", CallStatus::hung, "sent 9 of the 16 bytes of a header"},
        Misdeed{"silent", CallStatus::hung, "asleep"}, Misdeed{"busy", CallStatus::hung, "processor time"},
        Misdeed{"one_value_less", CallStatus::failed, "12 bytes where 16 were expected"},
        Misdeed{"one_value_more", CallStatus::failed, "20 bytes where 16 were expected"},
        Misdeed{"no_status", CallStatus::failed, "shorter than its status"},
        Misdeed{"huge_length", CallStatus::failed, "announced a frame of 4611686018427387904 bytes"},
        Misdeed{"wrong_kind", CallStatus::failed, "kind 5 where 3 was expected"},
        Misdeed{"closes_stdout", CallStatus::failed, "closed its standard output"},
        Misdeed{"fails", CallStatus::failed, "ValueError: no good"},
        Misdeed{"does_not_support", CallStatus::unsupported, "returned 2"}),
    [](const auto& test) { return test.param.name; });

// What is wrong only after a whole answer falls on the next call.
TEST(PipeHost, ClosedInputIsAVerdictOnTheNextCall) {
  PipeHost host(script("closes_stdin"), short_patience());
  const Values bad = {13};
  const Values large(1 << 18, 1.0);
  EXPECT_EQ(host.call(forward_call(bad)).status, CallStatus::done);
  const Reply reply = host.call(forward_call(large));
  EXPECT_EQ(reply.status, CallStatus::failed);
  EXPECT_NE(reply.detail.find("closed its standard input"), std::string::npos) << reply.detail;
  EXPECT_EQ(host.call(forward_call(large)).status, CallStatus::done);
}

TEST(PipeHost, SecondAnswerIsAVerdictOnTheNextCall) {
  PipeHost host(script("answers_twice"), short_patience());
  const Values bad = {13};
  const Values good = {1};
  EXPECT_EQ(host.call(forward_call(bad)).status, CallStatus::done);
  const Reply reply = host.call(forward_call(good));
  EXPECT_EQ(reply.status, CallStatus::failed);
  EXPECT_NE(reply.detail.find("nobody had asked for"), std::string::npos) << reply.detail;
  EXPECT_EQ(host.call(forward_call(good)).status, CallStatus::done);
}

std::string refusal(const std::string& command) {
  Patience patience = short_patience();
  patience.first_wall = std::chrono::milliseconds(1500);
  PipeHost host(command, patience);
  try {
    host.info();
  } catch (const BadKernel& error) {
    return error.what();
  }
  return "not refused";
}

TEST(PipeHost, CommandWithoutHelloIsRefusedInOneLineThatNamesIt) {
  EXPECT_EQ(refusal("exit 7"), "kernel command 'exit 7': exited with status 7");
  EXPECT_NE(refusal("/nowhere/at/all 2>&-").find("exited with status 127"), std::string::npos);
  EXPECT_NE(refusal(script("start_silent")).find("gave no answer"), std::string::npos);
  EXPECT_NE(refusal(script("start_ends")).find("exited with status 5"), std::string::npos);
  EXPECT_NE(refusal(script("start_garbage")).find("\"Welcome to this \""), std::string::npos);
  EXPECT_NE(refusal(script("start_offers_nothing")).find("offers no function"), std::string::npos);
  EXPECT_NE(refusal(script("start_huge")).find("announced a frame"), std::string::npos);
  EXPECT_NE(refusal("cat /dev/zero").find("instead of a frame"), std::string::npos);
}

// The process whose number the file holds, which then goes.
int process_in(const std::string& mark) {
  int pid = 0;
  if (std::FILE* file = std::fopen(mark.c_str(), "r")) {
    if (std::fscanf(file, "%d", &pid) != 1) pid = 0;
    std::fclose(file);
    std::remove(mark.c_str());
  }
  return pid;
}

// Whether the `sleep` with this number ends. The signal takes effect a moment later; an orphan that is killed
// may remain a zombie until init reaps it, with an empty command line.
bool sleep_ends(int pid) {
  for (int tries = 0; tries < 500; ++tries) {
    std::string command;
    if (std::FILE* line = std::fopen(("/proc/" + std::to_string(pid) + "/cmdline").c_str(), "r")) {
      for (int c = std::fgetc(line); c > 0; c = std::fgetc(line)) command += static_cast<char>(c);
      std::fclose(line);
    }
    if (command != "sleep") return true;
    ::usleep(10000);
  }
  return false;
}

// A shell that stays between, and what it started: with it an orphan would remain.
std::string command_with_a_sleep(const std::string& mark) {
  return "sleep 30 & echo $! > " + mark + "; " + script("").substr(5) + "; true";
}

TEST(PipeHost, WholeProcessGroupEndsWithTheHost) {
  const std::string mark = testing::TempDir() + "lnverify_pipe_host_pid";
  {
    PipeHost host(command_with_a_sleep(mark));
    host.info();
  }
  const int pid = process_in(mark);
  ASSERT_GT(pid, 0);
  EXPECT_TRUE(sleep_ends(pid));
}

// However the process of the host ends.
TEST(PipeHost, WholeProcessGroupEndsWhenTheProcessOfTheHostIsKilled) {
  const std::string mark = testing::TempDir() + "lnverify_pipe_host_killed_pid";
  const pid_t owner = ::fork();
  if (owner == 0) {
    PipeHost host(command_with_a_sleep(mark));
    host.info();
    ::kill(::getpid(), SIGKILL);
  }
  ASSERT_GT(owner, 0);
  ::waitpid(owner, nullptr, 0);
  const int pid = process_in(mark);
  ASSERT_GT(pid, 0);
  EXPECT_TRUE(sleep_ends(pid));
}

TEST(PipeHost, SmallCallsAreFast) {
  PipeHost host(script(""));
  const Values z(16, 1.0);
  double best = std::numeric_limits<double>::infinity();
  constexpr int calls = 500;
  for (int repeat = 0; repeat < 6; ++repeat) {
    const auto begin = Clock::now();
    for (int i = 0; i < calls; ++i) host.call(forward_call(z));
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  std::printf("best of 6: %.0f calls per second\n", calls / best);
  EXPECT_GT(calls / best, 500) << "thousands of small calls a second should pass on an idle machine";
}

}  // namespace
}  // namespace lnverify
