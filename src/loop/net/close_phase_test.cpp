// Closing never waits for the kernel: whatever is in flight, close() is told in the closing phase of the same iteration, the
// descriptor is gone at once, and memory that the kernel may still read stays until it has let go.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>

#include "loop/net/net_fixture.h"
#include "loop/temporary_folder.h"
#include "rondo/phase_handles.h"
#include "rondo/poll.h"
#include "rondo/udp.h"
#include "rondo/watch.h"

namespace rondo {
namespace {

using testing::NetTest;
using testing::TemporaryFolder;
using namespace std::chrono_literals;

// Where in an iteration a callback of the loop runs.
enum class Place { Timers, Pending, Idle, Prepare, Poll, Check };
constexpr Place kPlaces[] = {Place::Timers, Place::Pending, Place::Idle, Place::Prepare, Place::Poll, Place::Check};

class ClosePhaseTest : public NetTest {
 public:
  // Runs `call` once, in the phase named.
  void in(Place place, const std::function<void()>& call) {
    bool has_run = false;
    const auto once = [&] {
      if (!std::exchange(has_run, true)) call();
    };
    Timer timer(loop);
    Idle idle(loop);
    Prepare prepare(loop);
    Check check(loop);
    Idle awake(loop);  // poll does not wait: prepare and check come at once
    awake.start([] {});
    switch (place) {
      case Place::Timers:
        timer.start(0ms, once);
        break;
      case Place::Pending:
        loop.defer(once);
        break;
      case Place::Idle:
        idle.start(once);
        break;
      case Place::Prepare:
        prepare.start(once);
        break;
      case Place::Poll:
        loop.post(once);
        break;
      case Place::Check:
        check.start(once);
        break;
    }
    run_until([&] { return has_run; });
  }

  // `handle` is closed in `place`; returns how many iterations later that was told.
  std::uint64_t iterations_until_closed(Handle& handle, Place place) {
    std::uint64_t closing_in = 0, closed_in = 0;
    in(place, [&] {
      closing_in = loop.iterations();
      handle.close([&] { closed_in = loop.iterations(); });
    });
    run_until([&] { return closed_in != 0; });
    return closed_in - closing_in;
  }

  // Lets the kernel have what was submitted.
  void settle() {
    for (int i = 0; i < 3; i++) loop.run(RunMode::NoWait);
  }
};
RONDO_ON_EVERY_POLLER(ClosePhaseTest);

TEST_P(ClosePhaseTest, S47_a_socket_that_reads_is_closed_in_the_same_iteration) {
  for (const Place place : kPlaces) {
    for (const bool is_settled : {true, false}) {
      Pair pair = connected();
      ASSERT_TRUE(pair.client->read_start([](Result<Bytes>) { ADD_FAILURE() << "nothing was sent"; }));
      if (is_settled) settle();
      EXPECT_EQ(iterations_until_closed(*pair.client, place), 0u) << "place " << static_cast<int>(place);
    }
  }
}

TEST_P(ClosePhaseTest, S47_a_server_is_closed_in_the_same_iteration) {
  for (const Place place : kPlaces) {
    std::vector<std::unique_ptr<Tcp>> accepted;
    auto server = serve(accepted);
    settle();
    EXPECT_EQ(iterations_until_closed(*server, place), 0u) << "place " << static_cast<int>(place);
  }
}

TEST_P(ClosePhaseTest, S47_a_socket_with_writes_queued_is_closed_in_the_same_iteration_and_keeps_their_memory) {
  for (const Place place : kPlaces) {
    Pair pair = connected();
    auto memory = std::make_shared<std::string>(8 << 20, 'x');
    const std::weak_ptr<std::string> watched = memory;
    const Bytes bytes = as_bytes(*memory);
    const auto progress = pair.client->write(bytes, [owned = std::move(memory)](Result<void>) {
      ADD_FAILURE() << "a closed stream does not tell of its writes";
    });
    ASSERT_TRUE(progress);
    ASSERT_EQ(*progress, Progress::Queued);
    settle();
    bool was_kept = false, is_closed = false;
    in(place, [&] {
      pair.client->close([&] { is_closed = true; });
      was_kept = !watched.expired();
    });
    EXPECT_TRUE(was_kept);
    run_until([&] { return watched.expired(); });
    EXPECT_TRUE(is_closed);
    pair.client.reset();
  }
}

TEST_P(ClosePhaseTest, S47_a_connection_being_made_is_closed_in_the_same_iteration) {
  for (const Place place : kPlaces) {
    std::vector<std::unique_ptr<Tcp>> accepted;
    auto server = serve(accepted);
    Tcp client(loop);
    std::uint64_t closing_in = 0, closed_in = 0;
    in(place, [&] {
      ASSERT_TRUE(client.connect(server_address, [](Result<void>) { ADD_FAILURE() << "closed before"; }));
      ASSERT_TRUE(client.write(as_bytes("waits")));
      closing_in = loop.iterations();
      client.close([&] { closed_in = loop.iterations(); });
    });
    run_until([&] { return closed_in != 0; });
    EXPECT_EQ(closed_in, closing_in) << "place " << static_cast<int>(place);
  }
}

TEST_P(ClosePhaseTest, a_close_in_the_closing_phase_is_told_in_the_next_one) {
  Pair pair = connected();
  ASSERT_TRUE(pair.peer->read_start([](Result<Bytes>) {}));
  std::uint64_t first = 0, second = 0;
  pair.client->close([&] {
    first = loop.iterations();
    pair.peer->close([&] { second = loop.iterations(); });
  });
  run_until([&] { return second != 0; });
  EXPECT_EQ(second, first + 1);
}

TEST_P(ClosePhaseTest, K19_several_closes_of_an_iteration_are_told_first_in_first_out) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 4; i++) pairs.push_back(connected());
  std::vector<int> order;
  // Some have operations in flight and some have none: that makes no difference.
  for (std::size_t i = 0; i < pairs.size(); i += 2) ASSERT_TRUE(pairs[i].client->read_start([](Result<Bytes>) {}));
  settle();
  in(Place::Check, [&] {
    for (int i = 0; i < 4; i++) pairs[static_cast<std::size_t>(i)].client->close([&order, i] { order.push_back(i); });
  });
  run_until([&] { return order.size() == 4; });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

TEST_P(ClosePhaseTest, functions_that_own_their_handle_let_it_go_when_it_is_closed) {
  Pair pair = connected();
  auto owner = std::make_shared<Pair>(std::move(pair));
  const std::weak_ptr<Pair> watched = owner;
  Tcp& client = *owner->client;
  const std::string data(8 << 20, 'x');
  ASSERT_TRUE(client.read_start([owner](Result<Bytes>) {}));
  ASSERT_TRUE(client.write(as_bytes(data), [owner](Result<void>) {}));
  bool is_closed = false;
  owner.reset();
  settle();
  client.close([&] { is_closed = true; });
  run_until([&] { return watched.expired(); });
  EXPECT_TRUE(is_closed);
}

TEST_P(ClosePhaseTest, a_loop_may_end_with_operations_of_closed_handles_in_flight) {
  Pair pair = connected();
  auto memory = std::make_shared<std::string>(8 << 20, 'x');
  const std::weak_ptr<std::string> watched = memory;
  const Bytes bytes = as_bytes(*memory);
  ASSERT_TRUE(pair.client->write(bytes, [owned = std::move(memory)](Result<void>) {}));
  ASSERT_TRUE(pair.client->read_start([](Result<Bytes>) {}));
  settle();
  pair.client.reset();
  EXPECT_FALSE(watched.expired());
}

class CloseDescriptorTest : public ClosePhaseTest {
 public:
  // A connected pair, the far end in the test's hands.
  UniqueFd far_end(Pipe& near) {
    auto ends = *make_socket_pair();
    EXPECT_TRUE(near.open(std::move(ends.first)));
    return std::move(ends.second);
  }
  static bool has_ended(const UniqueFd& fd) {
    char byte;
    return recv(fd.get(), &byte, 1, MSG_DONTWAIT) == 0;
  }
};
RONDO_ON_BOTH_POLLERS(CloseDescriptorTest);

TEST_P(CloseDescriptorTest, the_peer_sees_the_end_as_soon_as_close_returns) {
  for (const bool is_settled : {true, false}) {
    Pipe near(loop);
    const UniqueFd far = far_end(near);
    ASSERT_TRUE(near.read_start([](Result<Bytes>) {}));
    if (is_settled) settle();
    EXPECT_FALSE(has_ended(far));
    near.close();
    EXPECT_TRUE(has_ended(far)) << "settled " << is_settled;
    EXPECT_EQ(near.fd(), -1);
    settle();
  }
}

TEST_P(CloseDescriptorTest, the_peer_sees_the_end_as_soon_as_the_handle_is_destroyed) {
  auto near = std::make_unique<Pipe>(loop);
  const UniqueFd far = far_end(*near);
  ASSERT_TRUE(near->read_start([](Result<Bytes>) {}));
  settle();
  near.reset();
  EXPECT_TRUE(has_ended(far));
}

// The number is another's by then: a request that was prepared for it must not reach it.
TEST_P(CloseDescriptorTest, a_number_used_again_is_not_read_by_its_former_owner) {
  for (int i = 0; i < 3; i++) {
    Pipe near(loop);
    const UniqueFd far = far_end(near);
    ASSERT_TRUE(near.read_start([](Result<Bytes>) {}));
    const int number = near.fd();
    near.close();
    Pipe next(loop);
    const UniqueFd next_far = far_end(next);
    ASSERT_EQ(next.fd(), number);
    ASSERT_EQ(write(next_far.get(), "hello", 5), 5);
    settle();
    std::string got;
    ASSERT_TRUE(next.read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
    run_until([&] { return !got.empty(); });
    EXPECT_EQ(got, "hello");
  }
}

TEST_P(CloseDescriptorTest, S47_other_kinds_are_closed_in_the_same_iteration) {
  const TemporaryFolder folder;
  for (const Place place : kPlaces) {
    Udp udp(loop);
    ASSERT_TRUE(udp.bind(Address::loopback4(0)));
    ASSERT_TRUE(udp.receive_start([](Result<Datagram>) {}));
    auto ends = *make_pipe();
    rondo::Poll poll(loop);
    ASSERT_TRUE(poll.start(ends.first.get(), Readiness::Readable, [](Readiness) {}));
    Pipe pipe(loop);
    ASSERT_TRUE(pipe.open(UniqueFd(dup(ends.first.get()))));
    ASSERT_TRUE(pipe.read_start([](Result<Bytes>) {}));
    FileWatch watch(loop);
    ASSERT_TRUE(watch.start(folder.path(), [](const FileEvent&) {}));
    settle();
    for (Handle* handle : {static_cast<Handle*>(&udp), static_cast<Handle*>(&poll), static_cast<Handle*>(&pipe),
                           static_cast<Handle*>(&watch)}) {
      EXPECT_EQ(iterations_until_closed(*handle, place), 0u)
          << handle_kind_name(handle->kind()) << " in place " << static_cast<int>(place);
    }
  }
}

// An instance of inotify is a scarce thing (128 a user): it goes with the last watch.
TEST_P(CloseDescriptorTest, watches_made_and_closed_in_one_turn_hold_no_instances) {
  const TemporaryFolder folder;
  for (int i = 0; i < 140; i++) {
    FileWatch watch(loop);
    const auto started = watch.start(folder.path(), [](const FileEvent&) {});
    ASSERT_TRUE(started) << "number " << i << ": " << started.error().number;
    watch.close();
  }
}

}  // namespace
}  // namespace rondo
