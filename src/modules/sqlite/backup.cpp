// See backup.h. lib/internal/sqlite/backup.js calls step() until all is copied and makes a promise of it.
#include "modules/sqlite/backup.h"

#include "modules/sqlite/mutex.h"
#include "modules/support/permission_check.h"
#include "runtime/handle_object.h"
#include "runtime/native_class.h"

#include "rondo/thread_pool.h"

namespace rondo::modules::sqlite {

using runtime::Continuation;

namespace {

constexpr runtime::Source kBackup{"sqlite backup", "SQLITEBACKUP"};

class Backup final : public NativeObject {
 public:
  explicit Backup(std::shared_ptr<Connection> source) : source(std::move(source)) {}
  ~Backup() override { finish(); }

  // No step may be under way.
  void finish() {
    if (handle) sqlite3_backup_finish(std::exchange(handle, nullptr));
    if (target) sqlite3_close_v2(std::exchange(target, nullptr));
  }

  std::shared_ptr<Connection> source;
  sqlite3* target = nullptr;
  sqlite3_backup* handle = nullptr;
  bool is_stepping = false;
};

Value raise_and_finish(Call& call, Backup& backup) {
  auto* error = make_error(call.realm(), backup.target);
  backup.finish();
  return call.raise(error);
}

// One batch of pages. It frees itself.
struct Step final : Job, runtime::Request {
  Step(Backup& backup, int pages, Continuation then) : backup(backup), pages(pages), then(std::move(then)) {
    job_class = JobClass::User;
    work = [](Job& job) {
      auto& step = static_cast<Step&>(job);
      step.result = sqlite3_backup_step(step.backup.handle, step.pages);
    };
    on_done = [](Job& job, int) { static_cast<Step&>(job).end(); };
    on_dropped = [](Job& job) {
      static_cast<Step&>(job).backup.is_stepping = false;
      delete static_cast<Step*>(&job);
    };
  }
  ~Step() override = default;

  void start() {
    backup.is_stepping = true;
    begin(backup.source->runtime);
    ThreadPool::shared().submit(backup.source->runtime.loop(), *this);
  }
  void cancel() override { ThreadPool::shared().cancel(*this); }

  // (error) or (null, total, remaining, isDone)
  void end() {
    Continuation last = std::move(then);  // keeps the backup
    runtime::Request::unlink();
    backup.is_stepping = false;
    JSC::MarkedArgumentBuffer arguments;
    if (!last.is_dead()) answer(arguments);
    delete this;
    if (arguments.size()) last(arguments);
  }

  void answer(JSC::MarkedArgumentBuffer& arguments) {
    const bool goes_on =
        result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_BUSY || result == SQLITE_LOCKED;
    if (!goes_on) {
      arguments.append(make_error(backup.source->runtime.realm(), result));
      return;
    }
    arguments.append(JSC::jsNull());
    arguments.append(JSC::jsNumber(sqlite3_backup_pagecount(backup.handle)));
    arguments.append(JSC::jsNumber(sqlite3_backup_remaining(backup.handle)));
    arguments.append(JSC::jsBoolean(result == SQLITE_DONE));
  }

  Backup& backup;
  int pages;
  Continuation then;
  int result = SQLITE_OK;
};

// step(pages, callback(error, total, remaining, isDone))
Value step(Call& call, Backup& backup) {
  if (!backup.handle || backup.is_stepping) return call.value(false);
  auto then = Continuation(backup.source->runtime, call.function(1), kBackup).keeping(call.self().asCell());
  (new Step(backup, call.int32(0), std::move(then)))->start();
  return call.value(true);
}

// finish() → the error of the target, or undefined
Value finish(Call& call, Backup& backup) {
  if (!backup.handle || backup.is_stepping) return call.undefined();
  const int result = sqlite3_backup_finish(std::exchange(backup.handle, nullptr));
  const Value failure = result == SQLITE_OK ? call.undefined() : call.value(make_error(call.realm(), backup.target));
  backup.finish();
  return failure;
}

constexpr FunctionSpec kMethods[] = {{"step", runtime::method<Backup, step>, 2},
                                     {"finish", runtime::method<Backup, finish>}};

// newBackup(database, path, name of the source, name of the target) → backup
Value new_backup(Call& call) {
  auto* connection = open_connection(call, call.at(0));
  if (!connection) return {};
  const auto path = call.string(1), source = call.string(2), target = call.string(3);
  if (auto* refusal = refused_database(connection->runtime, path.c_str(), Access::Write)) return call.raise(refusal);
  auto backup = std::make_unique<Backup>(native_of<Database>(call.at(0))->connection);
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
  if (sqlite3_open_v2(path.c_str(), &backup->target, flags, connection->system()) != SQLITE_OK)
    return raise_and_finish(call, *backup);
  share_connection(connection->handle);
  backup->handle = sqlite3_backup_init(backup->target, target.c_str(), connection->handle, source.c_str());
  if (!backup->handle) return raise_and_finish(call, *backup);
  auto* cell = runtime::make_instance(connection->runtime, std::move(backup), kMethods);
  cell->keep(call.vm(), call.at(0));
  return cell;
}

constexpr FunctionSpec kFunctions[] = {{"newBackup", native<new_backup>, 4}};

}  // namespace

void put_backup_functions(runtime::Runtime& runtime, JSC::JSObject* target) {
  put_functions(runtime.realm(), target, kFunctions);
}

}  // namespace rondo::modules::sqlite
