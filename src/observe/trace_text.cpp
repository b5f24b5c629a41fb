// The report of a run for a person at a terminal: a summary, then every iteration with its phases and callbacks: what ran, who
// queued it, how long it waited, how long it took.
#include "observe/trace.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>

namespace rondo::observe {

namespace {

constexpr size_t kMostRows = 1000;  // of a long run the slowest tasks and the last rows are shown; -o keeps all
constexpr size_t kSlowest = 10;
constexpr size_t kNumberColumns = 52;  // before name and cause
constexpr size_t kFewestTextColumns = 24;
constexpr int64_t kWorthShowing = 50'000;  // ns
constexpr const char* kInParallel = "in parallel";

double ms(int64_t ns) { return static_cast<double>(ns) / 1e6; }

struct Totals {
  uint32_t iterations = 0, turns = 0;
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
    if (record.kind == RecordKind::Turn) totals.turns++;
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
      : ledger_(ledger),
        records_(ledger.records()),
        stories_(task_stories(records_)),
        out_(out),
        style_(style),
        text_columns_(std::max(style.columns, kNumberColumns + kFewestTextColumns) - kNumberColumns) {
    for (const auto& record : records_) {
      if (record.kind == RecordKind::JobQueued) job_queued_[record.id] = record;
      if (record.kind == RecordKind::JobEnd) job_ended_[record.id] = record.time;
    }
  }

  void print(const std::string& program) {
    auto totals = count(records_);
    fprintf(out_, "\n%s %s: %u %s, %zu callbacks, %.3f ms, of which %.3f ms waiting%s; exit code %d\n",
            paint("1", "Loop report of").c_str(), program.c_str(), is_page_ ? totals.turns : totals.iterations,
            is_page_ ? "turns" : "iterations", totals.tasks, ms(totals.end), ms(totals.waited),
            is_page_ ? "" : " in poll", totals.exit_code);
    if (ledger_.dropped()) {
      fprintf(out_, "(the ledger was full: the first %llu records are not shown)\n",
              static_cast<unsigned long long>(ledger_.dropped()));
    }
    findings();
    for (const auto& record : records_) row(record);
    unfold();
    unfinished_jobs();
    if (left_out_) slowest();
    fprintf(out_, "\n%s\n",
            paint("2", "   at ms  waited ms     ran ms      #  what       name, and the cause").c_str());
    if (left_out_) fprintf(out_, "… %zu rows before; rondo trace -o FILE keeps what the ledger holds.\n", left_out_);
    for (const auto& line : lines_) fputs(line.c_str(), out_);
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

  template <class... Arguments>
  void line(const char* format, Arguments... arguments) {
    char* text = nullptr;
    if (asprintf(&text, format, arguments...) < 0) return;
    lines_.emplace_back(text);
    free(text);
    if (lines_.size() <= kMostRows) return;
    lines_.pop_front();
    left_out_++;
  }

  void slowest() {
    std::vector<uint32_t> ids;
    for (uint32_t id = 1; id < stories_.size(); id++) {
      if (stories_[id].begun >= 0 && stories_[id].ended >= 0) ids.push_back(id);
    }
    const auto ran = [&](uint32_t id) { return stories_[id].ended - stories_[id].begun; };
    const size_t count = std::min(ids.size(), kSlowest);
    std::partial_sort(ids.begin(), ids.begin() + static_cast<long>(count), ids.end(),
                      [&](uint32_t a, uint32_t b) { return ran(a) > ran(b); });
    fprintf(out_, "\n%s\n", paint("1", "slowest").c_str());
    for (size_t i = 0; i < count; i++) {
      const auto kind = static_cast<TaskKind>(stories_[ids[i]].what);
      fprintf(out_, "%8.3f %10s %10s %6s  %s  %s\n", ms(stories_[ids[i]].begun),
              fixed(waited_of(stories_[ids[i]])).c_str(), fixed(ran(ids[i])).c_str(),
              ("#" + std::to_string(ids[i])).c_str(), padded(kind_colour(kind), task_kind_name(kind)).c_str(),
              fitted(task_name(ledger_, stories_, ids[i], style_.folder), text_columns_).c_str());
    }
  }

  void unfinished_jobs() {
    for (const auto& [id, record] : job_queued_) {
      if (job_ended_.contains(id)) continue;
      line("%8.3f %10s %10s         %s  %s\n", ms(record.time), "", "", padded("2", "pool").c_str(),
           (std::string(what_name(record)) + " job not finished at the end" + cited(record.cause)).c_str());
    }
  }

  void output_row(const Record& record) {
    heading();
    line("%8.3f %10s %10s         %s  %s\n", ms(record.time), "", "",
         padded("2", record.id == 2 ? "stderr" : "stdout").c_str(),
         fitted(one_line(ledger_.name(record.name)), text_columns_).c_str());
  }

  static std::string one_line(std::string_view text) {
    std::string out;
    for (char c : text) out += c == '\n' ? ' ' : static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    return out;
  }

  // Headings are printed when something under them is, so that empty phases stay silent.
  void heading() {
    if (is_page_) return page_heading();
    if (iteration_ != shown_iteration_) {
      line("%s\n", paint("1", iteration_ ? "iteration " + std::to_string(iteration_) : "script").c_str());
      shown_iteration_ = iteration_;
      shown_phase_ = -1;
    }
    if (iteration_ && phase_ != shown_phase_) {
      line("  %s\n", paint("36", phase_name(static_cast<Phase>(phase_))).c_str());
      shown_phase_ = phase_;
    }
  }

  // A page's loop has turns; between them its reactor runs what the Standard calls "in parallel".
  void page_heading() {
    if (section_ == shown_section_) return;
    line("%s\n", paint("1", section_).c_str());
    shown_section_ = section_;
  }

  void row(const Record& record) {
    switch (record.kind) {
      case RecordKind::IterationBegin:
        if (!is_page_ || section_ != kInParallel) unfold();
        section_ = kInParallel;
        iteration_ = record.id;
        break;
      case RecordKind::PhaseBegin:
        if (is_page_) break;
        unfold();
        phase_ = record.phase;
        break;
      case RecordKind::Turn:
        unfold();
        section_ = "turn " + std::to_string(record.id);
        break;
      case RecordKind::WaitBegin:
        wait_ = record;
        break;
      case RecordKind::WaitEnd:
        wait_row(record);
        break;
      case RecordKind::TaskBegin:
        open_.push_back(record.id);
        if (is_hidden(record)) break;
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
      case RecordKind::Output:
        unfold();
        output_row(record);
        break;
      case RecordKind::TaskCancelled:
        if (record.payload) break;
        unfold();
        cancelled_row(record);
        break;
      case RecordKind::Exit:
        unfold();
        for (; !open_.empty(); open_.pop_back()) line("%46s exited here, in #%u\n", "", open_.back());
        break;
      case RecordKind::TaskEnd:
        if (!open_.empty()) open_.pop_back();
        break;
      default:
        break;
    }
  }

  void wait_row(const Record& record) {
    if (wait_.payload == 0 || record.time - wait_.time < kWorthShowing) return;
    unfold();
    heading();
    const std::string limit = wait_.payload < 0 ? "no limit" : "at most " + fixed(wait_.payload) + " ms";
    line("%8.3f %21.3f         %s (%s, %lld ready)\n", ms(wait_.time), ms(record.time - wait_.time),
         paint("2", "wait").c_str(), limit.c_str(), static_cast<long long>(record.payload));
  }

  // Hidden from the program: the inner steps of its promises.
  bool is_folded(const Record& record) const {
    if (style_.unfolded) return false;
    const auto kind = static_cast<TaskKind>(record.what);
    const std::string name(ledger_.name(stories_[record.id].name));
    const bool is_librarys = name.empty() || name.starts_with("promise reaction") ||
                             name.find("(node:") != std::string::npos || (is_page_ && name.starts_with("node:"));
    if (kind == TaskKind::Microtask || (is_page_ && kind == TaskKind::Tick)) return is_librarys;
    // Operations of a page are the library's: the page hears of them in tasks.
    return is_page_ && kind == TaskKind::Io && name.find(" → ") == std::string::npos &&
           !name.starts_with("legacy blocking");
  }

  // Steps of a frame that called nothing of the page; ends of handles that the library made for itself, which have no place.
  bool is_hidden(const Record& record) const {
    if (!style_.unfolded && static_cast<TaskKind>(record.what) == TaskKind::Io &&
        ledger_.name(stories_[record.id].name) == "close")
      return true;
    if (style_.unfolded || !is_page_ || static_cast<TaskKind>(record.what) != TaskKind::Rendering) return false;
    const std::string_view name = ledger_.name(stories_[record.id].name);
    return record.depth > 1 && name.find(" → ") == std::string_view::npos && !name.starts_with("animation frame") &&
           stories_[record.id].ended - record.time < kWorthShowing;
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
              std::to_string(steps.size()) + (is_page_ ? " steps of the library" : " promise reactions") + ", up to #" +
                  std::to_string(steps.back().id),
              cause_of(first.id));
  }

  void task_row(const Record& record) {
    const auto& story = stories_[record.id];
    print_row(record, story.ended >= record.time && !is_mark(record) ? fixed(story.ended - record.time) : "",
              shown_name(record.id), is_mark(record) ? "" : cause_of(record.id));
  }

  // The kind says the source of a page's task: "timer task → f (…)" is "f (…)".
  std::string shown_name(uint32_t id) const {
    std::string name = task_name(ledger_, stories_, id, style_.folder);
    constexpr std::string_view kTask = " task ", kArrow = "→ ";
    const size_t at = is_page_ ? name.find(kTask) : std::string::npos;
    if (at == std::string::npos || at > name.find_first_of("(/") || name.starts_with("long")) return name;
    name.erase(0, at + kTask.size());
    if (name.starts_with(kArrow)) name.erase(0, kArrow.size());
    return name;
  }

  // An idle period's callbacks are tasks after it.
  bool is_mark(const Record& record) const {
    return static_cast<TaskKind>(record.what) == TaskKind::Idle &&
           ledger_.name(stories_[record.id].name).starts_with("idle period");
  }

  void cancelled_row(const Record& record) {
    print_row(record, "", shown_name(record.id), paint("2", " cancelled by " + cited_name(record.cause)));
  }

  void print_row(const Record& record, const std::string& ran, const std::string& text, const std::string& cause) {
    heading();
    const auto& story = stories_[record.id];
    auto kind = static_cast<TaskKind>(record.what);
    const bool runs = record.kind == RecordKind::TaskBegin && story.queued >= 0 && !is_mark(record);
    std::string waited = runs ? fixed(waited_of(story)) : "";
    std::string number = record.id ? "#" + std::to_string(record.id) : "";
    std::string indent(record.depth > 1 && record.kind == RecordKind::TaskBegin ? 2 : 0, ' ');
    const size_t room = text_columns_ - indent.size() - std::min(columns(cause), text_columns_ * 3 / 5) - wider();
    line("%8.3f %10s %10s %6s  %s%s  %s%s\n", ms(record.time), waited.c_str(), ran.c_str(), number.c_str(),
         indent.c_str(), padded(kind_colour(kind), task_kind_name(kind)).c_str(), fitted(text, room).c_str(),
         cause.c_str());
  }

  // On another thread, meanwhile.
  void job_row(const Record& record) {
    heading();
    auto queued = job_queued_.find(record.id);
    auto ended = job_ended_.find(record.id);
    const bool has_cause = queued != job_queued_.end();
    line("%8.3f %10s %10s         %s  %s job on thread %lld%s\n", ms(record.time),
         has_cause ? fixed(record.time - queued->second.time).c_str() : "",
         ended != job_ended_.end() ? fixed(ended->second - record.time).c_str() : "", padded("2", "pool").c_str(),
         what_name(record), static_cast<long long>(record.payload),
         has_cause ? cited(queued->second.cause).c_str() : "");
  }

  // Columns that the kinds of a page's tasks need beyond those of Node's.
  size_t wider() const { return is_page_ ? 2 : 0; }

  std::string padded(const char* code, std::string text) const {
    text.resize(std::max<size_t>(text.size(), 9 + wider()), ' ');
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

  // The number, and the name without its place.
  std::string cited_name(uint32_t cause) const {
    const std::string number = cause ? "#" + std::to_string(cause) + " " : "";
    std::string name = shown_name(cause);
    if (is_page_ && name.find("node:") != std::string::npos) return number + "the library";
    if (const size_t place = name.find(" ("); place != std::string::npos) name.resize(place);
    return fitted(number + name, text_columns_ / 2);
  }
  std::string cited(uint32_t cause) const { return paint("2", " ← " + cited_name(cause)); }

  // Columns of a terminal: characters, without colours.
  static size_t columns(std::string_view text) {
    size_t count = 0;
    for (size_t i = 0; i < text.size(); i++) {
      if (text[i] == '\x1b') {
        i = std::min(text.find('m', i), text.size() - 1);
      } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
        count++;
      }
    }
    return count;
  }
  static std::string fitted(const std::string& text, size_t room) {
    const size_t wide = columns(text);
    // Bytes that are no columns of their own are let through.
    return wide <= room ? text : shortened(text, room + (text.size() - wide) / 2);
  }

  const Ledger& ledger_;
  std::vector<Record> records_;
  std::vector<TaskStory> stories_;
  FILE* out_;
  ReportStyle style_;
  const size_t text_columns_;  // for a task's name and its cause
  const bool is_page_ = ledger_.has_turns();
  std::string section_ = "start", shown_section_;
  std::map<uint32_t, Record> job_queued_;
  std::map<uint32_t, int64_t> job_ended_;
  std::vector<Record> folded_;
  std::deque<std::string> lines_;
  size_t left_out_ = 0;
  uint32_t iteration_ = 0, shown_iteration_ = UINT32_MAX;
  int phase_ = 0, shown_phase_ = -1;
  Record wait_;
  std::vector<uint32_t> open_;  // tasks that have begun and not ended
};

}  // namespace

std::string starvation_sentence(const Ledger& ledger, const Record& record, const std::string& folder) {
  const bool is_tick = static_cast<TaskKind>(record.what) == TaskKind::Tick;
  std::string text =
      std::to_string(record.payload) + (is_tick ? " nextTick callbacks" : " promise reactions and microtasks");
  text += " in a row, each queued by the one before, keep the loop from timers and I/O";
  if (record.name) text += "; " + relative_paths(std::string(ledger.name(record.name)), folder) + " goes on queueing";
  return text + ". setImmediate gives the loop a turn between two calls.";
}

void write_report(const Ledger& ledger, const std::string& program, FILE* out, const ReportStyle& style) {
  Account(ledger, out, style).print(program);
}

}  // namespace rondo::observe
