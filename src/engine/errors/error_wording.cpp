// The engine's own errors in the words of Node ("x is not defined", "Cannot read properties of undefined (reading 'y')"): npm
// packages and tests compare them. The linker sends the engine's calls to its makers of errors here (--wrap, see
// cmake/engine.cmake and docs/decisions/0020-wrapped-engine-functions.md); a message that is not known passes through unchanged.
// Errors that programs make themselves do not come this way.
#include "engine/errors/error_wording.h"
#include "engine/errors/json_error.h"
#include "engine/errors/link_error.h"
#include "engine/core/native.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/ScriptExecutable.h>
#include <wtf/text/StringConcatenateNumbers.h>

namespace rondo::engine {

namespace {

using WTF::String;
using WTF::StringView;

struct Phrase {
  WTF::ASCIILiteral engine;
  WTF::ASCIILiteral node;
};

constexpr Phrase kPhrases[] = {
    {"Maximum call stack size exceeded."_s, "Maximum call stack size exceeded"_s},
    {"Array size is not a small enough positive integer."_s, "Invalid array length"_s},
    {"JSON.stringify cannot serialize cyclic structures."_s, "Converting circular structure to JSON"_s},
    {"JSON.stringify cannot serialize BigInt."_s, "Do not know how to serialize a BigInt"_s},
    {"Cannot convert a symbol to a string"_s, "Cannot convert a Symbol value to a string"_s},
    {"Cannot convert a symbol to a number"_s, "Cannot convert a Symbol value to a number"_s},
    {"Right hand side of instanceof is not an object"_s, "Right-hand side of 'instanceof' is not an object"_s},
    {"Right hand side of instanceof is not callable"_s, "Right-hand side of 'instanceof' is not callable"_s},
    {"Properties can only be defined on Objects."_s, "Object.defineProperty called on non-object"_s},
    {"reduce of empty array with no initial value"_s, "Reduce of empty array with no initial value"_s},
    {"reduceRight of empty array with no initial value"_s, "Reduce of empty array with no initial value"_s},
    {"Invalid Date"_s, "Invalid time value"_s},
    {"toFixed() argument must be between 0 and 100"_s, "toFixed() digits argument must be between 0 and 100"_s},
    {"URI error"_s, "URI malformed"_s},
    {"Unexpected end of script"_s, "Unexpected end of input"_s},
    {"Unexpected EOF"_s, "Invalid or unexpected token"_s},
    {"Parser error"_s, "Invalid or unexpected token"_s},
    {"Out of bounds access"_s, "Offset is outside the bounds of the DataView"_s},
    {"WeakMap keys must be objects or non-registered symbols"_s, "Invalid value used as weak map key"_s},
    {"WeakSet values must be objects or non-registered symbols"_s, "Invalid value used in weak set"_s},
    {"A Proxy's 'target' should be an Object"_s, "Cannot create proxy with a non-object as target or handler"_s},
    {"A Proxy's 'handler' should be an Object"_s, "Cannot create proxy with a non-object as target or handler"_s},
    {"String.prototype.matchAll argument must not be a non-global regular expression"_s,
     "String.prototype.matchAll called with a non-global RegExp argument"_s},
    {"argument does not match any normalization form"_s,
     "The normalization form should be one of NFC, NFD, NFKC, NFKD."_s},
    {"'super()' must be called in derived constructor before accessing |this| or returning non-object."_s,
     "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"_s},
    {"'arguments', 'callee', and 'caller' cannot be accessed in this context."_s,
     "'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them"_s},
};

bool is_name_character(UChar c) { return WTF::isASCIIAlphanumeric(c) || c == '_' || c == '$' || c >= 0x80; }

bool is_name(StringView text) {
  if (text.isEmpty() || WTF::isASCIIDigit(text[0])) return false;
  for (unsigned i = 0; i < text.length(); i++) {
    if (!is_name_character(text[i])) return false;
  }
  return true;
}

// Where the bracket that ends at `end` (exclusive) opens; 0 when it has none.
unsigned opening_of(StringView text, unsigned end) {
  int depth = 0;
  for (unsigned i = end; i-- > 0;) {
    UChar c = text[i];
    if (c == ')' || c == ']' || c == '}') depth++;
    if ((c == '(' || c == '[' || c == '{') && --depth == 0) return i;
  }
  return 0;
}

// A called expression as Node prints it: arguments of calls inside become "(...)", what has no name "(intermediate value)".
String called_text(StringView text) {
  text = text.trim(WTF::isASCIIWhitespace<UChar>);
  if (text.endsWith(')')) {
    unsigned open = opening_of(text, text.length());
    if (open == 0) return text.startsWith("(void 0"_s) ? text.toString() : String("(intermediate value)"_s);
    return makeString(called_text(text.left(open)), "(...)"_s);
  }
  if (text.endsWith(']')) {
    unsigned open = opening_of(text, text.length());
    if (open == 0) return "(intermediate value)"_s;
    return makeString(called_text(text.left(open)), text.substring(open));
  }
  unsigned at = text.length();
  while (at > 0 && is_name_character(text[at - 1])) at--;
  if (at == 0) return text.toString();
  if (text[at - 1] == '#' && at > 1) at--;
  UChar before = text[at - 1];
  if (before == '.' && at < text.length()) {
    unsigned owner_end = text[at - 1] == '.' && at > 1 && text[at - 2] == '?' ? at - 2 : at - 1;
    return makeString(called_text(text.left(owner_end)), text.substring(owner_end));
  }
  return at == text.length() ? String("(intermediate value)"_s) : text.substring(at).toString();
}

// "a.b" of "a.b(c)" or of "new a.b(c)".
StringView without_arguments(StringView text) {
  if (text.startsWith("new "_s)) text = text.substring(4);
  if (text.endsWith(')')) {
    unsigned open = opening_of(text, text.length());
    if (open > 0) return text.left(open);
  }
  if (text.endsWith('`')) return text.left(text.find('`'));
  return text;
}

// The name that "a.b", "a['b']" or "a[0]" reads; null when only a run could tell.
String property_read(StringView text) {
  if (text.endsWith(']')) {
    unsigned open = opening_of(text, text.length());
    if (open == 0) return {};
    auto key = text.substring(open + 1, text.length() - open - 2).trim(WTF::isASCIIWhitespace<UChar>);
    if (key.length() > 1 && (key[0] == '\'' || key[0] == '"') && key.endsWith(key[0]))
      return key.substring(1, key.length() - 2).toString();
    if (key == "Symbol.iterator"_s) return "Symbol(Symbol.iterator)"_s;
    bool is_number = !key.isEmpty();
    for (unsigned i = 0; i < key.length(); i++) is_number = is_number && WTF::isASCIIDigit(key[i]);
    return is_number ? key.toString() : String();
  }
  unsigned at = text.length();
  while (at > 0 && is_name_character(text[at - 1])) at--;
  if (at == 0 || at == text.length()) return {};
  if (text[at - 1] == '#' && at > 1) at--;
  return text[at - 1] == '.' ? text.substring(at).toString() : String();
}

// Where the assignment's "=" stands in "a.b = c"; notFound when it is none.
size_t assignment_at(StringView text) {
  int depth = 0;
  for (unsigned i = 0; i < text.length(); i++) {
    UChar c = text[i], next = i + 1 < text.length() ? text[i + 1] : 0;
    if (c == '(' || c == '[' || c == '{') depth++;
    if (c == ')' || c == ']' || c == '}') depth--;
    if (c == '\'' || c == '"' || c == '`') {
      auto end = text.find(c, i + 1);
      if (end == WTF::notFound) return WTF::notFound;
      i = static_cast<unsigned>(end);
    }
    if (depth != 0 || c != '=') continue;
    if (next == '=' || next == '>') return WTF::notFound;
    bool is_comparison = i > 0 && (text[i - 1] == '!' || text[i - 1] == '<' || text[i - 1] == '>');
    return is_comparison ? WTF::notFound : i;
  }
  return WTF::notFound;
}

StringView assigned_part(StringView text, size_t equals) {
  auto left = text.left(static_cast<unsigned>(equals));
  while (!left.isEmpty() && strchr("+-*/%&|^?<> \n\t", left[left.length() - 1] < 0x80 ? left[left.length() - 1] : 'a'))
    left = left.left(left.length() - 1);
  return left;
}

String not_an_object(StringView value, StringView source) {
  auto of = source.find(" of "_s);
  if (of != WTF::notFound && assignment_at(source) == WTF::notFound)
    return makeString(called_text(source.substring(static_cast<unsigned>(of) + 4)), " is not iterable"_s);
  if (auto equals = assignment_at(source); equals != WTF::notFound) {
    auto name = property_read(assigned_part(source, equals));
    if (name.isNull()) return makeString("Cannot set properties of "_s, value);
    return makeString("Cannot set properties of "_s, value, " (setting '"_s, name, "')"_s);
  }
  auto name = property_read(source);
  if (!name.isNull()) return makeString("Cannot read properties of "_s, value, " (reading '"_s, name, "')"_s);
  if (source.endsWith(')')) return "Cannot convert undefined or null to object"_s;
  if (source == value) return makeString(value, " is not iterable"_s);
  if (is_name(source)) return makeString(source, " is not iterable"_s);
  return makeString("Cannot read properties of "_s, value);
}

String not_a_function(StringView source, ErrorWhere where) {
  bool is_loop = !source.endsWith(')') && source.contains(" of "_s);
  if (where == ErrorWhere::FoundApproximateSource || is_loop) {
    auto of = source.find(" of "_s);
    if (of == WTF::notFound) return "(intermediate value) is not a function"_s;
    auto rest = source.substring(static_cast<unsigned>(of) + 4);
    return makeString(called_text(rest), " is not iterable"_s);
  }
  return makeString(called_text(without_arguments(source)), " is not a function"_s);
}

// What the engine calls with the text of the expression that failed.
String describe_with_source(const String& message, StringView source, JSC::RuntimeType type, ErrorWhere where) {
  StringView text = message;
  bool is_exact = where == ErrorWhere::FoundExactSource;
  if (text.endsWith(" is not a function"_s)) return not_a_function(source, where);
  if (text.endsWith(" is not a constructor"_s)) {
    if (source.startsWith("super"_s)) return "Super constructor is not a constructor"_s;
    return makeString(called_text(without_arguments(source)), " is not a constructor"_s);
  }
  if (text.endsWith(" is not an object"_s) && is_exact)
    return not_an_object(text.left(text.length() - static_cast<unsigned>(strlen(" is not an object"))), source);
  if (text.endsWith(" is not an Object."_s) && is_exact) {
    auto in = source.reverseFind(" in "_s);
    if (in != WTF::notFound) {
      auto key = source.left(static_cast<unsigned>(in)).trim(WTF::isASCIIWhitespace<UChar>);
      auto value = text.left(text.length() - static_cast<unsigned>(strlen(" is not an Object.")));
      bool quoted = key.length() > 1 && (key[0] == '\'' || key[0] == '"');
      auto shown = quoted ? key.substring(1, key.length() - 2) : key;
      return makeString("Cannot use 'in' operator to search for '"_s, shown, "' in "_s, value);
    }
  }
  if (text.startsWith("Cannot access invalid private field"_s)) {
    auto name = property_read(source);
    return makeString("Cannot read private member "_s, name, " from an object whose class did not declare it"_s);
  }
  if (text.endsWith('.')) text = text.left(text.length() - 1);
  (void)type;
  return text.toString();
}

// The text of the expression being evaluated, and the arguments of the function that evaluates it.
struct Place {
  String function;  // the innermost one's name
  StringView source;  // the whole text it comes from
  String expression;
  JSC::CallFrame* native_frame = nullptr;
};

// Some code has a place without an extent: a variable read too early.
String name_around(StringView text, int at) {
  if (at < 0 || static_cast<unsigned>(at) > text.length()) return {};
  auto from = static_cast<unsigned>(at), to = from;
  while (from > 0 && is_name_character(text[from - 1])) from--;
  while (to < text.length() && is_name_character(text[to])) to++;
  return text.substring(from, to - from).toString();
}

Place place_of(JSC::JSGlobalObject* realm) {
  Place place;
  auto& vm = realm->vm();
  auto* top = vm.topCallFrame;
  if (top && !top->isEmptyTopLevelCallFrameForDebugger() && !top->isNativeCalleeFrame() && !top->codeBlock())
    place.native_frame = top;
  WTF::Vector<JSC::StackFrame> frames;
  vm.interpreter.getStackTrace(realm, frames, 0, 2);
  if (!frames.isEmpty()) place.function = frames[0].functionName(vm);
  for (const auto& frame : frames) {
    auto* block = frame.codeBlock();
    if (!block || !frame.hasBytecodeIndex()) continue;
    int divot = 0, start = 0, end = 0;
    unsigned line = 0, column = 0;
    block->expressionRangeForBytecodeIndex(frame.bytecodeIndex(), divot, start, end, line, column);
    auto text = place.source = block->ownerExecutable()->source().provider()->source();
    int from = divot - start, to = divot + end;
    if (from >= 0 && from < to && static_cast<unsigned>(to) <= text.length())
      place.expression = text.substring(static_cast<unsigned>(from), static_cast<unsigned>(to - from)).toString();
    else
      place.expression = name_around(text, divot);
    break;
  }
  return place;
}

String argument_name(const Place& place, unsigned index) {
  if (!place.native_frame) return {};
  Value value = place.native_frame->argument(index);
  if (value.isString()) return JSC::asString(value)->tryGetValue();
  return value.isInt32() ? String::number(value.asInt32()) : String();
}

String forbidden_write(JSC::JSGlobalObject* realm, StringView message) {
  auto place = place_of(realm);
  auto defined = argument_name(place, 1);
  StringView source = place.expression;
  auto equals = assignment_at(source);
  auto assigned = equals == WTF::notFound ? property_read(source) : property_read(assigned_part(source, equals));
  bool is_extension = message.startsWith("Attempting to define property on object"_s);
  if (!defined.isNull())
    return is_extension ? makeString("Cannot define property "_s, defined, ", object is not extensible"_s)
                        : makeString("Cannot redefine property: "_s, defined);
  if (assigned.isNull()) return message.toString();
  if (is_extension) return makeString("Cannot add property "_s, assigned, ", object is not extensible"_s);
  if (message.startsWith("Unable to delete"_s))
    return makeString("Cannot delete property '"_s, assigned, "' of #<Object>"_s);
  return makeString("Cannot assign to read only property '"_s, assigned, "' of object '#<Object>'"_s);
}

String needs_new(JSC::JSGlobalObject* realm, bool is_class) {
  auto name = place_of(realm).function;
  if (is_class) return makeString("Class constructor "_s, name, " cannot be invoked without 'new'"_s);
  if (name == "Promise"_s) return "Promise constructor cannot be invoked without 'new'"_s;
  return makeString("Constructor "_s, name, " requires 'new'"_s);
}

bool declares(StringView source, StringView name) {
  for (auto word : {"let "_s, "const "_s, "class "_s}) {
    auto declaration = makeString(word, name);
    for (size_t at = source.find(StringView(declaration)); at != WTF::notFound;
         at = source.find(StringView(declaration), at + 1)) {
      size_t end = at + declaration.length();
      if (end >= source.length() || !is_name_character(source[static_cast<unsigned>(end)])) return true;
    }
  }
  return false;
}

String uninitialized(JSC::JSGlobalObject* realm) {
  auto place = place_of(realm);
  StringView name = place.expression;
  unsigned length = 0;
  while (length < name.length() && is_name_character(name[length])) length++;
  name = name.left(length);
  // The place is sometimes that of the next expression: believe it only when it names a variable of that kind.
  if (is_name(name) && declares(place.source, name))
    return makeString("Cannot access '"_s, name, "' before initialization"_s);
  return "Cannot access variable before initialization"_s;
}

String json_words(JSC::JSGlobalObject* realm, const String& message) {
  auto* frame = realm->vm().topCallFrame;
  if (!frame || frame->isNativeCalleeFrame() || frame->codeBlock()) return message;
  Value text = frame->argument(0);
  auto found = text.isString()      ? json_error(JSC::asString(text)->tryGetValue())
               : text.isUndefined() ? json_error("undefined"_s)
               : text.isObject()    ? json_error("[object Object]"_s)
                                    : String();
  return found.isEmpty() ? message : found;
}

// "Unexpected keyword 'if'. Expected …" → "Unexpected token 'if'"
String unexpected(StringView text) {
  auto cut = text.find("'. "_s);
  if (cut != WTF::notFound) text = text.left(static_cast<unsigned>(cut) + 1);
  if (text.startsWith("Unexpected keyword "_s)) return makeString("Unexpected token "_s, text.substring(19));
  if (text.startsWith("Unexpected string literal"_s)) return "Unexpected string"_s;
  if (text.startsWith("Unexpected number"_s)) return "Unexpected number"_s;
  return text.toString();
}

String quoted_name(StringView text) {
  auto open = text.find('\''), close = text.reverseFind('\'');
  if (open == WTF::notFound || close <= open) return {};
  return text.substring(static_cast<unsigned>(open) + 1, static_cast<unsigned>(close - open) - 1).toString();
}

String resolver_words(JSC::JSGlobalObject* realm, const String& message) {
  auto* frame = realm->vm().topCallFrame;
  if (!frame || frame->isNativeCalleeFrame() || frame->codeBlock()) return message;
  Value given = frame->argument(0);
  String text = given.isObject()   ? String("#<Object>"_s)
                : given.isString() ? String(JSC::asString(given)->tryGetValue())
                : given.isSymbol() ? String("Symbol()"_s)
                                   : given.toWTFStringForConsole(realm);
  return makeString("Promise resolver "_s, text, " is not a function"_s);
}

// [].map(5): the value stands first among the built-in's arguments.
String bad_callback(JSC::JSGlobalObject* realm) {
  auto* frame = realm->vm().topCallFrame;
  Value given = frame && !frame->isNativeCalleeFrame() ? frame->argument(0) : JSC::jsUndefined();
  String text = given.isObject()   ? String("#<Object>"_s)
                : given.isSymbol() ? String("Symbol()"_s)
                                   : given.toWTFStringForConsole(realm);
  if (given.isNumber()) text = makeString("number "_s, text);
  if (given.isBoolean()) text = makeString("boolean "_s, text);
  if (given.isNull()) text = "object null"_s;
  if (given.isString()) text = makeString("string \""_s, JSC::asString(given)->tryGetValue(), '"');
  return makeString(text, " is not a function"_s);
}

}  // namespace

String reword(JSC::JSGlobalObject* realm, const String& message) {
  StringView text = message;
  if (text.length() < 9) return message;
  for (const auto& phrase : kPhrases) {
    if (text == phrase.engine) return phrase.node;
  }
  if (text.endsWith(" callback must be a function"_s)) return bad_callback(realm);
  switch (text[0]) {
    case 'A':
      if (text == "Attempted to assign to readonly property."_s || text.startsWith("Attempting to "_s))
        return forbidden_write(realm, text);
      return message;
    case 'C':
      if (text.startsWith("Can't find variable: "_s))
        return makeString(text.substring(21), " is not defined"_s, module_scope_words(realm, text.substring(21)));
      if (text == "Cannot access uninitialized variable."_s) return uninitialized(realm);
      if (text == "Cannot call a class constructor without |new|"_s) return needs_new(realm, true);
      if (text == "Cannot call a constructor without |new|"_s) return needs_new(realm, false);
      if (text.startsWith("Cannot declare a"_s) || text.startsWith("Can't create duplicate variable"_s)) {
        auto name = quoted_name(text);
        if (!name.isNull()) return makeString("Identifier '"_s, name, "' has already been declared"_s);
      }
      return message;
    case 'I':
      if (text.startsWith("Invalid mix of BigInt"_s))
        return "Cannot mix BigInt and other types, use explicit conversions"_s;
      return message;
    case 'J':
      return text.startsWith("JSON Parse error"_s) ? json_words(realm, message) : message;
    case 'P':
      return text == "Promise constructor takes a function argument"_s ? resolver_words(realm, message) : message;
    case 'U':
      if (text == "Unable to delete property."_s) return forbidden_write(realm, text);
      return text.startsWith("Unexpected "_s) ? unexpected(text) : message;
    default:
      return message;
  }
}

SourceAppender reword(SourceAppender appender) { return appender ? describe_with_source : nullptr; }

}  // namespace rondo::engine
