// See sampled_stack.h.
//
// Cells stay alive while they are read: the collector cannot find its roots without the lock of the list of threads, which is held; where a
// collection has begun between the sample and the lock, the sample is dropped. Texts are read, never copied: their counts of references
// belong to the VM's thread.
//
// Undeclared: takeSample
// Layout: m_unprocessedStackTraces, m_currentFrames
#include "engine/patches/sampled_stack.h"

#include "engine/core/source.h"
#include "engine/errors/frame_place.h"
#include "engine/errors/source_reader.h"
#include "engine/patches/profiler_members.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/ExecutableAllocator.h>
#include <JavaScriptCore/FunctionExecutable.h>
#include <JavaScriptCore/InlineCallFrame.h>
#include <JavaScriptCore/SamplingProfiler.h>
#include <wtf/Stopwatch.h>

#define RONDO_TAKE_SAMPLE "_ZN3JSC16SamplingProfiler10takeSampleERN3WTF7SecondsE"

extern void take_one_sample(JSC::SamplingProfiler*, WTF::Seconds&) asm("__real_" RONDO_TAKE_SAMPLE);

extern "C" char llintPCRangeStart[];
extern "C" char llintPCRangeEnd[];

namespace rondo::engine {

namespace {

using JSC::SamplingProfiler;
using profiler_members::CurrentFrames, profiler_members::Unprocessed;

std::string read(WTF::StringView text) {
  auto utf8 = text.tryGetUTF8(WTF::StrictConversionReplacingUnpairedSurrogatesWithFFFD);
  return utf8 ? std::string(utf8->data(), utf8->length()) : std::string();
}

bool is_script_code(const void* pc) {
  const auto* at = static_cast<const char*>(pc);
  return JSC::isJITPC(const_cast<void*>(pc)) || (at >= llintPCRangeStart && at < llintPCRangeEnd);
}

// Index of the bracket that the closing one at `end` belongs to, or 0. Brackets inside strings may mislead it.
unsigned opening_bracket(WTF::StringView text, unsigned end) {
  unsigned depth = 0;
  for (unsigned i = end + 1; i-- > 0;) {
    if (text[i] == ')') depth++;
    if (text[i] == '(' && --depth == 0) return i;
  }
  return 0;
}

unsigned before_space(WTF::StringView text, unsigned end) {
  while (end > 0 && WTF::isASCIIWhitespace(text[end - 1])) end--;
  return end;
}

std::string name_before(WTF::StringView text, unsigned end) {
  unsigned start = end;
  while (start > 0 && SourceReader::is_name_part(text[start - 1])) start--;
  std::string name = read(text.substring(start, end - start));
  return name == "function" || name == "async" ? "" : name;
}

// The body of an async function has no name of its own; the text before it has: `async function name(a) {`, `name = async (a) => {`.
std::string name_of_async_body(JSC::FunctionExecutable& body) {
  const WTF::StringView text = body.source().provider()->source();
  unsigned end = before_space(text, std::min(static_cast<unsigned>(body.source().startOffset()), text.length()));
  if (end > 1 && text[end - 1] == '>' && text[end - 2] == '=') end = before_space(text, end - 2);
  if (end > 0 && text[end - 1] == ')') end = before_space(text, opening_bracket(text, end - 1));
  std::string name = name_before(text, end);
  if (!name.empty()) return name;
  for (const auto word : {"function"_s, "async"_s}) {
    if (end >= word.length() && text.substring(end - word.length(), word.length()) == word)
      end = before_space(text, end - word.length());
  }
  if (end == 0 || (text[end - 1] != '=' && text[end - 1] != ':')) return {};
  return name_before(text, before_space(text, end - 1));
}

bool is_async_body(JSC::FunctionExecutable& function) {
  const auto mode = function.parseMode();
  return mode == JSC::SourceParseMode::AsyncFunctionBodyMode ||
         mode == JSC::SourceParseMode::AsyncArrowFunctionBodyMode ||
         mode == JSC::SourceParseMode::AsyncGeneratorBodyMode;
}

RunningFrame frame_at(JSC::CodeBlock& block, JSC::BytecodeIndex index) {
  RunningFrame frame;
  auto* provider = block.ownerExecutable()->source().provider();
  auto* function = JSC::jsDynamicCast<JSC::FunctionExecutable*>(block.ownerExecutable());
  if (!provider || (function && function->isBuiltinFunction())) return frame;
  const bool is_wrapper = wrapper_lines(*provider) && function && function->firstLine() == 1;
  frame.place = read(provider->sourceURL());
  const bool is_library = frame.place.starts_with("node:");
  if (!function || is_wrapper)
    frame.function = "(top level)";
  else if (is_async_body(*function) && !is_library)
    frame.function = name_of_async_body(*function);
  else
    frame.function = read(function->ecmaName().string());
  if (frame.function.empty()) frame.function = "(anonymous)";
  if (is_library || !index) return frame;
  int divot = 0, start = 0, end = 0;
  unsigned line = 0, column = 0;
  block.expressionRangeForBytecodeIndex(index, divot, start, end, line, column);
  move_to_operation(&block, index, line, column);
  const unsigned wrapper = wrapper_lines(*provider);
  frame.place += ":" + std::to_string(line > wrapper ? line - wrapper : 1) + ":" + std::to_string(column);
  return frame;
}

// The functions of one machine frame, innermost first: optimised code has those in it that were inlined.
void add_frames(const SamplingProfiler::UnprocessedStackFrame& frame, std::vector<RunningFrame>& stack) {
  auto* block = frame.verifiedCodeBlock;
  if (!block) return;
  if (!block->hasCodeOrigins()) {
    const auto index = frame.callSiteIndex.bytecodeIndex();
    const bool is_known = index.offset() < block->instructionsSize();
    stack.push_back(frame_at(*block, is_known ? index : JSC::BytecodeIndex(0)));
    return;
  }
  if (!block->canGetCodeOrigin(frame.callSiteIndex)) {
    stack.push_back(frame_at(*block->baselineVersion(), JSC::BytecodeIndex(0)));
    return;
  }
  block->codeOrigin(frame.callSiteIndex).walkUpInlineStack([&](const JSC::CodeOrigin& origin) {
    auto* inlined = origin.inlineCallFrame();
    stack.push_back(
        frame_at(inlined ? *inlined->baselineCodeBlock.get() : *block->baselineVersion(), origin.bytecodeIndex()));
  });
}

}  // namespace

struct StackSampler::Impl {
  explicit Impl(JSC::VM& vm) : vm(vm), profiler(adoptRef(*new SamplingProfiler(vm, WTF::Stopwatch::create()))) {
    profiler->noticeCurrentThreadAsJSCExecutionThread();
  }
  JSC::VM& vm;
  WTF::Ref<SamplingProfiler> profiler;
};

StackSampler::StackSampler(JSC::VM& vm) : impl_(std::make_unique<Impl>(vm)) {}
StackSampler::~StackSampler() = default;

SampledStack StackSampler::take(size_t most) {
  auto& profiler = impl_->profiler.get();
  auto& heap = impl_->vm.heap;
  Locker locker{profiler.getLock()};
  auto& samples = profiler.*member_of(Unprocessed{});
  SampledStack stack;
  WTF::Seconds taken;
  const auto version = heap.objectSpace().markingVersion();
  take_one_sample(&profiler, taken);
  {
    Locker threads{heap.machineThreads().getLock()};
    if (!samples.isEmpty() && heap.objectSpace().markingVersion() == version) {
      const auto& sample = samples.last();
      stack.is_in_native = sample.regExp || !is_script_code(sample.topPC);
      for (const auto& frame : sample.frames)
        if (stack.frames.size() < most) add_frames(frame, stack.frames);
    }
  }
  samples.clear();
  // They may hold the last reference to WebAssembly's code, which must not be freed while the thread stands still inside malloc.
  for (auto& frame : profiler.*member_of(CurrentFrames{})) {
    if (frame.wasmIndexOrName || frame.wasmPCMap) frame = SamplingProfiler::UnprocessedStackFrame();
  }
  return stack;
}

std::vector<RunningFrame> stack_at_allocation(JSC::VM& vm, size_t most) {
  std::vector<RunningFrame> stack;
  if (!vm.topCallFrame) return stack;
  JSC::StackVisitor::visit(vm.topCallFrame, vm, [&](JSC::StackVisitor& visitor) {
    if (auto* code = visitor->codeBlock()) stack.push_back(frame_at(*code, visitor->bytecodeIndex()));
    return stack.size() < most ? WTF::IterationStatus::Continue : WTF::IterationStatus::Done;
  });
  return stack;
}

}  // namespace rondo::engine
