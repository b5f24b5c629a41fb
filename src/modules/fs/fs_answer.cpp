// From the result of a file operation to what JavaScript sees: values, Node-shaped errors, shared numbers.
#include "runtime/open_files.h"
#include "modules/fs/fs_call.h"
#include "modules/fs/fs_trace.h"

#include "engine/core/buffer_class.h"

#include "modules/fs/fs_stats.h"

#include <dirent.h>

#include <cstring>

namespace rondo::modules {

using namespace engine;

namespace {

constexpr size_t kCopiedAtMost = 16 * 1024;  // above this, handing memory over is cheaper than copying it

Value name_value(JSC::JSGlobalObject* realm, const std::string& name, bool as_bytes) {
  if (!as_bytes) return make_string(realm->vm(), name);
  return make_buffer(realm, {reinterpret_cast<const uint8_t*>(name.data()), name.size()});
}

// Numbers of fs.constants.UV_DIRENT_*.
int entry_type(unsigned char type) {
  switch (type) {
    case DT_REG:
      return 1;
    case DT_DIR:
      return 2;
    case DT_LNK:
      return 3;
    case DT_FIFO:
      return 4;
    case DT_SOCK:
      return 5;
    case DT_CHR:
      return 6;
    case DT_BLK:
      return 7;
    default:
      return 0;
  }
}

Value names_value(JSC::JSGlobalObject* realm, FsCall& r) {
  JSC::MarkedArgumentBuffer names;
  for (const auto& entry : r.request.entries()) names.append(name_value(realm, entry.name, r.as_bytes));
  auto* list = make_array(realm, names);
  if (!r.with_types) return list;
  JSC::MarkedArgumentBuffer types, both;
  for (const auto& entry : r.request.entries()) types.append(JSC::jsNumber(entry_type(entry.type)));
  both.append(list);
  both.append(make_array(realm, types));
  return make_array(realm, both);
}

std::span<const uint8_t> bytes_in(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

Value data_value(JSC::JSGlobalObject* realm, FsCall& r) {
  std::string& text = r.request.text();
  if (r.as_text) return string_from_utf8(realm, bytes_in(text));
  if (text.size() <= kCopiedAtMost) return make_buffer(realm, bytes_in(text));
  return adopt_buffer(realm, std::move(text));
}

}  // namespace

Value FsCall::answer_value() {
  auto* realm = runtime->realm();
  switch (answer) {
    case FsAnswer::Nothing:
      return JSC::jsUndefined();
    case FsAnswer::Number:
      return JSC::jsNumber(static_cast<double>(request.result()));
    case FsAnswer::Text:
      if (request.kind() == FileKind::MakeTemporary && !given[0].empty())
        request.text().erase(0, request.path().size() - given[0].size());
      return request.text().empty() ? JSC::jsUndefined() : name_value(realm, request.text(), as_bytes);
    case FsAnswer::Names:
      return names_value(realm, *this);
    case FsAnswer::Data:
      return data_value(realm, *this);
    case FsAnswer::Stats:
      if (!bigint) return make_stats(*runtime, request.status());
      share_stat(*runtime, request.status());
      return JSC::jsBoolean(true);
    case FsAnswer::StatFs:
      share_statfs(*runtime, request.file_system(), bigint);
      return JSC::jsUndefined();
  }
  return JSC::jsUndefined();
}

namespace {

bool names_a_path(const FileRequest& request, bool is_sync) {
  switch (request.kind()) {
    case FileKind::Close:
    case FileKind::Read:
    case FileKind::ReadV:
    case FileKind::Write:
    case FileKind::WriteV:
    case FileKind::Fstat:
    case FileKind::Fsync:
    case FileKind::Fdatasync:
    case FileKind::Ftruncate:
    case FileKind::Futimes:
    case FileKind::Fchmod:
    case FileKind::Fchown:
      return false;
    case FileKind::ReadFile:
      return !is_sync || strcmp(request.syscall(), "open") == 0;
    case FileKind::WriteFile:
      return strcmp(request.syscall(), "open") == 0;  // writing has to do with the open file
    default:
      return true;
  }
}

bool names_two_paths(FileKind kind) {
  return kind == FileKind::Rename || kind == FileKind::Link || kind == FileKind::Symlink || kind == FileKind::Copy;
}

}  // namespace

JSC::JSObject* FsCall::error_value() {
  if (refusal) [[unlikely]]
    return refusal.get();
  const char* call = call_name ? call_name : request.syscall();
  std::string_view path, dest;
  const auto shown = [&](int index, std::string_view used) {
    return given[index].empty() ? used : std::string_view(given[index]);
  };
  if (shows_path && names_a_path(request, is_sync)) path = shown(0, request.path());
  if (shows_path && names_two_paths(request.kind())) dest = shown(1, request.path2());
  return make_system_error(runtime->realm(), error(), call, path, dest);
}

namespace {

constexpr size_t kKeptTasks = 256;
constexpr size_t kKeptBytes = 64 * 1024;

}  // namespace

FsCall* FsCall::take(runtime::Runtime& runtime) {
  auto& state = runtime.local<FsState>();
  state.taken++;
  FsCall* task;
  if (state.spare.empty()) {
    task = new FsCall;
  } else {
    task = state.spare.back().release();
    state.spare.pop_back();
  }
  task->runtime = &runtime;
  return task;
}

void FsCall::give_back(FsCall* task) {
  auto& state = task->runtime->local<FsState>();
  state.taken--;
  if (std::exchange(task->is_promised, false)) state.promised--;
  task->unlink();
  if (task->request.kind() == FileKind::Open && !task->error())
    task->runtime->local<runtime::OpenFiles>().opened(static_cast<int>(task->request.result()));
  bool is_large = task->request.text().capacity() > kKeptBytes || task->text.capacity() > kKeptBytes;
  if (is_large || state.spare.size() == kKeptTasks) {
    delete task;
    return;
  }
  task->is_free = task->as_bytes = task->with_types = task->as_text = task->bigint = false;
  task->missing_is_error = task->shows_path = true;
  task->call_name = nullptr;
  task->refusal.clear();
  task->parts.clear();
  task->text.clear();
  for (auto& name : task->given) name.clear();
  task->request.entries().clear();
  task->pinned.clear();
  state.spare.emplace_back(task);
}

namespace {

struct Outcome {
  Value value;
  bool failed;
};

Outcome outcome_of(FsCall& task) {
  if (task.error() && task.is_missing() && !task.missing_is_error) return {JSC::jsUndefined(), false};
  if (task.error()) return {task.error_value(), true};
  auto scope = DECLARE_CATCH_SCOPE(task.runtime->vm());
  Value value = task.answer_value();
  auto* failure = scope.exception();
  if (!failure) [[likely]]
    return {value, false};
  scope.clearException();  // no memory for it, or too long for a string
  return {failure->value(), true};
}

}  // namespace

void complete(FsCall* task) {
  if (task->runtime->local<FsState>().traced & kTraceAsyncEvents) [[unlikely]]
    note_async_end(*task);
  auto then = std::move(task->then);
  task->pinned.clear();
  if (then.is_dead()) return FsCall::give_back(task);
  if (task->is_too_large()) [[unlikely]] {
    auto* make = task->runtime->local<FsState>().make_too_large.get();
    const auto size = task->size_in_error();
    FsCall::give_back(task);
    return then.reject_made_by(make, size);
  }
  Outcome outcome = outcome_of(*task);
  bool has_value = task->answer != FsAnswer::Nothing;
  FsCall::give_back(task);
  if (outcome.failed)
    then.reject(outcome.value);
  else
    then.resolve(has_value ? outcome.value : Value());
}

}  // namespace rondo::modules
