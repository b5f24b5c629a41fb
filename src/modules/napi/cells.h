// Objects of the engine that only addons make: external values, functions that call an addon, and instances of an addon's classes.
#pragma once

#include "modules/napi/env.h"

#include <JavaScriptCore/InternalFunction.h>

namespace rondo::modules::napi {

struct TypeTag {
  napi_type_tag value{};
  bool is_set = false;
};

// A pointer of the addon's as a value. `typeof` says object; napi_typeof says external.
class External final : public JSC::JSNonFinalObject {
 public:
  using Base = JSC::JSNonFinalObject;
  static External* create(napi_env env, void* data);

  template <typename, JSC::SubspaceAccess>
  static JSC::CompleteSubspace* subspaceFor(JSC::VM& vm) {
    return &vm.cellSpace();
  }
  DECLARE_INFO;

  void* data;
  TypeTag tag;

 private:
  External(JSC::VM& vm, JSC::Structure* structure, void* data) : Base(vm, structure), data(data) {}
};

// A function that calls the addon, also with `new`.
class AddonFunction final : public JSC::InternalFunction {
 public:
  using Base = JSC::InternalFunction;
  static AddonFunction* create(napi_env env, const WTF::String& name, napi_callback callback, void* data);

  template <typename, JSC::SubspaceAccess>
  static JSC::CompleteSubspace* subspaceFor(JSC::VM& vm) {
    return &vm.cellSpace();
  }
  DECLARE_INFO;
  DECLARE_VISIT_CHILDREN;

  // Gives it a `prototype` object, whose `constructor` it is.
  JSC::JSObject* make_prototype();
  // Only instances of `receiver_class` may be its `this`.
  void set_receiver_class(AddonFunction* receiver_class) { receiver_class_.set(env_->vm, this, receiver_class); }

 private:
  AddonFunction(napi_env env, JSC::Structure* structure, napi_callback callback, void* data);
  static JSC::EncodedJSValue call(JSC::JSGlobalObject* realm, JSC::CallFrame* frame);
  static JSC::EncodedJSValue construct(JSC::JSGlobalObject* realm, JSC::CallFrame* frame);
  Value invoke(JSC::JSGlobalObject* realm, JSC::CallFrame* frame, Value self, Value new_target);
  // The shape of instances of `new_target`, which is this function or derives from it.
  JSC::Structure* structure_for(JSC::JSGlobalObject* realm, JSC::JSObject* new_target);

  napi_env env_;
  napi_callback callback_;
  void* data_;
  JSC::WriteBarrier<JSC::Structure> instance_structure_;
  JSC::WriteBarrier<AddonFunction> receiver_class_;
};

// The object that `new` of an addon's function makes, with room for what napi_wrap attaches.
class Instance final : public JSC::JSNonFinalObject {
 public:
  using Base = JSC::JSNonFinalObject;
  static Instance* create(JSC::VM& vm, JSC::Structure* structure, AddonFunction* made_by);
  static JSC::Structure* create_structure(JSC::VM& vm, JSC::JSGlobalObject* realm, Value prototype);

  template <typename, JSC::SubspaceAccess>
  static JSC::CompleteSubspace* subspaceFor(JSC::VM& vm) {
    return &vm.cellSpace();
  }
  DECLARE_INFO;
  DECLARE_VISIT_CHILDREN;

  AddonFunction* made_by() const { return made_by_.get(); }
  Reference* wrap = nullptr;

 private:
  Instance(JSC::VM& vm, JSC::Structure* structure) : Base(vm, structure) {}
  JSC::WriteBarrier<AddonFunction> made_by_;
};

}  // namespace rondo::modules::napi

// One call of an addon's function.
struct napi_callback_info__ {
  JSC::CallFrame* frame;
  JSC::JSValue self;
  JSC::JSValue new_target;  // empty unless called with `new`
  void* data;
};
