// See baked_code.h.
// Undeclared: recursivelyGenerateUnlinkedCodeBlockForProgram, serializeBytecode
// Layout: m_firstLine, m_payload
#include "engine/patches/baked_code.h"

#include <JavaScriptCore/BytecodeCacheError.h>
#include <JavaScriptCore/CachePayload.h>
#include <JavaScriptCore/CachedBytecode.h>
#include <JavaScriptCore/UnlinkedFunctionCodeBlock.h>
#include <JavaScriptCore/UnlinkedFunctionExecutable.h>

// Their header needs others that are not installed.
namespace JSC {
class UnlinkedProgramCodeBlock;
UnlinkedProgramCodeBlock* recursivelyGenerateUnlinkedCodeBlockForProgram(VM&, const SourceCode&, JSParserStrictMode,
                                                                         JSParserScriptMode,
                                                                         OptionSet<CodeGenerationMode>, ParserError&,
                                                                         EvalContextType);
RefPtr<CachedBytecode> serializeBytecode(VM&, UnlinkedCodeBlock*, const SourceCode&, SourceCodeType, JSParserStrictMode,
                                         JSParserScriptMode, FileSystem::PlatformFileHandle, BytecodeCacheError&,
                                         OptionSet<CodeGenerationMode>);
}  // namespace JSC

namespace rondo::engine {

// The engine's own constructor takes a line below the first for the first.
template <auto kMember>
struct FirstLine {
  friend void set_first_line(JSC::SourceCode& source, WTF::OrdinalNumber line) { source.*kMember = line; }
};
template struct FirstLine<&JSC::SourceCode::m_firstLine>;
void set_first_line(JSC::SourceCode& source, WTF::OrdinalNumber line);

namespace {

constexpr auto kProgram = static_cast<JSC::SourceCodeType>(1);  // EvalType, ProgramType, FunctionType, ModuleType

// A function with a capital letter is one that `new` is for. For the others code of both kinds would be carried and decoded for nothing.
bool is_for_new(JSC::UnlinkedFunctionExecutable& function) {
  if (function.isClassConstructorFunction()) return true;
  return function.constructAbility() == JSC::ConstructAbility::CanConstruct &&
         function.parseMode() == JSC::SourceParseMode::NormalFunctionMode && !function.name().isEmpty() &&
         WTF::isASCIIUpper(function.name().string()[0]);
}

class Baker {
 public:
  explicit Baker(JSC::VM& vm) : vm_(vm) {}

  void add_functions_of(JSC::UnlinkedCodeBlock& code, const JSC::SourceCode& source) {
    for (size_t i = 0; i < code.numberOfFunctionDecls(); i++) add(*code.functionDecl(i), source);
    for (size_t i = 0; i < code.numberOfFunctionExprs(); i++) add(*code.functionExpr(i), source);
  }

 private:
  void add(JSC::UnlinkedFunctionExecutable& function, const JSC::SourceCode& parent) {
    const auto source = function.linkedSourceCode(parent);
    add_code(function, source, JSC::CodeForCall);
    if (is_for_new(function)) add_code(function, source, JSC::CodeForConstruct);
  }

  void add_code(JSC::UnlinkedFunctionExecutable& function, const JSC::SourceCode& source,
                JSC::CodeSpecializationKind kind) {
    JSC::ParserError error;
    auto* code = function.unlinkedCodeBlockFor(vm_, source, kind, {}, error, function.parseMode());
    if (code) add_functions_of(*code, source);
  }

  JSC::VM& vm_;
};

}  // namespace

JSC::SourceCode beginning_at_line(JSC::SourceProvider& provider, int line) {
  JSC::SourceCode source(Ref<JSC::SourceProvider>(provider), 1, 1);
  set_first_line(source, WTF::OrdinalNumber::fromOneBasedInt(line));
  return source;
}

std::string bake_program(JSC::VM& vm, const JSC::SourceCode& source, const JSC::SourceCode& key) {
  constexpr auto kStrictness = JSC::JSParserStrictMode::NotStrict;
  constexpr auto kScript = JSC::JSParserScriptMode::Classic;
  JSC::JSLockHolder lock(vm);
  JSC::DeferGC no_collection(vm);
  JSC::ParserError error;
  auto* code = reinterpret_cast<JSC::UnlinkedCodeBlock*>(JSC::recursivelyGenerateUnlinkedCodeBlockForProgram(
      vm, source, kStrictness, kScript, {}, error, JSC::EvalContextType::None));
  if (!code) return {};
  Baker(vm).add_functions_of(*code, source);
  JSC::BytecodeCacheError failure;
  auto bytes = JSC::serializeBytecode(vm, code, key, kProgram, kStrictness, kScript,
                                      WTF::FileSystemImpl::invalidPlatformFileHandle, failure, {});
  if (!bytes || failure.isValid()) return {};
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

namespace {

// An explicit instantiation may name private members.
template <class Member, typename Member::Type kMember>
struct Opened {
  friend typename Member::Type open(Member) { return kMember; }
};
struct Payload {
  using Type = JSC::CachePayload JSC::CachedBytecode::*;
  friend Type open(Payload);
};
using PayloadData =
    std::variant<WTF::FileSystemImpl::MappedFileData, std::pair<WTF::MallocPtr<uint8_t, JSC::VMMalloc>, size_t>>;
struct Data {
  using Type = PayloadData JSC::CachePayload::*;
  friend Type open(Data);
};
template struct Opened<Payload, &JSC::CachedBytecode::m_payload>;
template struct Opened<Data, &JSC::CachePayload::m_data>;

}  // namespace

Ref<JSC::CachedBytecode> view_bytecode(std::string_view bytes) {
  auto* begin = const_cast<uint8_t*>(reinterpret_cast<const uint8_t*>(bytes.data()));
  return JSC::CachedBytecode::create(WTF::adoptMallocPtr<uint8_t, JSC::VMMalloc>(begin), bytes.size(), {});
}

void release_bytecode(JSC::CachedBytecode& view) {
  auto& data = (view.*open(Payload())).*open(Data());
  (void)std::get<1>(data).first.leakPtr();
}

}  // namespace rondo::engine
