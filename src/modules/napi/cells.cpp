// See cells.h.
#include "modules/napi/cells.h"

namespace rondo::modules::napi {

// CREATE_METHOD_TABLE names this namespace unqualified.
namespace JSCastingHelpers = JSC::JSCastingHelpers;

const JSC::ClassInfo External::s_info = {"Object"_s, &Base::s_info, nullptr, nullptr, CREATE_METHOD_TABLE(External)};
const JSC::ClassInfo AddonFunction::s_info = {"Function"_s, &Base::s_info, nullptr, nullptr,
                                              CREATE_METHOD_TABLE(AddonFunction)};
const JSC::ClassInfo Instance::s_info = {"Object"_s, &Base::s_info, nullptr, nullptr, CREATE_METHOD_TABLE(Instance)};

External* External::create(napi_env env, void* data) {
  auto& structure = env->addons.external_structure;
  if (!structure)
    structure.set(env->vm, JSC::Structure::create(env->vm, env->realm, JSC::jsNull(),
                                                  JSC::TypeInfo(JSC::ObjectType, Base::StructureFlags), info()));
  auto* cell = new (NotNull, JSC::allocateCell<External>(env->vm)) External(env->vm, structure.get(), data);
  cell->finishCreation(env->vm);
  return cell;
}

AddonFunction::AddonFunction(napi_env env, JSC::Structure* structure, napi_callback callback, void* data)
    : Base(env->vm, structure, call, construct), env_(env), callback_(callback), data_(data) {}

AddonFunction* AddonFunction::create(napi_env env, const WTF::String& name, napi_callback callback, void* data) {
  auto& structure = env->addons.function_structure;
  if (!structure)
    structure.set(env->vm,
                  JSC::Structure::create(env->vm, env->realm, env->realm->functionPrototype(),
                                         JSC::TypeInfo(JSC::InternalFunctionType, Base::StructureFlags), info()));
  auto* cell =
      new (NotNull, JSC::allocateCell<AddonFunction>(env->vm)) AddonFunction(env, structure.get(), callback, data);
  cell->finishCreation(env->vm, 0, name);
  return cell;
}

template <typename Visitor>
void AddonFunction::visitChildrenImpl(JSC::JSCell* cell, Visitor& visitor) {
  auto* self = JSC::jsCast<AddonFunction*>(cell);
  Base::visitChildren(self, visitor);
  visitor.append(self->instance_structure_);
  visitor.append(self->receiver_class_);
}
DEFINE_VISIT_CHILDREN(AddonFunction);

JSC::JSObject* AddonFunction::make_prototype() {
  auto& vm = env_->vm;
  auto* prototype = JSC::constructEmptyObject(globalObject());
  const auto hidden = static_cast<unsigned>(JSC::PropertyAttribute::DontEnum);
  prototype->putDirect(vm, vm.propertyNames->constructor, this, hidden);
  putDirect(vm, vm.propertyNames->prototype, prototype,
            hidden | static_cast<unsigned>(JSC::PropertyAttribute::DontDelete));
  return prototype;
}

Value AddonFunction::invoke(JSC::JSGlobalObject* realm, JSC::CallFrame* frame, Value self, Value new_target) {
  auto scope = DECLARE_THROW_SCOPE(env_->vm);
  napi_callback_info__ info{frame, self, new_target, data_};
  napi_value result = nullptr;
  auto* thrown = env_->call_into_addon([&] { result = callback_(env_, &info); });
  RETURN_IF_EXCEPTION(scope, {});
  if (thrown) {
    scope.throwException(realm, thrown);
    return {};
  }
  return result ? decode(result) : Value();
}

JSC::EncodedJSValue AddonFunction::call(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  auto* function = JSC::jsCast<AddonFunction*>(frame->jsCallee());
  auto scope = DECLARE_THROW_SCOPE(function->env_->vm);
  Value self = frame->thisValue().toThis(function->globalObject(), JSC::ECMAMode::sloppy());
  if (auto* wanted = function->receiver_class_.get()) {
    auto* instance = JSC::jsDynamicCast<Instance*>(self);
    if (!instance || instance->made_by() != wanted) {
      JSC::throwTypeError(realm, scope, "Illegal invocation"_s);
      return {};
    }
  }
  scope.release();
  Value result = function->invoke(realm, frame, self, {});
  return JSC::JSValue::encode(result ? result : JSC::jsUndefined());
}

JSC::Structure* AddonFunction::structure_for(JSC::JSGlobalObject* realm, JSC::JSObject* new_target) {
  auto& vm = env_->vm;
  auto scope = DECLARE_THROW_SCOPE(vm);
  if (!instance_structure_)
    instance_structure_.set(vm, this,
                            Instance::create_structure(vm, globalObject(), globalObject()->objectPrototype()));
  if (new_target != this)
    RELEASE_AND_RETURN(scope, createSubclassStructure(realm, new_target, instance_structure_.get()));
  Value prototype = getDirect(vm, vm.propertyNames->prototype);
  if (!prototype || !prototype.isObject()) prototype = globalObject()->objectPrototype();
  if (instance_structure_->storedPrototype() != prototype)
    instance_structure_.set(vm, this, Instance::create_structure(vm, globalObject(), prototype));
  return instance_structure_.get();
}

JSC::EncodedJSValue AddonFunction::construct(JSC::JSGlobalObject* realm, JSC::CallFrame* frame) {
  auto* function = JSC::jsCast<AddonFunction*>(frame->jsCallee());
  auto& vm = function->env_->vm;
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto* new_target = JSC::asObject(frame->newTarget());
  auto* structure = function->structure_for(realm, new_target);
  RETURN_IF_EXCEPTION(scope, {});
  auto* instance = Instance::create(vm, structure, function);
  Value result = function->invoke(realm, frame, instance, new_target);
  RETURN_IF_EXCEPTION(scope, {});
  return JSC::JSValue::encode(result && result.isObject() ? result : Value(instance));
}

Instance* Instance::create(JSC::VM& vm, JSC::Structure* structure, AddonFunction* made_by) {
  auto* cell = new (NotNull, JSC::allocateCell<Instance>(vm)) Instance(vm, structure);
  cell->finishCreation(vm);
  cell->made_by_.set(vm, cell, made_by);
  return cell;
}

JSC::Structure* Instance::create_structure(JSC::VM& vm, JSC::JSGlobalObject* realm, Value prototype) {
  return JSC::Structure::create(vm, realm, prototype, JSC::TypeInfo(JSC::ObjectType, Base::StructureFlags), info());
}

template <typename Visitor>
void Instance::visitChildrenImpl(JSC::JSCell* cell, Visitor& visitor) {
  auto* self = JSC::jsCast<Instance*>(cell);
  Base::visitChildren(self, visitor);
  visitor.append(self->made_by_);
}
DEFINE_VISIT_CHILDREN(Instance);

}  // namespace rondo::modules::napi
