// Server: an honest kernel's results arrive unchanged, each misdeed of a dishonest one is named for what it
// is, and after each the next call is served as if nothing had been.
#include "server.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <thread>

#include "hand_made.hpp"
#include "layer_norm/storage.hpp"

namespace lnverify {
namespace {

using hand_made::infinity;
using std::size_t;
using Values = std::vector<double>;

// y = 2 z gain + bias + eps: no layer normalization, but exact on small integers in every scalar.
template <class T>
int linear(size_t rows, size_t d, const T* z, const T* gain, const T* bias, T eps, T* y) {
  for (size_t i = 0; i < rows * d; ++i)
    y[i] = 2 * z[i] * (gain ? gain[i % d] : T(1)) + (bias ? bias[i % d] : T(0)) + eps;
  return 0;
}

int linear_f16(
    size_t rows, size_t d, const uint16_t* z, const uint16_t*, const uint16_t*, float, uint16_t* y) {
  const layer_norm::Format format = layer_norm::f16_format();
  for (size_t i = 0; i < rows * d; ++i)
    y[i] = layer_norm::encode16(2 * layer_norm::decode16(z[i], format), format);
  return 0;
}

int backward_of_linear(
    size_t rows, size_t d, const float* z, const float*, float, const float* dy, float* dz, float* dgain,
    float* dbias) {
  for (size_t j = 0; j < d; ++j) {
    if (dgain) dgain[j] = 0;
    if (dbias) dbias[j] = 0;
  }
  for (size_t i = 0; i < rows * d; ++i) {
    if (dz) dz[i] = 2 * dy[i];
    if (dgain) dgain[i % d] += dy[i] * z[i];
    if (dbias) dbias[i % d] += dy[i];
  }
  return 0;
}

using ForwardF32 = decltype(&layer_norm_forward_f32);

// Behaves well unless z[0] is 13; then it does what `misdeed` says.
ForwardF32 misdeed = nullptr;
int honest_but_for_13(
    size_t rows, size_t d, const float* z, const float* gain, const float* bias, float eps, float* y) {
  if (rows > 0 && z[0] == 13) return misdeed(rows, d, z, gain, bias, eps, y);
  return linear<float>(rows, d, z, gain, bias, eps, y);
}

Patience short_patience() {
  Patience patience;
  patience.first = patience.early = std::chrono::milliseconds(300);
  patience.first_wall = patience.wall = std::chrono::milliseconds(400);
  return patience;
}

const Values three = {1, 2, 3};
const Values marked = {13, 2, 3};

Call call_of(const Values& z, Placement placement = Placement::end, Scalar scalar = Scalar::f32) {
  Call call;
  call.scalar = scalar;
  call.rows = 1;
  call.d = z.size();
  call.z = z.data();
  call.placement = placement;
  return call;
}

// The reply to the misdeed; in between and afterwards the same server must serve honest calls.
Reply reply_to(ForwardF32 kernel, Placement placement = Placement::end) {
  misdeed = kernel;
  Server server({.forward_f32 = honest_but_for_13}, "misdeed", short_patience());
  EXPECT_EQ(server.call(call_of(three)).y, (Values{2, 4, 6}));
  const Reply reply = server.call(call_of(marked, placement));
  EXPECT_EQ(server.call(call_of(three, placement)).y, (Values{2, 4, 6})) << "after " << reply.detail;
  return reply;
}

void expect(const Reply& reply, CallStatus status, const std::string& words) {
  EXPECT_EQ(name(reply.status), name(status)) << reply.detail;
  EXPECT_NE(reply.detail.find(words), std::string::npos) << reply.detail;
  EXPECT_TRUE(status == CallStatus::done || reply.y.empty());
}

class EveryPlacement : public testing::TestWithParam<Placement> {};
INSTANTIATE_TEST_SUITE_P(
    Server, EveryPlacement, testing::Values(Placement::end, Placement::begin, Placement::odd),
    [](const auto& placement) { return std::string(name(placement.param)); });

TEST_P(EveryPlacement, ForwardReturnsWhatTheKernelComputed) {
  Server server(
      {.forward_f16 = linear_f16, .forward_f32 = linear<float>, .forward_f64 = linear<double>}, "linear");
  const Values z = {1, -2, 3, 4, 5, 0.5};
  for (const Scalar scalar : {Scalar::f16, Scalar::f32, Scalar::f64}) {
    Call call = call_of(z, GetParam(), scalar);
    call.rows = 2;
    call.d = 3;
    const Reply reply = server.call(call);
    expect(reply, CallStatus::done, "");
    EXPECT_EQ(reply.y, (Values{2, -4, 6, 8, 10, 1})) << name(scalar);
  }
}

TEST_P(EveryPlacement, GainBiasAndEpsilonReachTheKernel) {
  Server server({.forward_f64 = linear<double>}, "linear");
  const Values gain = {1, 10, 100};
  const Values bias = {0, 1, 2};
  Call call = call_of(three, GetParam(), Scalar::f64);
  call.gain = gain.data();
  call.bias = bias.data();
  call.eps = 0.25;
  EXPECT_EQ(server.call(call).y, (Values{2.25, 41.25, 602.25}));
  call.gain = nullptr;
  EXPECT_EQ(server.call(call).y, (Values{2.25, 5.25, 8.25}));
}

TEST_P(EveryPlacement, OutputsMayBeUnwanted) {
  Server server({.backward_f32 = backward_of_linear}, "linear");
  const Values dy = {1, 10, 100};
  Call call = call_of(three, GetParam());
  call.operation = Operation::backward;
  call.dy = dy.data();
  const Reply all = server.call(call);
  EXPECT_EQ(all.dz, (Values{2, 20, 200}));
  EXPECT_EQ(all.dgain, (Values{1, 20, 300}));
  EXPECT_EQ(all.dbias, dy);
  call.want_dz = call.want_dgain = false;
  const Reply one = server.call(call);
  EXPECT_TRUE(one.dz.empty() && one.dgain.empty());
  EXPECT_EQ(one.dbias, dy);
}

TEST_P(EveryPlacement, AlignmentIsWhatItSays) {
  const auto tell_alignment =
      +[](size_t, size_t, const double*, const double*, const double*, double, double* y) {
        const auto address = reinterpret_cast<uintptr_t>(y);
        y[0] = static_cast<double>(address % 4096);
        return 0;
      };
  Server server({.forward_f64 = tell_alignment}, "alignment");
  const Values z = {1};
  const double expected = GetParam() == Placement::end ? 4088 : GetParam() == Placement::begin ? 0 : 8;
  EXPECT_EQ(server.call(call_of(z, GetParam(), Scalar::f64)).y, Values{expected});
}

TEST(Server, NanAndInfinityPassBothWays) {
  Server server(
      {.forward_f16 = linear_f16, .forward_f32 = linear<float>, .forward_f64 = linear<double>}, "linear");
  const Values z = {std::nan(""), infinity, -infinity};
  for (const Scalar scalar : {Scalar::f16, Scalar::f32, Scalar::f64}) {
    const Reply reply = server.call(call_of(z, Placement::end, scalar));
    expect(reply, CallStatus::done, "");
    EXPECT_TRUE(std::isnan(reply.y.at(0)));
    EXPECT_EQ(reply.y.at(1), infinity);
    EXPECT_EQ(reply.y.at(2), -infinity);
  }
}

TEST_P(EveryPlacement, NoRows) {
  Server server({.forward_f32 = linear<float>, .backward_f32 = backward_of_linear}, "linear");
  Call call;
  call.d = 2;
  call.placement = GetParam();
  const Reply forward = server.call(call);
  expect(forward, CallStatus::done, "");
  EXPECT_TRUE(forward.y.empty());
  call.operation = Operation::backward;
  const Reply backward = server.call(call);
  expect(backward, CallStatus::done, "");
  EXPECT_TRUE(backward.dz.empty());
  EXPECT_EQ(backward.dgain, (Values{0, 0}));
  EXPECT_EQ(backward.dbias, (Values{0, 0}));
}

TEST(Server, NoRowsStillWantsSumsWritten) {
  const auto idle = +[](size_t, size_t, const float*, const float*, float, const float*, float*, float*,
                        float*) { return 0; };
  Server server({.backward_f32 = idle}, "idle");
  Call call;
  call.operation = Operation::backward;
  call.d = 2;
  expect(server.call(call), CallStatus::not_written, "dgain[0] was not written");
}

TEST(Server, NotWrittenNamesTheFirstElement) {
  const auto forgets_last = +[](size_t, size_t d, const float*, const float*, const float*, float, float* y) {
    for (size_t i = 0; i + 1 < d; ++i) y[i] = 0;
    return 0;
  };
  expect(reply_to(forgets_last), CallStatus::not_written, "y[2] was not written");
}

TEST(Server, ScribbledNamesTheElement) {
  const auto scribbles =
      +[](size_t rows, size_t d, const float* z, const float* g, const float* b, float eps, float* y) {
        linear<float>(rows, d, z, g, b, eps, y);
        const_cast<float*>(z)[1] = 7;
        return 0;
      };
  for (const Placement placement : {Placement::end, Placement::begin, Placement::odd})
    expect(reply_to(scribbles, placement), CallStatus::scribbled, "changed the input z[1]");
}

int writes_past_end(
    size_t rows, size_t d, const float* z, const float* g, const float* b, float eps, float* y) {
  linear<float>(rows, d, z, g, b, eps, y);
  y[d] = 0;
  return 0;
}
int writes_before_start(
    size_t rows, size_t d, const float* z, const float* g, const float* b, float eps, float* y) {
  linear<float>(rows, d, z, g, b, eps, y);
  y[-1] = 0;
  return 0;
}

TEST(Server, WritesOutOfBoundsAreSeenInEveryPlacement) {
  expect(
      reply_to(writes_past_end, Placement::end), CallStatus::out_of_bounds,
      "wrote past the end of y, at its end + 0 bytes");
  expect(
      reply_to(writes_past_end, Placement::begin), CallStatus::out_of_bounds,
      "wrote 4 bytes past the end of y");
  expect(
      reply_to(writes_past_end, Placement::odd), CallStatus::out_of_bounds,
      "wrote 4 bytes past the end of y");
  expect(
      reply_to(writes_before_start, Placement::end), CallStatus::out_of_bounds,
      "wrote 4 bytes before the start of y");
  expect(
      reply_to(writes_before_start, Placement::begin), CallStatus::out_of_bounds,
      "wrote before the start of y, at its start - 4 bytes");
  expect(
      reply_to(writes_before_start, Placement::odd), CallStatus::out_of_bounds,
      "wrote 4 bytes before the start of y");
}

TEST(Server, ReadsOutOfBoundsAreSeenAtGuardPages) {
  const auto reads_far = +[](size_t, size_t d, const float* z, const float*, const float*, float, float* y) {
    for (size_t i = 0; i < d; ++i) y[i] = static_cast<const volatile float*>(z)[d + 2];
    return 0;
  };
  const auto reads_before =
      +[](size_t, size_t d, const float* z, const float*, const float*, float, float* y) {
        for (size_t i = 0; i < d; ++i) y[i] = static_cast<const volatile float*>(z)[-1];
        return 0;
      };
#if defined(__x86_64__)
  const std::string verb = "read";
#else
  const std::string verb = "touched memory";
#endif
  expect(
      reply_to(reads_far, Placement::end), CallStatus::out_of_bounds,
      verb + " past the end of z, at its end + 8 bytes");
  expect(
      reply_to(reads_before, Placement::begin), CallStatus::out_of_bounds,
      verb + " before the start of z, at its start - 4 bytes");
}

// On purpose; a sanitizer must leave these to the server.
__attribute__((noinline, no_sanitize("undefined"))) float read_null(const float* null) {
  return *static_cast<const volatile float*>(null);
}
__attribute__((noinline, no_sanitize("undefined"))) void write_null(const float* null) {
  *const_cast<volatile float*>(null) = 1;
}

TEST(Server, DeathsAreCrashes) {
  const auto null_read = +[](size_t, size_t, const float*, const float* gain, const float*, float, float* y) {
    y[0] = read_null(gain);
    return 0;
  };
  const auto null_write = +[](size_t, size_t, const float*, const float* gain, const float*, float, float*) {
    write_null(gain);
    return 0;
  };
  const auto aborts =
      +[](size_t, size_t, const float*, const float*, const float*, float, float*) -> int { std::abort(); };
  const auto leaves =
      +[](size_t, size_t, const float*, const float*, const float*, float, float*) -> int { std::exit(3); };
  const auto kills_itself =
      +[](size_t, size_t, const float*, const float*, const float*, float, float*) { return raise(SIGKILL); };
#if defined(__x86_64__)
  expect(reply_to(null_read), CallStatus::crashed, "null pointer read");
  expect(reply_to(null_write), CallStatus::crashed, "null pointer write");
#else
  expect(reply_to(null_read), CallStatus::crashed, "null pointer");
  expect(reply_to(null_write), CallStatus::crashed, "null pointer");
#endif
  expect(reply_to(aborts), CallStatus::crashed, "signal 6 (abort)");
  expect(reply_to(leaves), CallStatus::crashed, "exited with status 3");
  expect(reply_to(kills_itself), CallStatus::crashed, "killed by signal 9");
}

// No stack holds 2^30 of these frames.
int overflows_stack(
    size_t depth, size_t d, const float* z, const float* g, const float* b, float eps, float* y) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  if (depth > size_t{1} << 30) return 0;
  return overflows_stack(depth + 1, d, z, g, b, eps, y) + frame[0];
}

TEST(Server, StackOverflowIsACrash) {
  expect(reply_to(overflows_stack), CallStatus::crashed, "signal 11 (write at address");
}

// The parent's exit handlers must not run in a child that calls exit: this one would change the status.
TEST(Server, ExitOfTheChildRunsNoHandlersOfTheParent) {
  static const pid_t parent = getpid();
  std::atexit([] {
    if (getpid() != parent) _exit(99);
  });
  const auto leaves =
      +[](size_t, size_t, const float*, const float*, const float*, float, float*) -> int { std::exit(3); };
  expect(reply_to(leaves), CallStatus::crashed, "exited with status 3");
}

TEST(Server, DeathIsNoticedSoon) {
  misdeed = [](size_t, size_t, const float*, const float*, const float*, float, float*) {
    return raise(SIGKILL);
  };
  Server server({.forward_f32 = honest_but_for_13}, "kills itself");
  server.call(call_of(three));
  const auto begin = std::chrono::steady_clock::now();
  expect(server.call(call_of(marked)), CallStatus::crashed, "killed by signal 9");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(500));
}

TEST(Server, EndlessLoopsAndSleepsAreHangs) {
  const auto loops = +[](size_t, size_t, const float* z, const float*, const float*, float, float*) {
    while (*static_cast<const volatile float*>(z) == 13) {
    }
    return 0;
  };
  const auto sleeps = +[](size_t, size_t, const float*, const float*, const float*, float, float*) {
    for (;;) pause();
    return 0;
  };
  expect(reply_to(loops), CallStatus::hung, "processor time");
  expect(reply_to(sleeps), CallStatus::hung, "asleep");
}

TEST(Server, ReturnValuesAreStatuses) {
  const auto fails =
      +[](size_t, size_t, const float*, const float*, const float*, float, float*) { return -3; };
  const auto declines =
      +[](size_t, size_t, const float*, const float*, const float*, float, float*) { return 2; };
  expect(reply_to(fails), CallStatus::failed, "returned -3");
  expect(reply_to(declines), CallStatus::unsupported, "returned 2");
}

TEST(Server, WhatIsNotOfferedIsUnsupported) {
  Server server({.forward_f32 = linear<float>}, "f32 only");
  expect(server.call(call_of(three, Placement::end, Scalar::f64)), CallStatus::unsupported, "forward in f64");
  expect(server.call(call_of(three, Placement::end, Scalar::exact)), CallStatus::unsupported, "exact");
  Call call = call_of(three);
  call.operation = Operation::forward_in_place;
  expect(server.call(call), CallStatus::unsupported, "forward-in-place");
}

unsigned both_traits() { return LAYER_NORM_TRAIT_IN_PLACE | LAYER_NORM_TRAIT_THREADS; }

TEST_P(EveryPlacement, InPlaceGivesTheKernelOneArray) {
  const auto same = +[](size_t rows, size_t d, const float* z, const float* g, const float* b, float eps,
                        float* y) { return z == y ? linear<float>(rows, d, z, g, b, eps, y) : -1; };
  Server server({.forward_f32 = same, .traits = both_traits}, "in place");
  Call call = call_of(three, GetParam());
  call.operation = Operation::forward_in_place;
  EXPECT_EQ(server.call(call).y, (Values{2, 4, 6}));
  call.operation = Operation::forward;
  expect(server.call(call), CallStatus::failed, "returned -1");
}

std::atomic<int> inside{0};
// Returns 0 only when another thread is inside at the same time.
int meets_another_thread(
    size_t rows, size_t d, const float* z, const float* g, const float* b, float eps, float* y) {
  const int order = inside.fetch_add(1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (inside.load() < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  if (inside.load() < 2) return -1;
  linear<float>(rows, d, z, g, b, eps, y);
  y[0] = static_cast<float>(order);
  return 0;
}

TEST_P(EveryPlacement, TwoThreadsRunAtOnceOnOutputsOfTheirOwn) {
  Server server({.forward_f32 = meets_another_thread, .traits = both_traits}, "threads");
  Call call = call_of(three, GetParam());
  call.operation = Operation::forward_two_threads;
  const Reply reply = server.call(call);
  expect(reply, CallStatus::done, "");
  ASSERT_EQ(reply.y.size(), 3u);
  ASSERT_EQ(reply.second_y.size(), 3u);
  EXPECT_EQ(reply.y[0] + reply.second_y[0], 1);
  EXPECT_EQ(reply.y[2], 6);
  EXPECT_EQ(reply.second_y[2], 6);
}

TEST(Server, CrashInTheSecondThreadIsACrash) {
  const auto both_crash =
      +[](size_t, size_t, const float*, const float* gain, const float*, float, float* y) {
        y[0] = read_null(gain);
        return 0;
      };
  Server server({.forward_f32 = both_crash, .traits = both_traits}, "threads");
  Call call = call_of(three);
  call.operation = Operation::forward_two_threads;
  for (int i = 0; i < 20; ++i) expect(server.call(call), CallStatus::crashed, "null pointer");
}

TEST(Server, InfoTellsNameFunctionsAndTraits) {
  Server plain({.forward_f32 = linear<float>, .backward_f32 = backward_of_linear}, "plain");
  EXPECT_EQ(plain.info().name, "plain");
  EXPECT_TRUE(plain.info().has(Operation::forward, Scalar::f32));
  EXPECT_TRUE(plain.info().has(Operation::backward, Scalar::f32));
  EXPECT_FALSE(plain.info().has(Operation::backward, Scalar::f64));
  EXPECT_FALSE(plain.info().has(Operation::forward_in_place, Scalar::f32));
  Server named(
      {.forward_f64 = linear<double>, .name = [] { return "named 1.0"; }, .traits = both_traits}, "plain");
  EXPECT_EQ(named.info().name, "named 1.0");
  EXPECT_TRUE(named.info().has(Operation::forward_in_place, Scalar::f64));
  EXPECT_TRUE(named.info().has(Operation::forward_two_threads, Scalar::f64));
  EXPECT_FALSE(named.info().has(Operation::forward_two_threads, Scalar::mp50));
}

TEST(Server, AddedEpsilonIsTheKernelsOwn) {
  Server silent({.forward_f32 = linear<float>}, "silent");
  EXPECT_EQ(silent.added_epsilon(0.125), 0.125);
  Server fixed({.forward_f32 = linear<float>, .epsilon = [](double eps) { return eps + 1; }}, "fixed");
  EXPECT_EQ(fixed.added_epsilon(0.125), 1.125);
  EXPECT_EQ(fixed.added_epsilon(0.125), 1.125);
  EXPECT_EQ(fixed.added_epsilon(0), 1);
  Server broken({.forward_f32 = linear<float>, .epsilon = [](double) -> double { std::abort(); }}, "broken");
  EXPECT_THROW(broken.added_epsilon(0.125), BadKernel);
  Server absurd({.forward_f32 = linear<float>, .epsilon = [](double) { return -1.0; }}, "absurd");
  EXPECT_THROW(absurd.added_epsilon(0.125), BadKernel);
  EXPECT_EQ(broken.call(call_of(three)).y, (Values{2, 4, 6}));
}

TEST(Server, LargestBatchFits) {
  Server server({.forward_f64 = linear<double>}, "linear");
  const Values z(size_t{65537} * 64, 1.0);
  Call call = call_of(z, Placement::odd, Scalar::f64);
  call.rows = 65537;
  call.d = 64;
  const Reply reply = server.call(call);
  expect(reply, CallStatus::done, "");
  EXPECT_EQ(reply.y, Values(z.size(), 2.0));
}

TEST(Server, BadArgumentsThrow) {
  Server server({.forward_f32 = linear<float>}, "linear");
  Call call = call_of(three);
  call.rows = size_t{1} << 30;
  EXPECT_THROW(server.call(call), std::length_error);
  call.rows = std::numeric_limits<size_t>::max();
  EXPECT_THROW(server.call(call), std::length_error);
  call = call_of(three);
  call.d = 0;
  EXPECT_THROW(server.call(call), std::invalid_argument);
  call = call_of(three);
  call.z = nullptr;
  EXPECT_THROW(server.call(call), std::invalid_argument);
  call = call_of(three);
  call.eps = -1;
  EXPECT_THROW(server.call(call), std::invalid_argument);
  EXPECT_EQ(server.call(call_of(three)).y, (Values{2, 4, 6}));
}

}  // namespace
}  // namespace lnverify
