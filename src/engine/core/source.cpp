// See source.h.
#include "engine/core/source.h"

#include "engine/core/coverage.h"
#include "engine/core/vm_state.h"
#include "engine/errors/syntax_fault.h"
#include "engine/patches/baked_code.h"
#include "engine/patches/block_functions.h"
#include "engine/patches/function_body.h"

#include <JavaScriptCore/BytecodeCacheError.h>
#include <JavaScriptCore/CachedBytecode.h>
#include <JavaScriptCore/Debugger.h>
#include <JavaScriptCore/UnlinkedFunctionExecutable.h>
#include <wtf/text/StringBuilder.h>
#include <wtf/text/StringToIntegerConversion.h>

namespace rondo::engine {

namespace {

// Marks wrapped sources: SourceProvider has no room for a flag of ours, and this URL is otherwise unused outside browsers. Behind it may stand
// how many lines of other files come before (EmbeddedBundle).
constexpr auto kWrappedMark = "wrapped"_s;

RefPtr<JSC::CachedBytecode> copied_bytecode(std::span<const uint8_t> bytecode) {
  if (bytecode.empty()) return nullptr;
  auto* copy = static_cast<uint8_t*>(JSC::VMMalloc::malloc(bytecode.size()));
  memcpy(copy, bytecode.data(), bytecode.size());
  return JSC::CachedBytecode::create(WTF::adoptMallocPtr<uint8_t, JSC::VMMalloc>(copy), bytecode.size(), {});
}

// For bytes in the binary's read-only data, which the VM reads until its end.
RefPtr<JSC::CachedBytecode> embedded_bytecode(JSC::VM& vm, std::string_view bytecode) {
  if (bytecode.empty()) return nullptr;
  auto view = view_bytecode(bytecode);
  VmState::of(vm).bytecode_views.append(view.copyRef());
  return view;
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
  void set_text(const WTF::String& text) { text_ = text; }

 private:
  WTF::String text_;
  unsigned hash_;
  RefPtr<JSC::CachedBytecode> bytecode_;
};

class FunctionProvider final : public CachedProvider {
 public:
  FunctionProvider(const WTF::String& text, unsigned hash, const WTF::String& url, const JSC::SourceOrigin& origin,
                   RefPtr<JSC::CachedBytecode> bytecode, const WTF::String& mark = kWrappedMark)
      : CachedProvider(text, hash, url, origin, mark, JSC::SourceProviderSourceType::Program, std::move(bytecode)) {}
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

// Library files do not import(), so they need no origin of their own.
JSC::SourceOrigin library_origin() {
  return JSC::SourceOrigin{WTF::URL("node:lib"_s)};  // not static: threads must not share its count of references
}

WTF::String text_of(std::string_view text, bool is_ascii) {
  if (!is_ascii) return to_wtf(text);
  return WTF::StringImpl::createWithoutCopying(text.data(), static_cast<unsigned>(text.size()));
}

JSC::SourceCode embedded_source(const EmbeddedFunction& source) {
  const WTF::String url = to_wtf(source.url);
  return JSC::SourceCode(adoptRef(*new FunctionProvider(text_of(source.text, source.is_ascii), url.hash(), url,
                                                        library_origin(), nullptr)),
                         1, 1);
}

// The key of a piece of baked bytecode in the engine. While it writes and reads the code its text is the address alone: the engine keeps it
// beside the code, and when it reads the code copies, hashes and compares it. The bracket keeps it from being a program: 'node:zlib' is one
// (a label), and its code would be taken for the file's.
Ref<FunctionProvider> baked_key(JSC::VM& vm, std::string_view url, std::string_view bytecode) {
  const WTF::String name = to_wtf(url);
  const WTF::String text = makeString(')', name);
  return adoptRef(*new FunctionProvider(text, text.hash(), name, library_origin(), embedded_bytecode(vm, bytecode)));
}

JSC::SourceCode whole(FunctionProvider& provider) { return JSC::SourceCode(Ref<JSC::SourceProvider>(provider), 1, 1); }

// Null when the engine does not take it: options of its own ask for code of another kind, or html.pack is another build's.
JSC::UnlinkedCodeBlock* decode_baked(JSC::JSGlobalObject* realm, FunctionProvider& key, const WTF::String& text) {
  JSC::ParserError error;
  auto* code = compile_program(realm, whole(key), error);
  key.set_text(text);
  return code;
}

// The engine tells its debugger of programs and modules; functions compiled here it does not see.
void tell_debugger(JSC::JSGlobalObject* realm, const JSC::SourceCode& source) {
  if (auto* debugger = realm->debugger()) debugger->sourceParsed(realm, source.provider(), -1, WTF::String());
}

CallOutcome link_baked(JSC::JSScope* scope, JSC::UnlinkedFunctionExecutable& function, const JSC::SourceCode& source) {
  auto& vm = scope->vm();
  tell_debugger(scope->globalObject(), source);
  return {JSC::JSFunction::create(vm, function.link(vm, nullptr, source), scope), nullptr};
}

CallOutcome evaluate_function(JSC::JSScope* scope, const JSC::SourceCode& source) {
  auto* realm = scope->globalObject();
  auto& vm = realm->vm();
  JSC::ParserError error;
  auto* body = compile_body(realm, source, error);
  if (!body) return {JSC::jsUndefined(), JSC::Exception::create(vm, error.toErrorObject(realm, source))};
  tell_debugger(realm, source);
  return {JSC::JSFunction::create(vm, body->link(vm, nullptr, source), scope), nullptr};
}

}  // namespace

CallOutcome compile_function(JSC::JSGlobalObject* realm, const FunctionSource& source) {
  auto code = wrapped_source(source);
  note_source(realm->vm(), *code.provider());
  return evaluate_function(realm->globalScope(), code);
}

CallOutcome compile_embedded(JSC::JSScope* scope, const EmbeddedFunction& source) {
  if (source.bytecode.empty()) return evaluate_function(scope, embedded_source(source));
  auto key = baked_key(scope->vm(), source.url, source.bytecode);
  auto* code = decode_baked(scope->globalObject(), key, text_of(source.text, source.is_ascii));
  if (!code) return evaluate_function(scope, embedded_source(source));
  return link_baked(scope, *code->functionExpr(0), whole(key));
}

std::string make_bytecode(JSC::VM& vm, const EmbeddedFunction& source) {
  return bake_program(vm, embedded_source(source), whole(baked_key(vm, source.url, {})));
}

void EmbeddedBundle::open(JSC::JSGlobalObject* realm, const EmbeddedFunction& all) {
  text_ = text_of(all.text, all.is_ascii);
  if (auto* code = decode_baked(realm, baked_key(realm->vm(), all.url, all.bytecode), text_))
    code_.set(realm->vm(), code);
}

CallOutcome EmbeddedBundle::compile(JSC::JSScope* scope, size_t index, std::string_view url) {
  auto& function = *code_->functionExpr(static_cast<int>(index));
  const WTF::String name = to_wtf(url);
  const auto provider_for = [&](const WTF::String& mark) {
    return adoptRef(*new FunctionProvider(text_, name.hash(), name, library_origin(), nullptr, mark));
  };
  const int before = function.linkedSourceCode(whole(provider_for(kWrappedMark))).firstLine().oneBasedInt() - 1;
  auto provider = provider_for(makeString(kWrappedMark, before));
  return link_baked(scope, function, beginning_at_line(provider, 1 - before));
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
  note_source(realm->vm(), *source.provider());
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

JSC::SourceCode module_source(const ScriptSource& source, std::span<const uint8_t> bytecode) {
  return JSC::SourceCode(adoptRef(*new CachedProvider(
                             source.text, source.text.hash(), source.url, JSC::SourceOrigin(WTF::URL(source.origin)),
                             WTF::String(), JSC::SourceProviderSourceType::Module, copied_bytecode(bytecode))),
                         source.line + 1, source.column + 1);
}

WTF::ASCIILiteral wrapped_mark() { return kWrappedMark; }

unsigned wrapper_lines(JSC::SourceProvider& provider) {
  return provider.preRedirectURL().startsWith(kWrappedMark) ? 1 : 0;
}

unsigned lines_before(JSC::SourceProvider& provider) {
  if (!wrapper_lines(provider)) return 0;
  const auto others = WTF::StringView(provider.preRedirectURL()).substring(kWrappedMark.length());
  return 1 + WTF::parseInteger<unsigned>(others).value_or(0);
}

}  // namespace rondo::engine
