// See deferred_work.h.
#include "runtime/deferred_work.h"

#include "engine/patches/deferred_work_timer.h"
#include "engine/patches/timed_waits.h"
#include "runtime/entry/continuation.h"
#include "runtime/entry/turn.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace rondo::runtime {

using engine::DeferredWorkTimer;

namespace {

constexpr Source kEngineWork{"engine work", "ENGINEWORK"};

}  // namespace

struct DeferredWork::State {
  struct Pending {
    std::unique_ptr<DeferredWorkTimer::TicketData> ticket;
    std::optional<Loop::KeepAlive> keeps_alive;
    StartPoint origin;
  };

  explicit State(Runtime& runtime) : runtime(&runtime) { waits.emplace(runtime.loop()).unref(); }

  // The engine's timer is due a little before ours.
  void add_wait(double seconds) {
    constexpr double kNsPerSecond = 1e9, kLongest = 1e9;
    constexpr Nanoseconds kMargin = 1'000'000;
    runtime->loop().update_time();
    ends.insert(runtime->loop().now() + static_cast<Nanoseconds>(std::min(seconds, kLongest) * kNsPerSecond) + kMargin);
    arm();
  }
  void arm() {
    if (!ends.empty()) waits->start_at(*ends.begin(), [this] { end_waits(); });
  }
  void end_waits() {
    engine::turn_engine_loop();
    ends.erase(ends.begin(), ends.upper_bound(runtime->loop().now()));
    arm();
  }

  void add(std::unique_ptr<DeferredWorkTimer::TicketData> ticket, DeferredWorkTimer::WorkKind kind) {
    auto* key = ticket.get();
    Pending entry{std::move(ticket), std::nullopt, {}};
    if (runtime->tasks().is_traced()) entry.origin.capture(*runtime, kEngineWork);
    if (kind != DeferredWorkTimer::WorkKind::Atomics) entry.keeps_alive.emplace(runtime->loop());
    pending.emplace(key, std::move(entry));
  }

  // The ticket stays known: its task may be on its way.
  void cancel(DeferredWorkTimer::Ticket key) {
    auto found = pending.find(key);
    if (found == pending.end()) return;
    found->second.ticket->scriptExecutionOwner.clear();
    found->second.keeps_alive.reset();
  }

  void run(DeferredWorkTimer::Ticket key, DeferredWorkTimer::Task& task) {
    if (runtime == nullptr) return;
    auto found = pending.find(key);
    if (found == pending.end()) return;
    Pending entry = std::move(found->second);
    pending.erase(found);
    if (entry.ticket->isCancelled()) return;
    auto& tasks = runtime->tasks();
    const bool is_traced = tasks.is_traced();
    Turn turn(*runtime);
    auto scope = DECLARE_CATCH_SCOPE(runtime->vm());
    uint32_t id = 0;
    if (is_traced) {
      id = tasks.queued_by(entry.origin.cause, TaskKind::Io, entry.origin.label({}));
      tasks.begin(TaskKind::Io, id);
    }
    task(key);
    if (is_traced) tasks.end(TaskKind::Io, id);
    if (auto* exception = scope.exception()) {
      scope.clearException();
      runtime->report_uncaught(exception->value(), exception, Runtime::UncaughtKind::Exception);
    }
  }

  Runtime* runtime;  // null when it is gone
  std::optional<Timer> waits;  // for the first of `ends`
  std::multiset<Nanoseconds> ends;  // when waits of Atomics.waitAsync run out
  std::unordered_map<DeferredWorkTimer::Ticket, Pending> pending;
};

DeferredWork::DeferredWork(Runtime& runtime) : state_(std::make_shared<State>(runtime)) {
  auto& timer = runtime.vm().deferredWorkTimer.get();
  timer.onAddPendingWork = [state = state_](std::unique_ptr<DeferredWorkTimer::TicketData> ticket,
                                            DeferredWorkTimer::WorkKind kind) { state->add(std::move(ticket), kind); };
  engine::on_timed_wait(runtime.vm(), [state = state_.get()](double seconds) { state->add_wait(seconds); });
  timer.onCancelPendingWork = [state = state_](DeferredWorkTimer::Ticket key) { state->cancel(key); };
  timer.onScheduleWorkSoon = [state = state_, &loop = runtime.loop()](DeferredWorkTimer::Ticket key,
                                                                      DeferredWorkTimer::Task&& task) {
    loop.post([state, key, task = std::move(task)]() mutable { state->run(key, task); });
  };
}

DeferredWork::~DeferredWork() {
  engine::on_timed_wait(state_->runtime->vm(), {});
  state_->runtime = nullptr;
  state_->waits.reset();
  state_->pending.clear();
}

}  // namespace rondo::runtime
