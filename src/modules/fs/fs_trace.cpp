// See fs_trace.h.
#include "modules/fs/fs_trace.h"

#include "observe/trace.h"
#include "observe/trace_log.h"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

namespace rondo::modules {

namespace {

using observe::TraceCategory;
using observe::TraceLog;

struct Name {
  std::string_view sync, async;
};

// Node's names: those of the system calls, but for these.
Name name_of(const FsCall& task) {
  const std::string_view call = task.call_name ? task.call_name : task.request.syscall();
  constexpr std::pair<std::string_view, std::string_view> kSyncNames[] = {
      {"scandir", "readdir"}, {"utime", "utimes"}, {"futime", "futimes"}, {"lutime", "lutimes"}};
  for (const auto& [async, sync] : kSyncNames) {
    if (call == async) return {sync, call};
  }
  return {call, call};
}

bool is_directory_handle(const FsCall& task) { return task.call_name && std::string_view(task.call_name) == "opendir"; }

bool opens_file(const FsCall& task) { return !task.request.path().empty(); }

void add_sync(std::string_view name, Nanoseconds begun, Nanoseconds ended, std::string_view args = "{}") {
  const auto full = fmt::format("fs.sync.{}", name);
  auto& log = TraceLog::get();
  log.add(TraceCategory::FsSync, {.phase = 'B', .category = {}, .name = full, .at = begun});
  log.add(TraceCategory::FsSync, {.phase = 'E', .category = {}, .name = full, .at = ended, .args = args});
}

// A file read or written as a whole is several calls to Node, and one request here: only its begin and its end are known.
void add_whole_file(const FsCall& task, Nanoseconds begun, Nanoseconds ended) {
  const bool reads = task.request.kind() == FileKind::ReadFile;
  if (opens_file(task)) add_sync("open", begun, begun);
  if (reads) add_sync("fstat", begun, begun);
  add_sync(reads ? "read" : "write", begun, ended);
  if (opens_file(task)) add_sync("close", ended, ended);
}

bool is_whole_file(const FsCall& task) {
  return task.request.kind() == FileKind::ReadFile || task.request.kind() == FileKind::WriteFile;
}

}  // namespace

void run_traced(FsCall& task) {
  const auto name = name_of(task).sync;
  const auto begun = steady_now();
  task.request.run();
  const auto ended = steady_now();
  if (is_whole_file(task)) return add_whole_file(task, begun, ended);
  if (is_directory_handle(task)) {
    TraceLog::get().add(
        TraceCategory::FsDirSync,
        {.phase = 'X', .category = {}, .name = "fs_dir.sync.opendir", .at = begun, .duration = ended - begun});
    return;
  }
  const bool wrote = task.request.kind() == FileKind::Write && task.request.result() >= 0;
  const auto args = wrote ? fmt::format(R"({{"bytesWritten":{}}})", task.request.result()) : std::string("{}");
  add_sync(name, begun, ended, args);
}

namespace {

TraceCategory async_category(const FsCall& task) {
  return is_directory_handle(task) ? TraceCategory::FsDirAsync : TraceCategory::FsAsync;
}

// The id of an event: requests are kept for reuse, so that two at one time have two addresses.
uint64_t id_of(const FsCall& task) { return reinterpret_cast<uintptr_t>(&task); }

void add_async(const FsCall& task, char phase, std::initializer_list<std::string_view> names, std::string_view args) {
  for (const auto name : names) {
    TraceLog::get().add(
        async_category(task),
        {.phase = phase, .category = {}, .name = name, .at = steady_now(), .id = id_of(task), .args = args});
  }
}

void note_async(const FsCall& task, char phase, std::string_view args) {
  if (!is_whole_file(task)) return add_async(task, phase, {name_of(task).async}, args);
  if (task.request.kind() == FileKind::ReadFile)
    return add_async(task, phase, {"open", "fstat", "read", "close"}, args);
  add_async(task, phase, {"open", "write", "close"}, args);
}

}  // namespace

void note_async_begin(const FsCall& task) {
  const auto& path = task.request.path();
  note_async(task, 'b', path.empty() ? "{}" : fmt::format(R"({{"path":{}}})", observe::json_string(path)));
}

void note_async_end(const FsCall& task) {
  note_async(task, 'e', fmt::format(R"({{"result":{}}})", task.request.result()));
}

}  // namespace rondo::modules
