// See context_realm.h.
#include "engine/core/context_realm.h"

#include "engine/core/entry.h"
#include "engine/modules/module_loader.h"
#include "engine/patches/promise_any_message.h"
#include "engine/patches/regexp_replace.h"
#include "engine/patches/microtask_queue.h"
#include "engine/errors/stack_trace.h"

#include <JavaScriptCore/Debugger.h>
#include <JavaScriptCore/PropertyNameArray.h>
#include <JavaScriptCore/ProxyObject.h>

namespace rondo::engine {

namespace {

// import() in a script: by the context's importer; without one as everywhere.
JSC::JSInternalPromise* import_from_script(JSC::JSGlobalObject* global, JSC::JSModuleLoader* loader,
                                           JSC::JSString* specifier, Value options, const JSC::SourceOrigin& origin) {
  auto& vm = global->vm();
  auto* importer = JSC::jsCast<ContextRealm*>(global)->importer();
  if (!importer) return import_module(global, loader, specifier, options, origin);
  auto* promise = JSC::JSInternalPromise::create(vm, global->internalPromiseStructure());
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(specifier);
  arguments.append(JSC::jsString(vm, origin.url().string()));
  arguments.append(options && options.isObject() ? options : JSC::jsUndefined());
  auto outcome = call(global, importer, JSC::jsUndefined(), arguments);
  if (outcome.exception)
    promise->reject(global, outcome.exception->value());
  else
    promise->resolve(global, outcome.value);
  return promise;
}

const JSC::GlobalObjectMethodTable& context_table() {
  static const JSC::GlobalObjectMethodTable table = [] {
    auto made = method_table;
    made.moduleLoaderImportModule = import_from_script;
    made.compileStreaming = nullptr;  // its Response is the main realm's
    made.instantiateStreaming = nullptr;
    return made;
  }();
  return table;
}

}  // namespace

namespace JSCastingHelpers = JSC::JSCastingHelpers;

const JSC::ClassInfo ContextRealm::s_info = {"Object"_s, &Base::s_info, nullptr, nullptr,
                                             CREATE_METHOD_TABLE(ContextRealm)};

ContextRealm::ContextRealm(JSC::VM& vm, JSC::Structure* structure) : Base(vm, structure, &context_table()) {}

ContextRealm* ContextRealm::create(JSC::VM& vm, Realm* main) {
  auto* structure =
      JSC::Structure::create(vm, nullptr, JSC::jsNull(), JSC::TypeInfo(JSC::GlobalObjectType, StructureFlags), info());
  auto* realm = new (NotNull, JSC::allocateCell<ContextRealm>(vm)) ContextRealm(vm, structure);
  realm->finishCreation(vm);
  realm->main_.set(vm, realm, main);
  install_promise_any_message(realm);
  install_regexp_replace(realm);
  share_microtask_queue(realm, main);
  auto* capture = JSC::JSFunction::create(vm, realm, 2, "captureStackTrace"_s, native<capture_stack_trace>,
                                          JSC::ImplementationVisibility::Public);
  realm->errorConstructor()->putDirect(vm, identifier(vm, "captureStackTrace"), capture,
                                       static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
  // The engine's console writes nowhere.
  realm->forget(identifier(vm, "console"));
  if (auto* debugger = main->debugger()) debugger->attach(realm);  // its scripts stop, too
  return realm;
}

void ContextRealm::open(JSC::JSObject* sandbox) {
  auto& vm = this->vm();
  JSC::PropertyNameArray names(vm, JSC::PropertyNameMode::StringsAndSymbols, JSC::PrivateSymbolMode::Exclude);
  Base::getOwnPropertyNames(this, this, names, JSC::DontEnumPropertiesMode::Include);
  for (auto& name : names) language_.add(name.impl());
  if (sandbox) sandbox_.set(vm, this, sandbox);
}

ContextRealm* ContextRealm::create_facade(JSC::VM& vm, Realm* main, JSC::JSObject* members) {
  auto* realm = create(vm, main);
  realm->sandbox_.set(vm, realm, members);
  realm->is_facade_ = true;
  realm->setPrototypeDirect(vm, JSC::jsNull());
  return realm;
}

namespace {

// Whether reading `name` from the sandbox finds something. A proxy answers for every name; but as in V8, one without a `get` trap
// has only what its target has.
bool may_have(JSC::JSGlobalObject* global, JSC::JSObject* sandbox, JSC::PropertyName name) {
  auto& vm = global->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  if (sandbox->type() != JSC::ProxyObjectType) return true;
  while (sandbox->type() == JSC::ProxyObjectType) {
    auto* proxy = JSC::jsCast<JSC::ProxyObject*>(sandbox);
    Value handler = proxy->handler();
    if (!handler.isObject()) return true;  // revoked: reading throws
    Value trap = JSC::asObject(handler)->get(global, vm.propertyNames->get);
    RETURN_IF_EXCEPTION(scope, false);
    if (!trap.isUndefinedOrNull()) return true;
    sandbox = proxy->target();
  }
  RELEASE_AND_RETURN(scope, sandbox->hasProperty(global, name));
}

}  // namespace

bool ContextRealm::getOwnPropertySlot(JSC::JSObject* object, JSC::JSGlobalObject* global, JSC::PropertyName name,
                                      JSC::PropertySlot& slot) {
  auto* self = JSC::jsCast<ContextRealm*>(object);
  auto* sandbox = self->sandbox();
  if (!sandbox || name.isPrivateName()) return Base::getOwnPropertySlot(object, global, name, slot);
  // The compiler asks without allowing JavaScript to run, and must learn nothing it could rely on (C2).
  if (slot.isVMInquiry()) return false;
  auto scope = DECLARE_THROW_SCOPE(self->vm());
  bool found =
      slot.internalMethodType() != JSC::PropertySlot::InternalMethodType::Get || may_have(global, sandbox, name);
  RETURN_IF_EXCEPTION(scope, false);
  found = found && sandbox->getPropertySlot(global, name, slot);
  RETURN_IF_EXCEPTION(scope, false);
  if (found) {
    slot.disableCaching();
    return true;
  }
  if (self->is_facade_) {
    slot.disableCaching();
    return false;
  }
  JSC::PropertySlot own(object, slot.internalMethodType());
  if (!Base::getOwnPropertySlot(object, global, name, own)) return false;
  RETURN_IF_EXCEPTION(scope, false);
  Value value = own.getValue(global, name);
  RETURN_IF_EXCEPTION(scope, false);
  slot.setValue(object, own.attributes(), value);
  slot.disableCaching();
  return true;
}

bool ContextRealm::put(JSC::JSCell* cell, JSC::JSGlobalObject* global, JSC::PropertyName name, Value value,
                       JSC::PutPropertySlot& slot) {
  auto* self = JSC::jsCast<ContextRealm*>(cell);
  auto* sandbox = self->sandbox();
  if (!sandbox || name.isPrivateName()) return Base::put(cell, global, name, value, slot);
  auto scope = DECLARE_THROW_SCOPE(self->vm());
  JSC::PutPropertySlot own(sandbox, slot.isStrictMode());
  bool done = sandbox->methodTable()->put(sandbox, global, name, value, own);
  RETURN_IF_EXCEPTION(scope, false);
  return done;
}

bool ContextRealm::defineOwnProperty(JSC::JSObject* object, JSC::JSGlobalObject* global, JSC::PropertyName name,
                                     const JSC::PropertyDescriptor& descriptor, bool should_throw) {
  auto* sandbox = JSC::jsCast<ContextRealm*>(object)->sandbox();
  if (!sandbox || name.isPrivateName()) return Base::defineOwnProperty(object, global, name, descriptor, should_throw);
  return sandbox->methodTable()->defineOwnProperty(sandbox, global, name, descriptor, should_throw);
}

bool ContextRealm::deleteProperty(JSC::JSCell* cell, JSC::JSGlobalObject* global, JSC::PropertyName name,
                                  JSC::DeletePropertySlot& slot) {
  auto* self = JSC::jsCast<ContextRealm*>(cell);
  auto* sandbox = self->sandbox();
  if (!sandbox || name.isPrivateName()) return Base::deleteProperty(cell, global, name, slot);
  if (self->is_facade_) return sandbox->methodTable()->deleteProperty(sandbox, global, name, slot);
  auto scope = DECLARE_THROW_SCOPE(self->vm());
  bool has = sandbox->hasProperty(global, name);
  RETURN_IF_EXCEPTION(scope, false);
  if (has) {
    bool done = sandbox->deleteProperty(global, name);
    RETURN_IF_EXCEPTION(scope, false);
    if (!done) return false;
  }
  RELEASE_AND_RETURN(scope, Base::deleteProperty(cell, global, name, slot));
}

bool ContextRealm::setPrototype(JSC::JSObject* object, JSC::JSGlobalObject* global, Value prototype,
                                bool should_throw) {
  auto* self = JSC::jsCast<ContextRealm*>(object);
  if (!self->is_facade_) return Base::setPrototype(object, global, prototype, should_throw);
  return self->sandbox()->methodTable()->setPrototype(self->sandbox(), global, prototype, should_throw);
}

bool ContextRealm::preventExtensions(JSC::JSObject* object, JSC::JSGlobalObject* global) {
  auto* self = JSC::jsCast<ContextRealm*>(object);
  if (!self->is_facade_) return Base::preventExtensions(object, global);
  return self->sandbox()->methodTable()->preventExtensions(self->sandbox(), global);
}

void ContextRealm::getOwnPropertyNames(JSC::JSObject* object, JSC::JSGlobalObject* global,
                                       JSC::PropertyNameArray& names, JSC::DontEnumPropertiesMode mode) {
  auto* self = JSC::jsCast<ContextRealm*>(object);
  auto scope = DECLARE_THROW_SCOPE(self->vm());
  if (auto* sandbox = self->sandbox()) {
    sandbox->methodTable()->getOwnPropertyNames(sandbox, global, names, mode);
    RETURN_IF_EXCEPTION(scope, void());
    if (self->is_facade_) return;
  }
  RELEASE_AND_RETURN(scope, Base::getOwnPropertyNames(object, global, names, mode));
}

void ContextRealm::forget(const JSC::Identifier& name) {
  JSC::DeletePropertySlot slot;
  JSC::JSObject::deleteProperty(this, this, name, slot);
}

// The compiler binds names it finds on the global object to the value there, without asking getOwnPropertySlot.
void ContextRealm::give_way() {
  auto* sandbox = sandbox_.get();
  if (!sandbox || sandbox->type() == JSC::ProxyObjectType) return;
  auto& vm = this->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  WTF::Vector<RefPtr<WTF::UniquedStringImpl>> hidden;
  for (auto& name : language_) {
    if (sandbox->hasOwnProperty(this, JSC::PropertyName(name.get()))) hidden.append(name);
    scope.clearException();
  }
  for (auto& name : hidden) {
    forget(JSC::Identifier::fromUid(vm, name.get()));
    language_.remove(name);
  }
}

void ContextRealm::declare(const JSC::Identifier& name) {
  auto& vm = this->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  bool has = sandbox()->hasProperty(this, name);
  if (!scope.exception() && !has) {
    JSC::PutPropertySlot slot(sandbox());
    sandbox()->methodTable()->put(sandbox(), this, name, JSC::jsUndefined(), slot);
  }
  scope.clearException();
}

void ContextRealm::publish_declarations() {
  auto* sandbox = sandbox_.get();
  if (!sandbox) return;
  auto& vm = this->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  JSC::PropertyNameArray names(vm, JSC::PropertyNameMode::Strings, JSC::PrivateSymbolMode::Exclude);
  Base::getOwnPropertyNames(this, this, names, JSC::DontEnumPropertiesMode::Include);
  for (auto& name : names) {
    if (language_.contains(name.impl())) continue;
    Value value = getDirect(vm, name);
    bool has = sandbox->hasOwnProperty(this, name);
    scope.clearException();
    if (value && !has) sandbox->putDirectMayBeIndex(this, name, value);
    scope.clearException();
    forget(name);
    scope.clearException();
  }
}

template <typename Visitor>
void ContextRealm::visitChildrenImpl(JSC::JSCell* cell, Visitor& visitor) {
  auto* realm = JSC::jsCast<ContextRealm*>(cell);
  Base::visitChildren(realm, visitor);
  visitor.append(realm->main_);
  visitor.append(realm->sandbox_);
  visitor.append(realm->importer_);
}
DEFINE_VISIT_CHILDREN(ContextRealm);

}  // namespace rondo::engine
