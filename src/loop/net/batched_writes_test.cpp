// Batched writes over every poller: short writes that leave with the loop's next wait where that saves a system call, and never out
// of order, lost or doubled. Only the ring batches in the kernel's world; the simulation does when something else is ready.
#include "loop/net/net_fixture.h"

namespace rondo {
namespace {

using testing::NetTest;

class BatchedWritesTest : public NetTest {
 public:
  bool is_uring() const { return std::strcmp(GetParam(), "uring") == 0; }

  // Two pairs whose peers write in batches; what the clients get is collected.
  void SetUp() override {
    NetTest::SetUp();
    if (IsSkipped()) return;
    for (Pair& pair : pairs) {
      pair = connected();
      pair.peer->set_batched_writes(true);
    }
    for (std::size_t i = 0; i < 2; i++) {
      ASSERT_TRUE(pairs[i].client->read_start([this, i](Result<Bytes> piece) {
        if (!piece || piece->empty()) {
          ended[i] = true;
        } else {
          got[i] += as_text(*piece);
        }
      }));
    }
    settle();
  }

  // Until everything submitted is in the kernel and nothing is ready.
  void settle() {
    for (int i = 0; i < 3; i++) loop.run(RunMode::NoWait);
  }

  // Something is to be submitted with the next wait.
  void have_company() {
    ASSERT_TRUE(pairs[1].peer->read_start([](Result<Bytes>) {}));
    ASSERT_TRUE(!is_uring() || loop.poller().shares_calls());
  }

  Tcp& peer() { return *pairs[0].peer; }

  Pair pairs[2];
  std::string got[2];
  bool ended[2] = {false, false};
};
RONDO_ON_EVERY_POLLER(BatchedWritesTest);
// Readiness at a moment depends on the seed in the simulation, and so do resets.
class BatchedWritesKernelTest : public BatchedWritesTest {};
RONDO_ON_BOTH_POLLERS(BatchedWritesKernelTest);

TEST_P(BatchedWritesKernelTest, alone_a_write_leaves_at_once) {
  EXPECT_EQ(peer().write(as_bytes("alone"), [](Result<void>) { FAIL() << "called although done"; }), Progress::Done);
  run_until([&] { return got[0] == "alone"; });
}

TEST_P(BatchedWritesTest, in_company_it_leaves_with_the_next_wait) {
  have_company();
  int done = 0;
  const auto first = pairs[0].peer->write(as_bytes("one"), [&](Result<void> result) { done += bool(result); });
  const auto second = pairs[1].peer->write(as_bytes("two"), [&](Result<void> result) { done += bool(result); });
  ASSERT_TRUE(first && second);
  if (!world->is_simulated()) {
    EXPECT_EQ(*first, is_uring() ? Progress::Queued : Progress::Done);
    EXPECT_EQ(*second, *first);
    EXPECT_EQ(peer().queued_bytes(), is_uring() ? 3u : 0u);
  }
  run_until([&] { return got[0] == "one" && got[1] == "two" && peer().queued_bytes() == 0; });
  const int queued = (*first == Progress::Queued) + (*second == Progress::Queued);
  run_until([&] { return done == queued; });
  EXPECT_EQ(peer().bytes_written(), 3u);
}

TEST_P(BatchedWritesTest, short_and_long_ones_keep_their_order) {
  const std::string large(300'000, 'L');
  const iovec parts[] = {{const_cast<char*>("<"), 1}, {nullptr, 0}, {const_cast<char*>(">"), 1}, {nullptr, 0}};
  std::string expected;
  for (int i = 0; i < 4; i++) {
    have_company();
    ASSERT_TRUE(peer().write_copy(as_bytes("short ")));
    ASSERT_TRUE(peer().write(parts));
    ASSERT_TRUE(peer().write(as_bytes(large)));
    ASSERT_TRUE(peer().write(parts));
    ASSERT_TRUE(peer().write_copy(as_bytes(" end\n")));
    expected += "short <>" + large + "<> end\n";
    if (i % 2 == 0) loop.run(RunMode::NoWait);
  }
  run_until([&] { return got[0].size() >= expected.size() && peer().queued_bytes() == 0; });
  EXPECT_TRUE(got[0] == expected);
}

TEST_P(BatchedWritesTest, a_copy_may_be_changed_at_once) {
  have_company();
  std::string text = "as it was";
  ASSERT_TRUE(peer().write_copy(as_bytes(text)));
  text = "changed";
  run_until([&] { return got[0] == "as it was"; });
}

TEST_P(BatchedWritesTest, shutting_down_waits_for_them) {
  have_company();
  ASSERT_TRUE(peer().write(as_bytes("last words")));
  bool is_shut_down = peer().shutdown([&](Result<void> result) { is_shut_down = bool(result); }) == Progress::Done;
  EXPECT_EQ(peer().write(as_bytes("too late")).error().number, EPIPE);
  EXPECT_EQ(peer().try_write(as_bytes("too late")).error().number, EPIPE);
  run_until([&] { return ended[0] && is_shut_down; });
  EXPECT_EQ(got[0], "last words");
}

TEST_P(BatchedWritesKernelTest, the_queue_limit_holds_and_draining_is_told) {
  if (!is_uring()) GTEST_SKIP() << "nothing waits";
  have_company();
  int drained = 0;
  peer().on_drain([&] { drained++; });
  peer().set_queue_limit(5);
  EXPECT_EQ(peer().write(as_bytes("12345")), Progress::Queued);
  EXPECT_EQ(peer().write(as_bytes("6")).error().number, ENOBUFS);
  EXPECT_EQ(peer().try_write(as_bytes("6")), 0u);
  run_until([&] { return drained == 1; });
  EXPECT_EQ(peer().queued_bytes(), 0u);
  run_until([&] { return got[0] == "12345"; });
}

TEST_P(BatchedWritesTest, the_function_may_destroy_its_stream_and_closing_silences_it) {
  have_company();
  bool was_called = false;
  const auto progress = pairs[0].peer->write(as_bytes("x"), [&](Result<void>) {
    was_called = true;
    pairs[0].peer.reset();
  });
  ASSERT_TRUE(pairs[1].peer->write(as_bytes("y"), [](Result<void>) { FAIL() << "called after close"; }));
  pairs[1].peer->close();
  run_until([&] { return ended[1] && (was_called || *progress == Progress::Done); });
  pairs[0].peer.reset();
  run_until([&] { return ended[0]; });
  EXPECT_EQ(got[0], "x");
}

TEST_P(BatchedWritesKernelTest, a_failure_is_told_once_and_stays) {
  bool was_reset = false;
  ASSERT_TRUE(peer().read_start([&](Result<Bytes> piece) { was_reset = !piece; }));
  ASSERT_TRUE(pairs[0].client->reset());
  run_until([&] { return was_reset; });
  settle();
  have_company();
  int failures = 0;
  const auto first = peer().write(as_bytes("x"), [&](Result<void> result) { failures += !result; });
  if (first) run_until([&] { return failures == 1; });
  EXPECT_EQ(first.has_value(), is_uring());
  const auto second = peer().write(as_bytes("y"));
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().number == EPIPE || second.error().number == ECONNRESET);
}

}  // namespace
}  // namespace rondo
