// Counts and times of one loop that another thread reads while the loop runs, for a watcher that asks for no records: what the loop is
// doing and since when, how much it ran, what is open, what the pool has to do, how large the heap is. Light enough for production:
// a few stores a callback.
//
// Thread: written on the loop's, read on any.
#pragma once

#include "engine/core/collection_watch.h"
#include "engine/patches/sampled_stack.h"
#include "observe/allocation_samples.h"
#include "runtime/runtime.h"

#include "rondo/observer.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include <sys/types.h>

namespace rondo::observe {

class Pulse final : public runtime::TaskObserver {
 public:
  // On the loop's thread, which may be in the middle of a callback: that one counts as begun at `busy_since`.
  Pulse(runtime::Runtime& runtime, Nanoseconds busy_since);
  ~Pulse() override;
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  // Any thread. One line of JSON.
  std::string text() const;
  // The program's first code comes next: the time before it, in which the watcher has given its first commands, is none of a callback.
  void program_begins() { busy_since_.store(steady_now(), std::memory_order_relaxed); }
  runtime::Runtime& runtime() const { return runtime_; }
  JSC::VM& vm() const { return runtime_.vm(); }
  uint64_t callbacks() const { return callbacks_.load(std::memory_order_relaxed); }
  engine::CollectionWatch& collections() { return collections_; }
  // The loop's thread. Null: no more.
  void set_on_allocation(AllocationSamples::Told told);
  // Of use to another thread than the loop's.
  engine::StackSampler& sampler() { return sampler_; }

  bool wants_tasks() const override { return false; }
  void iteration_begin(uint64_t number) override;
  void phase_begin(Phase phase) override;
  void phase_end(Phase phase) override;
  void wait_begin(Nanoseconds timeout) override;
  void wait_end(size_t ready) override;
  void poll_budget_spent(size_t callbacks) override;
  void callback_begin(HandleKind kind, uint32_t id) override;
  void callback_end(HandleKind kind, uint32_t id) override;
  void handle_start(HandleKind kind, uint32_t id) override;
  void handle_stop(HandleKind kind, uint32_t id) override;
  void pool_job_queued(uint32_t id, JobClass job_class) override;
  void pool_job_done(const JobRun& run) override;
  void event_begin(const char* name) override;

 private:
  static constexpr size_t kKinds = static_cast<size_t>(HandleKind::User) + 1;
  template <class T>
  using Shared = std::atomic<T>;

  void note_stack(std::string& where);
  void note_phase_begin();

  runtime::Runtime& runtime_;
  const pid_t thread_;  // of the loop, as Linux numbers it
  Shared<int64_t> busy_since_;  // 0 while the loop waits
  Shared<uint64_t> iteration_ = 0, callbacks_ = 0, messages_ = 0, budget_ = 0;
  Shared<uint8_t> phase_ = 0;
  Shared<int64_t> idle_ = 0, wait_from_ = 0;
  Shared<int64_t> phase_from_ = 0;  // or when poll woke up
  Shared<uint64_t> callbacks_before_ = 0;  // those that had run then
  Shared<const char*> event_ = nullptr;
  std::array<Shared<uint32_t>, kKinds> started_{}, stopped_{};
  Shared<uint32_t> jobs_queued_ = 0, jobs_done_ = 0;
  Shared<int64_t> last_job_done_ = 0;  // or when the pool got something to do
  engine::CollectionWatch collections_;
  engine::StackSampler sampler_;
  std::unique_ptr<AllocationSamples> allocations_;

  Nanoseconds job_noted_ = 0;
  mutable std::mutex places_;  // guards the text
  std::string job_stack_ = "[]";
};

// The stack of the JavaScript that runs: [["function","file:line:column"],…], innermost first. On the VM's thread.
std::string stack_json(JSC::VM& vm, size_t most);
std::string stack_json(const std::vector<engine::RunningFrame>& frames);

}  // namespace rondo::observe
