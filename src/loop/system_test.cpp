// The calls that answer at once, and children run to their end without a loop.
#include "rondo/system.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "loop/net/few_descriptors.h"
#include "loop/temporary_folder.h"
#include "rondo/pipe.h"
#include "rondo/process.h"
#include "rondo/tty.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;
using testing::TemporaryFolder;

TEST(SystemTest, what_a_path_is) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/file";
  std::ofstream(file) << "text";
  ASSERT_EQ(symlink("file", (folder.path() + "/link").c_str()), 0);
  EXPECT_TRUE(path_exists(file));
  EXPECT_TRUE(path_exists(folder.path()));
  EXPECT_FALSE(path_exists(folder.path() + "/none"));
  EXPECT_FALSE(path_exists(std::string(file) + '\0' + "x"));
  EXPECT_EQ(is_directory(folder.path()), true);
  EXPECT_EQ(is_directory(file), false);
  EXPECT_EQ(is_directory(folder.path() + "/none"), failure(ENOENT));
  EXPECT_EQ(is_directory(file + "/under"), failure(ENOTDIR));
  EXPECT_EQ(is_directory(std::string("/\0", 2)), failure(EINVAL));
  EXPECT_EQ(real_path(folder.path() + "/./link"), *real_path(file));
  EXPECT_EQ(real_path(folder.path() + "/none"), failure(ENOENT));
  EXPECT_STREQ(real_path(folder.path() + "/none").error().syscall, "lstat");
}

TEST(SystemTest, whole_files) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/file";
  const std::string text(200'000, 'x');
  std::ofstream(file) << text;
  EXPECT_EQ(read_whole_file(file), text);
  EXPECT_EQ(read_whole_file("/proc/self/comm")->empty(), false) << "whose size is said to be 0";
  EXPECT_EQ(read_whole_file(file, 1000), failure(EFBIG));
  EXPECT_EQ(read_whole_file("/dev/zero", 1000), failure(EFBIG));
  EXPECT_EQ(read_whole_file(folder.path()), failure(EISDIR));
  EXPECT_STREQ(read_whole_file(folder.path()).error().syscall, "read");
  EXPECT_EQ(read_whole_file(file + "x"), failure(ENOENT));
  EXPECT_STREQ(read_whole_file(file + "x").error().syscall, "open");
}

TEST(SystemTest, what_a_descriptor_is) {
  const UniqueFd folder(open("/", O_RDONLY | O_CLOEXEC)), null(open("/dev/null", O_RDWR | O_CLOEXEC));
  const UniqueFd terminal(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)), file(open("/proc/self/exe", O_RDONLY));
  const auto pipe = make_pipe();
  const auto sockets = make_socket_pair();
  EXPECT_EQ(descriptor_kind_of(folder.get()), DescriptorKind::Directory);
  EXPECT_EQ(descriptor_kind_of(null.get()), DescriptorKind::File);
  EXPECT_EQ(descriptor_kind_of(file.get()), DescriptorKind::File);
  EXPECT_EQ(descriptor_kind_of(pipe->first.get()), DescriptorKind::Pipe);
  EXPECT_EQ(descriptor_kind_of(sockets->first.get()), DescriptorKind::Socket);
  EXPECT_EQ(descriptor_kind_of(-1), DescriptorKind::None);
  if (terminal) {
    EXPECT_EQ(descriptor_kind_of(terminal.get()), DescriptorKind::Tty);
    EXPECT_TRUE(Tty::size_of(terminal.get()));
  }
  EXPECT_EQ(Tty::size_of(null.get()).error().number, ENOTTY);
}

TEST(SystemTest, write_fully_waits_for_who_reads) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  fcntl(pipe->second.get(), F_SETFL, O_NONBLOCK);
  const std::string text(1 << 20, 'w');
  std::string got;
  std::thread reader([&] {
    std::array<char, 5000> chunk;
    for (ssize_t count; (count = read(pipe->first.get(), chunk.data(), chunk.size())) > 0;)
      got.append(chunk.data(), static_cast<std::size_t>(count));
  });
  EXPECT_TRUE(write_fully(pipe->second.get(), as_bytes(text)));
  pipe->second.reset();
  reader.join();
  EXPECT_EQ(got, text);
  EXPECT_EQ(write_fully(pipe->first.get(), as_bytes("x")), failure(EBADF));
  EXPECT_EQ(write_fully(-1, {}), Result<void>());
}

TEST(SystemTest, write_available_takes_what_there_is_room_for) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  const std::string text(1 << 20, 'w');
  std::size_t taken = 0;
  for (;;) {
    const auto some = write_available(pipe->second.get(), as_bytes(text));
    if (!some) {
      EXPECT_EQ(some, failure(EAGAIN));
      break;
    }
    taken += *some;
    ASSERT_LE(taken, text.size()) << "a pipe holds 64 kB";
  }
  EXPECT_GT(taken, 0u);
  EXPECT_EQ(fcntl(pipe->second.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_EQ(write_available(-1, as_bytes(text)), failure(EBADF));
}

TEST(SystemTest, unix_sockets_by_name) {
  const TemporaryFolder folder;
  for (const std::string& name : {folder.path() + "/socket", std::string(1, '\0') + "rondo-" + folder.path()}) {
    const auto server = bind_unix_socket(name);
    ASSERT_TRUE(server);
    EXPECT_EQ(bind_unix_socket(name), failure(EADDRINUSE));
    const UniqueFd client(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(connect_unix_socket(client.get(), name), failure(ECONNREFUSED)) << "it does not listen";
    ASSERT_EQ(listen(server->get(), 1), 0);
    EXPECT_TRUE(connect_unix_socket(client.get(), name));
  }
  EXPECT_EQ(bind_unix_socket(folder.path() + "/none/socket"), failure(ENOENT));
  EXPECT_EQ(bind_unix_socket(std::string(200, 'x')).has_value(), false);
  EXPECT_EQ(connect_unix_socket(-1, folder.path()), failure(EBADF));
}

TEST(SystemTest, type_of_service_of_both_families) {
  for (const int family : {AF_INET, AF_INET6}) {
    const UniqueFd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket) continue;
    EXPECT_EQ(type_of_service(socket.get()), 0);
    EXPECT_TRUE(set_type_of_service(socket.get(), 0x10));
    EXPECT_EQ(type_of_service(socket.get()), 0x10);
  }
  EXPECT_EQ(type_of_service(-1), failure(EBADF));
  const auto pipe = make_pipe();
  EXPECT_EQ(set_type_of_service(pipe->first.get(), 0), failure(ENOTSOCK));
}

TEST(SystemTest, signals_and_random_bytes) {
  EXPECT_TRUE(send_signal(getpid(), 0));
  EXPECT_EQ(send_signal(getpid(), 1000), failure(EINVAL));
  std::array<std::byte, 64> one{}, two{};
  fill_random(one);
  fill_random(two);
  EXPECT_NE(one, two);
  fill_random({});
}

ProcessOptions shell(const char* script, std::vector<Stdio> stdio = {Stdio::pipe(), Stdio::pipe(), Stdio::pipe()}) {
  return {.file = "/bin/sh", .args = {"sh", "-c", script}, .stdio = std::move(stdio)};
}

TEST(RunProcessTest, input_output_and_code) {
  const auto outcome = run_process({.process = shell("cat; echo problem >&2; exit 3"), .inputs = {"hello"}});
  ASSERT_TRUE(outcome);
  EXPECT_GT(outcome->pid, 0);
  EXPECT_EQ(outcome->status.code, 3);
  EXPECT_EQ(outcome->stopped_by, 0);
  EXPECT_EQ(outcome->outputs[1], "hello");
  EXPECT_EQ(outcome->outputs[2], "problem\n");
  const auto silent = run_process({.process = shell("exit 0", {})});
  ASSERT_TRUE(silent);
  EXPECT_TRUE(std::none_of(silent->outputs.begin(), silent->outputs.end(), [](auto& output) { return output; }));
  EXPECT_EQ(run_process({.process = {.file = "/nowhere/at/all"}}).error().number, ENOENT);
}

TEST(RunProcessTest, megabytes_both_ways) {
  std::string input(3 << 20, 'm');
  const auto outcome = run_process({.process = shell("cat"), .inputs = {input}});
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->outputs[1] == input);
  const auto deaf = run_process({.process = shell("exec 0<&-; echo done"), .inputs = {input}});
  ASSERT_TRUE(deaf);
  EXPECT_EQ(deaf->outputs[1], "done\n") << "who does not read is not waited for";
}

TEST(RunProcessTest, time_and_output_are_limited) {
  const auto late = run_process({.process = shell("echo begun; sleep 100"), .timeout = 300ms});
  ASSERT_TRUE(late);
  EXPECT_EQ(late->stopped_by, ETIMEDOUT);
  EXPECT_EQ(late->status.signal, SIGTERM);
  const auto much =
      run_process({.process = shell("exec cat /dev/zero"), .output_limit = 100'000, .kill_signal = SIGKILL});
  ASSERT_TRUE(much);
  EXPECT_EQ(much->stopped_by, ENOBUFS);
  EXPECT_EQ(much->status.signal, SIGKILL);
  EXPECT_GT(much->outputs[1]->size(), 100'000u);
  EXPECT_LT(much->outputs[1]->size(), 300'000u);
  const auto quick = run_process({.process = shell("exit 0"), .timeout = 1h});
  EXPECT_EQ(quick->stopped_by, 0);
}

TEST(RunProcessTest, who_inherits_the_pipes_is_waited_for) {
  const char* script = "(while kill -0 $$ 2>/dev/null; do :; done; echo later) & exit 5";
  const auto outcome = run_process({.process = shell(script), .timeout = 1h});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status.code, 5);
  EXPECT_EQ(outcome->outputs[1], "later\n");
}

TEST(RunProcessTest, few_descriptors_are_an_error_or_enough) {
  testing::FewDescriptors shortage(200);
  shortage.fill();
  EXPECT_EQ(run_process({.process = shell("exit 0")}).error().number, EMFILE);
  bool has_run = false;
  for (int spare = 1; spare <= 12 && !has_run; spare++) {
    shortage.spare_one();
    const auto outcome = run_process({.process = shell("echo here")});
    has_run = outcome && outcome->outputs[1] == "here\n";
    EXPECT_TRUE(outcome || outcome.error().number == EMFILE) << spare;
  }
  EXPECT_TRUE(has_run);
}

}  // namespace
}  // namespace rondo
