// One JSON object a line, one line a record: for tests and scripts. docs/trace-format.md lists the fields.
#include "observe/trace.h"

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

std::string task_name(const Ledger& ledger, const std::vector<TaskStory>& stories, uint32_t id,
                      const std::string& folder) {
  if (id == 0) return "main script";
  if (id >= stories.size()) return "";
  const auto& story = stories[id];
  if (story.name) return relative_paths(ledger.names()[story.name], folder);
  return static_cast<TaskKind>(story.what) == TaskKind::Microtask ? "promise reaction" : "native function";
}

std::vector<TaskStory> task_stories(const std::vector<Record>& records) {
  std::vector<TaskStory> stories(1);
  for (const auto& record : records) {
    bool is_task = record.kind == RecordKind::TaskQueued || record.kind == RecordKind::TaskBegin ||
                   record.kind == RecordKind::TaskEnd;
    if (!is_task) continue;
    if (record.id >= stories.size()) stories.resize(record.id + 1);
    auto& story = stories[record.id];
    story.what = record.what;
    if (record.kind == RecordKind::TaskQueued) {
      story.queued = record.time;
      story.cause = record.cause;
      story.name = record.name;
    } else if (record.kind == RecordKind::TaskBegin) {
      if (story.begun < 0) story.begun = record.time;
    } else {
      story.ended = record.time;
    }
  }
  return stories;
}

namespace {

void write_runtime(const Ledger& ledger, uint32_t runtime, Nanoseconds offset, FILE* out) {
  if (ledger.dropped())
    fprintf(out, "{\"kind\":\"dropped\",\"runtime\":%u,\"count\":%llu}\n", runtime,
            static_cast<unsigned long long>(ledger.dropped()));
  uint32_t iteration = 0;
  for (const auto& record : ledger.records()) {
    if (record.kind == RecordKind::IterationBegin) iteration = record.id;
    fprintf(out,
            "{\"time\":%lld,\"kind\":\"%s\",\"runtime\":%u,\"iteration\":%u,\"phase\":\"%s\",\"id\":%u,\"cause\":%u,"
            "\"depth\":%u",
            static_cast<long long>(record.time + offset), record_kind_name(record.kind), runtime, iteration,
            iteration ? phase_name(static_cast<Phase>(record.phase)) : "none", record.id, record.cause, record.depth);
    if (const char* what = what_name(record)) fprintf(out, ",\"what\":\"%s\"", what);
    if (record.name) fprintf(out, ",\"name\":%s", json_string(ledger.names()[record.name]).c_str());
    fprintf(out, ",\"payload\":%lld}\n", static_cast<long long>(record.payload));
  }
}

}  // namespace

void write_json_lines(const std::vector<Traced>& runtimes, FILE* out) {
  for (const auto& one : runtimes)
    write_runtime(*one.ledger, one.runtime, one.ledger->start() - runtimes.front().ledger->start(), out);
}

}  // namespace rondo::observe
