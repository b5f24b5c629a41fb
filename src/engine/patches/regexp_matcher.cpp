// Expressions that the engine's matchers get wrong run on ours (engine/regexp): its compiler of machine code is told that it cannot, and
// our program takes the place of its interpreter's code of the expression, and goes with it. Expressions with the flag u or v are
// compiled by the engine and interpreted by us, when compiled code gives up. Expressions with groups of one name in several
// alternatives, or nested hundreds deep, stay the engine's.
//
// Layout: ByteDisjunction
#include "engine/patches/regexp_vm.h"
#include "engine/regexp/case_closure.h"
#include "engine/regexp/match.h"
#include "engine/regexp/references.h"
#include "engine/regexp/modifiers.h"

#include <JavaScriptCore/YarrJIT.h>

#include <cstring>

namespace {

using JSC::Yarr::BytecodePattern;
using JSC::Yarr::ByteDisjunction;
using JSC::Yarr::ByteTerm;
using JSC::Yarr::YarrPattern;
using rondo::engine::regexp::Instruction;

// The frame size of a body that holds instructions instead of terms; no expression needs so much.
constexpr unsigned kOurs = 0xffffffff;
static_assert(std::is_trivially_destructible_v<ByteTerm> && std::is_trivially_copyable_v<Instruction>);
static_assert(alignof(ByteTerm) >= alignof(Instruction));

struct Header {
  uint32_t instructions;
  uint32_t slots;
  uint32_t registers;
};

void put_program(BytecodePattern& pattern, const rondo::engine::regexp::Program& program, uint32_t slots) {
  const Header header{static_cast<uint32_t>(program.code.size()), slots, program.registers};
  const size_t bytes = program.code.size() * sizeof(Instruction);
  const size_t terms = 1 + (bytes + sizeof(ByteTerm) - 1) / sizeof(ByteTerm);
  static_assert(sizeof(Header) <= sizeof(ByteTerm));
  auto body = WTF::makeUnique<ByteDisjunction>(0, kOurs);
  body->terms.fill(ByteTerm(ByteTerm::Type::SubpatternBegin), terms);
  memcpy(static_cast<void*>(body->terms.data()), &header, sizeof header);
  memcpy(static_cast<void*>(body->terms.data() + 1), program.code.data(), bytes);
  pattern.m_body = std::move(body);
}

bool is_ending(void* pattern) {
  return rondo::engine::is_ending(rondo::engine::vm_of(*static_cast<BytecodePattern*>(pattern)));
}

template <class Unit>
unsigned find(BytecodePattern& pattern, std::span<const Unit> text, unsigned start, unsigned* output) {
  Header header;
  memcpy(&header, pattern.m_body->terms.data(), sizeof header);
  const auto* code = reinterpret_cast<const Instruction*>(pattern.m_body->terms.data() + 1);
  rondo::engine::regexp::Matcher<Unit> matcher(pattern, std::span(code, header.instructions), header.slots,
                                               header.registers, text);
  if (!matcher.find(start, is_ending, &pattern)) {
    std::fill_n(output, header.slots, JSC::Yarr::offsetNoMatch);
    return JSC::Yarr::offsetNoMatch;
  }
  std::ranges::copy(matcher.slots(), output);
  return output[0];
}

// As emit_start_of_pair of regexp_limit.cpp.
unsigned start_of_pair(WTF::StringView text, unsigned start) {
  if (text.is8Bit() || !start || start >= text.length()) return start;
  return U16_IS_TRAIL(text[start]) && U16_IS_LEAD(text[start - 1]) ? start - 1 : start;
}

bool is_ours(const BytecodePattern& pattern) { return pattern.m_body->m_frameSize == kOurs; }

}  // namespace

// Functions that return an object have no extern "C"; the names are given as they are.
#define RONDO_BYTE_COMPILE(prefix) \
  prefix "_ZN3JSC4Yarr11byteCompileERNS0_11YarrPatternEPN3WTF20BumpPointerAllocatorERNS0_9ErrorCodeEPNS3_4LockE"
std::unique_ptr<BytecodePattern> real_byte_compile(YarrPattern&, WTF::BumpPointerAllocator*, JSC::Yarr::ErrorCode&,
                                                   WTF::Lock*) asm(RONDO_BYTE_COMPILE("__real_"));
std::unique_ptr<BytecodePattern> wrap_byte_compile(YarrPattern&, WTF::BumpPointerAllocator*, JSC::Yarr::ErrorCode&,
                                                   WTF::Lock*) asm(RONDO_BYTE_COMPILE("__wrap_"));
std::unique_ptr<BytecodePattern> wrap_byte_compile(YarrPattern& pattern, WTF::BumpPointerAllocator* allocator,
                                                   JSC::Yarr::ErrorCode& error, WTF::Lock* lock) {
  rondo::engine::regexp::Program program;
  if (rondo::engine::regexp::is_better_interpreted(pattern)) program = rondo::engine::regexp::make_program(pattern);
  auto compiled = real_byte_compile(pattern, allocator, error, lock);
  if (compiled && !program.code.empty()) put_program(*compiled, program, pattern.offsetVectorBaseForNamedCaptures());
  return compiled;
}

#define RONDO_INTERPRET(prefix, rest) prefix##_ZN3JSC4Yarr9interpretEPNS0_15BytecodePattern##rest
extern "C" unsigned RONDO_INTERPRET(__real_, EN3WTF10StringViewEjPj)(BytecodePattern*, WTF::StringView, unsigned,
                                                                     unsigned*);
extern "C" unsigned RONDO_INTERPRET(__wrap_, EN3WTF10StringViewEjPj)(BytecodePattern* pattern, WTF::StringView text,
                                                                     unsigned start, unsigned* output) {
  if (pattern->eitherUnicode()) start = start_of_pair(text, start);
  if (!is_ours(*pattern)) return RONDO_INTERPRET(__real_, EN3WTF10StringViewEjPj)(pattern, text, start, output);
  return text.is8Bit() ? find(*pattern, std::span(text.characters8(), text.length()), start, output)
                       : find(*pattern, std::span(text.characters16(), text.length()), start, output);
}

#define RONDO_JIT_COMPILE(prefix) \
  prefix##_ZN3JSC4Yarr10jitCompileERNS0_11YarrPatternEN3WTF10StringViewENS0_8CharSizeESt8optionalIS4_EPNS_2VMERNS0_13YarrCodeBlockENS0_14JITCompileModeE
extern "C" void RONDO_JIT_COMPILE(__real_)(YarrPattern&, WTF::StringView, JSC::Yarr::CharSize,
                                           std::optional<WTF::StringView>, JSC::VM*, JSC::Yarr::YarrCodeBlock&,
                                           JSC::Yarr::JITCompileMode);
extern "C" void RONDO_JIT_COMPILE(__wrap_)(YarrPattern& pattern, WTF::StringView text, JSC::Yarr::CharSize size,
                                           std::optional<WTF::StringView> sample, JSC::VM* vm,
                                           JSC::Yarr::YarrCodeBlock& block, JSC::Yarr::JITCompileMode mode) {
  const bool is_wrong =
      rondo::engine::regexp::needs_program(pattern) ||
      (size == JSC::Yarr::CharSize::Char16 &&
       (rondo::engine::regexp::may_begin_inside_pair(pattern) || rondo::engine::regexp::is_lazy_over_pairs(pattern)));
  if (is_wrong)
    block.setFallBackWithFailureReason(JSC::Yarr::JITFailureReason::BackReference);
  else
    RONDO_JIT_COMPILE(__real_)(pattern, text, size, sample, vm, block, mode);
}

#define RONDO_COMPILE(prefix) prefix##_ZN3JSC4Yarr11YarrPattern7compileEN3WTF10StringViewE
extern "C" JSC::Yarr::ErrorCode RONDO_COMPILE(__real_)(YarrPattern*, WTF::StringView);
extern "C" JSC::Yarr::ErrorCode RONDO_COMPILE(__wrap_)(YarrPattern* pattern, WTF::StringView text) {
  const auto plain = rondo::engine::regexp::without_modifiers(text, pattern->m_flags);
  if (plain) pattern->m_flags = plain->flags;
  const auto real = plain ? WTF::StringView(plain->text) : text;
  const auto references = rondo::engine::regexp::check_references(real, pattern->eitherUnicode());
  if (references.is_missing) return JSC::Yarr::ErrorCode::InvalidBackreference;
  const auto error = RONDO_COMPILE(__real_)(pattern, references.text ? WTF::StringView(*references.text) : real);
  if (error == JSC::Yarr::ErrorCode::NoError) rondo::engine::regexp::close_under_case(*pattern);
  return error;
}

// Asked by the parser of programs about literals.
#define RONDO_CHECK_SYNTAX(prefix) prefix##_ZN3JSC4Yarr11checkSyntaxEN3WTF10StringViewES2_
extern "C" JSC::Yarr::ErrorCode RONDO_CHECK_SYNTAX(__real_)(WTF::StringView, WTF::StringView);
extern "C" JSC::Yarr::ErrorCode RONDO_CHECK_SYNTAX(__wrap_)(WTF::StringView text, WTF::StringView flags) {
  const auto parsed = JSC::Yarr::parseFlags(flags);
  const auto plain = parsed ? rondo::engine::regexp::without_modifiers(text, *parsed) : std::nullopt;
  const auto error = RONDO_CHECK_SYNTAX(__real_)(plain ? WTF::StringView(plain->text) : text, flags);
  if (error != JSC::Yarr::ErrorCode::NoError || !parsed) return error;
  const bool is_unicode = parsed->containsAny({JSC::Yarr::Flags::Unicode, JSC::Yarr::Flags::UnicodeSets});
  const bool is_missing = is_unicode && rondo::engine::regexp::check_references(text, true).is_missing;
  return is_missing ? JSC::Yarr::ErrorCode::InvalidBackreference : error;
}
