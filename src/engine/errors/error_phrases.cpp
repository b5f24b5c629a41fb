// See error_phrases.h.
#include "engine/errors/error_phrases.h"

#include <wtf/text/StringConcatenate.h>

namespace rondo::engine {

namespace {

using WTF::String;
using WTF::StringView;

struct Phrase {
  WTF::ASCIILiteral engine;
  WTF::ASCIILiteral node;
};

constexpr Phrase kWhole[] = {
    // Running code
    {"Maximum call stack size exceeded."_s, "Maximum call stack size exceeded"_s},
    {"Array size is not a small enough positive integer."_s, "Invalid array length"_s},
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
    {"Out of bounds access"_s, "Offset is outside the bounds of the DataView"_s},
    {"WeakMap keys must be objects or non-registered symbols"_s, "Invalid value used as weak map key"_s},
    {"WeakSet values must be objects or non-registered symbols"_s, "Invalid value used in weak set"_s},
    {"A Proxy's 'target' should be an Object"_s, "Cannot create proxy with a non-object as target or handler"_s},
    {"A Proxy's 'handler' should be an Object"_s, "Cannot create proxy with a non-object as target or handler"_s},
    {"String.prototype.matchAll argument must not be a non-global regular expression"_s,
     "String.prototype.matchAll called with a non-global RegExp argument"_s},
    {"String.prototype.replaceAll argument must not be a non-global regular expression"_s,
     "String.prototype.replaceAll called with a non-global RegExp argument"_s},
    {"argument does not match any normalization form"_s,
     "The normalization form should be one of NFC, NFD, NFKC, NFKD."_s},
    {"'super()' must be called in derived constructor before accessing |this| or returning non-object."_s,
     "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"_s},
    {"'super()' can't be called more than once in a constructor."_s, "Super constructor may only be called once"_s},
    {"Cannot return a non-object type in the constructor of a derived class."_s,
     "Derived constructors may only return object or undefined"_s},
    {"'arguments', 'callee', and 'caller' cannot be accessed in this context."_s,
     "'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them"_s},
    {"0 is an invalid divisor value."_s, "Division by zero"_s},
    {"Negative exponent is not allowed"_s, "Exponent must be positive"_s},
    {"BigInt does not support >>> operator"_s, "BigInts have no unsigned right shift, use >> instead"_s},
    {"Conversion from 'BigInt' to 'number' is not allowed."_s, "Cannot convert a BigInt value to a number"_s},
    {"number of bits cannot be negative"_s, "Invalid value: not (convertible to) a safe integer"_s},
    {"String.raw requires template not be null or undefined"_s, "Cannot convert undefined or null to object"_s},
    {"Expected ArrayBuffer for the first argument."_s,
     "First argument to DataView constructor must be an ArrayBuffer"_s},
    {"Range consisting of offset and length are out of bounds"_s, "offset is out of bounds"_s},
    {"First argument to WeakRef should be an object or a non-registered symbol"_s, "WeakRef: invalid target"_s},
    {"First argument to FinalizationRegistry should be a function"_s,
     "FinalizationRegistry: cleanup must be callable"_s},
    {"register requires an object or a non-registered symbol as the target"_s,
     "FinalizationRegistry.prototype.register: invalid target"_s},
    {"|this| is not a function inside Function.prototype.bind"_s, "Bind must be called on a function"_s},
    {"second argument to Function.prototype.apply must be an Array-like object"_s,
     "CreateListFromArrayLike called on non-object"_s},
    {"Reflect.apply requires the third argument be an object"_s, "CreateListFromArrayLike called on non-object"_s},
    {"Generator is executing"_s, "Generator is already running"_s},
    {"Cannot set prototype of undefined or null"_s, "Object.setPrototypeOf called on null or undefined"_s},
    {"cyclic __proto__ value"_s, "Cyclic __proto__ value"_s},
    {"Cannot set prototype of immutable prototype object"_s,
     "Immutable prototype object 'Object.prototype' cannot have their prototype set"_s},
    {"invalid getter usage"_s, "Object.prototype.__defineGetter__: Expecting function"_s},
    {"invalid setter usage"_s, "Object.prototype.__defineSetter__: Expecting function"_s},
    {"No default value"_s, "Cannot convert object to primitive value"_s},
    {"Symbol.toPrimitive returned an object"_s, "Cannot convert object to primitive value"_s},
    {"String contained an illegal UTF-16 sequence."_s, "URI malformed"_s},
    {"currency must be a string"_s, "Currency code is required with currency style."_s},
    {"Proxy handler's 'getPrototypeOf' trap should either return an object or null"_s,
     "'getPrototypeOf' on proxy: trap returned neither object nor null"_s},
    {"Proxy handler's 'ownKeys' method must return an object"_s, "CreateListFromArrayLike called on non-object"_s},
    {"RegExp.escape expects a string"_s, "input argument must be a string"_s},
    // Compiling
    {"Unexpected end of script"_s, "Unexpected end of input"_s},
    {"Unexpected EOF"_s, "Invalid or unexpected token"_s},
    {"Parser error"_s, "Invalid or unexpected token"_s},
    {"Return statements are only valid inside functions."_s, "Illegal return statement"_s},
    {"Function statements must have a name."_s, "Function statements require a function name"_s},
    {"Left side of assignment is not a reference."_s, "Invalid left-hand side in assignment"_s},
    {"'break' is only valid inside a switch or loop statement."_s, "Illegal break statement"_s},
    {"'continue' is only valid inside a loop statement."_s,
     "Illegal continue statement: no surrounding iteration statement"_s},
    {"'with' statements are not valid in strict mode."_s, "Strict mode code may not include a with statement"_s},
    {"Decimal integer literals with a leading zero are forbidden in strict mode"_s,
     "Octal literals are not allowed in strict mode."_s},
    {"Cannot use 'let' as a lexical variable name in strict mode."_s, "Unexpected strict mode reserved word"_s},
    {"import.meta is only valid inside modules."_s, "Cannot use 'import.meta' outside a module"_s},
    {"super is not valid in this context."_s, "'super' keyword unexpected here"_s},
    {"Invalid regular expression: invalid flags"_s, "Invalid regular expression flags"_s},
    {"No binary digits after '0b'"_s, "Invalid or unexpected token"_s},
    {"No octal digits after '0o'"_s, "Invalid or unexpected token"_s},
    {"No hexadecimal digits after '0x'"_s, "Invalid or unexpected token"_s},
    {"No identifiers allowed directly after numeric literal"_s, "Invalid or unexpected token"_s},
    {"\\u can only be followed by a Unicode character sequence"_s, "Invalid Unicode escape sequence"_s},
    {"\\x can only be followed by a hex character sequence"_s, "Invalid hexadecimal escape sequence"_s},
    {"Cannot declare multiple constructors in a single class."_s, "A class may only have one constructor"_s},
    {"Cannot call constructor in an optional chain."_s, "Invalid optional chain from new expression"_s},
    {"Cannot have a newline after 'throw'."_s, "Illegal newline after throw"_s},
    {"Unexpected use of reserved word 'enum'"_s, "Unexpected reserved word"_s},
    {"Cannot use the reserved word 'enum' as a variable name."_s, "Unexpected reserved word"_s},
    {"Class statements must have a name."_s, "Unexpected token '{'"_s},
    {"for-await-of can only be used in an async function or async generator."_s, "Unexpected reserved word"_s},
    {"Cannot assign to the loop variable inside a for-of loop header."_s,
     "for-of loop variable declaration may not have an initializer."_s},
    {"new.target is only valid inside functions or static blocks."_s, "new.target expression is not allowed here"_s},
    {"Attempted to redefine __proto__ property."_s, "Duplicate __proto__ fields are not allowed in object literals"_s},
    {"'use strict' directive not allowed inside a function with a non-simple parameter list."_s,
     "Illegal 'use strict' directive in function with non-simple parameter list"_s},
    {"The only valid numeric escape in strict mode is '\\0'"_s,
     "Octal escape sequences are not allowed in strict mode."_s},
    {"Function declarations are only allowed inside blocks or switch statements in strict mode."_s,
     "In strict mode code, functions can only be declared at top level or inside a block."_s},
    {"Multiline comment was not closed properly"_s, "Invalid or unexpected token"_s},
};

// Messages that name something: the engine's beginning and end around it, Node's around it.
struct Frame {
  WTF::ASCIILiteral before;
  WTF::ASCIILiteral after;
  WTF::ASCIILiteral node_before;
  WTF::ASCIILiteral node_after;
};

constexpr Frame kFrames[] = {
    {"Postfix "_s,
     " operator applied to value that is not a reference."_s,
     "Invalid left-hand side expression in postfix operation"_s,
     {}},
    {"Prefix "_s,
     " operator applied to value that is not a reference."_s,
     "Invalid left-hand side expression in prefix operation"_s,
     {}},
    {"Cannot modify '"_s, "' in strict mode."_s, "Unexpected eval or arguments in strict mode"_s, {}},
    {"Proxy object's 'target' has the non-configurable property '"_s,
     "' that was not in the result from the 'ownKeys' trap"_s, "'ownKeys' on proxy: trap result did not include '"_s,
     "'"_s},
    {"calling "_s, " constructor without new is invalid"_s, "Constructor "_s, " requires 'new'"_s},
    {"Argument to "_s, " cannot be a RegExp"_s, "First argument to "_s, " must not be a regular expression"_s},
    {"Reflect."_s, " requires the first argument be an object"_s, "Reflect."_s, " called on non-object"_s},
    {"Object."_s,
     " requires that input parameter not be null or undefined"_s,
     "Cannot convert undefined or null to object"_s,
     {}},
    {"String.prototype."_s, " requires that |this| not be null or undefined"_s, "String.prototype."_s,
     " called on null or undefined"_s},
    {"Left hand side of operator '"_s, "' must be a reference."_s, "Invalid left-hand side in assignment"_s, {}},
    {"Cannot use the reserved word '"_s,
     "' as a variable name in strict mode."_s,
     "Unexpected strict mode reserved word"_s,
     {}},
    {"Cannot use the reserved word '"_s,
     "' as a lexical variable name in strict mode."_s,
     "Unexpected strict mode reserved word"_s,
     {}},
    {"Unexpected use of reserved word '"_s, "' in strict mode"_s, "Unexpected strict mode reserved word"_s, {}},
    {"Cannot continue to the label '"_s, "' as it is not targeting a loop."_s, "Illegal continue statement: '"_s,
     "' does not denote an iteration statement"_s},
    {"Cannot delete private field "_s, "."_s, "Private fields can not be deleted"_s, {}},
    {"Set.prototype."_s, " expects the first parameter to be an object"_s, "Set.prototype."_s,
     " argument must be an object"_s},
    {"Set.prototype."_s, " expects other.size to be a non-NaN number"_s, "The .size property is NaN"_s, {}},
    {"Array.prototype."_s, " requires that |this| not be null or undefined"_s, "Array.prototype."_s,
     " called on null or undefined"_s},
    {"Symbol.prototype."_s, " requires that |this| be a symbol or a symbol object"_s, "Symbol.prototype."_s,
     " requires that 'this' be a Symbol"_s},
    {"invalid time zone: "_s, ""_s, "Invalid time zone specified: "_s, ""_s},
    {"Proxy object's 'set' trap returned falsy value for property '"_s, "'"_s,
     "'set' on proxy: trap returned falsish for property '"_s, "'"_s},
    {"Proxy's 'defineProperty' trap returned falsy value for property '"_s, "'"_s,
     "'defineProperty' on proxy: trap returned falsish for property '"_s, "'"_s},
    {"invalid language tag: "_s, ""_s, "Invalid language tag: "_s, ""_s},
    {"Cannot delete unqualified property '"_s,
     "' in strict mode."_s,
     "Delete of an unqualified identifier in strict mode."_s,
     {}},
    {"Invalid character: '"_s, "'"_s, "Invalid or unexpected token"_s, {}},
    {"Invalid escape in identifier: '"_s, "'"_s, "Invalid or unexpected token"_s, {}},
    {"Unterminated regular expression literal '"_s, "'"_s, "Invalid regular expression: missing /"_s, {}},
    {"Cannot use the undeclared label '"_s, "'."_s, "Undefined label '"_s, "'"_s},
    {"Cannot reference undeclared private names: \""_s, "\""_s, "Private field '"_s,
     "' must be declared in an enclosing class"_s},
    {"Cannot use the keyword '"_s, "' as a variable name."_s, "Unexpected token '"_s, "'"_s},
    {"Duplicate parameter '"_s,
     "' not allowed in an arrow function."_s,
     "Duplicate parameter name not allowed in this context"_s,
     {}},
};

}  // namespace

String node_phrase(StringView message) {
  for (const auto& phrase : kWhole) {
    if (message == phrase.engine) return phrase.node;
  }
  for (const auto& frame : kFrames) {
    const auto outside = static_cast<unsigned>(frame.before.length() + frame.after.length());
    if (message.length() <= outside || !message.startsWith(frame.before) || !message.endsWith(frame.after)) continue;
    if (frame.node_after.isNull()) return frame.node_before;
    auto inside = message.substring(static_cast<unsigned>(frame.before.length()), message.length() - outside);
    return makeString(frame.node_before, inside, frame.node_after);
  }
  return {};
}

}  // namespace rondo::engine
