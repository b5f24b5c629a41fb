// Addresses of loops, used by other threads before, while and after the loop ends. Real threads, both pollers.
#include "rondo/loop_address.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "rondo/loop.h"

namespace rondo {
namespace {

class LoopAddressTest : public ::testing::TestWithParam<const char*> {
 public:
  LoopOptions options() const { return {.poller = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(Pollers, LoopAddressTest, ::testing::Values("epoll", "uring"));

TEST_P(LoopAddressTest, functions_run_on_the_loop_in_order) {
  Loop loop(options());
  const LoopAddress address = loop.address();
  EXPECT_TRUE(address);
  EXPECT_TRUE(address == loop.address());
  std::vector<int> ran;
  const std::thread::id here = std::this_thread::get_id();
  std::thread sender([&] {
    for (int i = 0; i < 100; i++) {
      EXPECT_TRUE(address.post([&, i] {
        EXPECT_EQ(std::this_thread::get_id(), here);
        ran.push_back(i);
      }));
    }
  });
  while (ran.size() < 100) loop.run(RunMode::Once);
  sender.join();
  for (int i = 0; i < 100; i++) EXPECT_EQ(ran[static_cast<std::size_t>(i)], i);
}

TEST_P(LoopAddressTest, a_loop_that_is_gone_refuses) {
  LoopAddress address;
  EXPECT_FALSE(address);
  EXPECT_FALSE(address.post([] { FAIL(); }));
  EXPECT_FALSE(address.wake());
  const auto counted = std::make_shared<int>(0);
  {
    Loop loop(options());
    address = loop.address();
    EXPECT_TRUE(address.wake());
    EXPECT_TRUE(address.post([counted] { FAIL() << "it is not run any more"; }));
    EXPECT_EQ(counted.use_count(), 2);
  }
  EXPECT_EQ(counted.use_count(), 1) << "dropped with the loop";
  EXPECT_FALSE(address);
  EXPECT_FALSE(address.post([counted] { FAIL(); }));
  EXPECT_EQ(counted.use_count(), 1);
  EXPECT_FALSE(address.wake());
  EXPECT_FALSE(address == Loop(options()).address());
}

TEST_P(LoopAddressTest, a_message_wakes_a_loop_that_sleeps_and_may_be_what_ends_it) {
  auto loop = std::make_unique<Loop>(options());
  auto keeper = std::make_unique<Async>(*loop, [] {});
  const LoopAddress address = loop->address();
  std::thread sender([&] {
    EXPECT_TRUE(address.post([&] { keeper.reset(); }));
    while (address.post([] {})) std::this_thread::yield();
  });
  loop->run();
  loop.reset();
  sender.join();
}

// Under tsan and asan: nothing of a loop is touched after its end, and every function is destroyed once.
TEST_P(LoopAddressTest, senders_do_not_know_when_loops_end) {
  constexpr int kRounds = 50, kSenders = 3;
  std::atomic<int> alive = 0;
  struct Message {
    explicit Message(std::atomic<int>& count) : count_(&count) { count++; }
    Message(Message&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}
    ~Message() {
      if (count_) --*count_;
    }
    std::atomic<int>* count_;
  };
  int accepted_in_all = 0;
  for (int round = 0; round < kRounds; round++) {
    auto loop = std::make_unique<Loop>(options());
    std::atomic<int> accepted = 0, ran = 0;
    std::vector<std::thread> senders;
    for (int i = 0; i < kSenders; i++) {
      senders.emplace_back([&, address = loop->address()] {
        while (address.post([&ran, message = Message(alive)] { ran++; })) accepted++;
      });
    }
    while (ran < 20) loop->run(RunMode::Once);
    loop.reset();
    for (std::thread& sender : senders) sender.join();
    EXPECT_GE(accepted, ran);
    accepted_in_all += accepted;
  }
  EXPECT_EQ(alive, 0);
  EXPECT_GE(accepted_in_all, kRounds * 20);
}

}  // namespace
}  // namespace rondo
