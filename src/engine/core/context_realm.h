// The realm of a vm context: a global object of its own whose properties live in the program's sandbox object. Global reads look
// into the sandbox first, global writes, definitions and deletions go there; what the language itself defines (Array, Math …)
// is the context's own. Made and held by src/modules/code/vm.cpp.
//
//  C1  let, const and class at a script's top stay in the context and never show in the sandbox.
//  C2  nothing about a sandboxed property is ever cached: the sandbox may be a proxy and may change at any time.
#pragma once

#include "engine/core/realm.h"

namespace rondo::engine {

class ContextRealm final : public JSC::JSGlobalObject {
 public:
  using Base = JSC::JSGlobalObject;
  // Unlike a browser's own window, a context's global object may be given another prototype, as in Node.
  static constexpr unsigned StructureFlags =
      (Base::StructureFlags & ~JSC::IsImmutablePrototypeExoticObject) | JSC::OverridesGetOwnPropertySlot |
      JSC::OverridesPut | JSC::OverridesGetOwnPropertyNames | JSC::GetOwnPropertySlotIsImpureForPropertyAbsence;

  // A bare one; what is added to the language before open() counts as the language's own.
  static ContextRealm* create(JSC::VM& vm, Realm* main);
  // Without a sandbox the global object keeps its properties itself.
  void open(JSC::JSObject* sandbox);
  // A global object that has no property and no prototype but those of `members`, a proxy: for a WindowProxy whose window has become one
  // of another origin.
  static ContextRealm* create_facade(JSC::VM& vm, Realm* main, JSC::JSObject* members);

  // Of the context whose global object `value` is; null for anything else.
  static ContextRealm* of(Value value) {
    auto* object = value.getObject();
    if (auto* proxy = object ? JSC::jsDynamicCast<JSC::JSGlobalProxy*>(object) : nullptr) object = proxy->target();
    return object ? JSC::jsDynamicCast<ContextRealm*>(object) : nullptr;
  }

  Realm* main() const { return main_.get(); }
  JSC::JSObject* sandbox() const { return sandbox_.get(); }
  // function(specifier, address of the script, options) → promise of a namespace, for import() in scripts; null refuses.
  JSC::JSObject* importer() const { return importer_.get(); }
  void set_importer(JSC::JSObject* function) { importer_.set(vm(), this, function); }
  // Properties of the sandbox hide those of the language; call before each script.
  void give_way();
  // A script declares this name with var or function: the sandbox gets it, undefined unless it is there.
  void declare(const JSC::Identifier& name);
  // The same for what eval declared on the global object; call after each script.
  void publish_declarations();

  static bool getOwnPropertySlot(JSC::JSObject*, JSC::JSGlobalObject*, JSC::PropertyName, JSC::PropertySlot&);
  static bool put(JSC::JSCell*, JSC::JSGlobalObject*, JSC::PropertyName, Value, JSC::PutPropertySlot&);
  static bool defineOwnProperty(JSC::JSObject*, JSC::JSGlobalObject*, JSC::PropertyName, const JSC::PropertyDescriptor&,
                                bool should_throw);
  static bool deleteProperty(JSC::JSCell*, JSC::JSGlobalObject*, JSC::PropertyName, JSC::DeletePropertySlot&);
  static bool setPrototype(JSC::JSObject*, JSC::JSGlobalObject*, Value prototype, bool should_throw);
  static bool preventExtensions(JSC::JSObject*, JSC::JSGlobalObject*);
  static void getOwnPropertyNames(JSC::JSObject*, JSC::JSGlobalObject*, JSC::PropertyNameArray&,
                                  JSC::DontEnumPropertiesMode);

  DECLARE_INFO;
  DECLARE_VISIT_CHILDREN;
  template <typename, JSC::SubspaceAccess>
  static JSC::GCClient::IsoSubspace* subspaceFor(JSC::VM& vm) {
    return space(vm);
  }
  static void destroy(JSC::JSCell* cell) { static_cast<ContextRealm*>(cell)->~ContextRealm(); }

 private:
  ContextRealm(JSC::VM& vm, JSC::Structure* structure);
  static JSC::GCClient::IsoSubspace* space(JSC::VM& vm);
  void forget(const JSC::Identifier& name);

  bool is_facade_ = false;
  JSC::WriteBarrier<Realm> main_;
  JSC::WriteBarrier<JSC::JSObject> sandbox_;
  JSC::WriteBarrier<JSC::JSObject> importer_;
  WTF::HashSet<RefPtr<WTF::UniquedStringImpl>> language_;  // own names of a fresh global object
};

}  // namespace rondo::engine
