// From the result of a file operation to what JavaScript sees: values, Node-shaped errors, shared numbers.
#include "modules/fs_task.h"

#include "engine/buffer_class.h"

#include "runtime/turn.h"

#include <dirent.h>
#include <sys/sysmacros.h>

#include <cstring>

namespace rondo::modules {

using namespace engine;

FsShared& fs_shared() {
  static thread_local FsShared shared;
  return shared;
}

namespace {

constexpr int kStatFields = 18;
constexpr size_t kCopiedAtMost = 16 * 1024;  // above this, handing memory over is cheaper than copying it

template <class Number>
void fill_stat(const struct statx& s, Number* out) {
  const uint64_t values[kStatFields] = {
      makedev(s.stx_dev_major, s.stx_dev_minor),   s.stx_mode,    s.stx_nlink, s.stx_uid,  s.stx_gid,
      makedev(s.stx_rdev_major, s.stx_rdev_minor), s.stx_blksize, s.stx_ino,   s.stx_size, s.stx_blocks};
  for (int i = 0; i < 10; i++) out[i] = static_cast<Number>(values[i]);
  const struct statx_timestamp* times[] = {&s.stx_atime, &s.stx_mtime, &s.stx_ctime, &s.stx_btime};
  for (int i = 0; i < 4; i++) {
    out[10 + 2 * i] = static_cast<Number>(times[i]->tv_sec);
    out[11 + 2 * i] = static_cast<Number>(times[i]->tv_nsec);
  }
}

template <class Number>
void fill_statfs(const struct statfs& s, Number* out) {
  const uint64_t values[] = {static_cast<uint64_t>(s.f_type),
                             static_cast<uint64_t>(s.f_bsize),
                             static_cast<uint64_t>(s.f_frsize),
                             s.f_blocks,
                             s.f_bfree,
                             s.f_bavail,
                             s.f_files,
                             s.f_ffree};
  for (int i = 0; i < 8; i++) out[i] = static_cast<Number>(values[i]);
}

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

Value names_value(JSC::JSGlobalObject* realm, FsTask& r) {
  JSC::MarkedArgumentBuffer names;
  for (const auto& entry : r.request.entries()) names.append(name_value(realm, entry.name, r.as_bytes));
  auto* list = JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), names);
  if (!r.with_types) return list;
  JSC::MarkedArgumentBuffer types, both;
  for (const auto& entry : r.request.entries()) types.append(JSC::jsNumber(entry_type(entry.type)));
  both.append(list);
  both.append(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), types));
  return JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), both);
}

std::span<const uint8_t> bytes_in(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// The size of a file that is too large for a Buffer, or its content.
Value data_value(JSC::JSGlobalObject* realm, FsTask& r) {
  if (r.request.result() < 0) return JSC::jsNumber(static_cast<double>(r.request.status().stx_size));
  std::string& text = r.request.text();
  if (r.as_text) return string_from_utf8(realm, bytes_in(text));
  if (text.size() <= kCopiedAtMost) return make_buffer(realm, bytes_in(text));
  return adopt_buffer(realm, std::move(text));
}

}  // namespace

Value FsTask::answer_value() {
  auto* realm = runtime->realm();
  switch (answer) {
    case FsAnswer::Nothing:
      return JSC::jsUndefined();
    case FsAnswer::Number:
      return JSC::jsNumber(static_cast<double>(request.result()));
    case FsAnswer::Text:
      return request.text().empty() ? JSC::jsUndefined() : name_value(realm, request.text(), as_bytes);
    case FsAnswer::Names:
      return names_value(realm, *this);
    case FsAnswer::Data:
      return data_value(realm, *this);
    case FsAnswer::Stats:
      if (bigint)
        fill_stat(request.status(), fs_shared().bigints);
      else
        fill_stat(request.status(), fs_shared().numbers);
      return JSC::jsBoolean(true);
    case FsAnswer::StatFs:
      if (bigint)
        fill_statfs(request.file_system(), fs_shared().bigints);
      else
        fill_statfs(request.file_system(), fs_shared().numbers);
      return JSC::jsUndefined();
  }
  return JSC::jsUndefined();
}

JSC::JSObject* FsTask::error_value() {
  const char* call = call_name ? call_name : request.syscall();
  // Of a whole file only opening has to do with its path.
  bool is_whole = request.kind() == FileKind::ReadFile || request.kind() == FileKind::WriteFile;
  bool shown = shows_path && !(is_whole && strcmp(call, "open") != 0);
  return make_system_error(runtime->realm(), error(), call, shown ? request.path() : std::string(),
                           shown ? request.path2() : std::string());
}

namespace {

constexpr size_t kKeptTasks = 256;
constexpr size_t kKeptBytes = 64 * 1024;
thread_local std::vector<std::unique_ptr<FsTask>> spare_tasks;
thread_local int taken_tasks = 0;

}  // namespace

int FsTask::taken() { return taken_tasks; }

FsTask* FsTask::take(runtime::Runtime& runtime) {
  taken_tasks++;
  FsTask* task;
  if (spare_tasks.empty()) {
    task = new FsTask;
  } else {
    task = spare_tasks.back().release();
    spare_tasks.pop_back();
  }
  task->runtime = &runtime;
  return task;
}

void FsTask::give_back(FsTask* task) {
  taken_tasks--;
  bool is_large = task->request.text().capacity() > kKeptBytes || task->text.capacity() > kKeptBytes;
  if (is_large || spare_tasks.size() == kKeptTasks) {
    delete task;
    return;
  }
  task->as_bytes = task->with_types = task->as_text = task->bigint = false;
  task->missing_is_error = task->shows_path = true;
  task->call_name = nullptr;
  task->parts.clear();
  task->text.clear();
  task->request.entries().clear();
  task->callback.clear();
  task->context.clear();
  task->pinned.clear();
  spare_tasks.emplace_back(task);
}

void complete(FsTask* task) {
  auto& runtime = *task->runtime;
  auto& vm = runtime.vm();
  for (auto& buffer : task->pinned) buffer->unpin();
  runtime::Turn turn(runtime);
  auto* holder = runtime.realm()->m_asyncContextData.get();
  Value outer = holder->getInternalField(0);
  holder->putInternalField(vm, 0, task->context.get());
  auto scope = DECLARE_CATCH_SCOPE(vm);
  JSC::MarkedArgumentBuffer arguments;
  if (!task->error() || (task->request.result() == -EFBIG && task->answer == FsAnswer::Data)) {
    arguments.append(JSC::jsNull());
    Value value = task->answer_value();
    if (auto* failure = scope.exception()) [[unlikely]] {  // no memory for it, or too long for a string
      scope.clearException();
      arguments.clear();
      arguments.append(failure->value());
    } else if (task->answer != FsAnswer::Nothing) {
      arguments.append(value);
    }
  } else if (task->is_missing() && !task->missing_is_error) {
    arguments.append(JSC::jsNull());
    arguments.append(JSC::jsBoolean(false));
  } else {
    arguments.append(task->error_value());
  }
  Value callback = task->callback.get();
  FsTask::give_back(task);
  turn.call(callback, JSC::jsUndefined(), arguments);
  holder->putInternalField(vm, 0, outer);
}

}  // namespace rondo::modules
