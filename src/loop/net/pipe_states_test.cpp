// Unix sockets and pipes at their edges, over every poller: names that are taken or wrong, permissions, many clients, readers that
// are gone, devices, and every kind of descriptor as cargo.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "loop/net/net_fixture.h"
#include "rondo/descriptor.h"

namespace rondo {
namespace {

using testing::NetTest;

class PipeStatesTest : public NetTest {
 public:
  void SetUp() override {
    NetTest::SetUp();
    char name[] = "/tmp/rondo-pipes-XXXXXX";
    folder = mkdtemp(name);
    signal(SIGPIPE, SIG_IGN);
  }
  void TearDown() override {
    if (!folder.empty()) std::filesystem::remove_all(folder);
  }
  int connect_error(Pipe& client, std::string_view path) {
    std::optional<int> error;
    const auto begun = client.connect(path, [&](Result<void> result) { error = result ? 0 : result.error().number; });
    if (!begun) return begun.error().number;
    EXPECT_FALSE(error) << "never from inside the call";
    run_until([&] { return error.has_value(); });
    return *error;
  }
  std::string folder;
};
RONDO_ON_BOTH_POLLERS(PipeStatesTest);

TEST_P(PipeStatesTest, names_that_are_wrong) {
  std::ofstream(folder + "/file") << "no socket";
  Pipe client(loop);
  EXPECT_EQ(connect_error(client, folder + "/missing"), ENOENT);
  EXPECT_EQ(connect_error(client, folder + "/file"), ECONNREFUSED);
  EXPECT_EQ(connect_error(client, folder + "/file/below"), ENOTDIR);
  EXPECT_EQ(connect_error(client, std::string(108, 'x')), EINVAL);
  EXPECT_EQ(connect_error(client, ""), EINVAL);
  EXPECT_EQ(connect_error(client, std::string_view("/tmp/a\0b", 8)), EINVAL);
  EXPECT_FALSE(client.is_open());
  EXPECT_FALSE(loop.run());
}

TEST_P(PipeStatesTest, a_taken_name_stays_its_owners) {
  const std::string path = folder + "/socket";
  PipeServer first(loop), second(loop);
  ASSERT_TRUE(first.bind(path));
  EXPECT_EQ(first.bind(path).error().number, EINVAL);
  EXPECT_EQ(first.local_address()->path(), path);
  ASSERT_TRUE(first.listen(8, [](Result<UniqueFd>) {}));
  EXPECT_EQ(second.bind(path).error().number, EADDRINUSE);
  EXPECT_EQ(second.bind("").error().number, EINVAL);
  EXPECT_EQ(second.listen(8, [](Result<UniqueFd>) {}).error().number, EBADF);
  second.close();
  EXPECT_EQ(second.bind(path).error().number, EBADF);
  loop.run(RunMode::NoWait);
  Pipe client(loop);
  EXPECT_EQ(connect_error(client, path), 0) << "who could not bind has removed nothing";
}

TEST_P(PipeStatesTest, permissions_say_who_may_connect) {
  const std::string path = folder + "/socket";
  PipeServer server(loop), abstract(loop), unbound(loop);
  ASSERT_TRUE(server.bind(path));
  ASSERT_TRUE(server.set_permissions(0660));
  EXPECT_EQ(std::filesystem::status(path).permissions(), static_cast<std::filesystem::perms>(0660));
  ASSERT_TRUE(server.set_permissions(0666));
  EXPECT_EQ(std::filesystem::status(path).permissions(), static_cast<std::filesystem::perms>(0666));
  ASSERT_TRUE(abstract.bind(std::string("\0rondo-permissions-", 19) + std::to_string(getpid())));
  EXPECT_EQ(abstract.set_permissions(0666).error().number, EINVAL);
  EXPECT_EQ(unbound.set_permissions(0666).error().number, EBADF);
}

TEST_P(PipeStatesTest, many_clients_some_of_which_change_their_mind) {
  const std::string path = folder + "/socket";
  PipeServer server(loop);
  ASSERT_TRUE(server.bind(path));
  std::vector<std::unique_ptr<Pipe>> peers;
  int ends = 0;
  ASSERT_TRUE(server.listen(128, [&](Result<UniqueFd> connection) {
    ASSERT_TRUE(connection);
    peers.push_back(std::make_unique<Pipe>(loop));
    ASSERT_TRUE(peers.back()->open(std::move(*connection)));
    ASSERT_TRUE(peers.back()->read_start([&](Result<Bytes> piece) { ends += !piece || piece->empty() ? 1 : 0; }));
  }));
  std::vector<std::unique_ptr<Pipe>> clients;
  int connected = 0;
  for (int i = 0; i < 40; i++) {
    clients.push_back(std::make_unique<Pipe>(loop));
    ASSERT_TRUE(clients.back()->connect(path, [&](Result<void> result) { connected += result ? 1 : 0; }));
    if (i % 2 == 0) clients.back()->close();
  }
  run_until([&] { return connected == 20 && peers.size() == 40 && ends == 20; });
  EXPECT_EQ(connected, 20);
}

TEST_P(PipeStatesTest, writing_to_no_reader_fails_with_EPIPE) {
  auto ends = make_pipe();
  Pipe writer(loop);
  EXPECT_EQ(handle_kind_of(ends->second.get()), HandleKind::Pipe);
  ASSERT_TRUE(writer.open(std::move(ends->second)));
  EXPECT_TRUE(writer.is_writable());
  EXPECT_FALSE(writer.is_readable());
  const std::string big(1 << 20, 'x');
  int error = 0;
  ASSERT_EQ(writer.write(as_bytes(big), [&](Result<void> result) { error = result ? 0 : result.error().number; }),
            Progress::Queued);
  loop.run(RunMode::NoWait);
  ends->first.reset();
  run_until([&] { return error != 0; });
  EXPECT_EQ(error, EPIPE);
  EXPECT_EQ(writer.write(as_bytes("x")).error().number, EPIPE);
  EXPECT_FALSE(writer.is_writable());
}

TEST_P(PipeStatesTest, the_reading_end_of_a_pipe_takes_no_write) {
  for (const int mode : {0, O_NONBLOCK}) {
    auto ends = make_pipe();
    fcntl(ends->first.get(), F_SETFL, mode);
    Pipe reader(loop);
    ASSERT_TRUE(reader.open(std::move(ends->first)));
    EXPECT_FALSE(reader.is_writable());
    EXPECT_EQ(reader.write(as_bytes("x")), failure(EBADF));
    EXPECT_EQ(reader.try_write(as_bytes("x")), failure(EBADF));
    EXPECT_FALSE(loop.run());
  }
}

TEST_P(PipeStatesTest, a_fifo_and_devices) {
  const std::string path = folder + "/fifo";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  Pipe reader(loop), writer(loop), null_in(loop), null_out(loop);
  ASSERT_TRUE(reader.open(UniqueFd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC))));
  ASSERT_TRUE(writer.open(UniqueFd(::open(path.c_str(), O_WRONLY | O_CLOEXEC))));
  std::string got;
  bool ended = false;
  ASSERT_TRUE(reader.read_start([&](Result<Bytes> piece) {
    ASSERT_TRUE(piece);
    got += as_text(*piece);
    ended = piece->empty();
  }));
  ASSERT_EQ(writer.write(as_bytes("through")), Progress::Done);
  run_until([&] { return got == "through"; });
  writer.close();
  run_until([&] { return ended; });

  ended = false;
  const UniqueFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  EXPECT_EQ(handle_kind_of(null.get()), HandleKind::File);
  ASSERT_TRUE(null_in.open(UniqueFd(dup(null.get()))));
  ASSERT_TRUE(null_in.read_start([&](Result<Bytes> piece) { ended = piece && piece->empty(); }));
  ASSERT_TRUE(null_out.open(UniqueFd(dup(null.get()))));
  const std::string big(1 << 20, 'x');
  bool written = false;
  const auto progress = null_out.write(as_bytes(big), [&](Result<void> result) { written = bool(result); });
  ASSERT_TRUE(progress);
  run_until([&] { return ended && (written || progress == Progress::Done); });
}

TEST_P(PipeStatesTest, a_file_in_a_pipes_place_is_read_to_its_end) {
  const std::string path = folder + "/file";
  const std::string content(200'000, 'f');
  std::ofstream(path) << content;
  Pipe input(loop), output(loop);
  ASSERT_TRUE(input.open(UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC))));
  std::string got;
  bool ended = false;
  ASSERT_TRUE(input.read_start([&](Result<Bytes> piece) {
    ASSERT_TRUE(piece) << piece.error().name();
    got += as_text(*piece);
    ended = piece->empty();
  }));
  run_until([&] { return ended; });
  EXPECT_TRUE(got == content);
  ASSERT_TRUE(output.open(UniqueFd(::open((folder + "/copy").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600))));
  bool written = false;
  const auto progress = output.write(as_bytes(content), [&](Result<void> result) { written = bool(result); });
  ASSERT_TRUE(progress);
  run_until([&] { return written || progress == Progress::Done; });
  EXPECT_EQ(std::filesystem::file_size(folder + "/copy"), content.size());
}

class CargoTest : public PipeStatesTest {
 public:
  void SetUp() override {
    PipeStatesTest::SetUp();
    auto ends = make_socket_pair();
    ASSERT_TRUE(here.open(std::move(ends->first)));
    ASSERT_TRUE(there.open(std::move(ends->second)));
  }
  Pipe here{loop, PipeMode::Descriptors}, there{loop, PipeMode::Descriptors};
};
RONDO_ON_BOTH_POLLERS(CargoTest);

TEST_P(CargoTest, a_listening_server_and_its_connection_travel) {
  auto server = std::make_unique<TcpServer>(loop);
  ASSERT_TRUE(server->bind(Address::loopback4(0)));
  const Address address = *server->local_address();
  ASSERT_TRUE(server->listen(8));
  ASSERT_TRUE(here.write_descriptor(as_bytes("server"), server->fd()));
  server->set_shared();
  server.reset();
  TcpServer arrived(loop);
  Tcp client(loop), connection(loop);
  std::string got;
  ASSERT_TRUE(there.read_start([&](Result<Bytes> piece) {
    UniqueFd fd = there.take_descriptor();
    ASSERT_TRUE(fd);
    if (as_text(*piece) == "server") {
      EXPECT_EQ(handle_kind_of(fd.get()), HandleKind::TcpServer);
      ASSERT_TRUE(arrived.open(std::move(fd)));
      ASSERT_TRUE(arrived.listen(8, [&](Result<UniqueFd> accepted) {
        ASSERT_TRUE(here.write_descriptor(as_bytes("connection"), accepted->get()));
      }));
      ASSERT_TRUE(client.connect(address, [&](Result<void> result) { ASSERT_TRUE(result); }));
      ASSERT_TRUE(client.write(as_bytes("hello")));
      return;
    }
    EXPECT_EQ(handle_kind_of(fd.get()), HandleKind::Tcp);
    ASSERT_TRUE(connection.open(std::move(fd)));
    ASSERT_TRUE(connection.read_start([&](Result<Bytes> data) { got += as_text(*data); }));
  }));
  run_until([&] { return got == "hello"; });
}

TEST_P(CargoTest, heavy_traffic_both_ways_loses_no_descriptor) {
  constexpr int kCount = 300;
  const UniqueFd cargo(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::string data(4000, 'x');
  struct Side {
    int descriptors = 0;
    std::size_t bytes = 0;
  } sides[2];
  Pipe* pipes[] = {&here, &there};
  for (int i = 0; i < 2; i++) {
    ASSERT_TRUE(pipes[i]->read_start([&, i](Result<Bytes> piece) {
      ASSERT_TRUE(piece && !piece->empty());
      sides[i].bytes += piece->size();
      while (pipes[i]->take_descriptor()) sides[i].descriptors++;
    }));
    for (int n = 0; n < kCount; n++) ASSERT_TRUE(pipes[i]->write_descriptor(as_bytes(data), cargo.get()));
  }
  run_until([&] { return sides[0].bytes == kCount * data.size() && sides[1].bytes == kCount * data.size(); });
  EXPECT_EQ(sides[0].descriptors, kCount);
  EXPECT_EQ(sides[1].descriptors, kCount);
}

TEST_P(CargoTest, as_many_as_the_kernel_puts_into_one_message) {
  constexpr std::size_t kMost = 253;
  std::vector<int> fds(kMost, 0);
  const UniqueFd cargo(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  for (int& fd : fds) fd = cargo.get();
  std::vector<char> control(CMSG_SPACE(kMost * sizeof(int)));
  char byte = 'x';
  iovec piece{&byte, 1};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(kMost * sizeof(int));
  std::memcpy(CMSG_DATA(header), fds.data(), kMost * sizeof(int));
  ASSERT_EQ(sendmsg(here.fd(), &message, 0), 1);
  std::size_t got = 0;
  ASSERT_TRUE(there.read_start([&](Result<Bytes>) { got = there.pending_descriptors(); }));
  run_until([&] { return got > 0; });
  EXPECT_EQ(got, kMost);
}

TEST_P(CargoTest, a_descriptor_that_is_none_is_refused_and_the_pipe_goes_on) {
  EXPECT_EQ(here.write_descriptor(as_bytes("x"), 9999).error().number, EBADF);
  EXPECT_EQ(here.write_descriptor(as_bytes("x"), -1).error().number, EINVAL);
  Pipe plain(loop);
  EXPECT_EQ(plain.write_descriptor(as_bytes("x"), 0).error().number, EINVAL);
  std::string got;
  ASSERT_TRUE(there.read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
  ASSERT_EQ(here.write(as_bytes("well")), Progress::Done);
  run_until([&] { return got == "well"; });
}

}  // namespace
}  // namespace rondo
