// Unix sockets, pipes, descriptors that travel; over every poller.
#include "rondo/pipe.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loop/net/net_fixture.h"

namespace rondo {
namespace {

using testing::NetTest;

class PipeTest : public NetTest {};
RONDO_ON_EVERY_POLLER(PipeTest);

// With the kernel's paths and descriptors.
class PipeKernelTest : public NetTest {
 public:
  // Echoes over a server bound to `path`.
  void echo_over(const std::string& path) {
    PipeServer server(loop);
    ASSERT_TRUE(server.bind(path));
    std::unique_ptr<Pipe> peer;
    ASSERT_TRUE(server.listen(16, [&](Result<UniqueFd> connection) {
      peer = std::make_unique<Pipe>(loop);
      ASSERT_TRUE(peer->open(std::move(*connection)));
      ASSERT_TRUE(peer->read_start([&](Result<Bytes> piece) {
        if (piece->empty()) return peer->close();
        ASSERT_TRUE(peer->write_copy(*piece));
      }));
    }));
    Pipe client(loop);
    std::string got;
    ASSERT_TRUE(client.connect(path, [&](Result<void> result) {
      ASSERT_TRUE(result);
      ASSERT_EQ(client.write_copy(as_bytes("over there")), Progress::Done);
      ASSERT_TRUE(client.read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
    }));
    run_until([&] { return got == "over there"; });
    EXPECT_EQ(client.remote_address()->path(), path);
  }
};
RONDO_ON_BOTH_POLLERS(PipeKernelTest);

TEST_P(PipeKernelTest, paths_and_abstract_names) {
  char folder[] = "/tmp/rondo-pipe-XXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  const std::string path = std::string(folder) + "/socket";
  echo_over(path);
  struct stat status;
  EXPECT_NE(stat(path.c_str(), &status), 0) << "the server removes its path";
  rmdir(folder);
  echo_over(std::string("\0rondo-test-", 12) + std::to_string(getpid()));
  PipeServer server(loop);
  EXPECT_EQ(server.bind(std::string(200, 'x')).error().number, EINVAL);
}

TEST_P(PipeTest, plain_pipes_with_backpressure) {
  auto ends = world->pipe();
  Pipe reader(loop), writer(loop);
  ASSERT_TRUE(reader.open(std::move(ends[0])));
  ASSERT_TRUE(writer.open(std::move(ends[1])));
  const std::string big(1 << 20, 'p');
  bool written = false, ended = false;
  ASSERT_EQ(writer.write(as_bytes(big),
                         [&](Result<void> result) {
                           written = bool(result);
                           writer.close();
                         }),
            Progress::Queued);
  std::size_t got = 0;
  ASSERT_TRUE(reader.read_start([&](Result<Bytes> piece) {
    ASSERT_TRUE(piece);
    ended = piece->empty();
    got += piece->size();
  }));
  run_until([&] { return ended; });
  EXPECT_TRUE(written);
  EXPECT_EQ(got, big.size());
}

TEST_P(PipeTest, S135_what_is_ready_first_is_handled_first) {
  auto slow = world->pipe(), fast = world->pipe();
  Pipe slow_reader(loop), fast_reader(loop);
  ASSERT_TRUE(slow_reader.open(std::move(slow[0])));
  ASSERT_TRUE(fast_reader.open(std::move(fast[0])));
  std::vector<std::string> order;
  ASSERT_TRUE(slow_reader.read_once([&](Result<Bytes>) { order.push_back("slow"); }));
  ASSERT_TRUE(fast_reader.read_once([&](Result<Bytes>) {
    order.push_back("fast");
    ASSERT_EQ(world->put(slow[1].get(), "x"), 1);
  }));
  ASSERT_EQ(world->put(fast[1].get(), "x"), 1);
  run_until([&] { return order.size() == 2; });
  EXPECT_EQ(order, (std::vector<std::string>{"fast", "slow"}));
}

TEST_P(PipeTest, descriptors_travel_both_ways) {
  auto ends = world->sockets(loop);
  Pipe here(loop, PipeMode::Descriptors), there(loop, PipeMode::Descriptors);
  ASSERT_TRUE(here.open(std::move(ends[0])));
  ASSERT_TRUE(there.open(std::move(ends[1])));
  auto cargo = world->pipe();
  std::string log;
  std::string from_cargo;
  ASSERT_TRUE(there.read_start([&](Result<Bytes> piece) {
    log += as_text(*piece);
    while (UniqueFd fd = there.take_descriptor()) {
      if (!world->is_simulated()) {
        EXPECT_NE(fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
      }
      log += "+fd";
      ASSERT_TRUE(there.write_descriptor(as_bytes("back"), fd.get()));
    }
  }));
  ASSERT_TRUE(here.read_start([&](Result<Bytes> piece) {
    ASSERT_EQ(as_text(*piece), "back");
    ASSERT_EQ(here.pending_descriptors(), 1u);
    UniqueFd fd = here.take_descriptor();
    ASSERT_EQ(world->put(fd.get(), "through"), 7);
    char buffer[16];
    from_cargo.assign(buffer, static_cast<std::size_t>(world->take(cargo[0].get(), buffer)));
  }));
  ASSERT_EQ(here.write_descriptor(as_bytes("take"), cargo[1].get()), Progress::Done);
  cargo[1].reset();
  run_until([&] { return !from_cargo.empty(); });
  EXPECT_EQ(log, "take+fd");
  EXPECT_EQ(from_cargo, "through");
  EXPECT_EQ(here.write_descriptor({}, 0).error().number, EINVAL);
}

TEST_P(PipeTest, queued_descriptors_keep_their_place) {
  auto ends = world->sockets(loop);
  Pipe here(loop, PipeMode::Descriptors), there(loop, PipeMode::Descriptors);
  ASSERT_TRUE(here.open(std::move(ends[0])));
  ASSERT_TRUE(there.open(std::move(ends[1])));
  auto cargo = world->pipe();
  const std::string big(4 << 20, 'x');
  ASSERT_EQ(here.write(as_bytes(big)), Progress::Queued);
  ASSERT_EQ(here.write_descriptor(as_bytes("D"), cargo[1].get()), Progress::Queued);
  ASSERT_EQ(here.write(as_bytes("end")), Progress::Queued);
  std::size_t got = 0, fd_seen_at = 0;
  std::string tail;
  ASSERT_TRUE(there.read_start([&](Result<Bytes> piece) {
    got += piece->size();
    if (there.take_descriptor()) fd_seen_at = got;
    if (got > big.size()) tail += as_text(*piece);
  }));
  run_until([&] { return got == big.size() + 4; });
  EXPECT_GT(fd_seen_at, big.size());
  EXPECT_TRUE(tail.ends_with("Dend"));
}

TEST_P(PipeTest, untaken_descriptors_are_closed) {
  auto ends = world->sockets(loop);
  auto cargo = world->pipe();
  {
    Pipe here(loop, PipeMode::Descriptors), there(loop, PipeMode::Descriptors);
    ASSERT_TRUE(here.open(std::move(ends[0])));
    ASSERT_TRUE(there.open(std::move(ends[1])));
    bool got = false;
    ASSERT_TRUE(there.read_start([&](Result<Bytes>) { got = true; }));
    ASSERT_TRUE(here.write_descriptor(as_bytes("x"), cargo[1].get()));
    run_until([&] { return got; });
  }
  loop.run();
  cargo[1].reset();
  char byte;
  EXPECT_EQ(world->take(cargo[0].get(), {&byte, 1}), 0) << "no writer is left";
}

TEST_P(PipeKernelTest, bad_descriptors_are_refused) {
  Pipe pipe(loop);
  EXPECT_EQ(pipe.open(UniqueFd(9999)).error().number, EBADF);
  Pipe ipc(loop, PipeMode::Descriptors);
  auto ends = make_pipe();
  EXPECT_EQ(ipc.open(std::move(ends->first)).error().number, EINVAL);
}

}  // namespace
}  // namespace rondo
