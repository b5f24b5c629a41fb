// From the result of a file operation to what JavaScript sees: values, Node-shaped errors, shared numbers.
#include "modules/fs_task.h"

#include "engine/buffer_class.h"

#include "runtime/turn.h"

#include <sys/sysmacros.h>

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

Value names_value(JSC::JSGlobalObject* realm, const FsRequest& r) {
  JSC::MarkedArgumentBuffer names;
  for (const auto& name : r.names) names.append(name_value(realm, name, r.as_bytes));
  auto* list = JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), names);
  if (!r.with_types) return list;
  JSC::MarkedArgumentBuffer types, both;
  for (auto type : r.types) types.append(JSC::jsNumber(type));
  both.append(list);
  both.append(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), types));
  return JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), both);
}

Value data_value(JSC::JSGlobalObject* realm, FsRequest& r) {
  if (r.value > 0) return JSC::jsNumber(static_cast<double>(r.value));
  if (r.as_text) return string_from_utf8(realm, {r.data, r.size});
  if (r.size <= kCopiedAtMost) return make_buffer(realm, {r.data, r.size});
  return adopt_buffer(realm, std::exchange(r.data, nullptr), r.size);
}

}  // namespace

Value FsTask::answer_value() {
  auto* realm = runtime.realm();
  switch (answer) {
    case FsAnswer::Nothing:
      return JSC::jsUndefined();
    case FsAnswer::Number:
      return JSC::jsNumber(static_cast<double>(value));
    case FsAnswer::Text:
      return result.empty() ? JSC::jsUndefined() : name_value(realm, result, as_bytes);
    case FsAnswer::Names:
      return names_value(realm, *this);
    case FsAnswer::Data:
      return data_value(realm, *this);
    case FsAnswer::Stats:
      if (bigint)
        fill_stat(info, fs_shared().bigints);
      else
        fill_stat(info, fs_shared().numbers);
      return JSC::jsBoolean(true);
    case FsAnswer::StatFs:
      if (bigint)
        fill_statfs(fs_info, fs_shared().bigints);
      else
        fill_statfs(fs_info, fs_shared().numbers);
      return JSC::jsUndefined();
  }
  return JSC::jsUndefined();
}

JSC::JSObject* FsTask::error_value() {
  bool shown = error_has_path && !opened_as;
  return make_system_error(runtime.realm(), error, opened_as ? opened_as : syscall, shown ? path : std::string(),
                           shown ? dest : std::string());
}

// One entry into JavaScript: the callback, then everything it led to.
void complete(FsTask* task) {
  std::unique_ptr<FsTask> owned(task);
  auto& runtime = task->runtime;
  auto& vm = runtime.vm();
  for (auto& buffer : task->pinned) buffer->unpin();
  runtime::Turn turn(runtime);
  auto* holder = runtime.realm()->m_asyncContextData.get();
  Value outer = holder->getInternalField(0);
  holder->putInternalField(vm, 0, task->context.get());
  bool missing = task->error == ENOENT || task->error == ENOTDIR;
  JSC::MarkedArgumentBuffer arguments;
  if (task->error && missing && !task->missing_is_error) {
    arguments.append(JSC::jsNull());
    arguments.append(JSC::jsBoolean(false));
  } else if (task->error) {
    arguments.append(task->error_value());
  } else {
    arguments.append(JSC::jsNull());
    Value value = task->answer_value();
    if (task->answer != FsAnswer::Nothing) arguments.append(value);
  }
  turn.call(task->callback.get(), JSC::jsUndefined(), arguments);
  holder->putInternalField(vm, 0, outer);
}

}  // namespace rondo::modules
