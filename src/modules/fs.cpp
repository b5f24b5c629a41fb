// native('fs'): the native half of node:fs. Each function takes plain arguments that lib/internal/fs has validated, and a
// callback as its last argument: with one it is asynchronous, without one it returns the result or throws.
#include "modules/fs_task.h"

#include "modules/fs_constants.h"

#include <sys/stat.h>
#include <unistd.h>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

// Reads arguments in order; the callback is whatever stands after the last one.
class Arguments {
 public:
  Arguments(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) : call_(realm, frame) {}

  Call& call() { return call_; }
  std::string path() {
    Value v = call_.at(next_++);
    if (v.isString()) return call_.string(next_ - 1);
    auto bytes = bytes_of(v);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  bool next_is_number() const { return call_.at(next_).isNumber(); }
  int int32() { return call_.int32(next_++); }
  uint32_t uint32() { return call_.uint32(next_++); }
  int64_t int64() { return call_.int64(next_++); }
  double number() { return call_.number(next_++); }
  bool boolean() { return call_.boolean(next_++); }
  Value value() { return call_.at(next_++); }
  JSC::JSObject* callback() { return call_.function(next_); }

 private:
  Call call_;
  unsigned next_ = 0;
};

// Memory that stays where it is while another thread works on it: a view's storage moves when its buffer is first asked for.
void pin(FsTask& task, Value value) {
  auto* view = value.isCell() ? JSC::jsDynamicCast<JSC::JSArrayBufferView*>(value.asCell()) : nullptr;
  if (!view) return;
  if (auto* buffer = view->possiblySharedBuffer()) {
    buffer->pin();
    task.pinned.append(buffer);
  }
}

iovec part_of(FsTask& task, Value value, size_t offset, size_t length, bool async) {
  if (async) pin(task, value);
  auto bytes = bytes_of(value);
  offset = std::min(offset, bytes.size());
  return {bytes.data() + offset, std::min(length, bytes.size() - offset)};
}

Encoded run_now(FsTask& task, const Call& call) {
  task.perform();
  if (!task.error) return call.value(task.answer_value());
  if (!task.missing_is_error && (task.error == ENOENT || task.error == ENOTDIR)) return call.value(false);
  return call.raise(task.error_value());
}

// `fill` reads the arguments into the task; it is told whether memory must be pinned.
template <class Fill>
Encoded operate(JSC::JSGlobalObject* realm, JSC::CallFrame* frame, FsKind kind, FsAnswer answer, Fill fill) {
  Arguments in(realm, frame);
  auto& runtime = Runtime::from(realm);
  bool async = frame->argumentCount() > 0 && in.call().at(frame->argumentCount() - 1).isCallable();
  if (!async) {
    FsTask task(runtime);
    task.kind = kind;
    task.answer = answer;
    fill(task, in, false);
    return run_now(task, in.call());
  }
  auto* task = new FsTask(runtime);
  task->kind = kind;
  task->answer = answer;
  fill(*task, in, true);
  task->callback.set(realm->vm(), in.callback());
  task->context.set(realm->vm(), realm->m_asyncContextData.get()->getInternalField(0));
  submit(task);
  return in.call().undefined();
}

#define RONDO_FS(name, kind, answer, ...)                                                         \
  Encoded name(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {                               \
    return operate(realm, frame, FsKind::kind, FsAnswer::answer,                                  \
                   [](FsTask& task, Arguments& in, [[maybe_unused]] bool async) { __VA_ARGS__ }); \
  }

RONDO_FS(fs_access, Access, Nothing, task.path = in.path(); task.flags = in.int32();)
RONDO_FS(fs_open, Open, Number, task.path = in.path(); task.flags = in.int32(); task.mode = in.uint32();)
RONDO_FS(fs_close, Close, Nothing, task.fd = in.int32();)
RONDO_FS(fs_rename, Rename, Nothing, task.path = in.path(); task.dest = in.path();)
RONDO_FS(fs_link, Link, Nothing, task.path = in.path(); task.dest = in.path();)
RONDO_FS(fs_symlink, Symlink, Nothing, task.path = in.path(); task.dest = in.path();)
RONDO_FS(fs_unlink, Unlink, Nothing, task.path = in.path();)
RONDO_FS(fs_rmdir, Rmdir, Nothing, task.path = in.path();)
RONDO_FS(fs_mkdir, Mkdir, Text, task.path = in.path(); task.mode = in.uint32(); task.recursive = in.boolean();
         if (!task.recursive) task.answer = FsAnswer::Nothing;)
RONDO_FS(fs_mkdtemp, Mkdtemp, Text, task.path = in.path(); task.as_bytes = in.boolean();)
RONDO_FS(fs_readdir, Readdir, Names, task.path = in.path(); task.as_bytes = in.boolean();
         task.with_types = in.boolean(); task.syscall = "scandir";)
RONDO_FS(fs_opendir, Readdir, Names, task.path = in.path(); task.as_bytes = in.boolean(); task.with_types = true;
         task.syscall = "opendir"; if (!async) task.opened_as = "opendir";)
RONDO_FS(fs_readlink, Readlink, Text, task.path = in.path(); task.as_bytes = in.boolean();)
RONDO_FS(fs_realpath, Realpath, Text, task.path = in.path(); task.as_bytes = in.boolean();)
RONDO_FS(fs_stat, Stat, Stats, task.path = in.path(); task.bigint = in.boolean(); task.missing_is_error = in.boolean();)
RONDO_FS(fs_lstat, Lstat, Stats, task.path = in.path(); task.bigint = in.boolean();
         task.missing_is_error = in.boolean();)
RONDO_FS(fs_fstat, Fstat, Stats, task.fd = in.int32(); task.bigint = in.boolean();)
RONDO_FS(fs_statfs, Statfs, StatFs, task.path = in.path(); task.bigint = in.boolean();)
RONDO_FS(fs_chmod, Chmod, Nothing, task.path = in.path(); task.mode = in.uint32();)
RONDO_FS(fs_fchmod, Fchmod, Nothing, task.fd = in.int32(); task.mode = in.uint32();)
RONDO_FS(fs_chown, Chown, Nothing, task.path = in.path(); task.uid = in.uint32(); task.gid = in.uint32();)
RONDO_FS(fs_lchown, Lchown, Nothing, task.path = in.path(); task.uid = in.uint32(); task.gid = in.uint32();)
RONDO_FS(fs_fchown, Fchown, Nothing, task.fd = in.int32(); task.uid = in.uint32(); task.gid = in.uint32();)
RONDO_FS(fs_utimes, Utimes, Nothing, task.path = in.path(); task.atime = in.number(); task.mtime = in.number();)
RONDO_FS(fs_lutimes, Lutimes, Nothing, task.path = in.path(); task.atime = in.number(); task.mtime = in.number();)
RONDO_FS(fs_futimes, Futimes, Nothing, task.fd = in.int32(); task.atime = in.number(); task.mtime = in.number();)
RONDO_FS(fs_ftruncate, Ftruncate, Nothing, task.fd = in.int32(); task.offset = in.int64();)
RONDO_FS(fs_fsync, Fsync, Nothing, task.fd = in.int32();)
RONDO_FS(fs_fdatasync, Fdatasync, Nothing, task.fd = in.int32();)
RONDO_FS(fs_copy_file, CopyFile, Nothing, task.path = in.path(); task.dest = in.path(); task.flags = in.int32();)

void fill_transfer(FsTask& task, Arguments& in, bool async) {
  task.fd = in.int32();
  Value view = in.value();
  auto offset = static_cast<size_t>(in.int64());
  auto length = static_cast<size_t>(in.int64());
  task.part = part_of(task, view, offset, length, async);
  task.offset = in.int64();
}

void fill_transfers(JSC::JSGlobalObject* realm, FsTask& task, Arguments& in, bool async) {
  task.fd = in.int32();
  Value list = in.value();
  if (auto* array = list.isCell() ? JSC::jsDynamicCast<JSC::JSArray*>(list.asCell()) : nullptr) {
    for (unsigned i = 0; i < array->length(); i++) {
      task.parts.push_back(part_of(task, array->getIndex(realm, i), 0, SIZE_MAX, async));
    }
  }
  task.offset = in.int64();
}

RONDO_FS(fs_read, Read, Number, fill_transfer(task, in, async);)
RONDO_FS(fs_write, Write, Number, fill_transfer(task, in, async);)
RONDO_FS(fs_readv, Read, Number, fill_transfers(task.runtime.realm(), task, in, async);)
RONDO_FS(fs_writev, Write, Number, fill_transfers(task.runtime.realm(), task, in, async);)

void fill_target(FsTask& task, Arguments& in) {
  if (in.next_is_number())
    task.fd = in.int32();
  else
    task.path = in.path();
}

RONDO_FS(fs_read_file, ReadFile, Data, fill_target(task, in); task.flags = in.int32(); task.as_text = in.boolean();)
RONDO_FS(
    fs_write_file, WriteFile, Nothing, fill_target(task, in); Value data = in.value(); if (data.isString()) {
      task.text = to_utf8(JSC::asString(data)->value(task.runtime.realm()));
      task.part = {task.text.data(), task.text.size()};
    } else { task.part = part_of(task, data, 0, SIZE_MAX, async); } task.flags = in.int32();
    task.mode = in.uint32(); task.sync_after = in.boolean();)

#undef RONDO_FS

Encoded fs_exists(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Arguments in(realm, frame);
  return in.call().value(::access(in.path().c_str(), F_OK) == 0);
}

Encoded fs_is_directory(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Arguments in(realm, frame);
  struct stat info;
  return in.call().value(::stat(in.path().c_str(), &info) == 0 && S_ISDIR(info.st_mode));
}

constexpr FunctionSpec kFunctions[] = {{"access", fs_access, 2},       {"open", fs_open, 3},
                                       {"close", fs_close, 1},         {"read", fs_read, 5},
                                       {"write", fs_write, 5},         {"readv", fs_readv, 3},
                                       {"writev", fs_writev, 3},       {"rename", fs_rename, 2},
                                       {"link", fs_link, 2},           {"symlink", fs_symlink, 2},
                                       {"unlink", fs_unlink, 1},       {"rmdir", fs_rmdir, 1},
                                       {"mkdir", fs_mkdir, 3},         {"mkdtemp", fs_mkdtemp, 2},
                                       {"readdir", fs_readdir, 3},     {"opendir", fs_opendir, 2},
                                       {"readlink", fs_readlink, 2},   {"realpath", fs_realpath, 2},
                                       {"stat", fs_stat, 3},           {"lstat", fs_lstat, 3},
                                       {"fstat", fs_fstat, 2},         {"statfs", fs_statfs, 2},
                                       {"chmod", fs_chmod, 2},         {"fchmod", fs_fchmod, 2},
                                       {"chown", fs_chown, 3},         {"lchown", fs_lchown, 3},
                                       {"fchown", fs_fchown, 3},       {"utimes", fs_utimes, 3},
                                       {"lutimes", fs_lutimes, 3},     {"futimes", fs_futimes, 3},
                                       {"ftruncate", fs_ftruncate, 2}, {"fsync", fs_fsync, 1},
                                       {"fdatasync", fs_fdatasync, 1}, {"copyFile", fs_copy_file, 3},
                                       {"readFile", fs_read_file, 3},  {"writeFile", fs_write_file, 5},
                                       {"exists", fs_exists, 1},       {"isDirectory", fs_is_directory, 1}};

template <class Element, class Array>
Element* make_shared(JSC::JSGlobalObject* realm, JSC::JSObject* target, const char* name, JSC::TypedArrayType type) {
  auto buffer = JSC::ArrayBuffer::create(18, sizeof(Element));
  auto* data = static_cast<Element*>(buffer->data());
  put(realm, target, name, Array::create(realm, realm->typedArrayStructure(type, false), WTFMove(buffer), 0, 18));
  return data;
}

}  // namespace

void init_fs(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  auto& shared = fs_shared();
  shared.numbers = make_shared<double, JSC::JSFloat64Array>(realm, target, "statNumbers", JSC::TypeFloat64);
  shared.bigints = make_shared<int64_t, JSC::JSBigInt64Array>(realm, target, "statBigInts", JSC::TypeBigInt64);
  put_fs_constants(realm, target);
  init_fs_watch(runtime, target);
}

}  // namespace rondo::modules
