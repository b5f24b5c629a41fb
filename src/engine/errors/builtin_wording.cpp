// See builtin_wording.h.
#include "engine/errors/builtin_wording.h"

#include "engine/core/vm_state.h"
#include "engine/errors/circular_path.h"
#include "engine/errors/json_error.h"
#include "engine/errors/operation_wording.h"
#include "engine/patches/code_point.h"

#include <JavaScriptCore/StackVisitor.h>

namespace rondo::engine {

namespace {

using WTF::String;
using WTF::StringView;

struct Builtin {
  JSC::JSGlobalObject* realm;
  JSC::CallFrame* frame;

  String name() const {
    auto& vm = realm->vm();
    auto* callee = frame->jsCallee();
    if (auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(callee)) return function->name(vm);
    auto* internal = JSC::jsDynamicCast<JSC::InternalFunction*>(callee);
    return internal ? internal->name() : String();
  }
  Value argument(unsigned index) const { return frame->argument(index); }
  String shown_argument(unsigned index) const { return shown(realm, argument(index)); }
};

String with_argument(const Builtin& builtin, WTF::ASCIILiteral before, unsigned index, WTF::ASCIILiteral after = ""_s) {
  return makeString(before, builtin.shown_argument(index), after);
}

String json_words(const Builtin& builtin) {
  Value text = builtin.argument(0);
  auto found = text.isString()      ? json_error(JSC::asString(text)->tryGetValue())
               : text.isUndefined() ? json_error("undefined"_s)
               : text.isObject()    ? json_error("[object Object]"_s)
                                    : String();
  return found.isEmpty() ? String() : found;
}

String bad_code_point(const Builtin& builtin) {
  for (unsigned i = 0; i < builtin.frame->argumentCount(); i++) {
    Value given = builtin.argument(i);
    double number = given.isNumber() ? given.asNumber() : 0;
    if (number < 0 || number > 0x10ffff || number != std::trunc(number))
      return with_argument(builtin, "Invalid code point "_s, i);
  }
  return {};
}

// Getter and setter of a descriptor, where reading them runs no JavaScript.
String bad_accessor(const Builtin& builtin, WTF::ASCIILiteral before, std::string_view key) {
  Value descriptor = builtin.argument(2);
  if (!descriptor.isObject()) return {};
  Value given = JSC::asObject(descriptor)->getDirect(builtin.realm->vm(), identifier(builtin.realm->vm(), key));
  return given ? makeString(before, shown(builtin.realm, given)) : String();
}

struct Word {
  WTF::ASCIILiteral engine, ours;
};

// The entry for the engine's words in a table; null when they are not in it.
template <size_t count>
WTF::ASCIILiteral beside(const Word (&table)[count], StringView engine) {
  for (const auto& word : table) {
    if (engine == word.engine) return word.ours;
  }
  return {};
}

// The engine says where in a pattern it stopped; Node shows the pattern.
String bad_pattern(const Builtin& builtin, StringView reason) {
  static constexpr Word kReasons[] = {
      {"missing terminating ] for character class"_s, "Unterminated character class"_s},
      {"missing )"_s, "Unterminated group"_s},
      {"unmatched parentheses"_s, "Unmatched ')'"_s},
      {"nothing to repeat"_s, "Nothing to repeat"_s},
      {"\\ at end of pattern"_s, "\\ at end of pattern"_s},
      {"invalid group specifier name"_s, "Invalid capture group name"_s},
      {"range out of order in character class"_s, "Range out of order in character class"_s},
      {"numbers out of order in {} quantifier"_s, "numbers out of order in {} quantifier"_s},
  };
  if (builtin.name() != "RegExp"_s || !builtin.argument(0).isString()) return {};
  auto flags = builtin.argument(1).isString() ? builtin.shown_argument(1) : String(""_s);
  const auto known = beside(kReasons, reason);
  if (known.isNull()) return {};
  return makeString("Invalid regular expression: /"_s, builtin.shown_argument(0), '/', flags, ": "_s, known);
}

String needs_new(const Builtin& builtin) {
  auto name = builtin.name();
  if (name == "Promise"_s) return "Promise constructor cannot be invoked without 'new'"_s;
  return makeString("Constructor "_s, name, " requires 'new'"_s);
}

constexpr auto kClassNeedsNew = "Cannot call a class constructor without |new|"_s;

// A class of the program's own, called like a function: the frame is its constructor's.
String class_needs_new(JSC::JSGlobalObject* realm) {
  auto* top = realm->vm().topCallFrame;
  auto* function = top && !top->isNativeCalleeFrame() ? JSC::jsDynamicCast<JSC::JSFunction*>(top->jsCallee()) : nullptr;
  Value own = function ? function->getDirect(realm->vm(), realm->vm().propertyNames->name) : Value();
  String name = own && own.isString() ? String(JSC::asString(own)->tryGetValue())
                : function            ? JSC::getCalculatedDisplayName(realm->vm(), function)
                                      : String();
  if (name.isEmpty()) return "Class constructors cannot be invoked without 'new'"_s;
  return makeString("Class constructor "_s, name, " cannot be invoked without 'new'"_s);
}

// Methods called on what they are not for, by the engine's words for each.
String bad_receiver(const Builtin& builtin, StringView text) {
  static constexpr Word kReceivers[] = {
      {"Map operation called on non-Map object"_s, "Map"_s},
      {"Set operation called on non-Set object"_s, "Set"_s},
      {"Called WeakMap function on a non-WeakMap object"_s, "WeakMap"_s},
      {"Called WeakSet function on a non-WeakSet object"_s, "WeakSet"_s},
      {"Builtin RegExp exec can only be called on a RegExp object"_s, "RegExp"_s},
      {"|this| is not a Promise"_s, "Promise"_s},
  };
  if (const auto owner = beside(kReceivers, text); !owner.isNull()) {
    return makeString("Method "_s, owner, ".prototype."_s, builtin.name(), " called on incompatible receiver "_s,
                      shown(builtin.realm, builtin.frame->thisValue()));
  }
  if (text.startsWith("thisNumberValue called on incompatible"_s))
    return makeString("Number.prototype."_s, builtin.name(), " requires that 'this' be a Number"_s);
  if (text == "'this' value must be a BigInt or BigIntObject"_s)
    return makeString("BigInt.prototype."_s, builtin.name(), " requires that 'this' be a BigInt"_s);
  return {};
}

// The first of an array's values that is no pair; other iterables would have to be asked again.
String not_an_entry(const Builtin& builtin) {
  auto* array = JSC::jsDynamicCast<JSC::JSArray*>(builtin.argument(0));
  for (unsigned i = 0; array && i < array->length(); i++) {
    Value value = array->canGetIndexQuickly(i) ? array->getIndexQuickly(i) : JSC::jsUndefined();
    if (!value.isObject())
      return makeString("Iterator value "_s, shown(builtin.realm, value), " is not an entry object"_s);
  }
  return {};
}

String not_iterable_argument(const Builtin& builtin) {
  return makeString(shown_with_type(builtin.realm, builtin.argument(0)),
                    " is not iterable (cannot read property Symbol(Symbol.iterator))"_s);
}

// A typed array over a buffer whose bytes it does not fit: Uint16Array takes two at a time.
String misaligned(const Builtin& builtin) {
  const String name = builtin.name();
  int bits = 0;
  for (unsigned i = 0; i < name.length(); i++) {
    if (WTF::isASCIIDigit(name[i])) bits = bits * 10 + (name[i] - '0');
  }
  const Value offset = builtin.argument(1);
  const int size = bits / 8;
  if (size == 0) return {};
  const bool is_offset = offset.isInt32() && offset.asInt32() % size != 0;
  return makeString(is_offset ? "start offset of "_s : "byte length of "_s, name, " should be a multiple of "_s, size);
}

String of_arguments(const Builtin& builtin, StringView text) {
  auto* realm = builtin.realm;
  if (text.startsWith("Object.fromEntries requires the first iterable"_s)) return not_an_entry(builtin);
  if (text.startsWith("ArrayBuffer length minus the byteOffset"_s)) return misaligned(builtin);
  if (text == "length too large"_s) return with_argument(builtin, "Invalid typed array length: "_s, 0);
  if (text == "Length out of range of buffer"_s && builtin.argument(1).isNumber())
    return with_argument(builtin, "Start offset "_s, 1, " is outside the bounds of the buffer"_s);
  if (text.startsWith("Invalid property.  '"_s)) {
    return with_argument(
        builtin, "Invalid property descriptor. Cannot both specify accessors and a value or writable attribute, "_s, 2);
  }
  if (text.startsWith("JSON Parse error"_s)) return json_words(builtin);
  if (text == "Cannot call a constructor without |new|"_s) return needs_new(builtin);
  if (text == "Promise constructor takes a function argument"_s)
    return with_argument(builtin, "Promise resolver "_s, 0, " is not a function"_s);
  if (text.endsWith(" callback must be a function"_s))
    return makeString(shown_with_type(realm, builtin.argument(0)), " is not a function"_s);
  if (text.endsWith(" requires the comparator argument to be a function or undefined"_s))
    return with_argument(builtin, "The comparison function must be either a function or undefined: "_s, 0);
  if (text == "Not an integer"_s)
    return with_argument(builtin, "The number "_s, 0,
                         " cannot be converted to a BigInt because it is not an integer"_s);
  if (text == "Failed to parse String to BigInt"_s && builtin.argument(0).isString())
    return with_argument(builtin, "Cannot convert "_s, 0, " to a BigInt"_s);
  if (text == "Invalid argument type in ToBigInt operation"_s && !builtin.argument(0).isObject())
    return with_argument(builtin, "Cannot convert "_s, 0, " to a BigInt"_s);
  if (text.startsWith("String.prototype.repeat argument must be"_s))
    return with_argument(builtin, "Invalid count value: "_s, 0);
  if (text == "Arguments contain a value that is out of range of code points"_s) return bad_code_point(builtin);
  if (text == "Array index out of Range"_s) return with_argument(builtin, "Invalid index : "_s, 0);
  if (text.startsWith("Array.from requires an array-like object"_s))
    return makeString(shown_with_type(realm, builtin.argument(0)),
                      " is not iterable (cannot read property Symbol(Symbol.iterator))"_s);
  if (text.startsWith("Array.from requires that the second argument"_s))
    return makeString(shown_with_type(realm, builtin.argument(1)), " is not a function"_s);
  if (text == "Property description must be an object."_s)
    return with_argument(builtin, "Property description must be an object: "_s, 2);
  if (text == "Getter must be a function."_s) return bad_accessor(builtin, "Getter must be a function: "_s, "get");
  if (text == "Setter must be a function."_s) return bad_accessor(builtin, "Setter must be a function: "_s, "set");
  if (text == "Object prototype may only be an Object or null."_s)
    return with_argument(builtin, "Object prototype may only be an Object or null: "_s, 0);
  if (text == "Prototype value can only be an object or null"_s)
    return with_argument(builtin, "Object prototype may only be an Object or null: "_s, 1);
  if (text == "Symbol.keyFor requires that the first argument be a symbol"_s)
    return with_argument(builtin, ""_s, 0, " is not a symbol"_s);
  if (text == "Invalid flags supplied to RegExp constructor."_s)
    return with_argument(builtin, "Invalid flags supplied to RegExp constructor '"_s, 1, "'"_s);
  if (text.startsWith("Invalid regular expression: "_s)) return bad_pattern(builtin, text.substring(28));
  if (text == "length cannot be negative"_s && builtin.name() != "ArrayBuffer"_s)
    return with_argument(builtin, "Invalid typed array length: "_s, 0);
  if (text == "length cannot be negative"_s) return "Invalid array buffer length"_s;
  if (text == "Reflect.construct requires the first argument be a constructor"_s)
    return with_argument(builtin, ""_s, 0, " is not a constructor"_s);
  if (text.startsWith("Reflect.construct requires the third argument"_s))
    return with_argument(builtin, ""_s, 2, " is not a constructor"_s);
  if (text.startsWith("Expected primitive hint to match"_s)) return with_argument(builtin, "Invalid hint: "_s, 0);
  return bad_receiver(builtin, text);
}

bool is_own(const Builtin& builtin, JSC::JSObject* owner) {
  auto& vm = builtin.realm->vm();
  Value own = owner->getDirect(vm, JSC::Identifier::fromString(vm, builtin.name()));
  return own && own == Value(builtin.frame->jsCallee());
}

}  // namespace

String word_silent(JSC::JSGlobalObject* realm) {
  auto* frame = CodePoint::builtin_frame(realm->vm());
  if (!frame) return {};
  Builtin builtin{realm, frame};
  Value self = frame->thisValue();
  auto name = builtin.name();
  const bool is_collection = name == "Map"_s || name == "Set"_s || name == "WeakMap"_s || name == "WeakSet"_s;
  const bool is_constructor = JSC::jsDynamicCast<JSC::InternalFunction*>(frame->jsCallee());
  if (is_constructor && (is_collection || name == "AggregateError"_s) && !builtin.argument(0).isObject())
    return not_iterable_argument(builtin);
  if (is_constructor && (name == "Map"_s || name == "WeakMap"_s)) return not_an_entry(builtin);
  if (is_own(builtin, realm->booleanPrototype()))
    return makeString("Boolean.prototype."_s, name, " requires that 'this' be a Boolean"_s);
  if (is_own(builtin, realm->functionPrototype()))
    return makeString("Function.prototype."_s, name, " requires that 'this' be a Function"_s);
  if (is_own(builtin, realm->datePrototype())) return "this is not a Date object."_s;
  if (!is_own(builtin, realm->stringPrototype())) return {};
  if (self.isUndefinedOrNull()) return makeString("String.prototype."_s, name, " called on null or undefined"_s);
  return makeString("String.prototype."_s, name, " requires that 'this' be a String"_s);
}

String word_unwanted_argument(JSC::JSGlobalObject* realm) {
  Builtin builtin{realm, CodePoint::builtin_frame(realm->vm())};
  return builtin.name() == "fromEntries"_s && !builtin.argument(0).isObject() ? not_iterable_argument(builtin)
                                                                              : String();
}

String word_builtin(JSC::JSGlobalObject* realm, StringView text) {
  if (text == kClassNeedsNew) return class_needs_new(realm);
  auto* frame = CodePoint::builtin_frame(realm->vm());
  if (text == "JSON.stringify cannot serialize cyclic structures."_s)
    return makeString("Converting circular structure to JSON"_s,
                      circular_path(realm, frame ? frame->argument(0) : Value()));
  if (text.startsWith("Invalid mix of BigInt"_s))
    return "Cannot mix BigInt and other types, use explicit conversions"_s;
  return frame ? of_arguments({realm, frame}, text) : String();
}

JSC::JSGlobalObject* realm_for_static(JSC::JSGlobalObject* realm, StringView message) {
  auto& vm = realm->vm();
  if (!VmState::of(vm).has_pages || message != kClassNeedsNew || JSC::jsDynamicCast<ContextRealm*>(realm)) return realm;
  auto* found = realm;
  JSC::StackVisitor::visit(vm.topCallFrame, vm, [&](JSC::StackVisitor& frame) {
    auto* code = frame->codeBlock();
    if (!code || code->globalObject() == realm) return WTF::IterationStatus::Continue;
    found = code->globalObject();
    return WTF::IterationStatus::Done;
  });
  return found;
}

String word_array_write(JSC::JSGlobalObject* realm) {
  Builtin builtin{realm, CodePoint::builtin_frame(realm->vm())};
  auto name = builtin.name();
  if (name == "defineProperty"_s) {
    Value target = builtin.argument(0), key = builtin.argument(1);
    if (!target.isObject() || key.isObject()) return {};
    auto& vm = realm->vm();
    auto scope = DECLARE_CATCH_SCOPE(vm);
    auto property = key.toPropertyKey(realm);
    JSC::PropertySlot slot(target, JSC::PropertySlot::InternalMethodType::VMInquiry, &vm);
    auto* object = JSC::asObject(target);
    const bool has = object->type() != JSC::ProxyObjectType &&
                     object->methodTable()->getOwnPropertySlot(object, realm, property, slot);
    scope.clearException();
    slot.disallowVMEntry.reset();
    if (has) return makeString("Cannot redefine property: "_s, shown(realm, key));
    return makeString("Cannot define property "_s, shown(realm, key), ", object is not extensible"_s);
  }
  if (name == "setPrototypeOf"_s) return with_argument(builtin, ""_s, 0, " is not extensible"_s);
  auto* array = JSC::jsDynamicCast<JSC::JSArray*>(builtin.frame->thisValue());
  // sort() writes through a function of its own, which gets the array.
  for (unsigned i = 0; !array && i < builtin.frame->argumentCount(); i++)
    array = JSC::jsDynamicCast<JSC::JSArray*>(builtin.argument(i));
  if (!array) return {};
  const unsigned length = array->length();
  auto count = static_cast<unsigned>(builtin.frame->argumentCount());
  auto number = [&](unsigned index) {
    return builtin.argument(index).isInt32() ? builtin.argument(index).asInt32() : 0;
  };
  auto add = [](unsigned index) { return makeString("Cannot add property "_s, index, ", object is not extensible"_s); };
  auto assign = [](unsigned index) {
    return makeString("Cannot assign to read only property '"_s, index, "' of object '[object Array]'"_s);
  };
  auto remove = [](unsigned index) { return makeString("Cannot delete property '"_s, index, "' of [object Array]"_s); };
  if (name == "push"_s) return add(length);
  if (name == "pop"_s) return remove(length - 1);
  if (name == "shift"_s) return length > 1 ? assign(0) : remove(0);
  if (name == "unshift"_s) return add(length - 1 + count);
  if (name == "splice"_s) {
    const auto start = static_cast<unsigned>(std::max(number(0), 0));
    const unsigned removed = count > 1 ? static_cast<unsigned>(std::max(number(1), 0)) : length - start;
    const unsigned added = count > 2 ? count - 2 : 0;
    if (added > removed) return add(length - 1 + added - removed);
    return start + removed < length || added > 0 ? assign(start) : remove(length - 1);
  }
  if (name == "fill"_s) return assign(static_cast<unsigned>(std::max(number(1), 0)));
  return assign(0);
}

}  // namespace rondo::engine
