// native('modules'): what the module loaders in lib/internal/modules need: quick looks at the file system, compiling and
// evaluating. Resolution itself is JavaScript.
#include "runtime/runtime.h"

#include "modules/modules_load_report.h"

#include "engine/modules/module_loader.h"
#include "engine/core/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

Encoded outcome_value(const Call& call, const CallOutcome& outcome) {
  return outcome.exception ? call.raise(outcome.exception) : call.value(outcome.value);
}

// The file's bytes, or an errno with the failing call.
int read_whole(const std::string& path, std::string& out, const char*& syscall) {
  syscall = "open";
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  struct stat info;
  syscall = "read";
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) out.reserve(static_cast<size_t>(info.st_size) + 1);
  char chunk[65536];
  for (;;) {
    ssize_t n = ::read(fd, chunk, sizeof chunk);
    if (n > 0) {
      out.append(chunk, static_cast<size_t>(n));
    } else if (n == 0 || errno != EINTR) {
      int error = n == 0 ? 0 : errno;
      ::close(fd);
      return error;
    }
  }
}

Encoded stat_kind(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  struct stat info;
  if (::stat(call.string(0).c_str(), &info) != 0) return call.value(-errno);
  return call.value(S_ISDIR(info.st_mode) ? 1 : 0);
}

Encoded read_file_utf8(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  std::string path = call.string(0), text;
  const char* syscall = "";
  if (int error = read_whole(path, text, syscall)) {
    return error == EISDIR ? call.system_error(error, "read") : call.system_error(error, syscall, path);
  }
  report_load(path);
  return call.text(text);
}

Encoded read_package_json(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  std::string text;
  const char* syscall = "";
  if (read_whole(call.string(0), text, syscall)) return call.undefined();
  return call.text(text);
}

Encoded real_path(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  std::string path = call.string(0);
  char resolved[PATH_MAX];
  if (!::realpath(path.c_str(), resolved)) return call.system_error(errno, "lstat", path);
  return call.text(resolved);
}

WTF::String origin_of(const WTF::String& filename) {
  if (!filename.startsWith('/')) return filename;
  return WTF::URL::fileURLWithFileSystemPath(filename).string();
}

// compileFunction(source, filename, parameters, bytecode | undefined) → function
Encoded compile_function(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  std::vector<std::string> names;
  if (auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(2))) {
    for (unsigned i = 0; i < list->length(); i++) names.push_back(to_utf8(list->getIndex(realm, i).toWTFString(realm)));
  }
  std::vector<std::string_view> parameters(names.begin(), names.end());
  auto filename = call.wtf_string(1);
  auto outcome = engine::compile_function(realm, {.body = call.wtf_string(0),
                                                  .url = filename,
                                                  .origin = origin_of(filename),
                                                  .parameters = parameters,
                                                  .bytecode = bytes_of(call.at(3))});
  Runtime::from(realm).end_startup();  // the program's first code is about to run
  return outcome_value(call, outcome);
}

Encoded run_script(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto name = call.wtf_string(1);
  // '[eval]' and the like have no place of their own: import() from there resolves against the working directory.
  auto origin = name.startsWith('/') ? origin_of(name) : WTF::String();
  if (origin.isNull()) {
    char cwd[PATH_MAX];
    if (::getcwd(cwd, sizeof cwd)) origin = origin_of(to_wtf(std::string(cwd) + "/" + to_utf8(name)));
  }
  Runtime::from(realm).end_startup();
  return outcome_value(call, evaluate_script(realm, call.wtf_string(0), name, origin));
}

Encoded parses_as_module(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  return call.value(check_syntax(realm, call.wtf_string(0), call.wtf_string(1), Grammar::Module).isEmpty());
}

// checkSyntax(source, filename, asModule) → SyntaxError or undefined
Encoded check(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  Value error = check_syntax(realm, call.wtf_string(0), call.wtf_string(1),
                             call.boolean(2) ? Grammar::Module : Grammar::CommonJS);
  return error.isEmpty() ? call.undefined() : call.value(error);
}

// syntaxPlace(source, asModule) → [line, column, length] of the token that cannot be there, or undefined
Encoded place_of_syntax_error(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto place = syntax_place(realm, call.wtf_string(0), call.boolean(1) ? Grammar::Module : Grammar::CommonJS);
  if (!place) return call.undefined();
  JSC::MarkedArgumentBuffer parts;
  for (unsigned part : {place->line, place->column, place->length}) parts.append(JSC::jsNumber(part));
  return call.value(Value(JSC::constructArray(realm, static_cast<JSC::ArrayAllocationProfile*>(nullptr), parts)));
}

Encoded import_module(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  Runtime::from(realm).end_startup();
  auto* promise = import_by_key(Realm::from(realm), call.wtf_string(0));
  // The loader's promise is of an internal kind; programs get an ordinary one.
  return call.value(promise ? JSC::JSPromise::resolvedPromise(realm, promise) : nullptr);
}

Encoded evaluate_module_sync(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  auto key = call.wtf_string(0);
  auto* own = Realm::from(realm);
  if (module_status(own, key) != ModuleStatus::Evaluated) {
    auto outcome = evaluate_sync(own, key);
    if (outcome.exception) return call.raise(outcome.exception);
    auto* promise = outcome.value.isCell() ? JSC::jsDynamicCast<JSC::JSPromise*>(outcome.value.asCell()) : nullptr;
    if (promise && promise->status(call.vm()) == JSC::JSPromise::Status::Pending) {
      auto* error = JSC::createError(
          realm, "require() cannot be used on an ESM graph with top-level await. Use import() instead."_s);
      put(realm, error, "code", make_string(call.vm(), "ERR_REQUIRE_ASYNC_MODULE"));
      return call.raise(error);
    }
  }
  return outcome_value(call, namespace_of(own, key));
}

Encoded status_of(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  switch (module_status(Realm::from(realm), call.wtf_string(0))) {
    case ModuleStatus::Absent:
      return call.undefined();
    case ModuleStatus::Linking:
      return call.text("loaded");
    case ModuleStatus::Evaluated:
      return call.text("evaluated");
  }
  return call.undefined();
}

Encoded has_builtin(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  return call.value(Runtime::from(realm).builtins().has(call.string(0)));
}

Encoded has_loaded_builtin(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  return call.value(Runtime::from(realm).builtins().has_loaded(call.string(0)));
}

Encoded is_proxy(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  Call call(realm, frame);
  return call.value(call.at(0).isCell() && call.at(0).asCell()->type() == JSC::ProxyObjectType);
}

constexpr FunctionSpec kFunctions[] = {{"statKind", stat_kind, 1},
                                       {"readFileUtf8", read_file_utf8, 1},
                                       {"readPackageJson", read_package_json, 1},
                                       {"realpath", real_path, 1},
                                       {"compileFunction", compile_function, 4},
                                       {"runScript", run_script, 2},
                                       {"parsesAsModule", parses_as_module, 2},
                                       {"checkSyntax", check, 3},
                                       {"syntaxPlace", place_of_syntax_error, 2},
                                       {"importModule", import_module, 1},
                                       {"evaluateModuleSync", evaluate_module_sync, 1},
                                       {"moduleStatus", status_of, 1},
                                       {"hasBuiltin", has_builtin, 1},
                                       {"hasLoadedBuiltin", has_loaded_builtin, 1},
                                       {"isProxy", is_proxy, 1}};

}  // namespace

void init_modules(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
