// The report of a run for a person at a terminal: a summary, then every iteration with its phases and callbacks: what ran, who
// queued it, how long it waited, how long it took.
#include "observe/trace.h"

#include <map>
#include <unordered_map>

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
  Account(const Ledger& ledger, FILE* out, const ReportStyle& style)
      : ledger_(ledger), records_(ledger.records()), stories_(task_stories(records_)), out_(out), style_(style) {
    for (const auto& record : records_) {
      if (record.kind == RecordKind::JobQueued) job_queued_[record.id] = record;
      if (record.kind == RecordKind::JobEnd) job_ended_[record.id] = record.time;
    }
  }

  void print(const std::string& program) {
    auto totals = count(records_);
    fprintf(out_, "\n%s %s: %u iterations, %zu callbacks, %.3f ms, of which %.3f ms waiting in poll; exit code %d\n",
            paint("1", "Loop report of").c_str(), program.c_str(), totals.iterations, totals.tasks, ms(totals.end),
            ms(totals.waited), totals.exit_code);
    if (ledger_.dropped()) {
      fprintf(out_, "(the ledger was full: the first %llu records are not shown)\n",
              static_cast<unsigned long long>(ledger_.dropped()));
    }
    findings();
    fprintf(out_, "\n%s\n",
            paint("2", "   at ms   waited ms     ran ms      #  what       name, and the cause").c_str());
    for (size_t i = 0; i < records_.size() && rows_ < kMostRows; i++) row(records_[i]);
    unfold();
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
      fprintf(out_, "%s %s\n", paint("31", "starved:").c_str(),
              starvation_sentence(ledger_, record, style_.folder).c_str());
  }

  std::string paint(const char* code, const std::string& text) const {
    return style_.colour == Colour::On ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
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

  void row(const Record& record) {
    switch (record.kind) {
      case RecordKind::IterationBegin:
        unfold();
        iteration_ = record.id;
        break;
      case RecordKind::PhaseBegin:
        unfold();
        phase_ = record.phase;
        break;
      case RecordKind::WaitBegin:
        wait_ = record;
        break;
      case RecordKind::WaitEnd:
        wait_row(record);
        break;
      case RecordKind::TaskBegin:
        if (is_folded(record)) {
          folded_.push_back(record);
          break;
        }
        unfold();
        task_row(record);
        break;
      case RecordKind::JobBegin:
        unfold();
        job_row(record);
        break;
      default:
        break;
    }
  }

  void wait_row(const Record& record) {
    constexpr int64_t kWorthShowing = 50'000;  // ns
    if (record.time - wait_.time < kWorthShowing) return;
    unfold();
    heading();
    std::string limit = wait_.payload < 0 ? "no limit" : "at most " + std::to_string(ms(wait_.payload)) + " ms";
    fprintf(out_, "%8.3f %23.3f         %s (%s, %lld ready)\n", ms(wait_.time), ms(record.time - wait_.time),
            paint("2", "wait").c_str(), limit.c_str(), static_cast<long long>(record.payload));
    rows_++;
  }

  // Hidden from the program: the inner steps of its promises.
  bool is_folded(const Record& record) const {
    if (style_.unfolded || static_cast<TaskKind>(record.what) != TaskKind::Microtask) return false;
    const std::string& name = ledger_.names()[stories_[record.id].name];
    return name.empty() || name.starts_with("promise reaction") || name.find("(node:") != std::string::npos;
  }

  // The steps kept back, one row for all of them.
  void unfold() {
    if (folded_.empty()) return;
    const auto steps = std::exchange(folded_, {});
    const auto& first = steps.front();
    if (steps.size() == 1) return task_row(first);
    int64_t ran = 0;
    for (const auto& step : steps) ran += std::max<int64_t>(0, stories_[step.id].ended - step.time);
    print_row(first, fixed(ran),
              std::to_string(steps.size()) + " promise reactions, up to #" + std::to_string(steps.back().id) +
                  cause_of(first.id));
  }

  void task_row(const Record& record) {
    const auto& story = stories_[record.id];
    print_row(record, story.ended >= record.time ? fixed(story.ended - record.time) : "",
              task_name(ledger_, stories_, record.id, style_.folder) + cause_of(record.id));
  }

  void print_row(const Record& record, const std::string& ran, const std::string& text) {
    heading();
    const auto& story = stories_[record.id];
    auto kind = static_cast<TaskKind>(record.what);
    std::string waited = story.queued >= 0 ? fixed(record.time - story.queued) : "";
    std::string number = record.id ? "#" + std::to_string(record.id) : "";
    std::string indent(record.depth > 1 ? 2 : 0, ' ');
    fprintf(out_, "%8.3f %11s %11s %6s  %s%s  %s\n", ms(record.time), waited.c_str(), ran.c_str(), number.c_str(),
            indent.c_str(), padded(kind_colour(kind), task_kind_name(kind)).c_str(), text.c_str());
    rows_++;
  }

  // On another thread, meanwhile.
  void job_row(const Record& record) {
    heading();
    auto queued = job_queued_.find(record.id);
    auto ended = job_ended_.find(record.id);
    const bool has_cause = queued != job_queued_.end();
    fprintf(out_, "%8.3f %11s %11s         %s  %s job on thread %lld%s\n", ms(record.time),
            has_cause ? fixed(record.time - queued->second.time).c_str() : "",
            ended != job_ended_.end() ? fixed(ended->second - record.time).c_str() : "", padded("2", "pool").c_str(),
            what_name(record), static_cast<long long>(record.payload),
            has_cause ? cited(queued->second.cause).c_str() : "");
    rows_++;
  }

  std::string padded(const char* code, std::string text) const {
    text.resize(std::max<size_t>(text.size(), 9), ' ');
    return paint(code, text);
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

  std::string cause_of(uint32_t id) const {
    return id == 0 || stories_[id].queued < 0 ? "" : cited(stories_[id].cause);
  }

  std::string cited(uint32_t cause) const {
    const std::string number = cause ? "#" + std::to_string(cause) + " " : "";
    return paint("2", " ← " + number + task_name(ledger_, stories_, cause, style_.folder));
  }

  const Ledger& ledger_;
  std::vector<Record> records_;
  std::vector<TaskStory> stories_;
  FILE* out_;
  ReportStyle style_;
  std::unordered_map<uint32_t, Record> job_queued_;
  std::unordered_map<uint32_t, int64_t> job_ended_;
  std::vector<Record> folded_;
  size_t rows_ = 0;
  uint32_t iteration_ = 0, shown_iteration_ = UINT32_MAX;
  int phase_ = 0, shown_phase_ = -1;
  Record wait_;
};

}  // namespace

std::string starvation_sentence(const Ledger& ledger, const Record& record, const std::string& folder) {
  const bool is_tick = static_cast<TaskKind>(record.what) == TaskKind::Tick;
  std::string text =
      std::to_string(record.payload) + (is_tick ? " nextTick callbacks" : " promise reactions and microtasks");
  text += " in a row, each queued by the one before, keep the loop from timers and I/O";
  if (record.name) text += "; " + relative_paths(ledger.names()[record.name], folder) + " goes on queueing";
  return text + ". setImmediate gives the loop a turn between two calls.";
}

void write_report(const Ledger& ledger, const std::string& program, FILE* out, const ReportStyle& style) {
  Account(ledger, out, style).print(program);
}

}  // namespace rondo::observe
