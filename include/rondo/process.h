// Child processes: started without copying the parent (vfork), watched through a pidfd, or by SIGCHLD where a container's filter
// refuses those, and reaped by the loop. A program that cannot be executed is reported by spawn() itself with the errno that exec gave.
// Every descriptor beyond the ones asked for is closed in the child. Needs Linux 5.4 (waitid on pidfds).
//
//   rondo::ChildProcess child(loop);
//   child.spawn({.file = "ls", .args = {"ls", "-l"}, .stdio = {Stdio::ignore(), Stdio::inherit(1), Stdio::inherit(2)}},
//               [](ExitStatus status) { ... });
//
// Rules of owner and thread: handle.h. Destroying or closing the handle does not end the child; it is
// still reaped, so that no zombie stays.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rondo/base/clock.h"
#include "rondo/base/result.h"
#include "rondo/base/unique_fd.h"
#include "rondo/handle.h"

namespace [[gnu::visibility("default")]] rondo {

class SimulatedHost;

// The file that the child has at one descriptor number.
struct Stdio {
  enum class Kind : std::uint8_t { Ignore, Descriptor, Pipe };
  Kind kind = Kind::Ignore;
  int fd = -1;

  static Stdio ignore() { return {}; }  // /dev/null for 0, 1, 2; closed above
  static Stdio inherit(int fd) { return {Kind::Descriptor, fd}; }  // a descriptor of ours; stays ours
  static Stdio pipe() { return {Kind::Pipe, -1}; }  // a socket pair, both directions; see take_pipe
};

// No string may contain a zero byte: EINVAL.
struct ProcessOptions {
  std::string file = {};  // searched in the child's PATH unless it has a slash
  std::vector<std::string> args = {};  // args[0] is the name the child sees; empty: {file}
  std::optional<std::vector<std::string>> env = {};  // "NAME=value"; absent: ours
  std::string cwd = {};  // empty: ours
  std::vector<Stdio> stdio = {};  // by descriptor number; fewer than three: the rest is ignored
  std::optional<uid_t> uid = {};
  std::optional<gid_t> gid = {};  // setting either drops supplementary groups, if we are root
  bool detached = false;  // a session and process group of its own
};

// Either an exit code or the signal that ended it.
struct ExitStatus {
  int code = 0;
  int signal = 0;
};

class ChildProcess final : public Handle {
 public:
  explicit ChildProcess(Loop& loop) : Handle(loop, HandleKind::Process) {}
  ~ChildProcess() override;

  // Once for each handle: EINVAL afterwards. Keeps the loop alive until the child has ended; `on_exit` then runs in poll.
  [[nodiscard]] Result<void> spawn(const ProcessOptions& options, Function<void(ExitStatus)> on_exit);
  // ESRCH when it has ended. Signal 0 only asks.
  [[nodiscard]] Result<void> kill(int signal);

  // 0 before spawn().
  pid_t pid() const { return pid_; }
  // Our end of the pipe at that number: non-blocking where the loop wants it, close-on-exec. Once.
  UniqueFd take_pipe(std::size_t number);

 private:
  struct Watch;
  void begin_close() override;
  void abandon();
  [[nodiscard]] Result<void> spawn_simulated(SimulatedHost& host, const ProcessOptions& options,
                                             Function<void(ExitStatus)> on_exit);
  void exited(ExitStatus status);

  Watch* watch_ = nullptr;  // outlives us while its operation is in flight
  pid_t pid_ = 0;
  std::vector<UniqueFd> pipes_;
  Callback<void(ExitStatus)> on_exit_;
};

// A child run to its end here and now, without a loop: the thread waits. What is written to its pipes is `inputs`, what it writes to
// them is `outputs`, both by descriptor number.
struct RunOptions {
  ProcessOptions process = {};
  std::vector<std::string> inputs = {};  // of the numbers that are pipes; missing ones are empty
  Duration timeout = Duration::zero();  // zero: none
  std::size_t output_limit = SIZE_MAX;  // of each pipe
  int kill_signal = 15;  // SIGTERM; sent when the time is up or a pipe has given too much
};
struct RunOutcome {
  pid_t pid = 0;
  ExitStatus status;
  int stopped_by = 0;  // ETIMEDOUT or ENOBUFS: it was told to end
  std::vector<std::optional<std::string>> outputs;  // nothing where there was no pipe
};
// An error says that the child was not started. The call is over when the child has ended and its pipes are closed by all who hold
// them; a child that was told to end is waited for, its pipes are not.
[[nodiscard]] Result<RunOutcome> run_process(const RunOptions& options);

using Process [[deprecated("renamed: ChildProcess")]] = ChildProcess;

// Signals a process and all its descendants. SIGKILL stops them first, so that none can escape by forking. Who calls may be one of
// them, and is signalled last.
// ESRCH when there is no such process.
[[nodiscard]] Result<void> kill_tree(pid_t pid, int signal);

}  // namespace rondo
