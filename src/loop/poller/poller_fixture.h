// The one suite that every poller passes: its fixture, and the seam to the world in which a poller's descriptors live. For `epoll` and
// `uring` that is the kernel, for `sim` a SimWorld. "sim" answers at once, in order; "sim_N" delays and reorders by the seed N. Neither
// injects faults nor cuts transfers short, so results are exact everywhere. Tests only; the worlds are in poller_worlds_test.cpp.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/address.h"
#include "rondo/base/unique_fd.h"
#include "rondo/loop.h"

namespace rondo::testing {

class World {
 public:
  static std::unique_ptr<World> make(const std::string& poller);
  virtual ~World() = default;

  virtual LoopOptions options() = 0;
  virtual bool is_simulated() const = 0;
  // Descriptors in the mode that the loop's poller wants.
  virtual std::array<UniqueFd, 2> sockets(const Loop& loop) = 0;  // a connected pair
  virtual std::array<UniqueFd, 2> pipe() = 0;  // the end to read from, the end to write to
  virtual UniqueFd socket(const Loop& loop) = 0;  // to be connected
  virtual UniqueFd listen(const Loop& loop, Address& address) = 0;  // invalid: this machine has no network
  // From outside of the loop, without waiting: bytes moved, 0 at the end, or -errno.
  virtual long put(int fd, std::string_view bytes) = 0;
  virtual long take(int fd, std::span<char> buffer) = 0;
  virtual bool is_open(int fd) const = 0;
  virtual std::string folder() = 0;  // an empty one, of this test alone
  // Other threads are going to send something to the loop.
  virtual void expect_threads() {}
};

// An operation and all that it was told.
struct Call {
  Call() {
    operation.then([](Operation& op, const Completion& completion) { static_cast<Call*>(op.owner)->note(completion); },
                   this);
  }
  void note(const Completion& completion) {
    results.push_back(completion.result);
    if (completion.data && completion.result > 0)
      bytes.append(reinterpret_cast<const char*>(completion.data), static_cast<std::size_t>(completion.result));
    if (!completion.more) finals++;
    if (on_note) on_note(completion);
  }
  int last() const { return results.empty() ? INT32_MIN : results.back(); }
  Operation operation;
  std::vector<int> results;
  std::string bytes;
  int finals = 0;
  Function<void(const Completion&)> on_note;
};

class PollerTest : public ::testing::TestWithParam<const char*> {
 public:
  PollerTest() : world(World::make(GetParam())), loop(world->options()) {}

 protected:
  void SetUp() override {
    if (std::string_view(GetParam()).substr(0, 3) != std::string_view(loop.poller().name()).substr(0, 3))
      GTEST_SKIP() << "refused by this kernel";
  }

  // Runs the loop until `condition` holds. A simulation in which it never will says so.
  template <class Condition>
  void run_until(Condition&& condition) {
    while (!condition()) {
      const bool is_alive = loop.run(RunMode::Once);
      if (condition()) return;
      ASSERT_TRUE(is_alive) << "the loop has ended, but what was waited for has not come";
    }
  }

  // The result of one operation.
  int run(Call& call) {
    loop.submit(call.operation);
    run_until([&] { return call.finals > 0; });
    EXPECT_EQ(call.finals, 1);
    return call.last();
  }
  template <class Fill>
  int result_of(Fill&& fill) {
    Call call;
    fill(call.operation);
    return run(call);
  }
  void cancel_and_end(Call& call) {
    loop.cancel(call.operation);
    run_until([&] { return !call.operation.is_in_flight(); });
  }

  std::array<UniqueFd, 2> sockets() { return world->sockets(loop); }
  template <class... Fds>
  void forget(const Fds&... fds) {
    (loop.forget(fds.get()), ...);
  }
  bool answers_at_once() const { return std::string_view(GetParam()).find('_') == std::string_view::npos; }

  std::unique_ptr<World> world;
  Loop loop;
};

inline auto every_poller() {
  return ::testing::Values("epoll", "uring", "sim", "sim_1", "sim_2", "sim_3", "sim_4", "sim_5");
}
inline std::string name_of(const ::testing::TestParamInfo<const char*>& info) { return info.param; }

}  // namespace rondo::testing
