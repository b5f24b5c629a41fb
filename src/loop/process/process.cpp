// The Process handle: a spawned pid, its pidfd in the poller, and the reaping.
#include "rondo/process.h"

#include <poll.h>
#include <signal.h>

#include <cerrno>
#include <mutex>
#include <optional>
#include <utility>

#include "loop/net/simulated_host.h"
#include "loop/process/child.h"
#include "loop/process/spawn.h"
#include "rondo/detail/loop_access.h"
#include "rondo/loop.h"
#include "rondo/signal.h"

namespace rondo {
namespace {

// Children whose handle is gone. Their loop reaps them as long as it runs; what it leaves is swept up
// whenever another child starts or ends.
class Orphans {
 public:
  static Orphans& all() {
    static auto* orphans = new Orphans;  // never destroyed: threads may outlive main
    return *orphans;
  }
  void add(Child child) {
    std::lock_guard lock(mutex_);
    children_.push_back(std::move(child));
  }
  void sweep() {
    std::lock_guard lock(mutex_);
    std::erase_if(children_, [](const Child& child) {
      ExitStatus unused;
      return child.reap(unused);
    });
  }

 private:
  std::mutex mutex_;
  std::vector<Child> children_;
};

}  // namespace

// Waits for one child's end: in the poller, or where there is no pidfd with every SIGCHLD.
struct ChildProcess::Watch final : Lingering {
  Watch(Child started, Loop& of, ChildProcess& process) : child(std::move(started)), loop(&of), owner(&process) {}
  ~Watch() override {
    if (child.pid != 0 && !child.pidfd) Orphans::all().add(std::move(child));
  }

  Operation operation;
  Child child;
  Loop* loop;
  ChildProcess* owner;
  SimulatedHost* host = nullptr;  // that plays the child
  std::optional<Signal> signal;
  std::optional<Timer> first_look;  // the child may have ended before the signal was watched

  void start();
  void submit() {
    operation.poll(child.pidfd.get(), POLLIN);
    operation.then([](Operation& done, const Completion&) { static_cast<Watch*>(done.owner)->look(); }, this);
    operation.keeps_loop_alive = false;
    loop->submit(operation);
  }

  void look() {
    ExitStatus status;
    if (!child.reap(status)) {
      if (child.pidfd) submit();
      return;
    }
    if (child.pidfd) loop->forget(child.pidfd.get());
    child.pid = 0;
    ChildProcess* process = owner;
    delete this;
    Orphans::all().sweep();
    if (process) process->exited(status);
  }
};

void ChildProcess::Watch::start() {
  if (child.pidfd) return submit();
  signal.emplace(*loop);
  signal->unref();
  (void)signal->start(SIGCHLD, [this](int) { look(); });
  first_look.emplace(*loop);
  first_look->unref();
  first_look->start(Duration::zero(), [this] { look(); });
}

ChildProcess::~ChildProcess() { abandon(); }

Result<void> ChildProcess::spawn(const ProcessOptions& options, Function<void(ExitStatus)> on_exit) {
  if (is_closing() || pid_ != 0) return failure(EINVAL, "spawn");
  if (SimulatedHost* const host = simulated_host(*loop_)) [[unlikely]]
    return spawn_simulated(*host, options, std::move(on_exit));
  Orphans::all().sweep();
  Result<Spawned> spawned = spawn_process(options, loop_->socket_flags());
  if (!spawned) return std::unexpected(spawned.error());
  pid_ = spawned->pid;
  pipes_ = std::move(spawned->pipes);
  on_exit_.set(std::move(on_exit));
  watch_ = new Watch(Child(pid_), *loop_, *this);
  watch_->operation.source = HandleKind::Process;
  watch_->operation.source_id = id();
  activate();
  watch_->start();
  return {};
}

// The world tells the end; who has let the child go does not hear it.
Result<void> ChildProcess::spawn_simulated(SimulatedHost& host, const ProcessOptions& options,
                                           Function<void(ExitStatus)> on_exit) {
  auto watch = std::make_unique<Watch>(Child(), *loop_, *this);
  watch->host = &host;
  Result<Spawned> spawned = host.spawn(*loop_, options, [watch = watch.get()](ExitStatus status) {
    const std::unique_ptr<Watch> ended(watch);
    watch->unlink();
    if (watch->owner) watch->owner->exited(status);
  });
  if (!spawned) return std::unexpected(spawned.error());
  pid_ = spawned->pid;
  pipes_ = std::move(spawned->pipes);
  on_exit_.set(std::move(on_exit));
  watch_ = watch.release();
  activate();
  return {};
}

void ChildProcess::exited(ExitStatus status) {
  watch_ = nullptr;
  deactivate();
  on_exit_(status);
}

Result<void> ChildProcess::kill(int signal) {
  if (!watch_) return failure(ESRCH, "kill");
  if (watch_->host) return watch_->host->kill(pid_, signal);
  return watch_->child.signal(signal);
}

UniqueFd ChildProcess::take_pipe(std::size_t number) {
  return number < pipes_.size() ? std::move(pipes_[number]) : UniqueFd();
}

void ChildProcess::abandon() {
  if (!watch_) return;
  // By number two must not wait for it: who comes second might find another child there.
  if (watch_->child.pidfd) {
    if (Child again(pid_); again.pidfd) Orphans::all().add(std::move(again));
  }
  watch_->owner = nullptr;
  detail::LoopAccess::linger(*loop_, *watch_);
  watch_ = nullptr;
}

void ChildProcess::begin_close() {
  abandon();
  pipes_.clear();
}

}  // namespace rondo
