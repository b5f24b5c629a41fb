// The two worlds of the shared suite: the kernel's and the simulated one. (Named _test so that it is no part of the library.)
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "loop/net/net_fixture.h"
#include "loop/poller/poller_fixture.h"
#include "rondo/sim.h"

namespace rondo::testing {
namespace {

class KernelWorld final : public World {
 public:
  explicit KernelWorld(std::string poller) : poller_(std::move(poller)) {
    signal(SIGPIPE, SIG_IGN);  // writing to a pipe without reader: EPIPE, as programs want it
  }
  ~KernelWorld() override {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  LoopOptions options() override {
    LoopOptions options;
    options.poller = poller_.c_str();
    return options;
  }
  bool is_simulated() const override { return false; }
  std::array<UniqueFd, 2> sockets(const Loop& loop) override {
    int fds[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | loop.socket_flags(), 0, fds), 0);
    return {UniqueFd(fds[0]), UniqueFd(fds[1])};
  }
  std::array<UniqueFd, 2> pipe() override {
    int fds[2];
    EXPECT_EQ(pipe2(fds, O_CLOEXEC), 0);
    return {UniqueFd(fds[0]), UniqueFd(fds[1])};
  }
  UniqueFd socket(const Loop& loop) override {
    return UniqueFd(::socket(AF_INET, SOCK_STREAM | loop.socket_flags(), 0));
  }
  UniqueFd listen(const Loop& loop, Address& address) override {
    address = Address::loopback4(0);
    if (!can_send(Address::loopback4(9))) return {};
    UniqueFd listener = socket(loop);
    EXPECT_EQ(bind(listener.get(), address.data(), address.size()), 0);
    EXPECT_EQ(::listen(listener.get(), 511), 0);
    address = *Address::local_of(listener.get());
    return listener;
  }
  long put(int fd, std::string_view bytes) override {
    return moved(fd, [&] { return ::write(fd, bytes.data(), bytes.size()); });
  }
  long take(int fd, std::span<char> buffer) override {
    return moved(fd, [&] { return ::read(fd, buffer.data(), buffer.size()); });
  }
  bool is_open(int fd) const override { return fcntl(fd, F_GETFD) >= 0; }
  std::string folder() override {
    if (folder_.empty()) {
      folder_ = ::testing::TempDir() + "rondo_poller_XXXXXX";
      EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    }
    return folder_;
  }

 private:
  // The call in non-blocking mode, whatever the descriptor's own.
  template <class Call>
  static long moved(int fd, Call&& call) {
    const int flags = fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, flags | O_NONBLOCK);
    const ssize_t count = call();
    const int error = errno;
    fcntl(fd, F_SETFL, flags);
    return count < 0 ? -error : count;
  }

  std::string poller_;
  std::string folder_;
};

// Whole transfers and no faults. Without a seed everything happens at once and in order; with one, when and in which order is chance.
class CalmDecider final : public Decider {
 public:
  explicit CalmDecider(std::uint64_t seed) : seeded_(seed, 0), has_seed_(seed != 0) {}
  std::uint32_t choose(Choice choice, std::uint32_t count) override {
    if (choice == Choice::Fault) return 0;
    if (choice == Choice::TransferSize) return count - 1;
    if (has_seed_) return seeded_.choose(choice, count);
    return choice == Choice::ClockStep ? std::min(1u, count - 1) : 0;  // running callbacks takes time
  }

 private:
  SeededDecider seeded_;
  bool has_seed_;
};

class SimulatedWorld final : public World {
 public:
  explicit SimulatedWorld(std::uint64_t seed)
      : decider_(seed), world_(decider_, SimLimits{.descriptors = 1000, .stream_bytes = 64 * 1024, .backlog = 16}) {}

  LoopOptions options() override { return world_.options(); }
  bool is_simulated() const override { return true; }
  std::array<UniqueFd, 2> sockets(const Loop&) override {
    const auto [one, two] = world_.stream_pair();
    return {UniqueFd(one), UniqueFd(two)};
  }
  std::array<UniqueFd, 2> pipe() override {
    const auto [reader, writer] = world_.pipe();
    return {UniqueFd(reader), UniqueFd(writer)};
  }
  UniqueFd socket(const Loop&) override { return UniqueFd(world_.socket()); }
  UniqueFd listen(const Loop&, Address& address) override {
    const std::string name = "listener " + std::to_string(++listeners_);
    address = *Address::unix_socket(name);
    return UniqueFd(world_.listen(name));
  }
  long put(int fd, std::string_view bytes) override { return world_.put(fd, bytes); }
  long take(int fd, std::span<char> buffer) override { return world_.take(fd, buffer); }
  bool is_open(int fd) const override { return world_.is_open(fd); }
  std::string folder() override { return ""; }  // the root
  void expect_threads() override { world_.expect_threads(true); }

 private:
  CalmDecider decider_;
  SimWorld world_;
  int listeners_ = 0;
};

}  // namespace

std::unique_ptr<World> World::make(const std::string& poller) {
  if (poller.substr(0, 3) != "sim") return std::make_unique<KernelWorld>(poller);
  const std::uint64_t seed = poller.size() > 4 ? std::strtoull(poller.c_str() + 4, nullptr, 10) : 0;
  return std::make_unique<SimulatedWorld>(seed);
}

}  // namespace rondo::testing
