// The Trace Event Format of Chrome and Perfetto: complete events for phases, waits and tasks, flow arrows from where a task was
// queued to where it ran, pool jobs on their own threads.
#include "observe/trace.h"

#include <unordered_map>
#include <unordered_set>

#include <unistd.h>

namespace rondo::observe {

namespace {

class Writer {
 public:
  explicit Writer(FILE* out) : out_(out) { fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", out_); }
  ~Writer() { fputs("\n]}\n", out_); }

  void metadata(const char* name, int thread, const std::string& value) {
    open();
    fprintf(out_, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":%s}}", name, pid_, thread,
            json_string(value).c_str());
  }
  void complete(const std::string& name, const char* category, int thread, int64_t from, int64_t to,
                const std::string& args) {
    open();
    fprintf(out_,
            "{\"ph\":\"X\",\"name\":%s,\"cat\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{%s}}",
            json_string(name).c_str(), category, pid_, thread, us(from), us(to) - us(from), args.c_str());
  }
  // One end of an arrow, 's' where it begins and 'f' where it ends. `of`: "" a task's, "job" a pool job's.
  void flow(char kind, const char* of, uint32_t id, int thread, int64_t at) {
    open();
    fprintf(
        out_,
        "{\"ph\":\"%c\",\"name\":\"cause\",\"cat\":\"cause\",\"id\":\"%s%u.%u\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f%s}",
        kind, of, runtime_, id, pid_, thread, us(at), kind == 'f' ? ",\"bp\":\"e\"" : "");
  }
  // A moment of the loop's thread.
  void instant(const std::string& name, const char* category, int64_t at) {
    open();
    fprintf(out_, R"({"ph":"i","s":"t","name":%s,"cat":"%s","pid":%d,"tid":%d,"ts":%.3f})", json_string(name).c_str(),
            category, pid_, loop_thread(), us(at));
  }
  void name_pool_thread(int64_t number) {
    if (!named_.insert(pool_thread(number)).second) return;
    const std::string of = runtime_ ? " (worker " + std::to_string(runtime_) + ")" : "";
    metadata("thread_name", pool_thread(number), "pool thread " + std::to_string(number) + of);
  }

  // The following records are of this runtime, whose times begin so much later than the first one's.
  void begin_runtime(uint32_t number, Nanoseconds offset) {
    runtime_ = number;
    offset_ = offset;
  }
  // Threads of the pool are shown with the runtime whose jobs they ran.
  static constexpr int kThreadsOfRuntime = 1000, kFirstPoolThread = 100;
  int loop_thread() const { return static_cast<int>(runtime_) * kThreadsOfRuntime + 1; }
  int pool_thread(int64_t number) const { return loop_thread() - 1 + kFirstPoolThread + static_cast<int>(number); }

 private:
  double us(int64_t ns) const { return static_cast<double>(ns + offset_) / 1000; }
  void open() { fputs(std::exchange(first_, false) ? "" : ",\n", out_); }

  FILE* out_;
  int pid_ = getpid();
  bool first_ = true;
  std::unordered_set<int> named_;  // threads of the pool
  uint32_t runtime_ = 0;
  Nanoseconds offset_ = 0;
};

// Jobs of the pool on its threads, each with an arrow from where it was asked for.
class JobRows {
 public:
  explicit JobRows(Writer& writer) : writer_(writer) {}

  void add(const Record& record) {
    if (record.kind == RecordKind::JobQueued) asked_[record.id] = record.time;
    if (record.kind == RecordKind::JobBegin) begin(record);
    if (record.kind == RecordKind::JobEnd) end(record);
  }

 private:
  void begin(const Record& record) {
    begun_[record.id] = record;
    writer_.name_pool_thread(record.payload);
    const auto asked = asked_.find(record.id);
    if (asked == asked_.end()) return;
    writer_.flow('s', "job", record.id, writer_.loop_thread(), asked->second);
    writer_.flow('f', "job", record.id, writer_.pool_thread(record.payload), record.time);
    asked_.erase(asked);
  }
  void end(const Record& record) {
    const auto begun = begun_.find(record.id);
    if (begun == begun_.end()) return;
    writer_.complete(std::string(what_name(record)) + " job", "pool", writer_.pool_thread(record.payload),
                     begun->second.time, record.time, "\"id\":" + std::to_string(record.id));
    begun_.erase(begun);
  }

  Writer& writer_;
  std::unordered_map<uint32_t, Record> begun_;
  std::unordered_map<uint32_t, int64_t> asked_;
};

void write_runtime(Writer& writer, const Ledger& ledger, const std::string& folder) {
  auto records = ledger.records();
  auto stories = task_stories(records);
  int64_t phase_from = 0, wait_from = 0;
  uint32_t iteration = 0;
  std::vector<Record> open_tasks;
  JobRows jobs(writer);
  const auto write_task = [&](const Record& begun, int64_t end) {
    const std::string kind = task_kind_name(static_cast<TaskKind>(begun.what));
    const uint32_t cause = begun.id < stories.size() ? stories[begun.id].cause : 0;
    writer.complete(task_name(ledger, stories, begun.id, folder), kind.c_str(), writer.loop_thread(), begun.time, end,
                    "\"id\":" + std::to_string(begun.id) + ",\"cause\":" + std::to_string(cause));
  };
  bool is_in_phase = false;
  for (const auto& record : records) {
    switch (record.kind) {
      case RecordKind::IterationBegin:
        iteration = record.id;
        break;
      case RecordKind::PhaseBegin:
        phase_from = record.time;
        is_in_phase = true;
        break;
      case RecordKind::PhaseEnd:
        is_in_phase = false;
        if (ledger.has_turns()) break;  // of a page: the reactor's
        writer.complete(phase_name(static_cast<Phase>(record.phase)), "phase", writer.loop_thread(), phase_from,
                        record.time, "\"iteration\":" + std::to_string(iteration));
        break;
      case RecordKind::WaitBegin:
        wait_from = record.time;
        break;
      case RecordKind::WaitEnd:
        writer.complete("wait", "wait", writer.loop_thread(), wait_from, record.time,
                        "\"ready\":" + std::to_string(record.payload));
        break;
      case RecordKind::TaskBegin:
        open_tasks.push_back(record);
        if (record.id < stories.size() && stories[record.id].queued >= 0) {
          writer.flow('s', "", record.id, writer.loop_thread(), stories[record.id].queued);
          writer.flow('f', "", record.id, writer.loop_thread(), record.time);
        }
        break;
      case RecordKind::TaskEnd:
        if (open_tasks.empty()) break;
        write_task(open_tasks.back(), record.time);
        open_tasks.pop_back();
        break;
      case RecordKind::JobQueued:
      case RecordKind::JobBegin:
      case RecordKind::JobEnd:
        jobs.add(record);
        break;
      case RecordKind::Output:
        writer.instant(std::string(ledger.name(record.name)), "output", record.time);
        break;
      default:
        break;
    }
  }
  // process.exit() leaves them open.
  if (records.empty()) return;
  const auto& last = records.back();
  for (; !open_tasks.empty(); open_tasks.pop_back()) write_task(open_tasks.back(), last.time);
  if (is_in_phase)
    writer.complete(phase_name(static_cast<Phase>(last.phase)), "phase", writer.loop_thread(), phase_from, last.time,
                    "\"iteration\":" + std::to_string(iteration));
}

}  // namespace

void write_chrome(const std::vector<Traced>& runtimes, const std::string& folder, FILE* out) {
  Writer writer(out);
  writer.metadata("process_name", 1, "rondo " + runtimes.front().name);
  for (const auto& one : runtimes) {
    writer.begin_runtime(one.runtime, one.ledger->start() - runtimes.front().ledger->start());
    writer.metadata("thread_name", writer.loop_thread(), one.runtime ? one.name : "loop");
    write_runtime(writer, *one.ledger, folder);
  }
}

}  // namespace rondo::observe
