// See source.h.
#include "engine/core/source.h"

#include "engine/errors/syntax_fault.h"
#include "engine/patches/block_functions.h"
#include "engine/patches/function_body.h"

#include <JavaScriptCore/BytecodeCacheError.h>
#include <JavaScriptCore/CachedBytecode.h>
#include <JavaScriptCore/UnlinkedFunctionExecutable.h>
#include <wtf/text/StringBuilder.h>

namespace rondo::engine {

namespace {

// Marks wrapped sources: SourceProvider has no room for a flag of ours, and this URL is otherwise unused outside browsers.
constexpr auto kWrappedMark = "wrapped"_s;

RefPtr<JSC::CachedBytecode> copied_bytecode(std::span<const uint8_t> bytecode) {
  if (bytecode.empty()) return nullptr;
  auto* copy = static_cast<uint8_t*>(JSC::VMMalloc::malloc(bytecode.size()));
  memcpy(copy, bytecode.data(), bytecode.size());
  return JSC::CachedBytecode::create(WTF::adoptMallocPtr<uint8_t, JSC::VMMalloc>(copy), bytecode.size(), {});
}

// For bytes in the binary's read-only data: the cache must never free them.
RefPtr<JSC::CachedBytecode> embedded_bytecode(std::string_view bytecode) {
  if (bytecode.empty()) return nullptr;
  auto* bytes = const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(bytecode.data()));
  auto cache = JSC::CachedBytecode::create(WTF::adoptMallocPtr<uint8_t, JSC::VMMalloc>(bytes), bytecode.size(), {});
  cache->ref();
  return cache;
}

// A text that may come with its bytecode.
class CachedProvider : public JSC::SourceProvider {
 public:
  CachedProvider(const WTF::String& text, unsigned hash, const WTF::String& url, const JSC::SourceOrigin& origin,
                 const WTF::String& mark, JSC::SourceProviderSourceType type, RefPtr<JSC::CachedBytecode> bytecode)
      : JSC::SourceProvider(origin, WTF::String(url), WTF::String(mark), JSC::SourceTaintedOrigin::Untainted,
                            WTF::TextPosition(), type),
        text_(text),
        hash_(hash),
        bytecode_(std::move(bytecode)) {}

  unsigned hash() const final { return hash_; }
  WTF::StringView source() const final { return text_; }
  RefPtr<JSC::CachedBytecode> cachedBytecode() const final { return bytecode_; }

 private:
  WTF::String text_;
  unsigned hash_;
  RefPtr<JSC::CachedBytecode> bytecode_;
};

class FunctionProvider final : public CachedProvider {
 public:
  FunctionProvider(const WTF::String& text, unsigned hash, const WTF::String& url, const JSC::SourceOrigin& origin,
                   RefPtr<JSC::CachedBytecode> bytecode)
      : CachedProvider(text, hash, url, origin, kWrappedMark, JSC::SourceProviderSourceType::Program,
                       std::move(bytecode)) {}
};

std::string bytes_of(RefPtr<JSC::CachedBytecode> code, const JSC::BytecodeCacheError& error) {
  if (!code || error.isValid()) return {};
  return std::string(reinterpret_cast<const char*>(code->data()), code->size());
}

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
  return JSC::SourceCode(
      adoptRef(*new FunctionProvider(whole, whole.hash(), source.url, origin, copied_bytecode(source.bytecode))), 1, 1);
}

// The hash only has to tell library files apart, the same way in rondo_bake and in rondo: hashing whole texts would be the
// only reason to read them at start. Library files do not import(), so they need no origin of their own.
JSC::SourceCode embedded_source(const EmbeddedFunction& source) {
  const JSC::SourceOrigin origin{WTF::URL("node:lib"_s)};  // not static: threads must not share its count of references
  const auto size = static_cast<unsigned>(source.text.size());
  const WTF::String text = source.is_ascii
                               ? WTF::String(WTF::StringImpl::createWithoutCopying(source.text.data(), size))
                               : to_wtf(source.text);
  const WTF::String url = to_wtf(source.url);
  const unsigned hash = url.hash() ^ size;
  return JSC::SourceCode(adoptRef(*new FunctionProvider(text, hash, url, origin, embedded_bytecode(source.bytecode))),
                         1, 1);
}

CallOutcome evaluate_function(JSC::JSScope* scope, const JSC::SourceCode& source) {
  auto* realm = scope->globalObject();
  auto& vm = realm->vm();
  JSC::ParserError error;
  auto* body = compile_body(realm, source, error);
  if (!body) return {JSC::jsUndefined(), JSC::Exception::create(vm, error.toErrorObject(realm, source))};
  return {JSC::JSFunction::create(vm, body->link(vm, nullptr, source), scope), nullptr};
}

}  // namespace

CallOutcome compile_function(JSC::JSGlobalObject* realm, const FunctionSource& source) {
  return evaluate_function(realm->globalScope(), wrapped_source(source));
}

CallOutcome compile_embedded(JSC::JSScope* scope, const EmbeddedFunction& source) {
  return evaluate_function(scope, embedded_source(source));
}

std::string make_bytecode(JSC::VM& vm, const EmbeddedFunction& source) {
  JSC::BytecodeCacheError error;
  auto code =
      JSC::generateProgramBytecode(vm, embedded_source(source), WTF::FileSystemImpl::invalidPlatformFileHandle, error);
  return bytes_of(code, error);
}

std::string function_bytecode(JSC::VM& vm, const FunctionSource& source) {
  JSC::BytecodeCacheError error;
  auto code =
      JSC::generateProgramBytecode(vm, wrapped_source(source), WTF::FileSystemImpl::invalidPlatformFileHandle, error);
  return bytes_of(code, error);
}

std::string module_bytecode(JSC::VM& vm, const WTF::String& text, const WTF::String& url) {
  JSC::BytecodeCacheError error;
  auto code =
      JSC::generateModuleBytecode(vm, module_source(text, url), WTF::FileSystemImpl::invalidPlatformFileHandle, error);
  return bytes_of(code, error);
}

CallOutcome evaluate_script(JSC::JSGlobalObject* realm, const WTF::String& text, const WTF::String& url,
                            const WTF::String& origin) {
  auto source = JSC::makeSource(text, JSC::SourceOrigin(WTF::URL(origin)), JSC::SourceTaintedOrigin::Untainted, url);
  WTF::NakedPtr<JSC::Exception> exception;
  Value value = evaluate_script(realm, source, JSC::jsUndefined(), exception, Declarations::Own);
  if (exception) return {JSC::jsUndefined(), exception.get()};
  return {value, nullptr};
}

namespace {

// The source as that grammar sees it, and whether it parses.
JSC::SourceCode parse(JSC::JSGlobalObject* realm, const WTF::String& text, const WTF::String& url, Grammar grammar,
                      JSC::ParserError& error) {
  if (grammar == Grammar::Module) {
    auto source = module_source(text, url);
    JSC::checkModuleSyntax(realm, source, error);
    error = at_fault(error, source.view());
    return source;
  }
  static constexpr std::string_view kParameters[] = {"exports", "require", "module", "__filename", "__dirname"};
  auto source = wrapped_source({.body = text, .url = url, .origin = WTF::String(), .parameters = kParameters});
  compile_body(realm, source, error);
  return source;
}

}  // namespace

Value check_syntax(JSC::JSGlobalObject* realm, const WTF::String& text, const WTF::String& url, Grammar grammar) {
  JSC::ParserError error;
  auto source = parse(realm, text, url, grammar, error);
  if (!error.isValid()) return {};
  return error.toErrorObject(realm, source);
}

std::optional<SyntaxPlace> syntax_place(JSC::JSGlobalObject* realm, const WTF::String& text, Grammar grammar) {
  JSC::ParserError error;
  auto source = parse(realm, text, WTF::String(), grammar, error);
  const auto& where = error.token().m_location;
  unsigned wrapper = wrapper_lines(*source.provider());
  if (error.type() != JSC::ParserError::SyntaxError || where.line <= static_cast<int>(wrapper)) return std::nullopt;
  return SyntaxPlace{.line = static_cast<unsigned>(where.line) - wrapper,
                     .column = where.startOffset - where.lineStartOffset + 1,
                     .length = where.endOffset > where.startOffset ? where.endOffset - where.startOffset : 1};
}

JSC::SourceCode module_source(const WTF::String& text, const WTF::String& url, std::span<const uint8_t> bytecode) {
  return JSC::SourceCode(
      adoptRef(*new CachedProvider(text, text.hash(), url, JSC::SourceOrigin(WTF::URL(url)), WTF::String(),
                                   JSC::SourceProviderSourceType::Module, copied_bytecode(bytecode))),
      1, 1);
}

WTF::ASCIILiteral wrapped_mark() { return kWrappedMark; }

unsigned wrapper_lines(JSC::SourceProvider& provider) { return provider.preRedirectURL() == kWrappedMark ? 1 : 0; }

}  // namespace rondo::engine
