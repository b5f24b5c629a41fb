// Trace events of one runtime's loop and engine (trace_log.h): phases, jobs of the pool, DNS queries, collections.
//
// Owner: native('trace_events') of the runtime, while a category of these is on. Thread: the loop's.
#pragma once

#include "engine/core/gc_log.h"
#include "observe/trace_log.h"
#include "runtime/runtime.h"

#include "rondo/observer.h"

#include <string>
#include <unordered_map>

namespace rondo::observe {

class TraceEventObserver final : public runtime::TaskObserver {
 public:
  explicit TraceEventObserver(runtime::Runtime& runtime);
  ~TraceEventObserver() override;
  TraceEventObserver(const TraceEventObserver&) = delete;
  TraceEventObserver& operator=(const TraceEventObserver&) = delete;

  bool wants_tasks() const override;
  void phase_begin(Phase phase) override;
  void phase_end(Phase phase) override;
  void callback_begin(HandleKind kind, uint32_t id) override;
  void callback_end(HandleKind kind, uint32_t id) override;
  void pool_job_queued(uint32_t id, JobClass job_class) override;
  void pool_job_done(const JobRun& run) override;
  void task_queued(const QueuedTask& task) override;
  void task_begin(TaskKind kind, uint32_t id) override;
  void task_cancelled(TaskKind kind, uint32_t id, bool is_done) override;

  // Collections since the last call, as events. They are noted on the thread that collects.
  void tell_collections();

 private:
  runtime::Runtime& runtime_;
  Nanoseconds phase_from_ = 0, callback_from_ = 0;
  uint32_t depth_ = 0;  // of callbacks
  std::string last_queued_;  // name of the request that was started last: jobs of the pool belong to it
  std::unordered_map<uint32_t, uint8_t> requests_;  // of DNS that are under way: task → row of the table
  std::unordered_map<uint32_t, std::string> jobs_;  // names
  engine::GcLog collections_;
};

}  // namespace rondo::observe
