// The Trace Event Format of Chrome and Perfetto: complete events for phases, waits and tasks, flow arrows from where a task was
// queued to where it ran, pool jobs on their own threads.
#include "observe/trace.h"

#include <unordered_map>

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
  void flow(char kind, uint32_t id, int64_t at) {
    open();
    fprintf(out_,
            "{\"ph\":\"%c\",\"name\":\"cause\",\"cat\":\"cause\",\"id\":\"%u.%u\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f%s}",
            kind, runtime_, id, pid_, loop_thread(), us(at), kind == 'f' ? ",\"bp\":\"e\"" : "");
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
  uint32_t runtime_ = 0;
  Nanoseconds offset_ = 0;
};

void write_runtime(Writer& writer, const Ledger& ledger, const std::string& folder) {
  auto records = ledger.records();
  auto stories = task_stories(records);
  int64_t phase_from = 0, wait_from = 0;
  uint32_t iteration = 0;
  std::vector<Record> open_tasks;
  std::unordered_map<uint32_t, Record> jobs;
  for (const auto& record : records) {
    switch (record.kind) {
      case RecordKind::IterationBegin:
        iteration = record.id;
        break;
      case RecordKind::PhaseBegin:
        phase_from = record.time;
        break;
      case RecordKind::PhaseEnd:
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
          writer.flow('s', record.id, stories[record.id].queued);
          writer.flow('f', record.id, record.time);
        }
        break;
      case RecordKind::TaskEnd: {
        if (open_tasks.empty()) break;
        auto begun = open_tasks.back();
        open_tasks.pop_back();
        const auto& story = stories[record.id];
        std::string kind = task_kind_name(static_cast<TaskKind>(record.what));
        writer.complete(task_name(ledger, stories, record.id, folder), kind.c_str(), writer.loop_thread(), begun.time,
                        record.time,
                        "\"id\":" + std::to_string(record.id) + ",\"cause\":" + std::to_string(story.cause));
        break;
      }
      case RecordKind::JobBegin:
        jobs[record.id] = record;
        break;
      case RecordKind::JobEnd:
        if (auto it = jobs.find(record.id); it != jobs.end()) {
          writer.complete(std::string(what_name(record)) + " job", "pool", writer.pool_thread(record.payload),
                          it->second.time, record.time, "\"id\":" + std::to_string(record.id));
          jobs.erase(it);
        }
        break;
      default:
        break;
    }
  }
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
