// See object_text.h.
#include "engine/errors/object_text.h"

#include <JavaScriptCore/ErrorInstance.h>
#include <JavaScriptCore/ProxyObject.h>

namespace rondo::engine {

namespace {

WTF::String text_property(JSC::JSGlobalObject* realm, JSC::JSObject* object, JSC::PropertyName name) {
  Value value = plain_property(realm, object, name);
  return value && value.isString() ? WTF::String(JSC::asString(value)->value(realm)) : WTF::String();
}

WTF::String constructor_name(JSC::JSGlobalObject* realm, JSC::JSObject* object) {
  auto& names = *realm->vm().propertyNames;
  Value to_string = plain_property(realm, object, names.toString);
  if (!to_string || to_string != plain_property(realm, object->globalObject()->objectPrototype(), names.toString))
    return {};
  Value constructor = plain_property(realm, object, names.constructor);
  return constructor && constructor.isCallable() ? text_property(realm, JSC::asObject(constructor), names.name)
                                                 : WTF::String();
}

}  // namespace

Value plain_property(JSC::JSGlobalObject* realm, JSC::JSObject* object, JSC::PropertyName name) {
  JSC::PropertySlot slot(object, JSC::PropertySlot::InternalMethodType::VMInquiry, &realm->vm());
  return object->getPropertySlot(realm, name, slot) && slot.isValue() ? slot.getValue(realm, name) : Value();
}

WTF::String object_text(JSC::JSGlobalObject* realm, JSC::JSObject* object) {
  auto& names = *realm->vm().propertyNames;
  while (auto* proxy = JSC::jsDynamicCast<JSC::ProxyObject*>(object)) {
    if (proxy->isRevoked()) return "null"_s;
    object = proxy->target();
  }
  if (JSC::jsDynamicCast<JSC::ErrorInstance*>(object)) {
    auto name = text_property(realm, object, names.name);
    auto message = text_property(realm, object, names.message);
    if (message.isEmpty()) return name.isEmpty() ? WTF::String("Error"_s) : name;
    return name.isEmpty() ? message : WTF::makeString(name, ": "_s, message);
  }
  if (auto name = constructor_name(realm, object); !name.isEmpty()) return WTF::makeString("#<"_s, name, '>');
  auto tag = text_property(realm, object, names.toStringTagSymbol);
  return WTF::makeString("[object "_s, tag.isNull() ? WTF::String(object->classInfo()->className) : tag, ']');
}

}  // namespace rondo::engine
