// See method_copy.h.
#include "engine/core/method_copy.h"

#include <JavaScriptCore/ArrayPrototype.h>
#include <JavaScriptCore/BigIntPrototype.h>
#include <JavaScriptCore/FunctionPrototype.h>
#include <JavaScriptCore/JSFunctionInlines.h>
#include <JavaScriptCore/LinkTimeConstant.h>
#include <JavaScriptCore/Lookup.h>
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

struct MethodPlace {
  JSC::JSObject* prototype;
  JSC::Identifier name;
};

MethodPlace place_of(JSC::JSGlobalObject* realm, std::string_view name) {
  size_t end = 0;
  while (!std::isupper(static_cast<unsigned char>(name[end]))) end++;
  auto* prototype = prototype_named(realm, name.substr(0, end));
  RELEASE_ASSERT(prototype);
  std::string method(name.substr(end));
  method[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(method[0])));
  return {prototype, identifier(realm->vm(), method)};
}

// The engine's own entry for a method that becomes a property when it is first asked for.
const JSC::HashTableValue* table_entry(const MethodPlace& place) {
  for (const auto* info = place.prototype->classInfo(); info; info = info->parentClass) {
    if (!info->staticPropHashTable) continue;
    if (const auto* entry = info->staticPropHashTable->entry(place.name)) return entry;
  }
  return nullptr;
}

// A native function without own properties; JSFunction::create gives it a name and a length, which nothing here asks for.
class NativeCopy final : public JSC::JSFunction {
 public:
  static JSC::JSFunction* create(JSC::JSGlobalObject* realm, JSC::NativeExecutable* code) {
    auto& vm = realm->vm();
    auto* function = new (NotNull, JSC::allocateCell<JSC::JSFunction>(vm))
        NativeCopy(vm, code, realm, realm->hostFunctionStructure());
    function->finishCreation(vm);
    return function;
  }

 private:
  using JSFunction::JSFunction;
};

JSC::JSFunction* copy_function(JSC::JSGlobalObject* realm, JSC::JSFunction* function) {
  if (!function->isHostFunction())
    return JSC::JSFunction::create(realm->vm(), function->jsExecutable(), function->scope());
  return NativeCopy::create(realm, JSC::jsCast<JSC::NativeExecutable*>(function->executable()));
}

JSC::JSFunction* function_from_table(JSC::JSGlobalObject* realm, const JSC::HashTableValue& entry) {
  auto& vm = realm->vm();
  if (entry.attributes() & static_cast<unsigned>(JSC::PropertyAttribute::Builtin))
    return JSC::JSFunction::create(vm, entry.builtinGenerator()(vm), realm);
  return NativeCopy::create(
      realm, vm.getHostFunction(entry.function(), JSC::ImplementationVisibility::Public, entry.intrinsic(),
                                JSC::callHostFunctionAsConstructor, nullptr, entry.m_key));
}

}  // namespace

MethodCopier::MethodCopier(JSC::JSGlobalObject* realm) : realm_(realm) {
  auto& vm = realm->vm();
  auto* callers = JSC::constructEmptyObject(vm, realm->nullPrototypeObjectStructure());
  for (const auto& name : {identifier(vm, "call"), identifier(vm, "apply")})
    callers->putDirect(vm, name, realm->functionPrototype()->getDirect(vm, name));
  callers_.set(vm, callers);
}

Value MethodCopier::original(std::string_view name) {
  if (Value fast = fast_method(realm_, name)) return fast;
  const auto place = place_of(realm_, name);
  return table_entry(place) ? JSC::jsUndefined() : place.prototype->getDirect(realm_->vm(), place.name);
}

JSC::JSFunction* MethodCopier::copy(std::string_view name, Value original) {
  auto* copy = original.isUndefined() ? function_from_table(realm_, *table_entry(place_of(realm_, name)))
                                      : copy_function(realm_, JSC::jsCast<JSC::JSFunction*>(original));
  copy->setPrototypeDirect(realm_->vm(), callers_.get());
  return copy;
}

}  // namespace rondo::engine
