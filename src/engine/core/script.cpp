// See script.h.
#include "engine/core/script.h"

#include "engine/core/entry.h"
#include "engine/core/interrupt.h"
#include "engine/core/source.h"
#include "engine/core/vm_state.h"
#include "engine/patches/block_functions.h"

#include <JavaScriptCore/BytecodeCacheError.h>
#include <JavaScriptCore/CachedBytecode.h>
#include <JavaScriptCore/JSSourceCode.h>
#include <JavaScriptCore/ParserError.h>
#include <wtf/text/StringBuilder.h>

namespace rondo::engine {

namespace {

// A cache begins with these, then comes the engine's bytecode.
struct CacheHeader {
  uint32_t magic = 0x6f646e72;
  uint32_t hash = 0;
  uint64_t size = 0;
};

bool is_of_callee(char16_t c) {
  return isASCIIAlphanumeric(c) || c == '_' || c == '$' || c == '.' || c == '[' || c == ']' || c == '"';
}

// A program of nothing but calls with literals (`callback("x")`) the engine runs without compiling it: its errors have no place then, and
// a function that nobody has defined is "undefined", no ReferenceError. A comment at the end keeps it from that.
WTF::String compiled_always(const WTF::String& text) {
  unsigned at = 0;
  while (at < text.length() && isASCIIWhitespace(text[at])) at++;
  const unsigned begin = at;
  while (at < text.length() && is_of_callee(text[at])) at++;
  if (at == begin) return text;
  while (at < text.length() && isASCIIWhitespace(text[at])) at++;
  return at < text.length() && text[at] == '(' ? makeString(text, "\n//"_s) : text;
}

class ScriptProvider final : public JSC::SourceProvider {
 public:
  ScriptProvider(const ScriptSource& source, const WTF::String& mark, std::span<const uint8_t> bytecode)
      : JSC::SourceProvider(JSC::SourceOrigin(WTF::URL(source.origin)), WTF::String(source.url), WTF::String(mark),
                            JSC::SourceTaintedOrigin::Untainted,
                            WTF::TextPosition(WTF::OrdinalNumber::fromZeroBasedInt(source.line),
                                              WTF::OrdinalNumber::fromZeroBasedInt(source.column)),
                            JSC::SourceProviderSourceType::Program),
        text_(compiled_always(source.text)),
        hash_(source.text.impl() ? source.text.impl()->hash() : 0) {
    if (bytecode.empty()) return;
    auto* copy = static_cast<uint8_t*>(JSC::VMMalloc::malloc(bytecode.size()));
    memcpy(copy, bytecode.data(), bytecode.size());
    bytecode_ = JSC::CachedBytecode::create(WTF::adoptMallocPtr<uint8_t, JSC::VMMalloc>(copy), bytecode.size(), {});
  }

  unsigned hash() const final { return hash_; }
  WTF::StringView source() const final { return text_; }
  RefPtr<JSC::CachedBytecode> cachedBytecode() const final { return bytecode_; }

 private:
  WTF::String text_;
  unsigned hash_;  // of the text as it was given
  RefPtr<JSC::CachedBytecode> bytecode_;
};

JSC::SourceCode make_code(const ScriptSource& source, const WTF::String& mark, std::span<const uint8_t> bytecode) {
  return JSC::SourceCode(adoptRef(*new ScriptProvider(source, mark, bytecode)), source.line + 1, source.column + 1);
}

JSC::PropertyName code_name(JSC::VM& vm) { return VmState::of(vm).script_code; }
JSC::PropertyName rejected_name(JSC::VM& vm) { return VmState::of(vm).script_rejected; }

JSC::JSSourceCode* code_of(JSC::VM& vm, JSC::JSObject* script) {
  Value held = script ? script->getDirect(vm, code_name(vm)) : Value();
  return held ? JSC::jsDynamicCast<JSC::JSSourceCode*>(held) : nullptr;
}

uint32_t hash_of(const WTF::String& text) { return text.impl() ? text.impl()->hash() : 0; }

std::span<const uint8_t> bytecode_in(std::span<const uint8_t> cache, const WTF::String& text) {
  CacheHeader header, wanted;
  if (cache.size() <= sizeof header) return {};
  memcpy(&header, cache.data(), sizeof header);
  if (header.magic != wanted.magic || header.hash != hash_of(text) || header.size != cache.size()) return {};
  return cache.subspan(sizeof header);
}

}  // namespace

// Ends a run that takes too long, or that a SIGINT is for. Of nested runs the one whose time ends first counts.
class TimeLimit {
 public:
  TimeLimit(JSC::VM& vm, const ScriptLimits& limits)
      : innermost_(VmState::of(vm).innermost_time_limit), outer_(innermost_), interrupt_(vm) {
    innermost_ = this;
    if (limits.timeout_ms > 0)
      interrupt_.begin_at(WTF::MonotonicTime::now() + WTF::Seconds::fromMilliseconds(limits.timeout_ms));
    if (limits.ends_by_sigint) interrupt_.begin_on_sigint();
  }
  ~TimeLimit() { innermost_ = outer_; }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  // After the run: whether its time was over, and not also that of one around it, whose end it is then.
  bool end() {
    const bool is_over = interrupt_.cancel();
    return is_over && !(outer_ && outer_->is_over());
  }
  bool is_by_sigint() const { return interrupt_.has_begun_by_sigint(); }

 private:
  bool is_over() const { return interrupt_.has_begun() || (outer_ && outer_->is_over()); }

  TimeLimit*& innermost_;
  TimeLimit* outer_;
  Interrupt interrupt_;
};

JSC::JSObject* compile_script(JSC::JSGlobalObject* realm, const ScriptSource& source, std::span<const uint8_t> cache) {
  auto& vm = realm->vm();
  auto scope = DECLARE_THROW_SCOPE(vm);
  auto bytecode = bytecode_in(cache, source.text);
  auto code = make_code(source, WTF::String(), bytecode);
  JSC::ParserError error;
  if (!JSC::checkSyntax(vm, code, error)) {
    JSC::throwException(realm, scope, error.toErrorObject(realm, code));
    return nullptr;
  }
  auto* script = make_object(realm);
  script->putDirect(vm, code_name(vm), JSC::JSSourceCode::create(vm, WTFMove(code)));
  script->putDirect(vm, rejected_name(vm), JSC::jsBoolean(cache.data() && bytecode.empty()));
  return script;
}

std::string script_cache(JSC::VM& vm, JSC::JSObject* script) {
  auto* held = code_of(vm, script);
  if (!held) return {};
  JSC::BytecodeCacheError error;
  auto made =
      JSC::generateProgramBytecode(vm, held->sourceCode(), WTF::FileSystemImpl::invalidPlatformFileHandle, error);
  CacheHeader header;
  header.hash = held->sourceCode().provider()->hash();
  size_t length = made && !error.isValid() ? made->size() : 0;
  header.size = sizeof header + length;
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  if (length) bytes.append(reinterpret_cast<const char*>(made->data()), length);
  return bytes;
}

bool script_rejected_cache(JSC::JSObject* script) {
  auto& vm = script->vm();
  Value rejected = script->getDirect(vm, rejected_name(vm));
  return rejected && rejected.isTrue();
}

namespace {

// `run` within the limits.
template <class Run>
ScriptOutcome run_limited(JSC::VM& vm, const ScriptLimits& limits, Run run) {
  CallOutcome outcome;
  bool is_over = false, is_by_sigint = false;
  {
    TimeLimit limit(vm, limits);
    outcome = run();
    is_over = limit.end();
    is_by_sigint = limit.is_by_sigint();
  }
  if (is_over) {
    vm.clearHasTerminationRequest();
    return {JSC::jsUndefined(), nullptr, !is_by_sigint, is_by_sigint};
  }
  return {outcome.exception ? JSC::jsUndefined() : outcome.value, outcome.exception};
}

}  // namespace

ScriptOutcome run_script(JSC::JSGlobalObject* realm, JSC::JSObject* script, const ScriptLimits& limits) {
  auto& vm = realm->vm();
  auto* held = code_of(vm, script);
  if (!held) return {JSC::jsUndefined()};
  return run_limited(vm, limits, [&]() -> CallOutcome {
    WTF::NakedPtr<JSC::Exception> exception;
    Value value = evaluate_script(realm, held->sourceCode(), realm->globalThis(), exception);
    return {value, exception.get()};
  });
}

ScriptOutcome call_limited(JSC::JSGlobalObject* realm, Value function, const ScriptLimits& limits) {
  return run_limited(realm->vm(), limits, [&] { return call(realm, function, JSC::jsUndefined(), JSC::ArgList()); });
}

CallOutcome compile_detached(JSC::JSGlobalObject* realm, const ScriptSource& source, const WTF::String& parameters,
                             unsigned extensions) {
  auto& vm = realm->vm();
  // A body that closes the function itself would not parse as a method.
  WTF::StringBuilder method;
  method.append("({m("_s, parameters, "\n) {\n"_s, source.text, "\n}})"_s);
  ScriptSource check = source;
  check.text = method.toString();
  check.line -= 2;
  JSC::ParserError error;
  auto checked = make_code(check, WTF::String(), {});
  if (!JSC::checkSyntax(vm, checked, error))
    return {JSC::jsUndefined(), JSC::Exception::create(vm, error.toErrorObject(realm, checked))};

  WTF::StringBuilder text;
  if (extensions > 0) {
    text.append("(function ("_s);
    for (unsigned i = 0; i < extensions; i++) text.append(i ? ", e"_s : "e"_s, i);
    text.append(") {"_s);
    for (unsigned i = 0; i < extensions; i++) text.append("with (e"_s, i, ") "_s);
    text.append("return "_s);
  }
  text.append("(function ("_s, parameters, ") {\n"_s, source.text, "\n})"_s, extensions > 0 ? "})"_s : ""_s);
  ScriptSource whole = source;
  whole.text = text.toString();
  whole.column = 0;
  WTF::NakedPtr<JSC::Exception> exception;
  Value function = JSC::evaluate(realm, make_code(whole, wrapped_mark(), {}), JSC::jsUndefined(), exception);
  if (exception) return {JSC::jsUndefined(), exception.get()};
  return {function, nullptr};
}

}  // namespace rondo::engine
