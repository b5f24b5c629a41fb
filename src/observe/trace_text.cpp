// The account of a run for a person at a terminal: a summary, then every iteration with its phases and callbacks: what ran, who
// queued it, how long it waited, how long it took.
#include "observe/trace.h"

#include <map>

namespace rondo::observe {

namespace {

constexpr size_t kMostRows = 2000;  // a long run is shown by its beginning; -o keeps all

double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }

struct Totals {
  uint32_t iterations = 0;
  size_t tasks = 0, waits = 0;
  int64_t waited = 0, end = 0;
  int exit_code = 0;
};

Totals count(const std::vector<Record>& records) {
  Totals totals;
  int64_t wait_from = 0;
  for (const auto& record : records) {
    totals.end = record.time;
    if (record.kind == RecordKind::IterationBegin) totals.iterations++;
    if (record.kind == RecordKind::TaskBegin) totals.tasks++;
    if (record.kind == RecordKind::WaitBegin) wait_from = record.time;
    if (record.kind == RecordKind::WaitEnd) {
      totals.waits++;
      totals.waited += record.time - wait_from;
    }
    if (record.kind == RecordKind::Exit) totals.exit_code = static_cast<int>(record.payload);
  }
  return totals;
}

class Account {
 public:
  Account(const Ledger& ledger, FILE* out, Colour colour)
      : ledger_(ledger), records_(ledger.records()), stories_(task_stories(records_)), out_(out), colour_(colour) {}

  void print(const std::string& program) {
    auto totals = count(records_);
    fprintf(out_, "\n%s %s: %u iterations, %zu callbacks, %.3f ms, of which %.3f ms waiting in poll; exit code %d\n",
            paint("1", "Loop account of").c_str(), program.c_str(), totals.iterations, totals.tasks, ms(totals.end),
            ms(totals.waited), totals.exit_code);
    if (ledger_.dropped()) {
      fprintf(out_, "(the ledger was full: the first %llu records are not shown)\n",
              static_cast<unsigned long long>(ledger_.dropped()));
    }
    findings();
    fprintf(out_, "\n%s\n", paint("2", "   at ms   waited ms     ran ms  what       name, and the cause").c_str());
    for (size_t i = 0; i < records_.size() && rows_ < kMostRows; i++) row(i);
    if (rows_ >= kMostRows) fprintf(out_, "… and more; rondo trace -o FILE keeps everything.\n");
  }

 private:
  // A run that is over has two records; the second knows its whole length.
  void findings() {
    std::map<uint32_t, Record> last;
    for (const auto& record : records_) {
      if (record.kind == RecordKind::Starvation) last[record.id] = record;
    }
    for (const auto& [id, record] : last)
      fprintf(out_, "%s %s\n", paint("31", "starved:").c_str(), starvation_sentence(ledger_, record).c_str());
  }

  std::string paint(const char* code, const std::string& text) const {
    return colour_ == Colour::On ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
  }

  // Headings are printed when something under them is, so that empty phases stay silent.
  void heading() {
    if (iteration_ != shown_iteration_) {
      fprintf(out_, "%s\n", paint("1", iteration_ ? "iteration " + std::to_string(iteration_) : "script").c_str());
      shown_iteration_ = iteration_;
      shown_phase_ = -1;
      rows_++;
    }
    if (iteration_ && phase_ != shown_phase_) {
      fprintf(out_, "  %s\n", paint("36", phase_name(static_cast<Phase>(phase_))).c_str());
      shown_phase_ = phase_;
      rows_++;
    }
  }

  void row(size_t index) {
    const auto& record = records_[index];
    switch (record.kind) {
      case RecordKind::IterationBegin:
        iteration_ = record.id;
        break;
      case RecordKind::PhaseBegin:
        phase_ = record.phase;
        break;
      case RecordKind::WaitBegin:
        wait_ = record;
        break;
      case RecordKind::WaitEnd:
        wait_row(record);
        break;
      case RecordKind::TaskBegin:
        task_row(record);
        break;
      default:
        break;
    }
  }

  void wait_row(const Record& record) {
    constexpr int64_t kWorthShowing = 50'000;  // ns
    if (record.time - wait_.time < kWorthShowing) return;
    heading();
    std::string limit = wait_.payload < 0 ? "no limit" : "at most " + std::to_string(ms(wait_.payload)) + " ms";
    fprintf(out_, "%8.3f %23.3f  %s (%s, %lld ready)\n", ms(wait_.time), ms(record.time - wait_.time),
            paint("2", "wait").c_str(), limit.c_str(), static_cast<long long>(record.payload));
    rows_++;
  }

  void task_row(const Record& record) {
    heading();
    const auto& story = stories_[record.id];
    auto kind = static_cast<TaskKind>(record.what);
    std::string waited = story.queued >= 0 ? fixed(record.time - story.queued) : "";
    std::string ran = story.ended >= record.time ? fixed(story.ended - record.time) : "";
    std::string indent(record.depth > 1 ? 2 : 0, ' ');
    fprintf(out_, "%8.3f %11s %11s  %s%-9s  %s%s\n", ms(record.time), waited.c_str(), ran.c_str(), indent.c_str(),
            paint(kind_colour(kind), task_kind_name(kind)).c_str(), name_of(record.id).c_str(),
            cause_of(record.id).c_str());
    rows_++;
  }

  static std::string fixed(int64_t ns) {
    char text[32];
    snprintf(text, sizeof text, "%.3f", ms(ns));
    return text;
  }

  static const char* kind_colour(TaskKind kind) {
    switch (kind) {
      case TaskKind::Tick:
        return "33";
      case TaskKind::Microtask:
        return "35";
      case TaskKind::Timer:
        return "32";
      case TaskKind::Immediate:
        return "34";
      default:
        return "0";
    }
  }

  std::string name_of(uint32_t id) const {
    if (id == 0) return "main script";
    const auto& story = stories_[id];
    if (story.name) return ledger_.names()[story.name];
    return static_cast<TaskKind>(story.what) == TaskKind::Microtask ? "promise reaction" : "native function";
  }

  std::string cause_of(uint32_t id) const {
    if (id == 0) return "";
    auto cause = stories_[id].cause;
    return paint("2", " ← " + (cause && cause < stories_.size() ? "#" + std::to_string(cause) + " " + name_of(cause)
                                                                : "main script"));
  }

  const Ledger& ledger_;
  std::vector<Record> records_;
  std::vector<TaskStory> stories_;
  FILE* out_;
  Colour colour_;
  size_t rows_ = 0;
  uint32_t iteration_ = 0, shown_iteration_ = UINT32_MAX;
  int phase_ = 0, shown_phase_ = -1;
  Record wait_;
};

}  // namespace

std::string starvation_sentence(const Ledger& ledger, const Record& record) {
  const bool is_tick = static_cast<TaskKind>(record.what) == TaskKind::Tick;
  std::string text =
      std::to_string(record.payload) + (is_tick ? " nextTick callbacks" : " promise reactions and microtasks");
  text += " in a row, each queued by the one before, keep the loop from timers and I/O";
  if (record.name) text += "; " + ledger.names()[record.name] + " goes on queueing";
  return text + ". setImmediate gives the loop a turn between two calls.";
}

void write_account(const Ledger& ledger, const std::string& program, FILE* out, Colour colour) {
  Account(ledger, out, colour).print(program);
}

}  // namespace rondo::observe
