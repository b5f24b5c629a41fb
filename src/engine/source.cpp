// See source.h.
#include "engine/source.h"

#include <JavaScriptCore/BytecodeCacheError.h>
#include <JavaScriptCore/CachedBytecode.h>
#include <JavaScriptCore/ParserError.h>
#include <wtf/text/StringBuilder.h>

namespace rondo::engine {

namespace {

// Marks wrapped sources: SourceProvider has no room for a flag of ours, and this URL is otherwise unused outside browsers.
constexpr auto kWrappedMark = "wrapped"_s;

class FunctionProvider final : public JSC::SourceProvider {
 public:
  FunctionProvider(const WTF::String& text, unsigned hash, const WTF::String& url, const JSC::SourceOrigin& origin,
                   std::string_view bytecode = {})
      : JSC::SourceProvider(origin, WTF::String(url), WTF::String(kWrappedMark), JSC::SourceTaintedOrigin::Untainted,
                            WTF::TextPosition(), JSC::SourceProviderSourceType::Program),
        text_(text),
        hash_(hash) {
    if (bytecode.empty()) return;
    auto* bytes = const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(bytecode.data()));
    bytecode_ = JSC::CachedBytecode::create(WTF::adoptMallocPtr<uint8_t, JSC::VMMalloc>(bytes), bytecode.size(), {});
    // The bytes live in the binary's read-only data: the cache must never free them.
    bytecode_->ref();
  }

  unsigned hash() const final { return hash_; }
  WTF::StringView source() const final { return text_; }
  RefPtr<JSC::CachedBytecode> cachedBytecode() const final { return bytecode_; }

 private:
  WTF::String text_;
  unsigned hash_;
  RefPtr<JSC::CachedBytecode> bytecode_;
};

JSC::SourceCode wrapped_source(const FunctionSource& source) {
  WTF::StringBuilder text;
  text.append("(function ("_s);
  bool first = true;
  for (auto parameter : source.parameters) {
    if (!first) text.append(',');
    text.append(to_wtf(parameter));
    first = false;
  }
  text.append(") {\n"_s);
  if (source.body.startsWith("#!"_s)) {
    text.append("//"_s);
    text.append(WTF::StringView(source.body).substring(2));
  } else {
    text.append(source.body);
  }
  text.append("\n})"_s);
  const WTF::String whole = text.toString();
  JSC::SourceOrigin origin{WTF::URL(source.origin)};
  return JSC::SourceCode(adoptRef(*new FunctionProvider(whole, whole.hash(), source.url, origin)), 1, 1);
}

// The hash only has to tell library files apart, the same way in rondo_bake and in rondo: hashing whole texts would be the
// only reason to read them at start. Library files do not import(), so they need no origin of their own.
JSC::SourceCode embedded_source(const EmbeddedFunction& source) {
  static const JSC::SourceOrigin origin{WTF::URL("node:lib"_s)};
  const auto size = static_cast<unsigned>(source.text.size());
  const WTF::String text = source.is_ascii
                               ? WTF::String(WTF::StringImpl::createWithoutCopying(source.text.data(), size))
                               : to_wtf(source.text);
  const WTF::String url = to_wtf(source.url);
  const unsigned hash = url.hash() ^ size;
  return JSC::SourceCode(adoptRef(*new FunctionProvider(text, hash, url, origin, source.bytecode)), 1, 1);
}

CallOutcome evaluate_function(JSC::JSGlobalObject* realm, const JSC::SourceCode& source) {
  WTF::NakedPtr<JSC::Exception> exception;
  Value function = JSC::evaluate(realm, source, JSC::jsUndefined(), exception);
  if (exception) return {JSC::jsUndefined(), exception.get()};
  return {function, nullptr};
}

}  // namespace

CallOutcome compile_function(JSC::JSGlobalObject* realm, const FunctionSource& source) {
  return evaluate_function(realm, wrapped_source(source));
}

CallOutcome compile_embedded(JSC::JSGlobalObject* realm, const EmbeddedFunction& source) {
  return evaluate_function(realm, embedded_source(source));
}

std::string make_bytecode(JSC::VM& vm, const EmbeddedFunction& source) {
  JSC::BytecodeCacheError error;
  auto code =
      JSC::generateProgramBytecode(vm, embedded_source(source), WTF::FileSystemImpl::invalidPlatformFileHandle, error);
  if (!code || error.isValid()) return {};
  return std::string(reinterpret_cast<const char*>(code->data()), code->size());
}

CallOutcome evaluate_script(JSC::JSGlobalObject* realm, const WTF::String& text, const WTF::String& url,
                            const WTF::String& origin) {
  auto source = JSC::makeSource(text, JSC::SourceOrigin(WTF::URL(origin)), JSC::SourceTaintedOrigin::Untainted, url);
  WTF::NakedPtr<JSC::Exception> exception;
  Value value = JSC::evaluate(realm, source, JSC::jsUndefined(), exception);
  if (exception) return {JSC::jsUndefined(), exception.get()};
  return {value, nullptr};
}

Value check_syntax(JSC::JSGlobalObject* realm, const WTF::String& text, const WTF::String& url, Grammar grammar) {
  auto& vm = realm->vm();
  JSC::ParserError error;
  if (grammar == Grammar::Module) {
    auto source = module_source(text, url);
    if (JSC::checkModuleSyntax(realm, source, error)) return {};
    return error.toErrorObject(realm, source);
  }
  static constexpr std::string_view kParameters[] = {"exports", "require", "module", "__filename", "__dirname"};
  auto source = wrapped_source({.body = text, .url = url, .origin = WTF::String(), .parameters = kParameters});
  if (JSC::checkSyntax(vm, source, error)) return {};
  return error.toErrorObject(realm, source);
}

JSC::SourceCode module_source(const WTF::String& text, const WTF::String& url) {
  return JSC::makeSource(text, JSC::SourceOrigin(WTF::URL(url)), JSC::SourceTaintedOrigin::Untainted, url,
                         WTF::TextPosition(), JSC::SourceProviderSourceType::Module);
}

WTF::ASCIILiteral wrapped_mark() { return kWrappedMark; }

unsigned wrapper_lines(JSC::SourceProvider& provider) { return provider.preRedirectURL() == kWrappedMark ? 1 : 0; }

}  // namespace rondo::engine
