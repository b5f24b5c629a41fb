// See trace_event_observer.h.
#include "observe/trace_event_observer.h"

#include "rondo/thread_pool.h"

#include <fmt/format.h>

#include <utility>

namespace rondo::observe {

namespace {

using Category = TraceCategory;

TraceLog& log() { return TraceLog::get(); }

// The request whose name begins with one of these is told of as its category and under Node's name.
struct RequestName {
  std::string_view begin;
  Category category;
  std::string_view name;
};
constexpr RequestName kRequests[] = {
    {"dns.lookupService", Category::Dns, "lookupService"},
    {"dns.lookup", Category::Dns, "lookup"},
    {"dns.resolve", Category::Dns, "resolve"},
};

const RequestName* request_name(std::string_view name) {
  for (const auto& row : kRequests) {
    if (name.starts_with(row.begin)) return &row;
  }
  return nullptr;
}

// "crypto.hkdf (file:line:column)" is a job of crypto.
std::string job_name(std::string_view request) {
  if (request.starts_with("addon")) return "node_api";
  const auto end = request.find_first_of(". (");
  return request.empty() ? "pool" : std::string(request.substr(0, end));
}

const char* event_of(Phase phase) {
  switch (phase) {
    case Phase::Timers:
      return "RunTimers";
    case Phase::Check:
      return "CheckImmediate";
    default:
      return nullptr;
  }
}

}  // namespace

TraceEventObserver::TraceEventObserver(runtime::Runtime& runtime) : runtime_(runtime), collections_(runtime.vm()) {
  runtime.loop().add_observer(*this);
  runtime.tasks().add(*this);
}

TraceEventObserver::~TraceEventObserver() {
  runtime_.tasks().remove(*this);
  runtime_.loop().remove_observer(*this);
}

bool TraceEventObserver::wants_tasks() const {
  return log().wants(Category::Dns) || log().wants(Category::PoolSync) || log().wants(Category::PoolAsync);
}

void TraceEventObserver::phase_begin(Phase) { phase_from_ = steady_now(); }

void TraceEventObserver::phase_end(Phase phase) {
  tell_collections();
  const char* name = event_of(phase);
  if (!name || !log().wants(Category::Environment)) return;
  const auto duration = steady_now() - phase_from_;
  log().add(Category::Environment,
            {.phase = 'X', .category = {}, .name = name, .at = phase_from_, .duration = duration});
  if (phase != Phase::Check) return;
  log().add(
      Category::Environment,
      {.phase = 'X', .category = {}, .name = "RunAndClearNativeImmediates", .at = phase_from_, .duration = duration});
}

void TraceEventObserver::callback_begin(HandleKind, uint32_t) {
  if (depth_++ == 0) callback_from_ = steady_now();
}

void TraceEventObserver::callback_end(HandleKind, uint32_t) {
  if (depth_ == 0 || --depth_ > 0 || !log().wants(Category::Engine)) return;
  log().add(Category::Engine, {.phase = 'X',
                               .category = {},
                               .name = "V8.Execute",
                               .at = callback_from_,
                               .duration = steady_now() - callback_from_});
}

void TraceEventObserver::tell_collections() {
  for (const auto& [is_full, begun_at, microseconds, before, after] : collections_.take()) {
    if (!log().wants(Category::Engine)) continue;
    const auto at = static_cast<Nanoseconds>(begun_at * 1e3), took = static_cast<Nanoseconds>(microseconds * 1e3);
    const char* kind = is_full ? "MajorGC" : "MinorGC";
    constexpr std::string_view kTimeline = "devtools.timeline,v8";
    const auto used_before = fmt::format(R"({{"usedHeapSizeBefore":{}}})", before),
               used_after = fmt::format(R"({{"usedHeapSizeAfter":{}}})", after);
    log().add({.phase = 'B', .category = kTimeline, .name = kind, .at = at, .args = used_before});
    log().add({.phase = 'X',
               .category = "v8",
               .name = is_full ? "V8.GCCompactor" : "V8.GCScavenger",
               .at = at,
               .duration = took});
    log().add({.phase = 'E', .category = kTimeline, .name = kind, .at = at + took, .args = used_after});
  }
}

void TraceEventObserver::pool_job_queued(uint32_t id, JobClass) {
  auto name = job_name(last_queued_);
  log().add(Category::PoolAsync, {.phase = 'b', .category = {}, .name = name, .at = steady_now(), .id = id});
  jobs_[id] = std::move(name);
}

void TraceEventObserver::pool_job_done(const JobRun& run) {
  const auto found = jobs_.find(run.id);
  if (found == jobs_.end()) return;
  const auto name = std::move(found->second);
  jobs_.erase(found);
  const int thread = run.thread + 1;
  log().add(Category::PoolSync, {.phase = 'B', .category = {}, .name = name, .at = run.begun_at, .thread = thread});
  log().add(Category::PoolSync, {.phase = 'E', .category = {}, .name = name, .at = run.ended_at, .thread = thread});
  log().add(Category::PoolAsync,
            {.phase = 'e', .category = {}, .name = name, .at = steady_now(), .id = run.id, .args = R"({"result":0})"});
}

void TraceEventObserver::task_queued(const QueuedTask& task) {
  if (task.kind != TaskKind::Io) return;
  last_queued_ = task.name;
  const auto* row = request_name(task.name);
  if (!row || !log().wants(row->category)) return;
  requests_.emplace(task.id, static_cast<uint8_t>(row - kRequests));
  log().add(row->category, {.phase = 'b', .category = {}, .name = row->name, .at = steady_now(), .id = task.id});
}

// A request ends when its callback begins, or without one.
void TraceEventObserver::task_begin(TaskKind kind, uint32_t id) { task_cancelled(kind, id, true); }

void TraceEventObserver::task_cancelled(TaskKind, uint32_t id, bool) {
  const auto found = requests_.find(id);
  if (found == requests_.end()) return;
  const auto& row = kRequests[found->second];
  requests_.erase(found);
  log().add(row.category, {.phase = 'e', .category = {}, .name = row.name, .at = steady_now(), .id = id});
}

}  // namespace rondo::observe
