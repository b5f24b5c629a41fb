// The simulated world by itself: time, streams, files, limits, being stuck.
#include "rondo/sim.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "rondo/timer.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class SimTest : public ::testing::Test {
 protected:
  int finish(Operation& operation) {
    int result = 1 << 30;
    operation.then(
        [](Operation& done, const Completion& completion) { *static_cast<int*>(done.owner) = completion.result; },
        &result);
    loop.submit(operation);
    loop.run();
    return result;
  }

  SeededDecider decider{7, 0};
  SimWorld world{decider, {.descriptors = 4, .disk_bytes = 10}};
  Loop loop{world.options()};
  Operation op;
};

TEST_F(SimTest, S153_the_poller_is_named_and_a_day_passes_at_once) {
  EXPECT_STREQ(loop.poller().name(), "sim");
  const Nanoseconds before = world.now();
  bool has_run = false;
  Timer timer(loop);
  timer.start(24h, [&] { has_run = true; });
  loop.run();
  EXPECT_TRUE(has_run);
  EXPECT_GE(world.now() - before, Duration(24h).count());
}

TEST_F(SimTest, files_keep_what_is_written_and_the_disk_is_finite) {
  const int fd = finish(op.openat(AT_FDCWD, "/a", O_RDWR | O_CREAT));
  ASSERT_GE(fd, 0);
  std::size_t written = 0;
  while (written < 5)
    written +=
        static_cast<std::size_t>(finish(op.write(fd, &"hello"[written], static_cast<std::uint32_t>(5 - written))));
  EXPECT_EQ(*world.content_of("/a"), "hello");
  EXPECT_EQ(finish(op.write(fd, "too much", 8)), -ENOSPC);
  EXPECT_EQ(finish(op.openat(AT_FDCWD, "/b", O_RDONLY)), -ENOENT);
  EXPECT_EQ(finish(op.close(fd)), 0);
  EXPECT_EQ(finish(op.close(fd)), -EBADF);
}

TEST_F(SimTest, descriptors_are_finite) {
  const auto [one, two] = world.stream_pair();
  const int three = world.socket(), four = world.socket();
  EXPECT_EQ(world.socket(), -EMFILE);
  EXPECT_EQ(finish(op.openat(AT_FDCWD, "/a", O_CREAT)), -EMFILE);
  for (const int fd : {one, two, three, four}) EXPECT_EQ(finish(op.close(fd)), 0);
  EXPECT_EQ(world.open_descriptors(), 0u);
}

TEST_F(SimTest, streams_carry_bytes_and_their_end) {
  const auto [one, two] = world.stream_pair();
  EXPECT_EQ(finish(op.send(one, "x", 1)), 1);
  char byte = 0;
  EXPECT_EQ(finish(op.recv(two, &byte, 1)), 1);
  EXPECT_EQ(byte, 'x');
  finish(op.close(one));
  EXPECT_EQ(finish(op.recv(two, &byte, 1)), 0);
  EXPECT_EQ(finish(op.send(two, "y", 1)), -EPIPE);
  const sockaddr_un nowhere = SimWorld::address("nowhere");
  const int socket = world.socket();
  EXPECT_EQ(finish(op.connect(socket, reinterpret_cast<const sockaddr*>(&nowhere), sizeof nowhere)), -ECONNREFUSED);
}

TEST_F(SimTest, the_other_side_of_a_stream_is_in_the_tests_hands) {
  const auto [one, two] = world.stream_pair();
  char buffer[8];
  EXPECT_EQ(world.take(two, buffer), -EAGAIN);
  EXPECT_EQ(world.put(one, "outside"), 7);
  EXPECT_EQ(world.take(two, buffer), 7);
  EXPECT_EQ(std::string(buffer, 7), "outside");
  EXPECT_EQ(world.put(one, std::string(5000, 'x')), 4096) << "a stream's buffer is finite";
  EXPECT_EQ(world.put(one, "y"), -EAGAIN);
  EXPECT_EQ(world.put(7, "y"), -EBADF);
  EXPECT_EQ(finish(op.close(two)), 0);
  EXPECT_EQ(world.put(one, "y"), -EPIPE);
}

TEST_F(SimTest, removed_files_give_their_room_back) {
  const int fd = finish(op.openat(AT_FDCWD, "/a", O_RDWR | O_CREAT));
  EXPECT_EQ(finish(op.ftruncate(fd, 10)), 0);
  EXPECT_EQ(finish(op.linkat(AT_FDCWD, "/a", AT_FDCWD, "/b")), 0) << "a second name takes no room";
  EXPECT_EQ(finish(op.ftruncate(fd, 11)), -ENOSPC);
  const int other = finish(op.openat(AT_FDCWD, "/c", O_WRONLY | O_CREAT));
  for (const char* name : {"/a", "/b"}) EXPECT_EQ(finish(op.unlinkat(AT_FDCWD, name)), 0);
  EXPECT_EQ(finish(op.write(other, "x", 1)), -ENOSPC) << "as long as it is open";
  EXPECT_EQ(finish(op.close(fd)), 0);
  EXPECT_EQ(finish(op.write(other, "x", 1)), 1);
  EXPECT_EQ(world.content_of("/a"), nullptr);
}

TEST_F(SimTest, a_loop_that_waits_for_nothing_is_told) {
  const auto [one, two] = world.stream_pair();
  char byte;
  op.recv(two, &byte, 1).then([](Operation&, const Completion&) {});
  loop.submit(op);
  EXPECT_TRUE(loop.run());
  EXPECT_TRUE(world.is_stuck());
  loop.cancel(op);
  EXPECT_FALSE(loop.run());
}

TEST_F(SimTest, S110_jobs_run_on_so_many_virtual_threads) {
  int done = 0;
  for (int i = 0; i < 20; i++) world.run_job(loop, [] {}, [&] { done++; });
  EXPECT_EQ(loop.active_operations(), 4u);
  loop.run();
  EXPECT_EQ(done, 20);
}

}  // namespace
}  // namespace rondo
