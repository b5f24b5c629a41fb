// native('fs'): the native half of node:fs. Each function takes plain arguments that lib/internal/fs has validated, and a
// callback or kUsePromise as its last argument: with one it is asynchronous, without it returns the result or throws.
#include "runtime/open_files.h"
#include "modules/fs/fs_call.h"

#include "engine/core/buffer_class.h"
#include "engine/errors/stack_trace.h"
#include "modules/fs/fs_constants.h"
#include "modules/fs/fs_permission.h"
#include "modules/fs/fs_stats.h"
#include "modules/fs/fs_trace.h"
#include "modules/support/permission_check.h"

#include "rondo/system.h"

#include <unistd.h>

#include <climits>
#include <cmath>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

// Reads arguments in order.
class Arguments {
 public:
  explicit Arguments(Call& call) : call_(call) {}

  Call& call() { return call_; }
  // Valid until the next path is read twice: rename and its like need two.
  std::string_view path() {
    Value v = call_.at(next_++);
    std::string& copy = copies_[copy_++ & 1];
    if (!folder_.empty()) {
      if (!copy.starts_with('/')) copy.insert(0, folder_ + '/');
      return copy;
    }
    if (v.isString()) {
      WTF::String text = call_.wtf_string(next_ - 1);
      if (text.length() <= kMaxStringLength && text.is8Bit() && text.containsOnlyASCII()) {
        auto characters = text.span8();
        copy.assign(reinterpret_cast<const char*>(characters.data()), characters.size());
      } else {
        copy = to_utf8(call_.realm(), text);
      }
      return copy;
    }
    auto bytes = bytes_of(v);
    copy.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return copy;
  }
  bool next_is_number() const { return call_.at(next_).isNumber(); }
  int int32() { return call_.int32(next_++); }
  uint32_t uint32() { return call_.uint32(next_++); }
  int64_t int64() { return call_.int64(next_++); }
  double number() { return call_.number(next_++); }
  bool boolean() { return call_.boolean(next_++); }
  Value value() { return call_.at(next_++); }

  // From the first argument on, with the names that were read already: relative ones are below `folder`.
  void begin_again(std::string folder) {
    folder_ = std::move(folder);
    next_ = copy_ = 0;
  }

 private:
  Call& call_;
  unsigned next_ = 0;
  unsigned copy_ = 0;
  std::string folder_;
  std::string copies_[2];
};

iovec part_of(FsCall& task, Value value, size_t offset, size_t length, bool async) {
  auto bytes = async ? task.pinned.emplace_back(value).bytes() : bytes_of(value);
  offset = std::min(offset, bytes.size());
  return {bytes.data() + offset, std::min(length, bytes.size() - offset)};
}

// traceCalls(bits, boolean): kTrace… on or off
Value trace_calls(Call& call) {
  auto& traced = Runtime::from(call.realm()).local<FsState>().traced;
  traced = call.boolean(1) ? traced | call.uint32(0) : traced & ~call.uint32(0);
  return call.undefined();
}

// --trace-sync-io tells of calls that block the loop once it runs.
void warn_of_sync_call(const Call& call) {
  if (Runtime::from(call.realm()).milestones().loop_start < 0) return;
  fprintf(stderr, "(node:%d) WARNING: Detected use of sync API%s\n", getpid(), current_stack(call.realm()).c_str());
}

Value too_large_error(const FsCall& task, const Call& call) {
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(task.size_in_error());
  auto* make = task.runtime->local<FsState>().make_too_large.get();
  const auto made = call.invoke(make, JSC::jsUndefined(), arguments);
  return made.exception ? Value(made.exception) : made.value;
}

Value run_now(FsCall& task, const Call& call) {
  const uint32_t traced = task.runtime->local<FsState>().traced;
  if (traced & kTraceSyncWarning) warn_of_sync_call(call);
  if (traced & kTraceSyncEvents) [[unlikely]]
    run_traced(task);
  else
    task.request.run();
  if (!task.error()) return call.value(task.answer_value());
  if (!task.missing_is_error && task.is_missing()) return call.undefined();
  return call.raise(task.is_too_large() ? too_large_error(task, call) : task.error_value());
}

bool names_relative_path(const FsCall& task) {
  const auto is_relative = [](const std::string& path) { return !path.empty() && path[0] != '/'; };
  return task.request.kind() != FileKind::Symlink &&
         (is_relative(task.request.path()) || is_relative(task.request.path2()));
}

struct FsSources {
  runtime::Source callback, promise;
};

// `fill` reads the arguments into the task; it is told whether memory must be pinned. The last argument decides: a
// function is called back, kUsePromise asks for a promise, anything else is a synchronous call.
template <class Fill>
Value operate(Call& call, FsAnswer answer, const FsSources& sources, Fill fill) {
  auto* realm = call.realm();
  Arguments in(call);
  auto& vm = realm->vm();
  auto& runtime = Runtime::from(call.realm());
  Value last = in.call().count() > 0 ? in.call().at(static_cast<unsigned>(in.call().count()) - 1) : Value();
  JSC::JSObject* target = nullptr;
  if (last && last.isCell()) {
    if (last.asCell() == runtime.local<FsState>().use_promise)
      target = JSC::JSPromise::create(vm, realm->promiseStructure());
    else if (last.isCallable())
      target = JSC::asObject(last);
  }
  FsCall* task = FsCall::take(runtime);
  task->answer = answer;
  task->is_sync = target == nullptr;
  task->is_promised = target && target != last;
  if (task->is_promised) runtime.local<FsState>().promised++;
  fill(*task, in, target != nullptr);
  if (in.call().failed()) {
    FsCall::give_back(task);
    return {};
  }
  if (runtime.permission() && !task->is_free) [[unlikely]] {
    if (auto* refusal = refusal_of(runtime, task->request)) {
      if (target == last && throws_refusal(task->request.kind())) {
        FsCall::give_back(task);
        return call.raise(refusal);
      }
      // In its place a request that does nothing and fails, so that the program hears of it as of any other error.
      task->refusal.set(vm, refusal);
      task->request.fstat(-1);
    } else if (!runtime.permission()->is_enforced()) {
      // Code of the program may have run: memory it gave is looked up anew.
      task->parts.clear();
      task->pinned.clear();
      Arguments again(call);
      fill(*task, again, target != nullptr);
    } else if (target && names_relative_path(*task)) {
      // It is carried out later, perhaps in another working folder than the one it was checked in.
      task->parts.clear();
      task->pinned.clear();
      task->given[0] = task->request.path();
      task->given[1] = task->request.path2();
      in.begin_again(runtime::absolute_path("."));
      fill(*task, in, true);
    }
  }
  if (!target) {
    Value result = run_now(*task, in.call());
    FsCall::give_back(task);
    return result;
  }
  task->then = runtime::Continuation(runtime, target, target == last ? sources.callback : sources.promise);
  task->begin(runtime);
  if (runtime.local<FsState>().traced & kTraceAsyncEvents) [[unlikely]]
    note_async_begin(*task);
  task->request.start(runtime.loop(), [task](FileRequest&) { complete(task); });
  return target == last ? in.call().undefined() : in.call().value(target);
}

timespec to_timespec(double seconds) {
  if (std::isnan(seconds)) return {0, UTIME_OMIT};
  constexpr double kLatest = 9e18;  // Later times have nanoseconds that the kernel refuses, as Node's have.
  if (!(std::abs(seconds) < kLatest)) return {0, -1};
  double whole = std::floor(seconds);
  return {static_cast<time_t>(whole), static_cast<long>((seconds - whole) * 1e9)};
}

#define RONDO_FS(name, js_name, answer, ...)                                                                         \
  Value name(Call& call) {                                                                                           \
    static constexpr FsSources kSources{{"fs." js_name, "FSREQCALLBACK"}, {"fs.promises." js_name, "FSREQPROMISE"}}; \
    return operate(call, FsAnswer::answer, kSources,                                                                 \
                   [](FsCall& task, Arguments& in, [[maybe_unused]] bool async) { __VA_ARGS__ });                    \
  }

RONDO_FS(fs_access, "access", Nothing, auto path = in.path(); task.request.access(path, in.int32());)
RONDO_FS(fs_open, "open", Number, auto path = in.path(); int flags = in.int32();
         task.request.open(path, flags, in.uint32());)
RONDO_FS(fs_close, "close", Nothing, const int fd = in.int32(); task.runtime->local<runtime::OpenFiles>().gone(fd);
         task.request.close(fd);)
RONDO_FS(fs_rename, "rename", Nothing, auto path = in.path(); task.request.rename(path, in.path());)
RONDO_FS(fs_link, "link", Nothing, auto path = in.path(); task.request.link(path, in.path());)
RONDO_FS(fs_symlink, "symlink", Nothing, auto path = in.path(); task.request.symlink(path, in.path());)
RONDO_FS(fs_unlink, "unlink", Nothing, task.request.unlink(in.path());)
RONDO_FS(fs_rmdir, "rmdir", Nothing, task.request.rmdir(in.path());)
RONDO_FS(
    fs_mkdir, "mkdir", Text, auto path = in.path(); uint32_t mode = in.uint32();
    if (in.boolean()) { task.request.mkdirs(path, mode); } else {
      task.request.mkdir(path, mode);
      task.answer = FsAnswer::Nothing;
    })
RONDO_FS(fs_mkdtemp, "mkdtemp", Text, std::string pattern(in.path()); task.request.mkdtemp(pattern + "XXXXXX");
         task.as_bytes = in.boolean();)
RONDO_FS(fs_readdir, "readdir", Names, task.request.readdir(in.path()); task.as_bytes = in.boolean();
         task.with_types = in.boolean();)
RONDO_FS(fs_opendir, "opendir", Names, task.request.readdir(in.path()); task.as_bytes = in.boolean();
         task.with_types = true; task.call_name = "opendir"; task.shows_path = async;)
RONDO_FS(fs_readlink, "readlink", Text, task.request.readlink(in.path()); task.as_bytes = in.boolean();)
RONDO_FS(fs_realpath, "realpath", Text, task.request.realpath(in.path()); task.as_bytes = in.boolean();)
// For fs.realpathSync, which Node does not hold to the rights: only names of links are told.
RONDO_FS(fs_follow_links, "realpath", Text, task.request.realpath(in.path()); task.as_bytes = in.boolean();
         task.is_free = true;)
RONDO_FS(fs_stat, "stat", Stats, task.request.stat(in.path()); task.bigint = in.boolean();
         task.missing_is_error = in.boolean();)
RONDO_FS(fs_lstat, "lstat", Stats, task.request.lstat(in.path()); task.bigint = in.boolean();
         task.missing_is_error = in.boolean();)
RONDO_FS(fs_fstat, "fstat", Stats, task.request.fstat(in.int32()); task.bigint = in.boolean();)
RONDO_FS(fs_statfs, "statfs", StatFs, task.request.statfs(in.path()); task.bigint = in.boolean();)
RONDO_FS(fs_chmod, "chmod", Nothing, auto path = in.path(); task.request.chmod(path, in.uint32());)
RONDO_FS(fs_fchmod, "fchmod", Nothing, int fd = in.int32(); task.request.fchmod(fd, in.uint32());)
RONDO_FS(fs_chown, "chown", Nothing, auto path = in.path(); uint32_t uid = in.uint32();
         task.request.chown(path, uid, in.uint32());)
RONDO_FS(fs_lchown, "lchown", Nothing, auto path = in.path(); uint32_t uid = in.uint32();
         task.request.lchown(path, uid, in.uint32());)
RONDO_FS(fs_fchown, "fchown", Nothing, int fd = in.int32(); uint32_t uid = in.uint32();
         task.request.fchown(fd, uid, in.uint32());)
RONDO_FS(fs_utimes, "utimes", Nothing, auto path = in.path(); timespec accessed = to_timespec(in.number());
         task.request.utimes(path, accessed, to_timespec(in.number()));)
RONDO_FS(fs_lutimes, "lutimes", Nothing, auto path = in.path(); timespec accessed = to_timespec(in.number());
         task.request.lutimes(path, accessed, to_timespec(in.number()));)
RONDO_FS(fs_futimes, "futimes", Nothing, int fd = in.int32(); timespec accessed = to_timespec(in.number());
         task.request.futimes(fd, accessed, to_timespec(in.number()));)
RONDO_FS(fs_ftruncate, "ftruncate", Nothing, int fd = in.int32(); task.request.ftruncate(fd, in.int64());)
RONDO_FS(fs_fsync, "fsync", Nothing, task.request.fsync(in.int32());)
RONDO_FS(fs_fdatasync, "fdatasync", Nothing, task.request.fdatasync(in.int32());)
RONDO_FS(fs_copy_file, "copyFile", Nothing, auto path = in.path(); auto dest = in.path();
         task.request.copy(path, dest, in.uint32());)

struct Transfer {
  int fd;
  iovec part;
  int64_t offset;
};

Transfer read_transfer(FsCall& task, Arguments& in, bool async) {
  int fd = in.int32();
  Value view = in.value();
  auto offset = static_cast<size_t>(in.int64());
  auto length = static_cast<size_t>(in.int64());
  iovec part = part_of(task, view, offset, length, async);
  return {fd, part, in.int64()};
}

// Fills task.parts; returns the descriptor.
int read_parts(FsCall& task, Arguments& in, bool async) {
  int fd = in.int32();
  Value list = in.value();
  auto* array = list.isCell() ? JSC::jsDynamicCast<JSC::JSArray*>(list.asCell()) : nullptr;
  for (unsigned i = 0; array && i < array->length(); i++) {
    task.parts.push_back(part_of(task, array->getIndex(task.runtime->realm(), i), 0, SIZE_MAX, async));
  }
  if (task.parts.size() > IOV_MAX) task.parts.resize(IOV_MAX);
  return fd;
}

RONDO_FS(fs_read, "read", Number, auto [fd, part, offset] = read_transfer(task, in, async);
         task.request.read(fd, part.iov_base, part.iov_len, offset);)
RONDO_FS(fs_write, "write", Number, auto [fd, part, offset] = read_transfer(task, in, async);
         task.request.write(fd, part.iov_base, part.iov_len, offset);)
RONDO_FS(fs_readv, "readv", Number, int fd = read_parts(task, in, async);
         task.request.readv(fd, task.parts.data(), task.parts.size(), in.int64());)
RONDO_FS(fs_writev, "writev", Number, int fd = read_parts(task, in, async);
         task.request.writev(fd, task.parts.data(), task.parts.size(), in.int64());)

void fill_read_file(FsCall& task, Arguments& in) {
  if (in.next_is_number()) {
    task.request.read_file(in.int32(), kMostFileBytes);
    in.int32();  // flags: it is open already
  } else {
    auto path = in.path();
    task.request.read_file(path, in.int32(), kMostFileBytes);
  }
  task.as_text = in.boolean();
}

void fill_write_file(FsCall& task, Arguments& in, bool async) {
  bool is_open = in.next_is_number();
  int fd = is_open ? in.int32() : -1;
  auto path = is_open ? std::string_view() : in.path();
  Value data = in.value();
  iovec part;
  if (data.isString()) {
    auto* realm = task.runtime->realm();
    task.text = to_utf8(realm, JSC::asString(data)->value(realm));
    part = {task.text.data(), task.text.size()};
  } else {
    part = part_of(task, data, 0, SIZE_MAX, async);
  }
  int flags = in.int32();
  if (is_open)
    task.request.write_file(fd, part.iov_base, part.iov_len);
  else
    task.request.write_file(path, part.iov_base, part.iov_len, flags, in.uint32());
}

RONDO_FS(fs_read_file, "readFile", Data, fill_read_file(task, in);)
RONDO_FS(fs_write_file, "writeFile", Nothing, fill_write_file(task, in, async);)

#undef RONDO_FS

Value fs_exists(Call& call) {
  Arguments in(call);
  const auto path = in.path();
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::FileSystemRead, path)) return call.raise(refusal);
  return in.call().value(path_exists(path));
}

Value fs_is_directory(Call& call) {
  Arguments in(call);
  const auto path = in.path();
  const auto* permission = Runtime::from(call.realm()).permission();
  if (permission && permission->is_enforced() && !permission->allows(Scope::FileSystemRead, path))
    return call.value(false);
  return in.call().value(is_directory(path).value_or(false));
}

// activeRequests(isPromised): how many of node:fs are under way, of those with callbacks or of those with promises
Value active_requests(Call& call) {
  const auto& state = Runtime::from(call.realm()).local<FsState>();
  return call.value(call.boolean(0) ? state.promised : state.taken - state.promised);
}

// (function): makes the error for a file of so many bytes that readFile cannot take.
Value fs_on_too_large(Call& call) {
  auto* realm = call.realm();
  if (auto* function = call.function(0))
    Runtime::from(realm).local<FsState>().make_too_large.set(realm->vm(), function);
  return call.undefined();
}

constexpr FunctionSpec kFunctions[] = {{"activeRequests", native<active_requests>, 1},
                                       {"traceCalls", native<trace_calls>, 2},
                                       {"access", native<fs_access>, 2},
                                       {"open", native<fs_open>, 3},
                                       {"close", native<fs_close>, 1},
                                       {"read", native<fs_read>, 5},
                                       {"write", native<fs_write>, 5},
                                       {"readv", native<fs_readv>, 3},
                                       {"writev", native<fs_writev>, 3},
                                       {"rename", native<fs_rename>, 2},
                                       {"link", native<fs_link>, 2},
                                       {"symlink", native<fs_symlink>, 2},
                                       {"unlink", native<fs_unlink>, 1},
                                       {"rmdir", native<fs_rmdir>, 1},
                                       {"mkdir", native<fs_mkdir>, 3},
                                       {"mkdtemp", native<fs_mkdtemp>, 2},
                                       {"readdir", native<fs_readdir>, 3},
                                       {"opendir", native<fs_opendir>, 2},
                                       {"readlink", native<fs_readlink>, 2},
                                       {"realpath", native<fs_realpath>, 2},
                                       {"followLinks", native<fs_follow_links>, 2},
                                       {"stat", native<fs_stat>, 3},
                                       {"lstat", native<fs_lstat>, 3},
                                       {"fstat", native<fs_fstat>, 2},
                                       {"statfs", native<fs_statfs>, 2},
                                       {"chmod", native<fs_chmod>, 2},
                                       {"fchmod", native<fs_fchmod>, 2},
                                       {"chown", native<fs_chown>, 3},
                                       {"lchown", native<fs_lchown>, 3},
                                       {"fchown", native<fs_fchown>, 3},
                                       {"utimes", native<fs_utimes>, 3},
                                       {"lutimes", native<fs_lutimes>, 3},
                                       {"futimes", native<fs_futimes>, 3},
                                       {"ftruncate", native<fs_ftruncate>, 2},
                                       {"fsync", native<fs_fsync>, 1},
                                       {"fdatasync", native<fs_fdatasync>, 1},
                                       {"copyFile", native<fs_copy_file>, 3},
                                       {"readFile", native<fs_read_file>, 3},
                                       {"writeFile", native<fs_write_file>, 5},
                                       {"exists", native<fs_exists>, 1},
                                       {"isDirectory", native<fs_is_directory>, 1},
                                       {"onTooLarge", native<fs_on_too_large>, 1}};

}  // namespace

void init_fs(Runtime& runtime, JSC::JSObject* target) {
  auto* realm = runtime.realm();
  put_functions(realm, target, kFunctions);
  init_fs_stats(runtime, target);
  auto& shared = runtime.local<FsState>();
  shared.use_promise = JSC::Symbol::createWithDescription(realm->vm(), "use a promise"_s);
  put(realm, target, "kUsePromise", shared.use_promise);
  put_fs_constants(realm, target);
  constexpr NumberSpec kTraces[] = {{"kTraceSyncWarning", kTraceSyncWarning},
                                    {"kTraceSyncEvents", kTraceSyncEvents},
                                    {"kTraceAsyncEvents", kTraceAsyncEvents}};
  put_numbers(realm, target, kTraces);
  init_fs_watch(runtime, target);
}

}  // namespace rondo::modules
