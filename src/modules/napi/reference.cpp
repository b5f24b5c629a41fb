// See reference.h; and the napi_* functions about references, finalizers, external values and type tags.
#include "modules/napi/reference.h"

#include "modules/napi/cells.h"

#include <JavaScriptCore/WeakInlines.h>

namespace rondo::modules::napi {

// The collector tells of a value that nobody can reach any more.
class Reference::Owner final : public JSC::WeakHandleOwner {
 public:
  void finalize(JSC::Handle<JSC::Unknown>, void* reference) final {
    static_cast<Reference*>(reference)->on_collected();
  }
};

std::unique_ptr<JSC::WeakHandleOwner> Reference::make_owner() { return std::make_unique<Owner>(); }

Reference::Reference(napi_env env, Value value, uint32_t count, Ownership ownership, const Finalizer& finalizer,
                     void* data)
    : env_(env),
      count_(count),
      ownership_(ownership),
      can_be_weak_(value.isObject() || value.isSymbol()),
      finalizer_(finalizer),
      data_(data) {
  (finalizer.function ? env->finalizing : env->references).push_back(*this);
  strong_.set(env->vm, value);
  if (count == 0) become_weak();
}

Reference::~Reference() { env_->addons.dequeue(*this); }

void Reference::become_weak() {
  Value value = strong_.get();
  // A symbol that Symbol.for() finds again is never collected.
  if (value.isSymbol() && JSC::asSymbol(value)->uid().isRegistered()) return;
  if (can_be_weak_) weak_ = JSC::Weak<JSC::JSCell>(value.asCell(), env_->addons.reference_owner.get(), this);
  strong_.clear();
}

uint32_t Reference::ref() {
  Value now = value();
  if (!now) return 0;
  if (count_++ == 0 && can_be_weak_) {
    strong_.set(env_->vm, now);
    weak_.clear();
  }
  return count_;
}

uint32_t Reference::unref() {
  if (count_ == 0 || !value()) return 0;
  if (--count_ == 0) become_weak();
  return count_;
}

Value Reference::value() const {
  if (strong_) return strong_.get();
  return weak_ ? Value(weak_.get()) : Value();
}

void Reference::on_collected() {
  weak_.clear();
  if (finalizer_.function && env_->version != kExperimentalVersion) return env_->addons.enqueue(*this);
  napi_env env = env_;
  const bool outer = std::exchange(env->is_in_collector, true);
  finalize();
  env->is_in_collector = outer;
}

void Reference::finalize() {
  strong_.clear();
  weak_.clear();
  unlink();
  const Finalizer finalizer = std::exchange(finalizer_, {});
  const bool is_ours = ownership_ == Ownership::Runtime;
  napi_env env = env_;
  if (finalizer.function) env->run_finalizer(finalizer);  // may delete this, if it is the addon's
  if (is_ours) delete this;
}

namespace {

Value wrap_of(napi_env env, JSC::JSObject* object) {
  return object->getDirect(env->vm, JSC::Identifier::fromUid(env->addons.wrap_key));
}

napi_status unwrap(napi_env env, napi_value value, void** result, bool remove) {
  NAPI_NEEDS(env, value);
  if (!remove) NAPI_NEEDS(env, result);
  auto* object = decode(value).getObject();
  if (!object) return env->fail(napi_invalid_arg);
  auto* instance = JSC::jsDynamicCast<Instance*>(object);
  Reference* reference = nullptr;
  if (instance)
    reference = instance->wrap;
  else if (Value found = wrap_of(env, object))
    reference = static_cast<Reference*>(JSC::jsCast<External*>(found)->data);
  if (!reference) return env->fail(napi_invalid_arg);
  if (result) *result = reference->data();
  if (remove) {
    if (instance)
      instance->wrap = nullptr;
    else
      JSC::JSCell::deleteProperty(object, env->realm, JSC::Identifier::fromUid(env->addons.wrap_key));
    if (reference->ownership() == Ownership::Addon)
      reference->forget_finalizer();
    else
      delete reference;
  }
  return napi_ok;
}

bool is_tagged_as(const napi_type_tag& one, const napi_type_tag& other) {
  return one.lower == other.lower && one.upper == other.upper;
}

// The tag of a value, if it has one.
TypeTag* tag_of(napi_env env, JSC::JSObject* object) {
  if (auto* external = JSC::jsDynamicCast<External*>(object)) return external->tag.is_set ? &external->tag : nullptr;
  Value found = object->getDirect(env->vm, JSC::Identifier::fromUid(env->addons.tag_key));
  return found ? &JSC::jsCast<External*>(found)->tag : nullptr;
}

}  // namespace
}  // namespace rondo::modules::napi

using namespace rondo::modules::napi;

napi_status napi_create_reference(napi_env env, napi_value value, uint32_t count, napi_ref* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  Value referred = decode(value);
  if (env->version < 10 && !referred.isObject() && !referred.isSymbol()) return env->fail(napi_invalid_arg);
  *result = ref_of(new Reference(env, referred, count, Ownership::Addon, {}, nullptr));
  return env->ok();
}

napi_status napi_delete_reference(node_api_basic_env env, napi_ref ref) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, ref);
  delete reference_of(ref);
  return env->ok();
}

napi_status napi_reference_ref(napi_env env, napi_ref ref, uint32_t* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, ref);
  const uint32_t count = reference_of(ref)->ref();
  if (result) *result = count;
  return env->ok();
}

napi_status napi_reference_unref(napi_env env, napi_ref ref, uint32_t* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, ref);
  if (reference_of(ref)->count() == 0) return env->fail(napi_generic_failure);
  const uint32_t count = reference_of(ref)->unref();
  if (result) *result = count;
  return env->ok();
}

napi_status napi_get_reference_value(napi_env env, napi_ref ref, napi_value* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, ref);
  NAPI_NEEDS(env, result);
  *result = env->handle(reference_of(ref)->value());
  return env->ok();
}

napi_status napi_wrap(napi_env env, napi_value value, void* native, node_api_basic_finalize finalize, void* hint,
                      napi_ref* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    auto* object = decode(value).getObject();
    if (!object) return env->fail(napi_invalid_arg);
    if (result) NAPI_NEEDS(env, finalize);
    auto* instance = JSC::jsDynamicCast<Instance*>(object);
    if (instance ? instance->wrap != nullptr : !!wrap_of(env, object)) return env->fail(napi_invalid_arg);
    auto* reference =
        new Reference(env, object, 0, result ? Ownership::Addon : Ownership::Runtime, {finalize, native, hint}, native);
    if (instance)
      instance->wrap = reference;
    else
      object->putDirect(env->vm, JSC::Identifier::fromUid(env->addons.wrap_key), External::create(env, reference),
                        static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
    if (result) *result = ref_of(reference);
    return napi_ok;
  });
}

napi_status napi_unwrap(napi_env env, napi_value value, void** result) {
  return may_run_js(env, [&] { return unwrap(env, value, result, false); });
}

napi_status napi_remove_wrap(napi_env env, napi_value value, void** result) {
  return may_run_js(env, [&] { return unwrap(env, value, result, true); });
}

napi_status napi_add_finalizer(napi_env env, napi_value value, void* data, node_api_basic_finalize finalize, void* hint,
                               napi_ref* result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, finalize);
  auto* object = decode(value).getObject();
  if (!object) return env->fail(napi_invalid_arg);
  auto* reference =
      new Reference(env, object, 0, result ? Ownership::Addon : Ownership::Runtime, {finalize, data, hint}, data);
  if (result) *result = ref_of(reference);
  return env->ok();
}

// Of Node's experimental interface: the call from a finalizer that wants to run JavaScript.
extern "C" NAPI_EXTERN napi_status node_api_post_finalizer(node_api_basic_env env, napi_finalize finalize, void* data,
                                                           void* hint) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, finalize);
  env->addons.enqueue(env, {finalize, data, hint});
  return env->ok();
}

napi_status napi_create_external(napi_env env, void* data, node_api_basic_finalize finalize, void* hint,
                                 napi_value* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, result);
    auto* external = External::create(env, data);
    if (finalize) new Reference(env, external, 0, Ownership::Runtime, {finalize, data, hint}, data);
    *result = env->handle(external);
    return napi_ok;
  });
}

napi_status napi_get_value_external(napi_env env, napi_value value, void** result) {
  NAPI_NEEDS_ENGINE(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  auto* external = JSC::jsDynamicCast<External*>(decode(value));
  if (!external) return env->fail(napi_invalid_arg);
  *result = external->data;
  return env->ok();
}

napi_status napi_type_tag_object(napi_env env, napi_value value, const napi_type_tag* tag) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    NAPI_NEEDS(env, tag);
    auto* object = object_of(env, value);
    if (!object) return env->fail(napi_object_expected);
    if (tag_of(env, object)) return env->fail(napi_invalid_arg);
    auto* holder = JSC::jsDynamicCast<External*>(object);
    if (!holder) {
      holder = External::create(env, nullptr);
      object->putDirect(env->vm, JSC::Identifier::fromUid(env->addons.tag_key), holder,
                        static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
    }
    holder->tag = {*tag, true};
    return napi_ok;
  });
}

napi_status napi_check_object_type_tag(napi_env env, napi_value value, const napi_type_tag* tag, bool* result) {
  return may_run_js(env, [&] {
    NAPI_NEEDS(env, value);
    NAPI_NEEDS(env, tag);
    NAPI_NEEDS(env, result);
    auto* object = object_of(env, value);
    if (!object) return env->fail(napi_object_expected);
    const TypeTag* found = tag_of(env, object);
    *result = found && is_tagged_as(found->value, *tag);
    return napi_ok;
  });
}
