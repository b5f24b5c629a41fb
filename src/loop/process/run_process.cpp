// run_process: a child from start to end on the caller's thread. It needs no loop, so it works with the few descriptors that the
// child itself takes: poll(2) waits for its pipes, its end and the time limit at once.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "loop/process/child.h"
#include "loop/process/spawn.h"
#include "rondo/bytes.h"
#include "rondo/process.h"

namespace rondo {
namespace {

class Run {
 public:
  Run(const RunOptions& options, Spawned spawned) : options_(options), child_(spawned.pid) {
    if (options.timeout > Duration::zero()) deadline_ = steady_now() + options.timeout.count();
    pipes_.resize(spawned.pipes.size());
    for (std::size_t i = 0; i < pipes_.size(); i++) {
      pipes_[i].fd = std::move(spawned.pipes[i]);
      if (!pipes_[i].fd) continue;
      pipes_[i].is_open = true;
      outcome_.outputs.resize(i + 1);
      outcome_.outputs[i].emplace();
      if (i < options.inputs.size()) pipes_[i].input = as_bytes(options.inputs[i]);
      send(pipes_[i]);
    }
    outcome_.outputs.resize(pipes_.size());
    outcome_.pid = child_.pid;
  }

  RunOutcome finish() {
    while (!has_ended_ || has_open_pipe()) {
      wait();
      if (!has_ended_ && (has_ended_ = child_.reap(outcome_.status))) deadline_ = kNever;
      for (std::size_t i = 0; i < pipes_.size(); i++) {
        if (pipes_[i].is_open) serve(i);
      }
      if (deadline_ != kNever && steady_now() >= deadline_) stop(ETIMEDOUT);
    }
    return std::move(outcome_);
  }

 private:
  struct Pipe {
    UniqueFd fd;
    Bytes input;  // what is left of it
    bool is_open = false;
  };

  bool has_open_pipe() const {
    return std::any_of(pipes_.begin(), pipes_.end(), [](const Pipe& pipe) { return pipe.is_open; });
  }

  void wait() {
    std::vector<pollfd> queries;
    for (const Pipe& pipe : pipes_) {
      if (!pipe.is_open) continue;
      queries.push_back({pipe.fd.get(), static_cast<short>(pipe.input.empty() ? POLLIN : POLLIN | POLLOUT), 0});
    }
    Nanoseconds left = deadline_ == kNever ? kNever : std::max<Nanoseconds>(deadline_ - steady_now(), 0);
    if (!has_ended_ && child_.pidfd) queries.push_back({child_.pidfd.get(), POLLIN, 0});
    if (!has_ended_ && !child_.pidfd) {  // without one the child's end is looked for
      constexpr Nanoseconds kLook = 5'000'000;
      left = std::min(left, kLook);
    }
    timespec time{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
    ppoll(queries.data(), queries.size(), left == kNever ? nullptr : &time, nullptr);
  }

  void serve(std::size_t number) {
    Pipe& pipe = pipes_[number];
    if (!pipe.input.empty()) send(pipe);
    receive(pipe, *outcome_.outputs[number]);
  }

  // All that is there.
  void receive(Pipe& pipe, std::string& output) {
    char chunk[65536];
    while (pipe.is_open) {
      const ssize_t got = recv(pipe.fd.get(), chunk, sizeof chunk, MSG_DONTWAIT);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) {
        close(pipe);
      } else {
        output.append(chunk, static_cast<std::size_t>(got));
        if (output.size() > options_.output_limit) stop(ENOBUFS);
      }
    }
  }

  // Input of the child; when it has all, or takes no more, it reads the end.
  void send(Pipe& pipe) {
    while (!pipe.input.empty()) {
      const ssize_t sent = ::send(pipe.fd.get(), pipe.input.data(), pipe.input.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno == EAGAIN) return;
      pipe.input = sent < 0 ? Bytes() : pipe.input.subspan(static_cast<std::size_t>(sent));
    }
    ::shutdown(pipe.fd.get(), SHUT_WR);
  }

  static void close(Pipe& pipe) {
    pipe.is_open = false;
    pipe.fd.reset();
  }

  void stop(int why) {
    if (outcome_.stopped_by == 0) outcome_.stopped_by = why;
    deadline_ = kNever;
    if (!has_ended_) (void)child_.signal(options_.kill_signal);
    for (Pipe& pipe : pipes_) close(pipe);
  }

  const RunOptions& options_;
  Child child_;
  Nanoseconds deadline_ = kNever;
  bool has_ended_ = false;
  std::vector<Pipe> pipes_;
  RunOutcome outcome_;
};

}  // namespace

Result<RunOutcome> run_process(const RunOptions& options) {
  Result<Spawned> spawned = spawn_process(options.process, 0);
  if (!spawned) return std::unexpected(spawned.error());
  return Run(options, std::move(*spawned)).finish();
}

}  // namespace rondo
