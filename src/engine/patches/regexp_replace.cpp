// See regexp_replace.h. The engine's built-in String.prototype.replace calls a function of C++ for expressions that nothing was changed
// of, and compiled code calls what is inside of it. Both come here first: texts with pairs and expressions that may match nothing, and
// expressions with the flag y without g, are given to RegExp.prototype[Symbol.replace], which is JavaScript and right. The other
// built-ins here take the flag v for what u is.
//
// Undeclared: replaceUsingRegExp ReplaceGeneric ReplaceRegExpEmptyStr ReplaceRegExpString
#include "engine/patches/regexp_replace.h"

#include <JavaScriptCore/BuiltinNames.h>
#include <JavaScriptCore/FrameTracers.h>
#include <JavaScriptCore/RegExpObject.h>
#include <JavaScriptCore/StringPrototype.h>
#include <JavaScriptCore/YarrPattern.h>

namespace rondo::engine {

namespace {

bool has_pair(const WTF::String& text) {
  if (text.is8Bit()) return false;
  const UChar* units = text.characters16();
  for (unsigned i = 1; i < text.length(); i++)
    if (U16_IS_TRAIL(units[i]) && U16_IS_LEAD(units[i - 1])) return true;
  return false;
}

bool may_be_empty(const JSC::RegExp& expression) {
  auto error = JSC::Yarr::ErrorCode::NoError;
  const JSC::Yarr::YarrPattern pattern(expression.pattern(), expression.flags(), error);
  return JSC::Yarr::hasError(error) || pattern.m_body->m_minimumSize == 0;
}

// Whether the engine would step over the second half of a pair, or begin at 0 where the flag y says lastIndex.
bool is_replaced_wrong(JSC::JSGlobalObject* realm, JSC::JSString* text, JSC::RegExpObject* object) {
  const auto& expression = *object->regExp();
  if (expression.sticky() && !expression.global()) return true;
  if (!expression.global() || expression.eitherUnicode() || text->is8Bit()) return false;
  return has_pair(text->value(realm)) && may_be_empty(expression);
}

JSC::JSValue replace_by_steps(JSC::JSGlobalObject* realm, JSC::JSString* text, JSC::RegExpObject* expression,
                              JSC::JSValue replacement) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  const auto function = expression->get(realm, vm.propertyNames->replaceSymbol);
  RETURN_IF_EXCEPTION(scope, {});
  JSC::MarkedArgumentBuffer arguments;
  arguments.append(text);
  arguments.append(replacement);
  RELEASE_AND_RETURN(scope, JSC::call(realm, function, JSC::getCallData(function), expression, arguments));
}

JSC_DEFINE_HOST_FUNCTION(replace_using_regexp, (JSC::JSGlobalObject * realm, JSC::CallFrame* frame)) {
  auto* text = frame->thisValue().isString() ? JSC::asString(frame->thisValue()) : nullptr;
  auto* expression = JSC::jsDynamicCast<JSC::RegExpObject*>(frame->argument(0));
  if (text && expression && is_replaced_wrong(realm, text, expression))
    return JSC::JSValue::encode(replace_by_steps(realm, text, expression, frame->argument(1)));
  auto& vm = realm->vm();
  const auto& name = vm.propertyNames->builtinNames().replaceUsingRegExpPrivateName();
  auto* engines = JSC::jsCast<JSC::JSFunction*>(frame->jsCallee()->getDirect(vm, name));
  return engines->nativeFunction()(realm, frame);
}

// Built-ins of the engine that take u alone for the flag by which characters are code points.
constexpr auto kMatchAll = R"((function (text)
{
    "use strict";
    var expression = this;
    if (!@isObject(expression))
        @throwTypeError("RegExp.prototype.@@matchAll requires |this| to be an Object");
    var string = @toString(text);
    var Matcher = @speciesConstructor(expression, @RegExp);
    var flags = @toString(expression.flags);
    var matcher = new Matcher(expression, flags);
    matcher.lastIndex = @toLength(expression.lastIndex);
    var isGlobal = @stringIncludesInternal.@call(flags, "g");
    var isUnicode = @stringIncludesInternal.@call(flags, "u") || @stringIncludesInternal.@call(flags, "v");
    return new @RegExpStringIterator(matcher, string, isGlobal, isUnicode);
}))"_s;

constexpr auto kMatchSlow = R"((function (expression, string)
{
    "use strict";
    var flags = @toString(expression.flags);
    if (!@stringIncludesInternal.@call(flags, "g"))
        return @regExpExec(expression, string);
    var isUnicode = @stringIncludesInternal.@call(flags, "u") || @stringIncludesInternal.@call(flags, "v");
    expression.lastIndex = 0;
    var matches = [];
    for (;;) {
        var result = @regExpExec(expression, string);
        if (result === null)
            return matches.length === 0 ? null : matches;
        var match = @toString(result[0]);
        @arrayPush(matches, match);
        if (match === "")
            expression.lastIndex = @advanceStringIndex(string, @toLength(expression.lastIndex), isUnicode);
    }
}))"_s;

JSC::FunctionExecutable* make_builtin(JSC::VM& vm, WTF::ASCIILiteral text, WTF::ASCIILiteral name) {
  auto source = JSC::makeSource(text, JSC::SourceOrigin(), JSC::SourceTaintedOrigin::Untainted);
  auto* unlinked = JSC::createBuiltinExecutable(vm, source, JSC::Identifier::fromString(vm, name),
                                                JSC::ImplementationVisibility::Public, JSC::ConstructorKind::None,
                                                JSC::ConstructAbility::CannotConstruct);
  return unlinked->link(vm, nullptr, source);
}

}  // namespace

void install_regexp_replace(JSC::JSGlobalObject* realm) {
  auto& vm = realm->vm();
  const auto& name = vm.propertyNames->builtinNames().replaceUsingRegExpPrivateName();
  JSC::JSObject* prototype = realm->stringPrototype();
  auto engines = prototype->getDirect(vm, name);
  auto* ours =
      JSC::JSFunction::create(vm, realm, 2, "replaceUsingRegExp"_s, replace_using_regexp,
                              JSC::ImplementationVisibility::Private, JSC::StringPrototypeReplaceRegExpIntrinsic);
  ours->putDirect(vm, name, engines);
  prototype->putDirect(vm, name, ours, static_cast<unsigned>(JSC::PropertyAttribute::DontEnum));
}

}  // namespace rondo::engine

// Compiled code calls these. The engine's find the frame of their caller by the frame pointer, so that ours must not stand between.
#define RONDO_OPERATION(name) __wrap_operationStringProtoFunc##name
#define RONDO_REAL(name) __real_operationStringProtoFunc##name
using rondo::engine::is_replaced_wrong;
using rondo::engine::replace_by_steps;

extern "C" JSC::JSCell* RONDO_REAL(ReplaceGeneric)(JSC::JSGlobalObject*, JSC::EncodedJSValue, JSC::EncodedJSValue,
                                                   JSC::EncodedJSValue);
extern "C" JSC::JSCell* RONDO_REAL(ReplaceRegExpEmptyStr)(JSC::JSGlobalObject*, JSC::JSString*, JSC::RegExpObject*);
extern "C" JSC::JSCell* RONDO_REAL(ReplaceRegExpString)(JSC::JSGlobalObject*, JSC::JSString*, JSC::RegExpObject*,
                                                        JSC::JSString*);

// Out of line: it needs a frame, the operations' own must be gone when they go on in the engine.
namespace {

[[gnu::noinline]] JSC::JSCell* replace_in(JSC::CallFrame* caller, JSC::JSGlobalObject* realm, JSC::JSString* text,
                                          JSC::RegExpObject* expression, JSC::JSValue replacement) {
  JSC::JITOperationPrologueCallFrameTracer tracer(realm->vm(), caller);
  const auto result = replace_by_steps(realm, text, expression, replacement);
  return result ? result.asCell() : nullptr;
}

}  // namespace

// The frame pointer that the caller's was saved at.
#define RONDO_CALLER (*static_cast<JSC::CallFrame**>(__builtin_frame_address(0)))

extern "C" JSC::JSCell* RONDO_OPERATION(ReplaceGeneric)(JSC::JSGlobalObject* realm, JSC::EncodedJSValue encoded_text,
                                                        JSC::EncodedJSValue search, JSC::EncodedJSValue replacement) {
  const auto text = JSC::JSValue::decode(encoded_text);
  auto* expression = JSC::jsDynamicCast<JSC::RegExpObject*>(JSC::JSValue::decode(search));
  if (expression && text.isString() && is_replaced_wrong(realm, JSC::asString(text), expression))
    return replace_in(RONDO_CALLER, realm, JSC::asString(text), expression, JSC::JSValue::decode(replacement));
  [[clang::musttail]] return RONDO_REAL(ReplaceGeneric)(realm, encoded_text, search, replacement);
}

extern "C" JSC::JSCell* RONDO_OPERATION(ReplaceRegExpEmptyStr)(JSC::JSGlobalObject* realm, JSC::JSString* text,
                                                               JSC::RegExpObject* expression) {
  if (is_replaced_wrong(realm, text, expression))
    return replace_in(RONDO_CALLER, realm, text, expression, JSC::jsEmptyString(realm->vm()));
  [[clang::musttail]] return RONDO_REAL(ReplaceRegExpEmptyStr)(realm, text, expression);
}

extern "C" JSC::JSCell* RONDO_OPERATION(ReplaceRegExpString)(JSC::JSGlobalObject* realm, JSC::JSString* text,
                                                             JSC::RegExpObject* expression,
                                                             JSC::JSString* replacement) {
  if (is_replaced_wrong(realm, text, expression)) return replace_in(RONDO_CALLER, realm, text, expression, replacement);
  [[clang::musttail]] return RONDO_REAL(ReplaceRegExpString)(realm, text, expression, replacement);
}

JSC::FunctionExecutable* wrap_match_all(JSC::VM& vm) asm(
    "__wrap__ZN3JSC36regExpPrototypeMatchAllCodeGeneratorERNS_2VME");
JSC::FunctionExecutable* wrap_match_all(JSC::VM& vm) {
  return rondo::engine::make_builtin(vm, rondo::engine::kMatchAll, "[Symbol.matchAll]"_s);
}

JSC::FunctionExecutable* wrap_match_slow(JSC::VM& vm) asm(
    "__wrap__ZN3JSC37regExpPrototypeMatchSlowCodeGeneratorERNS_2VME");
JSC::FunctionExecutable* wrap_match_slow(JSC::VM& vm) {
  return rondo::engine::make_builtin(vm, rondo::engine::kMatchSlow, "matchSlow"_s);
}
