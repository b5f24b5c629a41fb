// The engine's own errors in the words of Node ("x is not defined", "Cannot read properties of undefined (reading 'y')"): npm
// packages and tests compare them. The linker sends the engine's calls to its makers of errors here (--wrap, see
// cmake/engine.cmake and docs/decisions/0010-wrapped-engine-functions.md); a message that is not known passes through unchanged.
// Errors that programs make themselves do not come this way.
//
// The engine's message says what kind of error it is. What Node adds comes from facts: error_phrases.cpp needs none,
// operation_wording.cpp asks the operation that failed, builtin_wording.cpp the built-in function that threw.
#include "engine/errors/error_wording.h"

#include "engine/errors/builtin_wording.h"
#include "engine/errors/error_phrases.h"
#include "engine/errors/link_error.h"
#include "engine/errors/operation_wording.h"

#include <wtf/text/StringConcatenate.h>

namespace rondo::engine {

namespace {

using WTF::String;
using WTF::StringView;

// Words that the engine's parser adds to a token it did not expect, where Node's words say that and not the token.
struct Hint {
  WTF::ASCIILiteral engine, node;
};
constexpr Hint kHints[] = {
    {"' must have an initializer."_s, "Missing initializer in const declaration"_s},
    {"Expected an initializer in destructuring variable declaration."_s,
     "Missing initializer in destructuring declaration"_s},
    {"Try statements must have at least a catch or finally block."_s, "Missing catch or finally after try"_s},
    {"Expected ')' to end an argument list."_s, "missing ) after argument list"_s},
    {"import call expects one or two arguments."_s, "Cannot use import statement outside a module"_s},
    {"getter functions must have no parameters."_s, "Getter must not have any formal parameters."_s},
    {"setter functions must have one parameter."_s, "Setter must have exactly one formal parameter."_s},
    {"Cannot use yield expression out of generator."_s, "Unexpected strict mode reserved word"_s},
    {"Cannot use yield expression within parameters."_s, "Yield expression not allowed in formal parameter"_s},
    {"parentheses must be used to disambiguate the expression."_s,
     "Unary operator used immediately before exponentiation expression. Parenthesis must be used to disambiguate operator precedence"_s},
};

// "Unexpected keyword 'if'. Expected …" → "Unexpected token 'if'"
String unexpected(StringView text) {
  for (const auto& hint : kHints) {
    if (text.endsWith(hint.engine)) return hint.node;
  }
  if (text == "Unexpected keyword 'default'. Expected '}' to end a body of a 'switch'."_s)
    return "More than one default clause in switch statement"_s;
  if (auto label = text.find("Attempted to redeclare the label "_s); label != WTF::notFound) {
    auto name = text.substring(static_cast<unsigned>(label) + 33);
    return makeString("Label "_s, name.left(name.length() - 1), " has already been declared"_s);
  }
  auto cut = text.find("'. "_s);
  if (cut != WTF::notFound) text = text.left(static_cast<unsigned>(cut) + 1);
  if (text.startsWith("Unexpected keyword "_s)) return makeString("Unexpected token "_s, text.substring(19));
  if (text.startsWith("Unexpected string literal"_s)) return "Unexpected string"_s;
  if (text.startsWith("Unexpected number"_s)) return "Unexpected number"_s;
  return text.toString();
}

String quoted_name(StringView text) {
  auto close = text.reverseFind('\'');
  auto open = close == WTF::notFound || close == 0 ? close : text.reverseFind('\'', static_cast<unsigned>(close) - 1);
  if (open == WTF::notFound || close <= open) return {};
  return text.substring(static_cast<unsigned>(open) + 1, static_cast<unsigned>(close - open) - 1).toString();
}

String cannot(JSC::JSGlobalObject* realm, const String& message) {
  StringView text = message;
  if (text.startsWith("Can't find variable: "_s))
    return makeString(text.substring(21), " is not defined"_s, module_scope_words(realm, text.substring(21)));
  if (text == "Cannot access uninitialized variable."_s) return word_early_read(realm);
  if (text.startsWith("Cannot declare a"_s) || text.startsWith("Can't create duplicate variable"_s)) {
    auto name = quoted_name(text);
    if (!name.isNull()) return makeString("Identifier '"_s, name, "' has already been declared"_s);
  }
  return {};
}

bool is_forbidden_write(StringView text) {
  return text == "Attempted to assign to readonly property."_s || text.startsWith("Attempting to "_s) ||
         text == "Unable to delete property."_s || text == "Array length is not writable"_s;
}

}  // namespace

String reword(JSC::JSGlobalObject* realm, const String& message) {
  StringView text = message;
  if (text.length() < 9) return message;
  String words;
  if (is_forbidden_write(text)) words = word_forbidden_write(realm, text);
  if (words.isNull() && text.startsWith("Can"_s)) words = cannot(realm, message);
  if (words.isNull()) words = word_private(realm, text);
  if (words.isNull() && text.startsWith("Spread syntax requires"_s)) words = word_spread(realm);
  if (words.isNull() && text.startsWith("Proxy has already been revoked"_s)) words = word_revoked(realm);
  if (words.isNull()) words = word_builtin(realm, text);
  if (words.isNull()) words = node_phrase(text);
  if (words.isNull() && text.startsWith("Unexpected "_s)) words = unexpected(text);
  return words.isNull() ? message : words;
}

String reword_operation(JSC::JSGlobalObject* realm, const String& message) {
  auto words = word_operation(realm, message);
  return words.isNull() ? reword(realm, message) : words;
}

String reword_static(JSC::JSGlobalObject* realm, const String& message) {
  auto words = word_static(realm, message);
  return words.isNull() ? reword(realm, message) : words;
}

}  // namespace rondo::engine
