// native('vm'): scripts, contexts and functions compiled for node:vm (lib/internal/vm/vm.js validates and words errors).
#include "engine/core/context_realm.h"
#include "engine/core/script.h"
#include "engine/core/buffer_class.h"
#include "engine/errors/stack_trace.h"
#include "engine/modules/module_record.h"
#include "runtime/runtime.h"

#include <JavaScriptCore/JSGlobalLexicalEnvironment.h>

namespace rondo::modules {

using namespace engine;
using runtime::Runtime;

namespace {

// The realm a context object stands for; the program's own for anything else.
JSC::JSGlobalObject* realm_of(const Call& call, unsigned index) {
  auto* object = call.object(index);
  if (!object) return call.realm();
  if (auto* proxy = JSC::jsDynamicCast<JSC::JSGlobalProxy*>(object)) object = proxy->target();
  if (auto* context = JSC::jsDynamicCast<ContextRealm*>(object)) return context;
  return call.realm();
}

// makeContext(sandbox | undefined, allows eval, allows WebAssembly, prepare(globalThis)) → the context's globalThis. It is prepared
// before the sandbox hides anything of the language.
Value make_context(Call& call) {
  auto* realm = call.realm();
  auto* context = ContextRealm::create(call.vm(), Realm::from(realm));
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(context->globalThis());
  auto outcome = call.invoke(call.at(3), JSC::jsUndefined(), arguments);
  if (outcome.exception) return call.raise(outcome.exception);
  context->open(call.object(0));
  if (!call.boolean(1)) context->setEvalEnabled(false, "Code generation from strings disallowed for this context"_s);
  if (!call.boolean(2)) context->setWebAssemblyEnabled(false, "Wasm code generation disallowed by embedder"_s);
  return call.value(context->globalThis());
}

// loadInContext(context, id) → the exports of a file of lib/, run in the context
Value load_in_context(Call& call) {
  auto outcome = Runtime::from(call.realm()).builtins().load_in(realm_of(call, 0), call.string(1));
  if (outcome.exception) return call.raise(outcome.exception);
  return call.value(outcome.value);
}

// setImporter(context, function(specifier, address of the script, options) → promise of a namespace): what import() in its scripts does
Value set_importer(Call& call) {
  auto* context = JSC::jsDynamicCast<ContextRealm*>(realm_of(call, 0));
  auto* function = call.function(1);
  if (!context || !function) return call.type_error("setImporter takes a context and a function");
  context->set_importer(function);
  return call.undefined();
}

ScriptSource source_of(const Call& call) {
  return {.text = call.wtf_string(0),
          .url = call.wtf_string(1),
          .origin = call.wtf_string(2),
          .line = call.int32(3),
          .column = call.int32(4)};
}

// compile(text, filename, origin, lineOffset, columnOffset, cachedData | undefined) → script; throws a SyntaxError
Value compile(Call& call) {
  auto* realm = call.realm();
  auto scope = DECLARE_THROW_SCOPE(call.vm());
  auto* script = compile_script(realm, source_of(call), call.bytes(5));
  RETURN_IF_EXCEPTION(scope, {});
  return call.value(script);
}

void tell_place(const Call& call, JSC::Exception* exception) {
  auto* array = JSC::jsDynamicCast<JSC::JSArray*>(call.at(3));
  auto site = throw_site(call.vm(), exception);
  if (!array || !site.line) return;
  array->push(call.realm(), make_string(call.vm(), site.url));
  array->push(call.realm(), JSC::jsNumber(site.line));
  array->push(call.realm(), JSC::jsNumber(site.column));
  array->push(call.realm(), make_string(call.vm(), site.text));
}

// The error of a run that was ended before its time.
Value raise_limit(const Call& call, const ScriptOutcome& outcome, int64_t milliseconds) {
  if (outcome.is_interrupted)
    return raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_SCRIPT_EXECUTION_INTERRUPTED"_s,
                           "Script execution was interrupted by `SIGINT`"_s);
  return raise_with_code(call.realm(), JSC::ErrorType::Error, "ERR_SCRIPT_EXECUTION_TIMEOUT"_s,
                         to_wtf("Script execution timed out after " + std::to_string(milliseconds) + "ms"));
}

// run(script, context | undefined, timeout in ms or 0, place, whether SIGINT ends it) → value; what it throws puts its place into the array
Value run(Call& call) {
  auto* target = realm_of(call, 1);
  if (auto* context = JSC::jsDynamicCast<ContextRealm*>(target)) context->give_way();
  auto outcome = run_script(target, call.object(0), {.timeout_ms = call.number(2), .ends_by_sigint = call.boolean(4)});
  if (auto* context = JSC::jsDynamicCast<ContextRealm*>(target)) context->publish_declarations();
  if (outcome.is_timeout || outcome.is_interrupted) return raise_limit(call, outcome, call.int64(2));
  if (outcome.exception) {
    tell_place(call, outcome.exception);
    return call.raise(outcome.exception);
  }
  return call.value(outcome.value);
}

// cachedData(script) → bytes that compile() takes again
Value cached_data(Call& call) {
  auto* realm = call.realm();
  auto bytes = script_cache(call.vm(), call.object(0));
  return call.value(make_uint8_array(realm, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}));
}

Value was_cache_rejected(Call& call) { return call.value(script_rejected_cache(call.object(0))); }

// compileFunction(text, filename, origin, lineOffset, columnOffset, context | undefined, parameters text, extensions count)
Value compile_function_in(Call& call) {
  auto* target = realm_of(call, 5);
  if (auto* context = JSC::jsDynamicCast<ContextRealm*>(target)) context->give_way();
  auto outcome = compile_detached(target, source_of(call), call.wtf_string(6), call.uint32(7));
  if (outcome.exception) return call.raise(outcome.exception);
  return call.value(outcome.value);
}

// compileModule(text, identifier, origin, lineOffset, columnOffset, context | undefined, bytecode | undefined) → record
Value compile_module(Call& call) {
  auto outcome = parse_module(realm_of(call, 5), source_of(call), call.bytes(6));
  return outcome.exception ? call.raise(outcome.exception) : call.value(outcome.value);
}

Value requests_of_record(Call& call) {
  return is_module_record(call.at(0)) ? call.value(requests_of(call.realm(), call.at(0))) : call.undefined();
}

// setDependencies(record, specifiers, records)
Value set_dependencies(Call& call) {
  auto* specifiers = JSC::jsDynamicCast<JSC::JSArray*>(call.at(1));
  auto* records = JSC::jsDynamicCast<JSC::JSArray*>(call.at(2));
  if (!is_module_record(call.at(0)) || !specifiers || !records)
    return call.type_error("setDependencies takes a record and two arrays");
  for (unsigned i = 0; i < specifiers->length() && i < records->length(); i++)
    set_dependency(call.realm(), call.at(0), specifiers->getIndex(call.realm(), i), records->getIndex(call.realm(), i));
  return call.undefined();
}

Value link(Call& call) {
  if (!is_module_record(call.at(0))) return call.undefined();
  auto outcome = link_record(call.at(0));
  return outcome.exception ? call.raise(outcome.exception) : call.undefined();
}

Value namespace_of(Call& call) {
  if (!is_module_record(call.at(0))) return call.undefined();
  auto outcome = namespace_of_record(call.at(0));
  return outcome.exception ? call.raise(outcome.exception) : call.value(outcome.value);
}

// makeSyntheticModule(identifier, export names, context | undefined) → record
Value make_synthetic(Call& call) {
  std::vector<WTF::String> names;
  if (auto* list = JSC::jsDynamicCast<JSC::JSArray*>(call.at(1))) {
    for (unsigned i = 0; i < list->length(); i++)
      names.push_back(list->getIndex(call.realm(), i).toWTFString(call.realm()));
  }
  return call.value(make_synthetic_record(realm_of(call, 2), call.wtf_string(0), names));
}

Value set_export(Call& call) {
  return call.value(is_module_record(call.at(0)) && set_synthetic_export(call.at(0), call.wtf_string(1), call.at(2)));
}

// callWithin(function, timeout in ms or 0, whether SIGINT ends it) → what it returns
Value call_within(Call& call) {
  auto outcome =
      call_limited(call.realm(), call.at(0), {.timeout_ms = call.number(1), .ends_by_sigint = call.boolean(2)});
  if (outcome.is_timeout || outcome.is_interrupted) return raise_limit(call, outcome, call.int64(1));
  return outcome.exception ? call.raise(outcome.exception) : call.value(outcome.value);
}

// lexicalNames(context) → the names that let, const and class have declared at the top of its scripts
Value lexical_names(Call& call) {
  auto* scope = realm_of(call, 0)->globalLexicalEnvironment();
  JSC::MarkedArgumentBuffer names;
  {
    auto* table = scope->symbolTable();
    const JSC::ConcurrentJSLocker locker(table->m_lock);
    for (auto entry = table->begin(locker), end = table->end(locker); entry != end; ++entry) {
      if (!entry->key->isSymbol()) names.append(JSC::jsString(call.vm(), WTF::String(entry->key.get())));
    }
  }
  return call.value(make_array(call.realm(), names));
}

constexpr FunctionSpec kFunctions[] = {{"makeContext", native<make_context>, 4},
                                       {"loadInContext", native<load_in_context>, 2},
                                       {"setImporter", native<set_importer>, 2},
                                       {"compile", native<compile>, 6},
                                       {"run", native<run>, 5},
                                       {"cachedData", native<cached_data>, 1},
                                       {"isCacheRejected", native<was_cache_rejected>, 1},
                                       {"compileFunction", native<compile_function_in>, 8},
                                       {"compileModule", native<compile_module>, 7},
                                       {"requestsOfRecord", native<requests_of_record>, 1},
                                       {"setDependencies", native<set_dependencies>, 3},
                                       {"linkRecord", native<link>, 1},
                                       {"namespaceOfRecord", native<namespace_of>, 1},
                                       {"makeSyntheticModule", native<make_synthetic>, 3},
                                       {"setSyntheticExport", native<set_export>, 3},
                                       {"callWithin", native<call_within>, 3},
                                       {"lexicalNames", native<lexical_names>, 1}};

}  // namespace

void init_vm(Runtime& runtime, JSC::JSObject* target) { put_functions(runtime.realm(), target, kFunctions); }

}  // namespace rondo::modules
