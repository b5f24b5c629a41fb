// See operation_wording.h.
#include "engine/errors/operation_wording.h"

#include "engine/errors/builtin_wording.h"
#include "engine/errors/expression_text.h"
#include "engine/errors/object_text.h"
#include "engine/patches/code_point.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/ScriptExecutable.h>

namespace rondo::engine {

namespace {

using JSC::OpcodeID;
using WTF::String;
using WTF::StringView;
using Kind = ExpressionText::Kind;

// A property's name in "reading 'x'"; null for objects that have no short text.
String key_text(JSC::JSGlobalObject* realm, Value key) {
  if (!key) return {};
  if (key.isObject() && JSC::asObject(key)->type() != JSC::FinalObjectType && !key.isCallable()) return {};
  return shown(realm, key);
}

// The operand that holds the property of a read, a write, a deletion; negative when the operation has none.
struct PropertyOperand {
  int index = -1;
  bool is_name = false;  // an identifier, not a register
};

PropertyOperand read_operand(OpcodeID id) {
  switch (id) {
    case JSC::op_get_by_id:
    case JSC::op_get_by_id_direct:
    case JSC::op_try_get_by_id:
      return {2, true};
    case JSC::op_get_by_id_with_this:
      return {3, true};
    case JSC::op_get_by_val:
    case JSC::op_get_private_name:
      return {2};
    case JSC::op_get_by_val_with_this:
      return {3};
    case JSC::op_enumerator_get_by_val:
      return {3};
    default:
      return {};
  }
}

PropertyOperand write_operand(OpcodeID id) {
  switch (id) {
    case JSC::op_put_by_id:
      return {1, true};
    case JSC::op_put_by_id_with_this:
      return {2, true};
    case JSC::op_put_by_val:
    case JSC::op_put_by_val_direct:
    case JSC::op_put_private_name:
      return {1};
    case JSC::op_put_by_val_with_this:
    case JSC::op_enumerator_put_by_val:
      return {2};
    default:
      return {};
  }
}

PropertyOperand delete_operand(OpcodeID id) {
  if (id == JSC::op_del_by_id) return {2, true};
  if (id == JSC::op_del_by_val) return {2};
  return {};
}

// The name of a private member: the engine keeps it as a symbol's description.
String private_name(Value key) { return key && key.isSymbol() ? String(JSC::asSymbol(key)->description()) : String(); }

String property_text(JSC::JSGlobalObject* realm, const CodePoint& point, PropertyOperand operand) {
  const auto index = static_cast<unsigned>(operand.index);
  if (point.opcode() == JSC::op_get_private_name || point.opcode() == JSC::op_put_private_name)
    return private_name(point.value(index));
  return operand.is_name ? point.name(index) : key_text(realm, point.value(index));
}

// The operation that opens an iterator, a step or two behind the read of its method.
bool opens_iterator(const CodePoint& point) {
  auto next = point.next();
  for (int i = 0; next && i < 3; i++, next = next->next()) {
    if (next->opcode() == JSC::op_iterator_open) return true;
    if (next->opcode() != JSC::op_mov && next->opcode() != JSC::op_call) return false;
    if (next->opcode() == JSC::op_call) return true;
  }
  return false;
}

bool is_iterator_symbol(JSC::VM& vm, Value key) {
  return key && key.isSymbol() && &JSC::asSymbol(key)->uid() == vm.propertyNames->iteratorSymbol.impl();
}

String without_iterator(JSC::JSGlobalObject* realm, Value value, StringView description) {
  auto what = value ? shown_with_type(realm, value) : description.toString();
  return makeString(what, " is not iterable (cannot read property Symbol(Symbol.iterator))"_s);
}

String said_of(const ExpressionText& printed) {
  if (printed.kind == Kind::Call)
    return makeString(printed.callee, " is not a function or its return value is not iterable"_s);
  return makeString(printed.text, " is not iterable"_s);
}

bool follows_declaration(StringView before) {
  auto words = variables_in(before.substring(before.length() > 12 ? before.length() - 12 : 0));
  if (words.isEmpty() || !before.right(1).trim(WTF::isASCIIWhitespace<UChar>).isEmpty()) return false;
  const auto& last = words.last().name;
  return last == "const"_s || last == "let"_s || last == "var"_s;
}

bool leads_to_open(const CodePoint& point) {
  std::optional<CodePoint> next = point;
  for (int i = 0; next && i < 4; i++, next = next->next()) {
    if (next->opcode() == JSC::op_iterator_open) return true;
  }
  return false;
}

// Whether the iterator that `point` opens is a loop's: a loop begins before it is asked for its first value.
bool is_loop(const CodePoint& point) {
  for (auto next = point.next(); next && next->opcode() != JSC::op_iterator_next; next = next->next()) {
    if (next->opcode() == JSC::op_loop_hint) return true;
  }
  return false;
}

// The engine gives the head of the loop, the pattern that takes apart, or the value's own expression.
String not_iterable(JSC::JSGlobalObject* realm, const CodePoint& point, Value value, StringView description) {
  auto place = point.range();
  auto text = point.expression();
  if (!place || text.isEmpty() || !leads_to_open(point)) return without_iterator(realm, value, description);
  const bool loops = is_loop(point);
  std::optional<ExpressionText> printed = loops ? iterated_text(text) : std::nullopt;
  if (!printed && text[0] == '[' && !loops)
    printed = follows_declaration(point.source().left(place->from))
                  ? initializer_text(point.source().substring(place->to))
                  : std::nullopt;
  else if (!printed)
    printed = expression_text(text);
  if (!printed || printed->kind == Kind::None || (printed->kind == Kind::Property && !loops))
    return without_iterator(realm, value, description);
  return said_of(*printed);
}

// An iterator whose method the code has read and called itself: yield*.
std::optional<CodePoint> iterator_read_before(JSC::VM& vm, const CodePoint& call) {
  int steps = 0;
  for (auto before = call.previous(); before && steps < 4; before = before->previous(), steps++) {
    if (before->opcode() == JSC::op_get_by_id && before->identifier(2) == vm.propertyNames->iteratorSymbol)
      return before;
  }
  return std::nullopt;
}

String not_an_object(JSC::JSGlobalObject* realm, const CodePoint& point, StringView value) {
  auto& vm = realm->vm();
  const auto id = point.opcode();
  if (auto operand = read_operand(id); operand.index >= 0) {
    if (operand.is_name && opens_iterator(point)) {
      const auto& name = point.identifier(static_cast<unsigned>(operand.index));
      if (name == vm.propertyNames->iteratorSymbol) return not_iterable(realm, point, point.value(1), value);
    }
    if (!operand.is_name && is_iterator_symbol(vm, point.value(static_cast<unsigned>(operand.index))))
      return without_iterator(realm, {}, value);
    auto name = property_text(realm, point, operand);
    if (name.isNull()) return makeString("Cannot read properties of "_s, value);
    return makeString("Cannot read properties of "_s, value, " (reading '"_s, name, "')"_s);
  }
  if (auto operand = write_operand(id); operand.index >= 0) {
    auto name = property_text(realm, point, operand);
    if (name.isNull()) return makeString("Cannot set properties of "_s, value);
    return makeString("Cannot set properties of "_s, value, " (setting '"_s, name, "')"_s);
  }
  if (delete_operand(id).index >= 0 || id == JSC::op_push_with_scope || id == JSC::op_to_object)
    return "Cannot convert undefined or null to object"_s;
  return {};
}

String not_callable(JSC::JSGlobalObject* realm, const CodePoint& point, StringView value) {
  if (point.opcode() == JSC::op_iterator_open) return not_iterable(realm, point, point.value(3), value);
  if (point.opcode() == JSC::op_iterator_next) {
    Value next = point.value(3);
    return makeString(next ? shown_with_type(realm, next) : value.toString(), " is not a function"_s);
  }
  if (auto read = iterator_read_before(realm->vm(), point)) return without_iterator(realm, read->value(1), value);
  auto printed = expression_text(point.expression());
  const bool is_call = printed.kind == Kind::Call || printed.kind == Kind::New;
  return makeString(is_call ? printed.callee : printed.text, " is not a function"_s);
}

// `super()` of a class whose prototype is no constructor. A function without a name, as Function.prototype is, V8 calls null.
String not_a_super_constructor(JSC::JSGlobalObject* realm, const CodePoint& point) {
  auto& vm = realm->vm();
  Value parent = point.value(1);
  auto* derived = point.frame() ? JSC::jsDynamicCast<JSC::JSFunction*>(point.frame()->jsCallee()) : nullptr;
  if (!parent || !derived) return {};
  String parent_name =
      parent.isCallable() ? JSC::getCalculatedDisplayName(vm, JSC::asObject(parent)) : shown(realm, parent);
  if (parent_name.isEmpty()) parent_name = "null"_s;
  String name = JSC::getCalculatedDisplayName(vm, derived);
  if (name.isEmpty()) name = "anonymous class"_s;
  return makeString("Super constructor "_s, parent_name, " of "_s, name, " is not a constructor"_s);
}

String not_a_constructor(JSC::JSGlobalObject* realm, const CodePoint& point) {
  if (point.expression().startsWith("super"_s)) {
    auto words = not_a_super_constructor(realm, point);
    if (!words.isNull()) return words;
  }
  auto printed = expression_text(point.expression());
  const bool is_new = printed.kind == Kind::New || printed.kind == Kind::Call;
  return makeString(is_new ? printed.callee : printed.text, " is not a constructor"_s);
}

// `key in value`
String not_searchable(JSC::JSGlobalObject* realm, const CodePoint& point, StringView value) {
  const auto id = point.opcode();
  String key;
  if (id == JSC::op_in_by_id) key = point.name(2);
  if (id == JSC::op_in_by_val) key = key_text(realm, point.value(2));
  if (id == JSC::op_has_private_name || id == JSC::op_has_private_brand) {
    key = private_name(point.value(2));
  }
  // The engine puts a string into quotes.
  if (value.length() > 1 && value[0] == '"') value = value.substring(1, value.length() - 2);
  if (key.isNull()) return makeString("Cannot use 'in' operator to search in "_s, value);
  return makeString("Cannot use 'in' operator to search for '"_s, key, "' in "_s, value);
}

bool strip(StringView& text, WTF::ASCIILiteral end) {
  if (!text.endsWith(end)) return false;
  text = text.left(text.length() - static_cast<unsigned>(end.length()));
  return true;
}

JSC::JSGlobalObject* global_behind(JSC::JSObject* object) {
  if (auto* proxy = JSC::jsDynamicCast<JSC::JSGlobalProxy*>(object)) return proxy->target();
  return JSC::jsDynamicCast<JSC::JSGlobalObject*>(object);
}

}  // namespace

String bigint_text(JSC::JSGlobalObject* realm, Value value) {
  auto text = value.toWTFStringForConsole(realm);
  return text.endsWith('n') ? text.left(text.length() - 1) : text;
}

String shown(JSC::JSGlobalObject* realm, Value value) {
  if (value.isString()) {
    auto text = JSC::asString(value)->tryGetValue();
    return text;
  }
  if (value.isSymbol()) return JSC::asSymbol(value)->descriptiveString();
  if (value.isBigInt()) return bigint_text(realm, value);
  if (!value.isObject()) return value.toWTFString(realm);
  auto* object = JSC::asObject(value);
  if (auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(object)) {
    auto* text = function->toString(realm);
    return text ? String(text->tryGetValue()) : String();
  }
  if (global_behind(object)) return "#<Object>"_s;
  return object_text(realm, object);
}

String shown_with_type(JSC::JSGlobalObject* realm, Value value) {
  if (value.isUndefined()) return "undefined"_s;
  if (value.isNull()) return "object null"_s;
  if (value.isNumber()) return makeString("number "_s, shown(realm, value));
  if (value.isBoolean()) return makeString("boolean "_s, shown(realm, value));
  if (value.isString()) return makeString("string \""_s, shown(realm, value), '"');
  if (value.isSymbol()) return "symbol"_s;
  if (value.isBigInt()) return makeString("bigint "_s, shown(realm, value));
  return value.isCallable() ? shown(realm, value) : String("object"_s);
}

String word_operation(JSC::JSGlobalObject* realm, const String& message) {
  auto& vm = realm->vm();
  auto point = CodePoint::innermost(vm);
  if (!point) return {};
  StringView text = message;
  const auto id = point->opcode();
  if (id == JSC::op_construct || id == JSC::op_construct_varargs)
    return strip(text, " is not a constructor"_s) ? not_a_constructor(realm, *point) : String();
  if (CodePoint::builtin_frame(vm)) {
    const bool is_nothing = text == "undefined is not an object"_s || text == "null is not an object"_s;
    if (text == "undefined is not a function"_s) return word_unwanted_argument(realm);
    return is_nothing ? String("Cannot convert undefined or null to object"_s) : String();
  }
  if (strip(text, " is not an object"_s)) return not_an_object(realm, *point, text);
  if (strip(text, "  is not a function"_s)) return "Right-hand side of 'instanceof' is not callable"_s;
  if (strip(text, " is not a function"_s)) return not_callable(realm, *point, text);
  if (strip(text, " is not an Object."_s)) return not_searchable(realm, *point, text);
  if (strip(text, " is not an object or null"_s))
    return makeString("Class extends value does not have valid prototype property "_s, text);
  return {};
}

namespace {

// The value behind the name of a property on an object or its prototypes; asks without running JavaScript.
enum class Found : uint8_t { Nothing, ReadOnly, GetterOnly };

// The engine refuses a write to `undefined`, NaN or Infinity while it holds the lock of the global variables: who asks the global
// object anything then waits for ever.
bool is_locked(JSC::JSGlobalObject* global) { return global && global->symbolTable()->m_lock.isHeld(); }

Found find_property(JSC::JSGlobalObject* realm, JSC::JSObject* object, const JSC::Identifier& name) {
  if (is_locked(global_behind(object))) return Found::ReadOnly;
  auto& vm = realm->vm();
  auto scope = DECLARE_CATCH_SCOPE(vm);
  JSC::PropertySlot slot(object, JSC::PropertySlot::InternalMethodType::VMInquiry, &vm);
  const bool has = object->type() != JSC::ProxyObjectType && object->getPropertySlot(realm, name, slot);
  scope.clearException();
  slot.disallowVMEntry.reset();
  if (!has) return Found::Nothing;
  // A custom value is a data property to programs (lazy values, src/modules/runtime.cpp).
  const bool is_custom = slot.isCustom() && !(slot.attributes() & JSC::PropertyAttribute::CustomValue);
  return slot.isAccessor() || is_custom || (slot.attributes() & JSC::PropertyAttribute::Accessor) ? Found::GetterOnly
                                                                                                  : Found::ReadOnly;
}

String cannot_assign(JSC::JSGlobalObject* realm, Value base, const String& name) {
  auto type = base.isString() ? "string"_s : base.isCallable() ? "function"_s : "object"_s;
  return makeString("Cannot assign to read only property '"_s, name, "' of "_s, type, " '"_s, shown(realm, base), '\'');
}

String cannot_write(JSC::JSGlobalObject* realm, Value base, const String& name) {
  auto& vm = realm->vm();
  if (!base) return makeString("Cannot assign to read only property '"_s, name, "' of object"_s);
  auto id = JSC::Identifier::fromString(vm, name);
  if (!base.isObject()) {
    auto index = JSC::parseIndex(id);
    bool is_own = base.isString() && (name == "length"_s || (index && *index < JSC::asString(base)->length()));
    if (is_own) return cannot_assign(realm, base, name);
    auto type = JSC::jsTypeStringForValue(realm, base);
    auto type_text = JSC::asString(type)->tryGetValue();
    return makeString("Cannot create property '"_s, name, "' on "_s, String(type_text), " '"_s, shown(realm, base),
                      '\'');
  }
  switch (find_property(realm, JSC::asObject(base), id)) {
    case Found::GetterOnly:
      return makeString("Cannot set property "_s, name, " of "_s, shown(realm, base), " which has only a getter"_s);
    case Found::Nothing:
      return makeString("Cannot add property "_s, name, ", object is not extensible"_s);
    default:
      return cannot_assign(realm, base, name);
  }
}

// The variable of an operation on a scope: a constant, or a property of the global object.
String cannot_write_variable(JSC::JSGlobalObject* realm, const CodePoint& point) {
  Value scope = point.value(0);
  if (!scope || !scope.isObject() || !JSC::asObject(scope)->isGlobalObject())
    return "Assignment to constant variable."_s;
  return makeString("Cannot assign to read only property '"_s, point.name(1), "' of object '#<Object>'"_s);
}

}  // namespace

String word_forbidden_write(JSC::JSGlobalObject* realm, StringView message) {
  auto& vm = realm->vm();
  if (CodePoint::builtin_frame(vm)) return word_array_write(realm);
  auto point = CodePoint::innermost(vm);
  if (!point) return {};
  const auto id = point->opcode();
  if (id == JSC::op_put_to_scope) return cannot_write_variable(realm, *point);
  if (auto operand = delete_operand(id); operand.index >= 0) {
    Value base = point->value(1);
    return makeString("Cannot delete property '"_s, property_text(realm, *point, operand), "' of "_s,
                      base ? shown(realm, base) : String("#<Object>"_s));
  }
  auto operand = write_operand(id);
  if (operand.index < 0) return {};
  auto name = property_text(realm, *point, operand);
  if (name.isNull()) return message.toString();
  return cannot_write(realm, point->value(0), name);
}

namespace {

// A variable in a register has lost its name. It is the one that the rest of the function, from the last expression on that has a
// place, uses before it declares it.
String early_register(const CodePoint& point) {
  const auto& whole = point.block()->ownerExecutable()->source();
  const auto start = static_cast<unsigned>(whole.startOffset());
  auto text = point.source().substring(start, static_cast<unsigned>(whole.length()));
  auto last = point.range();
  const unsigned from = last && last->from > start && last->to > last->from ? last->from - start : 0;
  // In the head of a loop the word that declares stands before what the engine gives.
  if (iterated_text(text.substring(from))) return variables_in(text.substring(from)).first().name;
  return used_too_early(text.substring(from));
}

}  // namespace

String word_early_read(JSC::JSGlobalObject* realm) {
  auto point = CodePoint::innermost(realm->vm());
  String name;
  if (!point) return "Cannot access variable before initialization"_s;
  // A variable in a scope of its own was read by the operation before.
  auto before = point->previous();
  if (point->opcode() == JSC::op_get_from_scope)
    name = point->name(2);
  else if (point->opcode() == JSC::op_put_to_scope)
    name = point->name(1);
  else if (before && before->opcode() == JSC::op_get_from_scope && before->register_of(0) == point->register_of(0))
    name = before->name(2);
  else if (point->opcode() == JSC::op_get_by_id)
    name = point->name(2);  // of a module's namespace
  else if (point->opcode() == JSC::op_check_tdz)
    name = early_register(*point);
  if (name.isNull()) return "Cannot access variable before initialization"_s;
  return makeString("Cannot access '"_s, name, "' before initialization"_s);
}

namespace {

// The first property that a pattern asks the value in `place` for; null when it asks for none by name.
String first_asked(const CodePoint& check, int place) {
  int steps = 0;
  for (auto next = check.next(); next && steps < 4; next = next->next(), steps++) {
    if (next->opcode() == JSC::op_get_by_id && next->register_of(1) == place) return next->name(2);
    if (next->opcode() != JSC::op_get_by_val || next->register_of(1) != place) continue;
    Value index = next->value(2);
    return JSC::VirtualRegister(next->register_of(2)).isConstant() && index.isInt32() ? String::number(index.asInt32())
                                                                                      : String();
  }
  return {};
}

// Whether an operation makes its first operand, and the engine knows from which expression.
bool has_own_place(const CodePoint& made) {
  const bool makes_value = made.opcode() == JSC::op_call || read_operand(made.opcode()).index >= 0;
  return makes_value && !made.expression().isEmpty();
}

// The destructured value, from the operation that made it: a variable of a scope, an expression with a place of its own.
String source_of_value(JSC::JSGlobalObject* realm, const CodePoint& test, Value value, int place) {
  auto made = test.previous();
  if (made && made->opcode() == JSC::op_mov && made->register_of(0) == place && !made->value(1).isEmpty() &&
      JSC::VirtualRegister(made->register_of(1)).isConstant())
    return shown(realm, value);
  if (made && made->opcode() == JSC::op_get_from_scope && made->register_of(0) == place) return made->name(2);
  if (made && has_own_place(*made) && made->register_of(0) == place) return expression_text(made->expression()).text;
  return shown_with_type(realm, value);
}

String not_destructurable(JSC::JSGlobalObject* realm, const CodePoint& point) {
  auto test = point.previous();
  if (!test || test->opcode() != JSC::op_jnundefined_or_null) return {};
  Value value = test->value(0);
  if (!value || !value.isUndefinedOrNull()) return {};
  const int place = test->register_of(0);
  auto property = first_asked(point, place);
  auto source = source_of_value(realm, *test, value, place);
  auto is = value.isNull() ? "null"_s : "undefined"_s;
  // A pattern inside a pattern reads what the outer one has read, right behind the outer one's own check.
  auto read = test->previous();
  auto outer = read ? read->previous() : std::nullopt;
  if (outer && outer->opcode() == JSC::op_throw_static_error && !property.isNull())
    return makeString("Cannot read properties of "_s, is, " (reading '"_s, property, "')"_s);
  if (property.isNull()) return makeString("Cannot destructure '"_s, source, "' as it is "_s, is, '.');
  return makeString("Cannot destructure property '"_s, property, "' of '"_s, source, "' as it is "_s, is, '.');
}

String not_a_superclass(JSC::JSGlobalObject* realm, const CodePoint& point) {
  int steps = 0;
  for (auto before = point.previous(); before && steps < 6; before = before->previous(), steps++) {
    if (before->opcode() != JSC::op_is_constructor) continue;
    Value value = before->value(1);
    if (!value) return {};
    return makeString("Class extends value "_s, shown(realm, value), " is not a constructor or null"_s);
  }
  return {};
}

}  // namespace

String word_static(JSC::JSGlobalObject* realm, const String& message) {
  if (message == "Attempted to assign to readonly property."_s) return "Assignment to constant variable."_s;
  auto point = CodePoint::innermost(realm->vm());
  if (!point) return {};
  if (message == "Right side of assignment cannot be destructured"_s) return not_destructurable(realm, *point);
  if (message == "The superclass is not a constructor."_s) return not_a_superclass(realm, *point);
  return {};
}

namespace {

// Whether what is spread becomes arguments, and not an array.
bool is_spread_into_call(const CodePoint& spread) {
  for (auto next = spread.next(); next; next = next->next()) {
    const auto id = next->opcode();
    if (id == JSC::op_call_varargs || id == JSC::op_construct_varargs || id == JSC::op_tail_call_varargs) return true;
    if (id != JSC::op_mov && id != JSC::op_spread && id != JSC::op_new_array_with_spread) return false;
  }
  return false;
}

}  // namespace

String word_spread(JSC::JSGlobalObject* realm) {
  auto point = CodePoint::caller(realm->vm());
  if (!point || point->opcode() != JSC::op_spread) return {};
  Value value = point->value(1);
  if (is_spread_into_call(*point)) {
    // Node's words for arguments are the engine's, but for a value that is none.
    return value && value.isUndefinedOrNull() ? without_iterator(realm, value, {}) : String();
  }
  auto made = point->previous();
  if (made && has_own_place(*made) && made->register_of(0) == point->register_of(1))
    return said_of(expression_text(made->expression()));
  return value ? without_iterator(realm, value, {}) : String();
}

String word_revoked(JSC::JSGlobalObject* realm) {
  auto point = CodePoint::innermost(realm->vm());
  if (!point || CodePoint::builtin_frame(realm->vm())) return {};
  const auto id = point->opcode();
  const auto trap = read_operand(id).index >= 0                              ? "get"_s
                    : write_operand(id).index >= 0                           ? "set"_s
                    : delete_operand(id).index >= 0                          ? "deleteProperty"_s
                    : id == JSC::op_in_by_id || id == JSC::op_in_by_val      ? "has"_s
                    : id == JSC::op_construct                                ? "construct"_s
                    : id == JSC::op_call || id == JSC::op_call_ignore_result ? "apply"_s
                                                                             : WTF::ASCIILiteral();
  if (trap.isNull()) return {};
  return makeString("Cannot perform '"_s, trap, "' on a proxy that has been revoked"_s);
}

String word_private(JSC::JSGlobalObject* realm, StringView message) {
  const bool is_access =
      message == "Cannot access invalid private field"_s || message.startsWith("Cannot access invalid private field"_s);
  const bool is_twice = message.startsWith("Cannot redefine existing private field"_s);
  if (!is_access && !is_twice) return {};
  auto point = CodePoint::innermost(realm->vm());
  if (!point) return {};
  const auto id = point->opcode();
  const bool is_write = id == JSC::op_put_private_name;
  auto operand = is_write ? write_operand(id) : read_operand(id);
  String name = operand.index < 0 ? String() : private_name(point->value(static_cast<unsigned>(operand.index)));
  if (name.isNull()) return {};
  if (is_twice) return makeString("Cannot initialize "_s, name, " twice on the same object"_s);
  return makeString("Cannot "_s, is_write ? "write"_s : "read"_s, " private member "_s, name,
                    is_write ? " to"_s : " from"_s, " an object whose class did not declare it"_s);
}

}  // namespace rondo::engine
