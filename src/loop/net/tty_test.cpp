// Terminals over every poller: modes, size, resizing; output the other side does not take, its going away, kinds.
#include "rondo/tty.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "loop/net/net_fixture.h"
#include "rondo/descriptor.h"

namespace rondo {
namespace {

using testing::NetTest;

class TtyTest : public NetTest {
 public:
  void SetUp() override {
    NetTest::SetUp();
    master.reset(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!master || grantpt(master.get()) < 0 || unlockpt(master.get()) < 0) GTEST_SKIP() << "no pseudo terminals here";
    slave.reset(::open(ptsname(master.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    ASSERT_TRUE(slave);
  }
  UniqueFd master, slave;
};
RONDO_ON_BOTH_POLLERS(TtyTest);

TEST_P(TtyTest, raw_mode_size_and_restoring) {
  termios before{}, during{}, after{};
  tcgetattr(slave.get(), &before);
  Tty tty(loop);
  ASSERT_TRUE(tty.open(UniqueFd(dup(slave.get()))));
  ASSERT_TRUE(tty.set_mode(TtyMode::Raw));
  tcgetattr(slave.get(), &during);
  EXPECT_EQ(during.c_lflag & (ECHO | ICANON | ISIG), 0u);
  winsize size{.ws_row = 33, .ws_col = 101, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(ioctl(master.get(), TIOCSWINSZ, &size), 0);
  EXPECT_EQ(tty.size()->columns, 101);
  EXPECT_EQ(tty.size()->rows, 33);
  std::string got;
  ASSERT_TRUE(tty.read_start([&](Result<Bytes> piece) { got += as_text(*piece); }));
  ASSERT_EQ(::write(master.get(), "q", 1), 1);  // no line end needed
  run_until([&] { return got == "q"; });
  ASSERT_EQ(tty.write_copy(as_bytes("hi\n")), Progress::Done);
  std::string shown;  // may come in two pieces
  char buffer[16];
  for (ssize_t count; shown.size() < 4 && (count = ::read(master.get(), buffer, sizeof buffer)) > 0;) {
    shown.append(buffer, static_cast<std::size_t>(count));
  }
  EXPECT_EQ(shown, "hi\r\n");
  bool closed = false;
  tty.close([&] { closed = true; });
  run_until([&] { return closed; });
  tcgetattr(slave.get(), &after);
  EXPECT_EQ(after.c_lflag, before.c_lflag);
}

TEST_P(TtyTest, resize_is_told_after_the_signal) {
  Tty tty(loop);
  ASSERT_TRUE(tty.open(UniqueFd(dup(slave.get()))));
  TtySize seen;
  ASSERT_TRUE(tty.on_resize([&](TtySize size) { seen = size; }));
  EXPECT_FALSE(loop.alive());
  winsize size{.ws_row = 7, .ws_col = 70, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(ioctl(master.get(), TIOCSWINSZ, &size), 0);
  raise(SIGWINCH);
  run_until([&] { return seen.columns == 70 && seen.rows == 7; });
}

TEST_P(TtyTest, what_is_no_terminal_is_refused) {
  Tty tty(loop);
  EXPECT_EQ(tty.open(UniqueFd(::open("/dev/null", O_RDONLY))).error().number, ENOTTY);
}

TEST_P(TtyTest, output_that_is_not_taken_waits_and_does_not_block) {
  EXPECT_EQ(handle_kind_of(slave.get()), HandleKind::Tty);
  Tty tty(loop);
  Pipe screen(loop);
  ASSERT_TRUE(tty.open(UniqueFd(dup(slave.get()))));
  ASSERT_TRUE(tty.set_mode(TtyMode::Io));
  const std::string big(300'000, 'x');
  bool written = false;
  // More than the terminal holds, and the only reader is this thread.
  ASSERT_EQ(tty.write(as_bytes(big), [&](Result<void> result) { written = bool(result); }), Progress::Queued);
  for (int i = 0; i < 20; i++) loop.run(RunMode::NoWait);
  EXPECT_FALSE(written);
  EXPECT_EQ(tty.write(Bytes(), [](Result<void>) {}), Progress::Queued);
  ASSERT_TRUE(screen.open(UniqueFd(dup(master.get()))));
  std::size_t shown = 0;
  ASSERT_TRUE(screen.read_start([&](Result<Bytes> piece) { shown += piece ? piece->size() : 0; }));
  run_until([&] { return written && shown == big.size(); });
}

TEST_P(TtyTest, the_descriptor_of_others_keeps_its_mode) {
  const int before = fcntl(slave.get(), F_GETFL);
  Tty tty(loop);
  ASSERT_TRUE(tty.open(UniqueFd(dup(slave.get()))));
  ASSERT_TRUE(tty.read_start([](Result<Bytes>) {}));
  ASSERT_TRUE(tty.write_copy(as_bytes("x")));
  loop.run(RunMode::NoWait);
  EXPECT_EQ(fcntl(slave.get(), F_GETFL), before);
}

TEST_P(TtyTest, a_terminal_that_goes_away_is_the_end) {
  Tty tty(loop);
  ASSERT_TRUE(tty.open(std::move(slave)));
  bool ended = false;
  ASSERT_TRUE(tty.read_start([&](Result<Bytes> piece) { ended = piece && piece->empty(); }));
  loop.run(RunMode::NoWait);
  master.reset();
  run_until([&] { return ended; });
}

TEST_P(TtyTest, modes_follow_one_another_and_the_first_comes_back) {
  termios before{}, now{};
  tcgetattr(slave.get(), &before);
  Tty tty(loop);
  EXPECT_EQ(tty.set_mode(TtyMode::Raw).error().number, EBADF);
  EXPECT_FALSE(tty.size());
  ASSERT_TRUE(tty.open(UniqueFd(dup(slave.get()))));
  ASSERT_TRUE(tty.set_mode(TtyMode::Raw));
  tcgetattr(slave.get(), &now);
  EXPECT_NE(now.c_oflag & OPOST, 0u);
  ASSERT_TRUE(tty.set_mode(TtyMode::Io));
  tcgetattr(slave.get(), &now);
  EXPECT_EQ(now.c_oflag & OPOST, 0u);
  ASSERT_TRUE(tty.set_mode(TtyMode::Normal));
  tcgetattr(slave.get(), &now);
  EXPECT_EQ(now.c_lflag, before.c_lflag);
  EXPECT_EQ(now.c_oflag, before.c_oflag);
  ASSERT_TRUE(tty.set_mode(TtyMode::Raw));
  Tty::restore_all();
  tcgetattr(slave.get(), &now);
  EXPECT_EQ(now.c_lflag, before.c_lflag);
}

// As many as there are: each gets its own mode back.
TEST_P(TtyTest, many_terminals_in_raw_mode_are_all_restored) {
  struct Pair {
    UniqueFd master, slave;
    std::unique_ptr<Tty> tty;
  };
  std::vector<Pair> pairs;
  for (int i = 0; i < 20; i++) {
    Pair pair{UniqueFd(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)), {}, std::make_unique<Tty>(loop)};
    if (!pair.master || grantpt(pair.master.get()) < 0 || unlockpt(pair.master.get()) < 0) break;  // a small machine
    pair.slave.reset(::open(ptsname(pair.master.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    ASSERT_TRUE(pair.tty->open(UniqueFd(dup(pair.slave.get()))));
    ASSERT_TRUE(pair.tty->set_mode(TtyMode::Raw));
    pairs.push_back(std::move(pair));
  }
  for (Pair& pair : pairs) {
    termios mode{};
    tcgetattr(pair.slave.get(), &mode);
    EXPECT_EQ(mode.c_lflag & ICANON, 0u);
    pair.tty.reset();
    tcgetattr(pair.slave.get(), &mode);
    EXPECT_NE(mode.c_lflag & ICANON, 0u);
  }
  loop.run();
}

}  // namespace
}  // namespace rondo
