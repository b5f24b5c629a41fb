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
  FunctionProvider(const WTF::String& text, const FunctionSource& source)
      : JSC::SourceProvider(JSC::SourceOrigin(WTF::URL(source.origin)), WTF::String(source.url),
                            WTF::String(kWrappedMark), JSC::SourceTaintedOrigin::Untainted, WTF::TextPosition(),
                            JSC::SourceProviderSourceType::Program),
        text_(text) {
    if (!source.bytecode.empty()) {
      bytecode_ = JSC::CachedBytecode::create(
          WTF::adoptMallocPtr<uint8_t, JSC::VMMalloc>(const_cast<uint8_t*>(source.bytecode.data())),
          source.bytecode.size(), {});
      // The bytes live in the binary's read-only data: the cache must never free them.
      bytecode_->ref();
    }
  }

  unsigned hash() const final { return text_.impl() ? text_.impl()->hash() : 0; }
  WTF::StringView source() const final { return text_; }
  RefPtr<JSC::CachedBytecode> cachedBytecode() const final { return bytecode_; }

 private:
  WTF::String text_;
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
  return JSC::SourceCode(adoptRef(*new FunctionProvider(text.toString(), source)), 1, 1);
}

}  // namespace

CallOutcome compile_function(JSC::JSGlobalObject* realm, const FunctionSource& source) {
  WTF::NakedPtr<JSC::Exception> exception;
  Value function = JSC::evaluate(realm, wrapped_source(source), JSC::jsUndefined(), exception);
  if (exception) return {JSC::jsUndefined(), exception.get()};
  return {function, nullptr};
}

std::string make_bytecode(JSC::VM& vm, const FunctionSource& source) {
  JSC::BytecodeCacheError error;
  auto code =
      JSC::generateProgramBytecode(vm, wrapped_source(source), WTF::FileSystemImpl::invalidPlatformFileHandle, error);
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

unsigned wrapper_lines(JSC::SourceProvider& provider) { return provider.preRedirectURL() == kWrappedMark ? 1 : 0; }

}  // namespace rondo::engine
