// Every kind of operation on every kind of descriptor, right or wrong: the answer is the same on every poller. The table says what it is.
// Left out, because there the kernel's own ways differ (docs/librondo.md, "Where pollers differ"): positions on what has none, nothing to
// read from a folder, and mistakes that come together, of which each way finds another one first.
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <map>

#include "loop/poller/poller_fixture.h"
#include "rondo/base/result.h"
#include "rondo/timer.h"

namespace rondo::testing {
namespace {

constexpr int kWaits = INT32_MAX;
constexpr int kAny = INT32_MAX - 1;

enum Column { Closed, PipeIn, PipeOut, File, Folder, Listener, Lonely, Connected, EventFd, Terminal, kColumns };
constexpr const char* kNames[] = {"closed",   "pipe, reading end",  "pipe, writing end", "file",    "folder",
                                  "listener", "unconnected socket", "connected socket",  "eventfd", "terminal"};

struct Row {
  const char* name;
  void (*fill)(Operation&, int fd);
  std::array<int, kColumns> answers;
};

// Memory that operations point to.
char bytes[64];
iovec part{bytes, 8};
msghdr message;
Address address;
struct ::statx status;

constexpr int kNoSock = -ENOTSOCK, kBad = -EBADF, kNoConn = -ENOTCONN, kPipe = -EPIPE, kInval = -EINVAL, kDir = -EISDIR,
              kNoDir = -ENOTDIR, kNone = -ENOENT, kOut = POLLOUT, kBoth = POLLIN | POLLOUT, kHup = POLLOUT | POLLHUP,
              kNoDev = -ENODEV;

// clang-format off
const Row kTable[] = {
  //                                                                        closed  pipe in  pipe out file     folder   listener  lonely     conn.   eventfd  terminal
  {"Poll",        [](Operation& op, int fd) { op.poll(fd, POLLIN | POLLOUT); },      {kBad, kWaits,  kOut,    kBoth,   kBoth,   kWaits,   kHup,      kOut,   kOut,    kOut}},
  {"Poll what files never are", [](Operation& op, int fd) { op.poll(fd, POLLPRI); }, {kBad, kWaits,  kWaits,  kInval,  kInval,  kWaits,   POLLHUP,   kWaits, kWaits,  kWaits}},
  {"Poll repeatedly", [](Operation& op, int fd) { op.poll(fd, POLLIN).repeatedly(); }, {kBad, kWaits, kWaits, POLLIN,  POLLIN,  kWaits,   kAny,      kWaits, kWaits,  kWaits}},
  {"Accept",      [](Operation& op, int fd) { op.accept(fd); },                      {kBad, kNoSock, kNoSock, kNoSock, kNoSock, kWaits,   kInval,    kInval, kNoSock, kNoSock}},
  {"Accept repeatedly", [](Operation& op, int fd) { op.accept(fd).repeatedly(); },   {kBad, kNoSock, kNoSock, kNoSock, kNoSock, kWaits,   kInval,    kInval, kNoSock, kNoSock}},
  {"Connect",     [](Operation& op, int fd) { op.connect(fd, address.data(), address.size()); },
                                                                                     {kBad, kNoSock, kNoSock, kNoSock, kNoSock, -EISCONN, 0,         kAny,   kNoSock, kNoSock}},
  {"Recv",        [](Operation& op, int fd) { op.recv(fd, bytes, 8); },              {kBad, kNoSock, kNoSock, kNoSock, kNoSock, kNoConn,  kNoConn,   kWaits, kNoSock, kNoSock}},
  {"Recv, the poller's memory", [](Operation& op, int fd) { op.recv(fd); },          {kBad, kNoSock, kNoSock, kNoSock, kNoSock, kNoConn,  kNoConn,   kWaits, kNoSock, kNoSock}},
  {"Recv repeatedly", [](Operation& op, int fd) { op.recv(fd).repeatedly(); },       {kBad, kNoSock, kNoSock, kNoSock, kNoSock, kNoConn,  kNoConn,   kWaits, kNoSock, kNoSock}},
  {"RecvMsg",     [](Operation& op, int fd) { op.recvmsg(fd, &message); },           {kBad, kNoSock, kNoSock, kNoSock, kNoSock, kNoConn,  kNoConn,   kWaits, kNoSock, kNoSock}},
  {"Send",        [](Operation& op, int fd) { op.send(fd, bytes, 8); },              {kBad, kNoSock, kNoSock, kNoSock, kNoSock, kPipe,    kPipe,     8,      kNoSock, kNoSock}},
  {"SendMsg",     [](Operation& op, int fd) { op.sendmsg(fd, &message); },           {kBad, kNoSock, kNoSock, kNoSock, kNoSock, kPipe,    kPipe,     8,      kNoSock, kNoSock}},
  {"Read, stream", [](Operation& op, int fd) { op.read(fd, bytes, 8).as_stream(); }, {kBad, kWaits,  kBad,    0,       kDir,    kNoConn,  kNoConn,   kWaits, kWaits,  kWaits}},
  {"ReadV, stream", [](Operation& op, int fd) { op.readv(fd, &part, 1).as_stream(); },
                                                                                     {kBad, kWaits,  kBad,    0,       kDir,    kNoConn,  kNoConn,   kWaits, kWaits,  kWaits}},
  {"Read nothing", [](Operation& op, int fd) { op.read(fd, bytes, 0).as_stream(); }, {kBad, 0,       kBad,    0,       kAny,    0,        0,         0,      kInval,  kAny}},
  {"Write, stream", [](Operation& op, int fd) { op.write(fd, bytes, 8).as_stream(); }, {kBad, kBad,  8,       8,       kBad,    kPipe,    kPipe,     8,      8,       8}},
  {"WriteV, stream", [](Operation& op, int fd) { op.writev(fd, &part, 1).as_stream(); }, {kBad, kBad, 8,      8,       kBad,    kPipe,    kPipe,     8,      8,       8}},
  {"Write",       [](Operation& op, int fd) { op.write(fd, bytes, 8); },             {kBad, kBad,    8,       8,       kBad,    kPipe,    kPipe,     8,      8,       8}},
  {"WriteV",      [](Operation& op, int fd) { op.writev(fd, &part, 1); },            {kBad, kBad,    8,       8,       kBad,    kPipe,    kPipe,     8,      8,       8}},
  {"Fsync",       [](Operation& op, int fd) { op.fsync(fd); },                       {kBad, kInval,  kInval,  0,       0,       kInval,   kInval,    kInval, kInval,  kInval}},
  {"Fdatasync",   [](Operation& op, int fd) { op.fsync(fd, true); },                 {kBad, kInval,  kInval,  0,       0,       kInval,   kInval,    kInval, kInval,  kInval}},
  {"Fallocate",   [](Operation& op, int fd) { op.fallocate(fd, 0, 0, 10); },         {kBad, kBad,    -ESPIPE, 0,       kBad,    kNoDev,   kNoDev,    kNoDev, kNoDev,  kNoDev}},
  {"Fallocate nothing", [](Operation& op, int fd) { op.fallocate(fd, 0, 0, 0); },    {kBad, kInval,  kInval,  kInval,  kInval,  kInval,   kInval,    kInval, kInval,  kInval}},
  {"Ftruncate",   [](Operation& op, int fd) { op.ftruncate(fd, 10); },               {kBad, kInval,  kInval,  0,       kInval,  kInval,   kInval,    kInval, kInval,  kInval}},
  {"Statx of it", [](Operation& op, int fd) { op.statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &status); },
                                                                                     {kBad, 0,       0,       0,       0,       0,        0,         0,      0,       0}},
  {"Statx",       [](Operation& op, int fd) { op.statx(fd, "x", 0, STATX_BASIC_STATS, &status); },
                                                                                     {kBad, kNoDir,  kNoDir,  kNoDir,  kNone,   kNoDir,   kNoDir,    kNoDir, kNoDir,  kNoDir}},
  {"OpenAt",      [](Operation& op, int fd) { op.openat(fd, "x", O_RDONLY); },       {kBad, kNoDir,  kNoDir,  kNoDir,  kNone,   kNoDir,   kNoDir,    kNoDir, kNoDir,  kNoDir}},
  {"UnlinkAt",    [](Operation& op, int fd) { op.unlinkat(fd, "x"); },               {kBad, kNoDir,  kNoDir,  kNoDir,  kNone,   kNoDir,   kNoDir,    kNoDir, kNoDir,  kNoDir}},
  {"MkdirAt",     [](Operation& op, int fd) { op.mkdirat(fd, "made", 0755); },       {kBad, kNoDir,  kNoDir,  kNoDir,  0,       kNoDir,   kNoDir,    kNoDir, kNoDir,  kNoDir}},
  {"RenameAt",    [](Operation& op, int fd) { op.renameat(fd, "x", fd, "y"); },      {kBad, kNoDir,  kNoDir,  kNoDir,  kNone,   kNoDir,   kNoDir,    kNoDir, kNoDir,  kNoDir}},
  {"LinkAt",      [](Operation& op, int fd) { op.linkat(fd, "x", fd, "y"); },        {kBad, kNoDir,  kNoDir,  kNoDir,  kNone,   kNoDir,   kNoDir,    kNoDir, kNoDir,  kNoDir}},
  {"SymlinkAt",   [](Operation& op, int fd) { op.symlinkat("x", fd, "link"); },      {kBad, kNoDir,  kNoDir,  kNoDir,  0,       kNoDir,   kNoDir,    kNoDir, kNoDir,  kNoDir}},
  {"ReadFile",    [](Operation& op, int fd) { op.read_file(fd, "x", bytes, 8); },    {kBad, kNoDir,  kNoDir,  kNoDir,  kNone,   kNoDir,   kNoDir,    kNoDir, kNoDir,  kNoDir}},
  {"ReadFile of a folder", [](Operation& op, int fd) { op.read_file(fd, ".", bytes, 8); },
                                                                                     {kBad, kNoDir,  kNoDir,  kNoDir,  kDir,    kNoDir,   kNoDir,    kNoDir, kNoDir,  kNoDir}},
  {"Close",       [](Operation& op, int fd) { op.close(fd); },                       {kBad, 0,       0,       0,       0,       0,        0,         0,      0,       0}},
};
// clang-format on

std::string in_words(int answer) {
  if (answer == kWaits) return "waits";
  return answer < 0 ? error_name(-answer) : std::to_string(answer);
}

class PollerKindsTest : public PollerTest {
 protected:
  struct Thing {
    UniqueFd fd, other;
  };

  int open(const std::string& path, int flags) {
    return result_of([&](Operation& op) { op.openat(AT_FDCWD, path.c_str(), flags, 0755); });
  }

  Thing make(Column column) {
    switch (column) {
      case Closed:
        return {};
      case PipeIn:
      case PipeOut: {
        auto ends = world->pipe();
        return {std::move(ends[column == PipeIn ? 0 : 1]), std::move(ends[column == PipeIn ? 1 : 0])};
      }
      case File:
        return {UniqueFd(open(world->folder() + "/file", O_RDWR | O_CREAT | O_TRUNC)), {}};
      case Folder: {
        const std::string path = world->folder() + "/folder " + std::to_string(++folders_);
        EXPECT_EQ(result_of([&](Operation& op) { op.mkdirat(AT_FDCWD, path.c_str(), 0755); }), 0);
        return {UniqueFd(open(path, O_RDONLY | O_DIRECTORY)), {}};
      }
      case Listener: {
        Address own;
        return {world->listen(loop, own), {}};
      }
      case Lonely:
        return {world->socket(loop), {}};
      case Connected: {
        auto ends = sockets();
        return {std::move(ends[0]), std::move(ends[1])};
      }
      case EventFd:
        return {UniqueFd(world->is_simulated() ? -1 : eventfd(0, EFD_CLOEXEC)), {}};
      default:
        return terminal();
    }
  }

  Thing terminal() {
    if (world->is_simulated()) return {};
    UniqueFd master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!master || grantpt(master.get()) < 0 || unlockpt(master.get()) < 0) return {};
    UniqueFd slave(::open(ptsname(master.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    return {std::move(slave), std::move(master)};
  }

  // The final answer. Operations that wait are cancelled after a while, in which the loop has waited too.
  int answer(const Row& row, int fd, bool is_to_wait) {
    Call call;
    row.fill(call.operation, fd);
    loop.submit(call.operation);
    if (!is_to_wait) {
      run_until([&] { return call.finals > 0; });
      return call.last();
    }
    bool is_over = false;
    Timer patience(loop);
    patience.start(std::chrono::milliseconds(2), [&] { is_over = true; });
    while (!is_over) loop.run(RunMode::Once);
    if (!call.results.empty()) return call.results.front();
    cancel_and_end(call);
    return call.last() == -ECANCELED ? kWaits : call.last();
  }

  void check(const Row& row, Column column) {
    Thing thing = make(column);
    if (column != Closed && !thing.fd) return;  // this world has none
    int fd = thing.fd.get();
    if (column == Closed) {
      fd = world->pipe()[0].get();  // closed at once
    }
    EXPECT_EQ(in_words(answer(row, fd, row.answers[column] == kWaits)), in_words(row.answers[column]))
        << row.name << " on: " << kNames[column];
    if (std::string_view(row.name) == "Close") {
      (void)thing.fd.release();
    } else if (thing.fd) {
      loop.forget(fd);
    }
  }

  int folders_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Pollers, PollerKindsTest, every_poller(), name_of);

TEST_P(PollerKindsTest, S157_every_kind_on_every_descriptor) {
  const UniqueFd listener = world->listen(loop, address);
  if (!listener) GTEST_SKIP() << "no network here";
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  for (const Row& row : kTable) {
    for (int column = 0; column < kColumns; column++) {
      if (row.answers[static_cast<std::size_t>(column)] != kAny) check(row, static_cast<Column>(column));
    }
  }
  loop.forget(listener.get());
}

// Numbers that no descriptor ever has cost no memory.
TEST_P(PollerKindsTest, descriptors_that_cannot_be) {
  for (const int fd : {-1, -7, 1'000'000'000, INT32_MAX}) {
    EXPECT_EQ(result_of([&](Operation& op) { op.recv(fd); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.send(fd, bytes, 1); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.poll(fd, POLLIN); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.read(fd, bytes, 1).as_stream(); }), -EBADF);
    EXPECT_EQ(result_of([&](Operation& op) { op.close(fd); }), -EBADF);
  }
}

}  // namespace
}  // namespace rondo::testing
