// See method_copy.h.
#include "engine/core/method_copy.h"

#include <JavaScriptCore/ArrayPrototype.h>
#include <JavaScriptCore/BigIntPrototype.h>
#include <JavaScriptCore/FunctionPrototype.h>
#include <JavaScriptCore/JSFunctionInlines.h>
#include <JavaScriptCore/LinkTimeConstant.h>
#include <JavaScriptCore/ObjectPrototype.h>
#include <JavaScriptCore/StringPrototype.h>

#include <cctype>

namespace rondo::engine {

namespace {

JSC::JSObject* prototype_named(JSC::JSGlobalObject* realm, std::string_view kind) {
  if (kind == "array") return realm->arrayPrototype();
  if (kind == "string") return realm->stringPrototype();
  if (kind == "function") return realm->functionPrototype();
  if (kind == "regexp") return realm->regExpStructure()->storedPrototypeObject();
  if (kind == "bytes") return JSC::asObject(realm->typedArrayPrototype(JSC::TypeUint8)->getPrototypeDirect());
  if (kind == "date") return realm->datePrototype();
  if (kind == "number") return realm->numberPrototype();
  if (kind == "boolean") return realm->booleanPrototype();
  if (kind == "bigint") return realm->bigIntPrototype();
  if (kind == "symbol") return realm->symbolPrototype();
  if (kind == "object") return realm->objectPrototype();
  if (kind == "error") return realm->errorPrototype();
  return nullptr;
}

// Regular expressions have two kinds of methods: the prototype's, which ask the expression for `exec` and `flags` at every step, and these, which
// the engine itself uses for an expression that nobody changed.
JSC::JSValue fast_method(JSC::JSGlobalObject* realm, std::string_view name) {
  using JSC::LinkTimeConstant;
  if (name == "regexpTest") return realm->linkTimeConstant(LinkTimeConstant::regExpTestFast);
  if (name == "regexpMatch") return realm->linkTimeConstant(LinkTimeConstant::regExpMatchFast);
  if (name == "regexpSearch") return realm->linkTimeConstant(LinkTimeConstant::regExpSearchFast);
  if (name == "regexpSplit") return realm->linkTimeConstant(LinkTimeConstant::regExpSplitFast);
  return {};
}

JSC::JSValue method_of(JSC::JSGlobalObject* realm, std::string_view name) {
  size_t end = 0;
  while (!std::isupper(static_cast<unsigned char>(name[end]))) end++;
  auto* prototype = prototype_named(realm, name.substr(0, end));
  RELEASE_ASSERT(prototype);
  std::string method(name.substr(end));
  method[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(method[0])));
  return prototype->get(realm, identifier(realm->vm(), method));
}

JSC::JSFunction* copy_function(JSC::JSGlobalObject* realm, JSC::JSFunction* function) {
  auto& vm = realm->vm();
  if (!function->isHostFunction()) return JSC::JSFunction::create(vm, function->jsExecutable(), function->scope());
  auto* code = JSC::jsCast<JSC::NativeExecutable*>(function->executable());
  return JSC::JSFunction::create(vm, realm, 0, function->name(vm), code->function().retagged<WTF::CFunctionPtrTag>(),
                                 code->implementationVisibility(), code->intrinsic());
}

}  // namespace

JSC::JSFunction* copy_method(JSC::JSGlobalObject* realm, std::string_view name) {
  auto& vm = realm->vm();
  JSC::JSValue found = fast_method(realm, name);
  if (!found) found = method_of(realm, name);
  auto* copy = copy_function(realm, JSC::jsCast<JSC::JSFunction*>(found));
  constexpr std::string_view kCallers[] = {"call", "apply"};
  for (auto caller : kCallers) {
    const auto id = identifier(vm, caller);
    copy->putDirect(vm, id, realm->functionPrototype()->getDirect(vm, id));
  }
  return copy;
}

}  // namespace rondo::engine
