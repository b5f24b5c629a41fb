// The ledger written out: for a terminal, as lines of JSON, for Perfetto and chrome://tracing.
#pragma once

#include "observe/ledger.h"

#include <cstdio>

namespace rondo::observe {

enum class Colour : uint8_t { Off, On };

struct ReportStyle {
  Colour colour = Colour::Off;
  bool unfolded = false;  // each promise reaction without a function of the program's own has a row
  std::string folder;  // paths below it are shown without it
  size_t columns = 120;  // of a row
};

// One runtime of a run: the main one's number is 0, the others are workers.
struct Traced {
  const Ledger* ledger;
  uint32_t runtime;
  std::string name;
};

void write_report(const Ledger& ledger, const std::string& program, FILE* out, const ReportStyle& style);
// Times are those of the first.
void write_json_lines(const std::vector<Traced>& runtimes, FILE* out);
void write_chrome(const std::vector<Traced>& runtimes, const std::string& folder, FILE* out);

// One sentence on a starvation record, with advice.
std::string starvation_sentence(const Ledger& ledger, const Record& record, const std::string& folder);

// Shared by the writers.
std::string json_string(std::string_view text);
const char* what_name(const Record& record);
// `text` with the paths below `folder` shortened.
std::string relative_paths(std::string text, const std::string& folder);

// The fate of each task: filled from the records once, by id.
struct TaskStory {
  int64_t queued = -1, begun = -1, ended = -1;
  uint32_t cause = 0;
  uint32_t name = 0;
  uint8_t what = 0;  // its TaskKind
  bool is_cancelled = false;
  int64_t delay = 0;  // of a timer, in ns
  int64_t ready_for = 0;  // of an event: for how long it may have been ready
  int64_t sender = 0;  // of a message from another runtime (TaskObserver::task_sent)
};
// For how long it could have run and did not: a timer since it was due. -1 when it did not run.
int64_t waited_of(const TaskStory& story);
// Whether the payload of its `task.queued` is a sender: of events and, in pages, of tasks.
constexpr bool can_be_sent(TaskKind kind) { return kind == TaskKind::Io || kind > TaskKind::Call; }
// " ← worker 2 #17", or nothing.
std::string sender_text(int64_t sender);
std::vector<TaskStory> task_stories(const std::vector<Record>& records);
// Its name in a report.
std::string task_name(const Ledger& ledger, const std::vector<TaskStory>& stories, uint32_t id,
                      const std::string& folder);

}  // namespace rondo::observe
