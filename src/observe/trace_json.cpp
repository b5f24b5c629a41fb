// One JSON object a line, one line a record: for tests and scripts. docs/trace-format.md lists the fields.
#include "observe/trace.h"

#include <algorithm>

namespace rondo::observe {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20) {
      char escaped[8];
      snprintf(escaped, sizeof escaped, "\\u%04x", code);
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

const char* what_name(const Record& record) {
  switch (record.kind) {
    case RecordKind::TaskQueued:
    case RecordKind::TaskBegin:
    case RecordKind::TaskEnd:
    case RecordKind::TaskCancelled:
    case RecordKind::Starvation:
      return task_kind_name(static_cast<TaskKind>(record.what));
    case RecordKind::CallbackBegin:
    case RecordKind::CallbackEnd:
    case RecordKind::HandleStart:
    case RecordKind::HandleStop:
    case RecordKind::HandleClose:
      return handle_kind_name(static_cast<HandleKind>(record.what));
    case RecordKind::JobQueued:
    case RecordKind::JobBegin:
    case RecordKind::JobEnd:
      return job_class_name(static_cast<JobClass>(record.what));
    default:
      return nullptr;
  }
}

std::string relative_paths(std::string text, const std::string& folder) {
  if (folder.size() < 2) return text;
  for (const std::string& start : {"file://" + folder + "/", folder + "/"}) {
    for (size_t at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
      const bool begins_a_path = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
      if (begins_a_path)
        text.erase(at, start.size());
      else
        at += start.size();
    }
  }
  return text;
}

std::string sender_text(int64_t sender) {
  if (!sender) return "";
  const auto runtime = static_cast<uint32_t>(sender >> 32) - 1;
  const std::string who = runtime ? "worker " + std::to_string(runtime) : "main thread";
  return " ← " + who + " #" + std::to_string(static_cast<uint32_t>(sender));
}

std::string task_name(const Ledger& ledger, const std::vector<TaskStory>& stories, uint32_t id,
                      const std::string& folder) {
  if (id == 0) return ledger.has_turns() ? "start of the agent" : "main script";
  if (id >= stories.size()) return "";
  const auto& story = stories[id];
  const auto name = ledger.name(story.name);
  if (!name.empty()) return relative_paths(std::string(name) + sender_text(story.sender), folder);
  return static_cast<TaskKind>(story.what) == TaskKind::Microtask ? "promise reaction" : "native function";
}

std::vector<TaskStory> task_stories(const std::vector<Record>& records) {
  std::vector<TaskStory> stories(1);
  for (const auto& record : records) {
    bool is_task = record.kind == RecordKind::TaskQueued || record.kind == RecordKind::TaskBegin ||
                   record.kind == RecordKind::TaskEnd || record.kind == RecordKind::TaskCancelled ||
                   record.kind == RecordKind::TaskNamed;
    if (!is_task) continue;
    if (record.id >= stories.size()) stories.resize(record.id + 1);
    auto& story = stories[record.id];
    if (record.kind == RecordKind::TaskNamed) {
      story.name = record.name;
      continue;
    }
    story.what = record.what;
    if (record.kind == RecordKind::TaskCancelled) {
      story.is_cancelled = true;
    } else if (record.kind == RecordKind::TaskQueued) {
      story.queued = record.time;
      story.cause = record.cause;
      if (!story.name) story.name = record.name;
      const auto kind = static_cast<TaskKind>(record.what);
      if (kind == TaskKind::Timer)
        story.delay = record.payload * 1000;
      else if (can_be_sent(kind))
        story.sender = record.payload;
    } else if (record.kind == RecordKind::TaskBegin) {
      if (story.begun < 0) story.begun = record.time;
      story.ready_for = record.payload;
    } else {
      story.ended = record.time;
    }
  }
  return stories;
}

int64_t waited_of(const TaskStory& story) {
  if (story.begun < 0 || story.queued < 0) return -1;
  constexpr int64_t kAtOnce = 100'000;  // ns: an event is queued in the moment it begins
  const int64_t waited = story.begun - story.queued - story.delay;
  return waited < kAtOnce ? std::max(waited, story.ready_for) : waited;
}

namespace {

// One runtime's records, one after another.
class Lines {
 public:
  explicit Lines(const Traced& traced, Nanoseconds zero)
      : ledger_(*traced.ledger),
        runtime_(traced.runtime),
        offset_(ledger_.start() - zero),
        records_(ledger_.records()) {}

  bool is_done() const { return at_ == records_.size(); }
  int64_t next_time() const { return records_[at_].time + offset_; }

  void write_dropped(FILE* out) const {
    if (ledger_.dropped())
      fprintf(out, "{\"kind\":\"dropped\",\"runtime\":%u,\"count\":%llu}\n", runtime_,
              static_cast<unsigned long long>(ledger_.dropped()));
  }

  void write_next(FILE* out) {
    const auto& record = records_[at_];
    if (record.kind == RecordKind::IterationBegin) iteration_ = record.id;
    fprintf(out,
            "{\"time\":%lld,\"kind\":\"%s\",\"runtime\":%u,\"iteration\":%u,\"phase\":\"%s\",\"id\":%u,\"cause\":%u,"
            "\"depth\":%u",
            static_cast<long long>(next_time()), record_kind_name(record.kind), runtime_, iteration_,
            iteration_ ? phase_name(static_cast<Phase>(record.phase)) : "none", record.id, record.cause, record.depth);
    if (const char* what = what_name(record)) fprintf(out, ",\"what\":\"%s\"", what);
    const bool is_sent = record.kind == RecordKind::TaskQueued && can_be_sent(static_cast<TaskKind>(record.what));
    const std::string name = std::string(ledger_.name(record.name)) + sender_text(is_sent ? record.payload : 0);
    if (!name.empty()) fprintf(out, ",\"name\":%s", json_string(name).c_str());
    fprintf(out, ",\"payload\":%lld}\n", static_cast<long long>(is_sent ? 0 : record.payload));
    at_++;
  }

 private:
  const Ledger& ledger_;
  uint32_t runtime_;
  Nanoseconds offset_;
  std::vector<Record> records_;
  size_t at_ = 0;
  uint32_t iteration_ = 0;
};

}  // namespace

// By time, those of all runtimes together.
void write_json_lines(const std::vector<Traced>& runtimes, FILE* out) {
  std::vector<Lines> all;
  for (const auto& one : runtimes) all.emplace_back(one, runtimes.front().ledger->start());
  for (const auto& one : all) one.write_dropped(out);
  for (;;) {
    Lines* next = nullptr;
    for (auto& one : all) {
      if (!one.is_done() && (!next || one.next_time() < next->next_time())) next = &one;
    }
    if (!next) return;
    next->write_next(out);
  }
}

}  // namespace rondo::observe
