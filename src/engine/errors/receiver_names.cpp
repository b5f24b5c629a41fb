// See receiver_names.h.
#include "engine/errors/receiver_names.h"

#include "engine/core/source.h"
#include "engine/errors/inferred_name.h"

#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/GetterSetter.h>
#include <JavaScriptCore/InternalFunction.h>
#include <JavaScriptCore/NativeExecutable.h>
#include <JavaScriptCore/StructureInlines.h>
#include <wtf/ForkExtras.h>

#include <vector>

namespace rondo::engine {

namespace {

using Value = JSC::JSValue;

constexpr int kMaxPrototypes = 32;
constexpr unsigned kMaxProperties = 512;  // an object with more is a table, not something with methods

// The object and its prototypes, as far as they are plain objects; stops where `visit` returns true.
template <typename Visit>
void for_each_prototype(JSC::JSObject* object, Visit visit) {
  for (int i = 0; i < kMaxPrototypes && object->type() != JSC::ProxyObjectType; i++) {
    if (visit(object)) return;
    Value prototype = object->getPrototypeDirect();
    if (!prototype.isObject()) return;
    object = JSC::asObject(prototype);
  }
}

std::string text_of(Value value) {
  return value && value.isString() ? text_without_allocating(JSC::asString(value)) : std::string();
}

// Takes the parts of a string that the engine has not joined yet.
struct Parts : jsstring_iterator {
  explicit Parts(unsigned length) : jsstring_iterator{}, characters(length) {
    append8 = [](jsstring_iterator* self, const void* from, uint32_t count) {
      as_parts(self)->append<LChar>(from, count);
    };
    append16 = [](jsstring_iterator* self, const void* from, uint32_t count) {
      as_parts(self)->append<UChar>(from, count);
    };
    write8 = [](jsstring_iterator* self, const void* from, uint32_t count, uint32_t at) {
      as_parts(self)->put<LChar>(from, count, at);
    };
    write16 = [](jsstring_iterator* self, const void* from, uint32_t count, uint32_t at) {
      as_parts(self)->put<UChar>(from, count, at);
    };
  }
  static Parts* as_parts(jsstring_iterator* self) { return static_cast<Parts*>(self); }

  template <typename Character>
  void append(const void* from, uint32_t count) {
    put<Character>(from, count, end);
    end += count;
  }
  template <typename Character>
  void put(const void* from, uint32_t count, uint32_t at) {
    if (at + count > characters.size()) return;
    std::copy_n(static_cast<const Character*>(from), count, characters.begin() + at);
  }

  std::vector<UChar> characters;
  uint32_t end = 0;
};

bool is_function(JSC::JSCell* cell) {
  return JSC::jsDynamicCast<JSC::JSFunction*>(cell) || JSC::jsDynamicCast<JSC::InternalFunction*>(cell);
}

std::string name_of_constructor(JSC::VM& vm, Value constructor) {
  if (!constructor || !constructor.isCell() || !is_function(constructor.asCell())) return {};
  std::string name = name_of_function(vm, constructor.asCell());
  return name == "Object" ? std::string() : name;
}

bool is_this_function(Value value, CalledFunction wanted) {
  if (!value || !value.isCell()) return false;
  if (!wanted.code) return value.asCell() == wanted.callee;
  auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(value.asCell());
  return function && !function->isHostFunction() && function->executable() == wanted.code;
}

bool holds_function(Value value, CalledFunction wanted) {
  auto* accessor = value && value.isCell() ? JSC::jsDynamicCast<JSC::GetterSetter*>(value.asCell()) : nullptr;
  if (accessor) return is_this_function(accessor->getter(), wanted) || is_this_function(accessor->setter(), wanted);
  return is_this_function(value, wanted);
}

// The property that has the function's own name, if it holds the function.
bool is_under_own_name(JSC::VM& vm, JSC::JSObject* receiver, CalledFunction function, const std::string& name) {
  bool holds = false;
  auto identifier = JSC::Identifier::fromString(vm, to_wtf(name));
  for_each_prototype(receiver, [&](JSC::JSObject* object) {
    Value value = own_property(object, identifier);
    holds = holds_function(value, function);
    return static_cast<bool>(value);
  });
  return holds;
}

// V8 looks among data properties only, and gives none where it finds two.
std::string search_method(JSC::JSObject* receiver, CalledFunction function) {
  std::string found;
  int count = 0;
  for_each_prototype(receiver, [&](JSC::JSObject* object) {
    auto* structure = object->structure();
    if (structure->outOfLineSize() + structure->inlineSize() > kMaxProperties) return true;
    structure->forEachPropertyConcurrently([&](const JSC::PropertyTableEntry& entry) {
      const bool is_name = !entry.key()->isSymbol() && !(entry.attributes() & JSC::PropertyAttribute::Accessor);
      if (!is_name || !is_this_function(object->getDirect(entry.offset()), function)) return true;
      found = to_utf8(WTF::String(entry.key()));
      return ++count < 2;
    });
    return count > 1;
  });
  return count == 1 ? found : std::string();
}

}  // namespace

JSC::JSValue own_property(JSC::JSObject* object, const JSC::Identifier& name) {
  const auto offset = object->structure()->getConcurrently(name.impl());
  return offset == JSC::invalidOffset ? Value() : object->getDirect(offset);
}

std::string text_without_allocating(JSC::JSString* string) {
  if (!string->isRope()) return to_utf8(string->tryGetValue(false));
  Parts parts(string->length());
  string->value(&parts);
  return to_utf8(WTF::String(std::span<const UChar>(parts.characters)));
}

std::string name_of_code(JSC::FunctionExecutable* code) {
  const auto& name = code->ecmaName();
  return name.isNull() || name.isEmpty() ? inferred_name(*code) : to_utf8(name.string());
}

std::string name_of_function(JSC::VM& vm, JSC::JSCell* cell) {
  if (auto* internal = JSC::jsDynamicCast<JSC::InternalFunction*>(cell)) return to_utf8(internal->name());
  auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(cell);
  if (!function) return {};
  if (std::string own = text_of(own_property(function, vm.propertyNames->name)); !own.empty()) return own;
  if (function->isHostFunction()) return to_utf8(static_cast<JSC::NativeExecutable*>(function->executable())->name());
  return name_of_code(function->jsExecutable());
}

std::string type_name(JSC::VM& vm, JSC::JSCell* receiver) {
  if (receiver->isString()) return "String";
  if (receiver->isSymbol()) return "Symbol";
  if (receiver->isHeapBigInt()) return "BigInt";
  auto* object = receiver->getObject();
  if (!object) return {};
  if (object->type() == JSC::ProxyObjectType) return "Proxy";
  std::string name = is_function(object) ? name_of_function(vm, object) : std::string();
  if (!name.empty()) return name;
  for_each_prototype(object, [&](JSC::JSObject* current) {
    name = text_of(own_property(current, vm.propertyNames->toStringTagSymbol));
    if (name.empty() && current != object)
      name = name_of_constructor(vm, own_property(current, vm.propertyNames->constructor));
    return !name.empty();
  });
  if (!name.empty()) return name;
  const auto& kind = object->classInfo()->className;
  return std::string(kind.characters(), kind.length());
}

std::string method_name(JSC::VM& vm, JSC::JSCell* receiver, CalledFunction function, const std::string& function_name) {
  auto* object = receiver->getObject();
  if (!object || object->type() == JSC::ProxyObjectType) return {};
  // The collector can make no names: it may run on a thread of its own.
  if (vm.heap.mutatorState() != JSC::MutatorState::Running) return search_method(object, function);
  const bool has_word = function_name.starts_with("get ") || function_name.starts_with("set ");
  const std::string name = has_word ? function_name.substr(4) : function_name;
  if (!name.empty() && is_under_own_name(vm, object, function, name)) return name;
  return search_method(object, function);
}

bool is_identifier_name(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return std::ranges::all_of(name, [](char c) {
    return WTF::isASCIIAlphanumeric(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
  });
}

}  // namespace rondo::engine
