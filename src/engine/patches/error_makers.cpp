// Stands before the engine's functions that make errors: the linker (--wrap) sends calls of `x` from other files of the engine
// to `__wrap_x` here, and `__real_x` is the engine's own. The names are the engine's, mangled; the build fails when one is gone.
#include "engine/errors/builtin_wording.h"
#include "engine/errors/error_wording.h"
#include "engine/errors/link_error.h"

#include <wtf/text/StringConcatenate.h>

using JSC::ErrorType;
using JSC::ErrorTypeWithExtension;
using JSC::JSGlobalObject;
using JSC::JSObject;
using rondo::engine::reword;
using rondo::engine::reword_operation;
using rondo::engine::reword_static;
using Appender = JSC::ErrorInstance::SourceAppender;

#define RONDO_APPENDER "PFS3_S5_NS2_10StringViewENS_11RuntimeTypeENS_13ErrorInstance28SourceTextWhereErrorOccurredEE"
#define RONDO_MESSAGE "EPNS_14JSGlobalObjectERKN3WTF6StringE"

// Declares real_x, the engine's function, and begins the definition of wrap_x, which the engine's callers reach.
#define RONDO_MAKER(result, name, symbol, ...)                  \
  extern result real_##name(__VA_ARGS__) asm("__real_" symbol); \
  result wrap_##name(__VA_ARGS__) asm("__wrap_" symbol);        \
  result wrap_##name(__VA_ARGS__)

namespace {
using Message = const WTF::String&;
}

RONDO_MAKER(JSObject*, type_error, "_ZN3JSC15createTypeError" RONDO_MESSAGE, JSGlobalObject* realm, Message message) {
  return real_type_error(realm, reword(realm, message));
}
RONDO_MAKER(JSObject*, type_error_at, "_ZN3JSC15createTypeError" RONDO_MESSAGE RONDO_APPENDER "S7_",
            JSGlobalObject* realm, Message message, Appender appender, JSC::RuntimeType type) {
  // The engine would append the text of the expression: the words have it where Node's have it.
  return real_type_error_at(realm, appender ? reword_operation(realm, message) : reword(realm, message), nullptr, type);
}
RONDO_MAKER(JSObject*, range_error, "_ZN3JSC16createRangeError" RONDO_MESSAGE, JSGlobalObject* realm, Message message) {
  return real_range_error(realm, reword(realm, message));
}
RONDO_MAKER(JSObject*, reference_error, "_ZN3JSC20createReferenceError" RONDO_MESSAGE, JSGlobalObject* realm,
            Message message) {
  return real_reference_error(realm, reword(realm, message));
}
RONDO_MAKER(JSObject*, syntax_error, "_ZN3JSC17createSyntaxError" RONDO_MESSAGE, JSGlobalObject* realm,
            Message message) {
  return real_syntax_error(realm, reword(realm, message));
}
RONDO_MAKER(JSObject*, uri_error, "_ZN3JSC14createURIError" RONDO_MESSAGE, JSGlobalObject* realm, Message message) {
  return real_uri_error(realm, reword(realm, message));
}
RONDO_MAKER(JSObject*, plain_error, "_ZN3JSC11createErrorEPNS_14JSGlobalObjectENS_9ErrorTypeERKN3WTF6StringE",
            JSGlobalObject* realm, ErrorType type, Message message) {
  return real_plain_error(realm, type, reword(realm, message));
}
RONDO_MAKER(JSObject*, static_error,
            "_ZN3JSC11createErrorEPNS_14JSGlobalObjectENS_22ErrorTypeWithExtensionERKN3WTF6StringE",
            JSGlobalObject* realm, ErrorTypeWithExtension type, Message message) {
  return real_static_error(rondo::engine::realm_for_static(realm, message), type, reword_static(realm, message));
}
RONDO_MAKER(JSC::Exception*, throw_type_error,
            "_ZN3JSC14throwTypeErrorEPNS_14JSGlobalObjectERNS_10ThrowScopeERKN3WTF6StringE", JSGlobalObject* realm,
            JSC::ThrowScope& scope, Message message) {
  return real_throw_type_error(realm, scope, reword(realm, message));
}
RONDO_MAKER(JSC::Exception*, throw_type_error_literal,
            "_ZN3JSC14throwTypeErrorEPNS_14JSGlobalObjectERNS_10ThrowScopeEN3WTF12ASCIILiteralE", JSGlobalObject* realm,
            JSC::ThrowScope& scope, WTF::ASCIILiteral message) {
  return real_throw_type_error(realm, scope, reword(realm, WTF::String(message)));
}
RONDO_MAKER(JSC::Exception*, throw_syntax_error,
            "_ZN3JSC16throwSyntaxErrorEPNS_14JSGlobalObjectERNS_10ThrowScopeERKN3WTF6StringE", JSGlobalObject* realm,
            JSC::ThrowScope& scope, Message message) {
  if (auto* error = rondo::engine::link_error(realm, message)) return JSC::throwException(realm, scope, error);
  return real_throw_syntax_error(realm, scope, reword(realm, message));
}
RONDO_MAKER(JSC::Exception*, throw_silent, "_ZN3JSC14throwTypeErrorEPNS_14JSGlobalObjectERNS_10ThrowScopeE",
            JSGlobalObject* realm, JSC::ThrowScope& scope) {
  auto words = rondo::engine::word_silent(realm);
  return words.isNull() ? real_throw_silent(realm, scope) : real_throw_type_error(realm, scope, words);
}
RONDO_MAKER(JSC::EncodedJSValue, throw_needs_new,
            "_ZN3JSC49throwConstructorCannotBeCalledAsFunctionTypeErrorEPNS_14JSGlobalObjectERNS_10ThrowScopeEPKc",
            JSGlobalObject* realm, JSC::ThrowScope& scope, const char* name) {
  real_throw_type_error(realm, scope, makeString("Constructor "_s, WTF::String::fromLatin1(name), " requires 'new'"_s));
  return {};
}
