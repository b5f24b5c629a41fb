// native('modules'): what the module loaders in lib/internal/modules need: quick looks at the file system, compiling and
// evaluating. Resolution itself is JavaScript.
#include "runtime/runtime.h"

#include "modules/code/modules_load_report.h"
#include "modules/support/permission_check.h"

#include "engine/modules/module_loader.h"
#include "engine/modules/module_record.h"
#include "engine/core/source.h"

#include "rondo/system.h"

#include <cerrno>
#include <cstdlib>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

Value outcome_value(const Call& call, const CallOutcome& outcome) {
  return outcome.exception ? call.raise(outcome.exception) : call.value(outcome.value);
}

Value stat_kind(Call& call) {
  auto directory = is_directory(call.string(0));
  return call.value(directory ? static_cast<int>(*directory) : -directory.error().number);
}

constexpr uint64_t kMostText = 1ULL << 29;  // what a string can hold; a device may have no end

Value read_file_utf8(Call& call) {
  const std::string path = call.string(0);
  if (auto* refusal = refused(Runtime::from(call.realm()), Scope::FileSystemRead, path)) return call.raise(refusal);
  auto text = read_whole_file(path, kMostText);
  if (!text) {
    const int error = text.error().number;
    const char* syscall = text.error().syscall ? text.error().syscall : "open";
    return error == EISDIR ? call.system_error(error, "read") : call.system_error(error, syscall, path);
  }
  report_load(Runtime::from(call.realm()), path);
  return call.text(*text);
}

// One that may not be read is as one that is not there.
Value read_package_json(Call& call) {
  const std::string path = call.string(0);
  const auto* permission = Runtime::from(call.realm()).permission();
  if (permission && permission->is_enforced() && !permission->allows(Scope::FileSystemRead, path))
    return call.undefined();
  auto text = read_whole_file(path);
  if (permission && text) permission->allows(Scope::FileSystemRead, path);  // noted for `rondo why`
  return text ? call.text(*text) : call.undefined();
}

Value resolve_path(Call& call) {
  const std::string path = call.string(0);
  auto resolved = real_path(path);
  return resolved ? call.text(*resolved) : call.system_error(resolved.error().number, "lstat", path);
}

WTF::String origin_of(const WTF::String& filename) {
  if (!filename.startsWith('/')) return filename;
  return WTF::URL::fileURLWithFileSystemPath(filename).string();
}

// compileFunction(source, filename, parameters, bytecode | undefined) → function
Value compile_function(Call& call) {
  auto* realm = call.realm();
  std::vector<std::string> names;
  if (auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(2))) {
    for (unsigned i = 0; i < list->length(); i++)
      names.push_back(to_utf8(realm, list->getIndex(realm, i).toWTFString(realm)));
  }
  std::vector<std::string_view> parameters(names.begin(), names.end());
  auto filename = call.wtf_string(1);
  auto outcome = engine::compile_function(realm, {.body = call.wtf_string(0),
                                                  .url = filename,
                                                  .origin = origin_of(filename),
                                                  .parameters = parameters,
                                                  .bytecode = bytes_of(call.at(3))});
  Runtime::from(call.realm()).end_startup();  // the program's first code is about to run
  return outcome_value(call, outcome);
}

Value run_script(Call& call) {
  auto* realm = call.realm();
  auto name = call.wtf_string(1);
  // '[eval]' and the like have no place of their own: import() from there resolves against the working directory.
  auto origin = name.startsWith('/') ? origin_of(name) : WTF::String();
  if (origin.isNull()) {
    char cwd[PATH_MAX];
    if (::getcwd(cwd, sizeof cwd)) origin = origin_of(to_wtf(std::string(cwd) + "/" + to_utf8(name)));
  }
  Runtime::from(call.realm()).end_startup();
  return outcome_value(call, evaluate_script(realm, call.wtf_string(0), name, origin));
}

Value parses_as_module(Call& call) {
  auto* realm = call.realm();
  return call.value(check_syntax(realm, call.wtf_string(0), call.wtf_string(1), Grammar::Module).isEmpty());
}

// checkSyntax(source, filename, asModule) → SyntaxError or undefined
Value check(Call& call) {
  auto* realm = call.realm();
  Value error = check_syntax(realm, call.wtf_string(0), call.wtf_string(1),
                             call.boolean(2) ? Grammar::Module : Grammar::CommonJS);
  return error.isEmpty() ? call.undefined() : call.value(error);
}

// syntaxPlace(source, asModule) → [line, column, length] of the token that cannot be there, or undefined
Value place_of_syntax_error(Call& call) {
  auto* realm = call.realm();
  auto place = syntax_place(realm, call.wtf_string(0), call.boolean(1) ? Grammar::Module : Grammar::CommonJS);
  if (!place) return call.undefined();
  JSC::MarkedArgumentBuffer parts;
  for (unsigned part : {place->line, place->column, place->length}) parts.append(JSC::jsNumber(part));
  return call.value(make_array(realm, parts));
}

// loadModule(key, type | undefined) → undefined, or a promise while it waits
Value load(Call& call) {
  Runtime::from(call.realm()).end_startup();
  return outcome_value(call, load_module(Realm::from(call.realm()), call.wtf_string(0), call.at(1)));
}

Value link(Call& call) { return outcome_value(call, link_module(Realm::from(call.realm()), call.at(0))); }

// evaluateModuleSync(key) → the namespace. Refuses a graph that awaits.
Value evaluate_module_sync(Call& call) {
  auto* realm = call.realm();
  auto key = call.wtf_string(0);
  auto* own = Realm::from(realm);
  auto outcome = evaluate_sync(own, key);
  if (outcome.exception) return call.raise(outcome.exception);
  return outcome_value(call, namespace_of(own, key));
}

Value namespace_of_module(Call& call) {
  return outcome_value(call, namespace_of(Realm::from(call.realm()), call.wtf_string(0)));
}

Value entry_of_module(Call& call) { return call.value(module_entry(Realm::from(call.realm()), call.wtf_string(0))); }

// executeModule(record, what the await gave or threw, 0 or 2) → what is awaited next
Value execute(Call& call) {
  return outcome_value(call, execute_module(call.realm(), call.at(0), call.at(1), call.int32(2)));
}

Value is_suspended(Call& call) { return call.value(is_module_suspended(call.at(0))); }

Value awaits_at_top(Call& call) { return call.value(has_top_level_await(call.vm(), call.at(0))); }

Value has_builtin(Call& call) { return call.value(Runtime::from(call.realm()).builtins().has(call.string(0))); }

Value has_loaded_builtin(Call& call) {
  return call.value(Runtime::from(call.realm()).builtins().has_loaded(call.string(0)));
}

Value is_proxy(Call& call) {
  return call.value(call.at(0).isCell() && call.at(0).asCell()->type() == JSC::ProxyObjectType);
}

constexpr FunctionSpec kFunctions[] = {{"statKind", native<stat_kind>, 1},
                                       {"readFileUtf8", native<read_file_utf8>, 1},
                                       {"readPackageJson", native<read_package_json>, 1},
                                       {"realpath", native<resolve_path>, 1},
                                       {"compileFunction", native<compile_function>, 4},
                                       {"runScript", native<run_script>, 2},
                                       {"parsesAsModule", native<parses_as_module>, 2},
                                       {"checkSyntax", native<check>, 3},
                                       {"syntaxPlace", native<place_of_syntax_error>, 2},
                                       {"loadModule", native<load>, 2},
                                       {"linkModule", native<link>, 1},
                                       {"evaluateModuleSync", native<evaluate_module_sync>, 1},
                                       {"moduleNamespace", native<namespace_of_module>, 1},
                                       {"moduleEntry", native<entry_of_module>, 1},
                                       {"executeModule", native<execute>, 3},
                                       {"isModuleSuspended", native<is_suspended>, 1},
                                       {"moduleHasTopLevelAwait", native<awaits_at_top>, 1},
                                       {"hasBuiltin", native<has_builtin>, 1},
                                       {"hasLoadedBuiltin", native<has_loaded_builtin>, 1},
                                       {"isProxy", native<is_proxy>, 1}};

}  // namespace

void init_modules(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
