// The clock's choices and pool jobs of an explored run; see the header. Completions are explore_poller.cpp's.
#include "rondo/explore.h"

#include <algorithm>
#include <set>

#include "loop/explore/explore_poller.h"
#include "loop/explore/explore_threads.h"
#include "loop/explore/virtual_network.h"
#include "rondo/thread_pool.h"

namespace rondo {
namespace {

constexpr Nanoseconds kMillisecond = 1'000'000;
// Later than any time reckoned from the same moment, which may be rounded up.
constexpr Nanoseconds kLittle = 1000;
// Timers of longer delays do not come to be due at the same time by chance.
constexpr Nanoseconds kMeeting = 50 * kMillisecond;

}  // namespace

namespace {

thread_local ExploreWorld* current_world = nullptr;

}  // namespace

ExploreWorld::ExploreWorld(Decider& decider, const ExploreSettings& settings)
    : threads_(std::make_shared<ExploreThreads>(decider, settings)) {
  virtual_network::start();
  threads_->add(*this);
  current_world = this;
  latest_ = threads_->now + settings.longest_start;
}

ExploreWorld::ExploreWorld(std::shared_ptr<ExploreThreads> threads) : threads_(std::move(threads)) {
  threads_->add(*this);
}

std::unique_ptr<ExploreWorld> ExploreWorld::for_new_thread() {
  if (!current_world) return nullptr;
  return std::unique_ptr<ExploreWorld>(new ExploreWorld(current_world->threads_));
}

ExploreWorld::~ExploreWorld() {
  if (current_world == this) current_world = nullptr;
}

void ExploreWorld::begin_thread() {
  current_world = this;
  threads_->await_turn(*this);
}

void ExploreWorld::end_thread() { threads_->remove(*this); }

void ExploreWorld::release_threads() {
  if (current_world) current_world->threads_->release_all();
}

ExploreWorld* ExploreWorld::current() { return current_world; }

bool ExploreWorld::is_limited() const { return threads_->is_limited; }
bool ExploreWorld::met_outside() const { return threads_->met_outside; }
void ExploreWorld::on_stuck(Function<void()> then) { threads_->on_stuck = std::move(then); }
void ExploreWorld::on_note(Function<void(std::string_view)> then) { threads_->on_note = std::move(then); }

void ExploreWorld::note(std::string_view line) {
  if (threads_->on_note) threads_->on_note(line);
}

void ExploreWorld::allow_faults() { threads_->settings.has_faults = true; }

void ExploreWorld::spend(Nanoseconds time) { threads_->now += time; }

LoopOptions ExploreWorld::options() {
  LoopOptions options;
  options.clock = this;
  options.decider = this;
  options.make_poller = [](Loop& loop, void* context) -> std::unique_ptr<Poller> {
    auto& world = *static_cast<ExploreWorld*>(context);
    world.loop_ = &loop;
    auto poller = std::make_unique<ExplorePoller>(loop, world);
    world.poller_ = poller.get();
    return poller;
  };
  options.make_poller_context = this;
  return options;
}

std::uint32_t ExploreWorld::choose(Choice choice, std::uint32_t count) {
  return count <= 1 ? 0 : std::min(threads_->decider.choose(choice, count), count - 1);
}

Nanoseconds ExploreWorld::now() {
  constexpr std::uint32_t kPatience = 20'000;
  if (++readings_ > kPatience) threads_->now += kMillisecond;
  return threads_->now;
}

Nanoseconds ExploreWorld::read() {
  constexpr std::uint32_t kPatience = 1000;
  if (++date_readings_ > kPatience) threads_->now += kMillisecond;
  return threads_->now;
}

bool ExploreWorld::skip_to(Nanoseconds deadline) {
  if (deadline == kNever) return false;
  if (deadline > threads_->now) threads_->now = deadline;
  has_run_ = true;
  latest_ = threads_->now + threads_->settings.latest_wake;
  pass_deadlines(threads_->settings.latest_wake);
  return true;
}

// Has the clock passed the next deadline, or several, by now? Asked once after each callback, where timers are looked at.
void ExploreWorld::pass_deadlines(Nanoseconds most) {
  if (!std::exchange(has_run_, false)) return;
  const Nanoseconds last = threads_->now + most;
  std::set<Nanoseconds> deadlines;
  const auto add = [&](Nanoseconds deadline) {
    if (deadline > threads_->now && deadline <= last) deadlines.insert(deadline);
  };
  for (const auto& [id, deadline] : timers_) add(deadline);
  if (deadlines.empty()) return;
  const std::uint32_t passed = choose(Choice::ClockStep, static_cast<std::uint32_t>(deadlines.size()) + 1);
  if (passed > 0) threads_->now = *std::next(deadlines.begin(), passed - 1) + kLittle;
}

void ExploreWorld::stop_stuck() {
  if (!std::exchange(threads_->is_stuck, true) && threads_->on_stuck) threads_->on_stuck();
  loop_->stop();
}

void ExploreWorld::wait_begin(Nanoseconds timeout) {
  wait_timeout_ = timeout;
  wait_deadline_ = timeout == kNever ? kNever : threads_->now + timeout;
}

void ExploreWorld::iteration_begin(std::uint64_t) {
  const auto& settings = threads_->settings;
  if (std::exchange(is_start_, false)) {
    pass_deadlines(std::max(settings.longest_turn, latest_ - threads_->now));
    latest_ = threads_->now;
  } else {
    pass_deadlines(settings.longest_turn);
  }
}

// How late it is, is asked only where it decides which of two timers is first, or whether they are due together: time goes on between two calls.
// An earlier timer may start another that is due at the same time: then a little later is what makes the difference.
void ExploreWorld::timer_started(std::uint32_t id, Nanoseconds delay) {
  const Nanoseconds deadline = threads_->now + delay;
  const Nanoseconds last = std::max(threads_->now + threads_->settings.longest_turn, latest_) + delay;
  std::set<Nanoseconds> others;
  for (const auto& [other, its] : timers_) {
    if (its >= deadline && its <= last) others.insert(its);
    if (delay <= kMeeting && its <= deadline - kMillisecond) others.insert(deadline);
  }
  if (const std::uint32_t passed = choose(Choice::ClockStep, static_cast<std::uint32_t>(others.size()) + 1))
    threads_->now = *std::next(others.begin(), passed - 1) - delay + kLittle;
  timers_[id] = threads_->now + delay;
}

// A job of the pool as an operation: it runs at the moment it is chosen, then its end is told.
struct ExploreWorld::JobOperation final : Operation {
  explicit JobOperation(Job& its_job) : job(its_job) {}
  Job& job;
};

void ExploreWorld::take_job(Loop& loop, Job& job) {
  auto* made = new JobOperation(job);
  made->source = job.is_internal ? HandleKind::None : HandleKind::PoolJob;
  made->keeps_loop_alive = job.keeps_loop_alive;
  made->perform = [](Operation& operation) {
    Job& chosen = static_cast<JobOperation&>(operation).job;
    chosen.work(chosen);
    return 0;
  };
  made->then([](Operation& operation, const Completion&) {
    const std::unique_ptr<JobOperation> self(static_cast<JobOperation*>(&operation));
    self->job.on_done(self->job, 0);
  });
  loop.submit(*made);
}

}  // namespace rondo
