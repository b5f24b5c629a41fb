// See cpu_profiler.h.
#include "engine/core/cpu_profiler.h"

#include "engine/core/source.h"
#include "engine/core/thread_calls.h"

#include <JavaScriptCore/DeleteAllCodeEffort.h>
#include <JavaScriptCore/NativeExecutable.h>
#include <JavaScriptCore/RegExp.h>
#include <JavaScriptCore/SamplingProfiler.h>
#include <JavaScriptCore/ScriptExecutable.h>
#include <JavaScriptCore/StackVisitor.h>
#include <wtf/Stopwatch.h>
#include <wtf/text/StringBuilder.h>

#include <algorithm>

namespace rondo::engine {

namespace {

using JSC::SamplingProfiler;

constexpr size_t kMostFrames = 256;
constexpr auto kPausedInterval = WTF::Seconds::fromMilliseconds(10);  // the engine's thread looks whether it may go on

double microseconds(WTF::MonotonicTime time) { return time.secondsSinceEpoch().microseconds(); }

std::string name_without_executable(const SamplingProfiler::StackFrame& frame) {
  using enum SamplingProfiler::FrameType;
  switch (frame.frameType) {
    case RegExp:
      return frame.regExp ? "RegExp: " + to_utf8(frame.regExp->pattern()) : "RegExp";
    case Wasm:
      return frame.wasmIndexOrName ? to_utf8(makeString(*frame.wasmIndexOrName)) : "wasm-function";
    default:
      return "(program)";
  }
}

}  // namespace

CpuProfiler::~CpuProfiler() {
  if (!profiles_.empty()) end_sampling();
}

void CpuProfiler::set_interval() {
  auto interval = WTF::Seconds::infinity();
  for (const auto& [number, profile] : profiles_) interval = std::min(interval, profile.interval);
  vm_.samplingProfiler()->setTimingInterval(interval);
}

uint32_t CpuProfiler::start(WTF::Seconds interval, size_t most) {
  // Optimised code tells which of its inlined functions runs only if it was compiled so: what there is goes when the program is idle next.
  if (!vm_.shouldBuilderPCToCodeOriginMapping()) {
    vm_.setShouldBuildPCToCodeOriginMapping();
    vm_.deleteAllLinkedCode(JSC::PreventCollectionAndDeleteAllCode);
  }
  auto& sampler = vm_.ensureSamplingProfiler(WTF::Stopwatch::create());
  const bool is_first = profiles_.empty();
  profiles_.emplace(++last_, Profile{microseconds(WTF::MonotonicTime::now()), interval, most});
  set_interval();
  if (!is_first) {
    collect();
    add_current_stack();
    return last_;
  }
  ticks_ =
      std::make_unique<SampleTicks>(vm_, sampler, [this] { call_on_thread(vm_, [this](JSC::VM&) { collect(); }); });
  sampler.noticeCurrentThreadAsJSCExecutionThread();
  sampler.start();
  add_current_stack();
  return last_;
}

// The stack that starts a profile is its first sample.
void CpuProfiler::add_current_stack() {
  std::vector<uint32_t> frames;
  JSC::StackVisitor::visit(vm_.topCallFrame, vm_, [&](JSC::StackVisitor& visitor) {
    if (auto* code = visitor->codeBlock())
      frames.push_back(tree_.index_of(frame_of_script(*code->ownerExecutable(), true)));
    return frames.size() < kMostFrames ? WTF::IterationStatus::Continue : WTF::IterationStatus::Done;
  });
  Sample sample{.time = microseconds(WTF::MonotonicTime::now()), .node = 0, .line = 0};
  for (size_t i = frames.size(); i-- > 0;) sample.node = tree_.child(sample.node, frames[i]);
  samples_.push_back(sample);
}

uint32_t CpuProfiler::frame_of(SamplingProfiler::StackFrame& frame, FrameIndexes& seen) {
  if (frame.frameType != SamplingProfiler::FrameType::Executable || !frame.executable) {
    return tree_.index_of(
        frame_named(frame.callee ? to_utf8(frame.nameFromCallee(vm_)) : name_without_executable(frame)));
  }
  const auto [found, is_new] = seen.try_emplace(frame.executable, 0);
  if (!is_new) return found->second;
  auto* script = JSC::jsDynamicCast<JSC::ScriptExecutable*>(frame.executable);
  ProfileFrame made;
  if (script)
    made = frame_of_script(*script, true);
  else if (auto* native = JSC::jsDynamicCast<JSC::NativeExecutable*>(frame.executable))
    made.name = to_utf8(native->name());
  return seen[frame.executable] = tree_.index_of(std::move(made));
}

void CpuProfiler::add(const Tick& tick, SamplingProfiler::StackTrace* stack, FrameIndexes& seen) {
  Sample sample{.time = microseconds(tick.time), .node = 0, .line = 0};
  if (tick.kind != TickKind::Stack) {
    const char* name = tick.kind == TickKind::Collecting ? "(garbage collector)"
                       : tick.kind == TickKind::Native   ? "(program)"
                                                         : "(idle)";
    sample.node = tree_.child(0, tree_.index_of(frame_named(name)));
  } else {
    for (size_t i = stack->frames.size(); i-- > 0;)
      sample.node = tree_.child(sample.node, frame_of(stack->frames[i], seen));
    auto& top = stack->frames[0];
    auto* script = top.executable ? JSC::jsDynamicCast<JSC::ScriptExecutable*>(top.executable) : nullptr;
    if (script && script->source().provider() && top.hasExpressionInfo())
      sample.line = static_cast<int>(top.lineNumber()) - static_cast<int>(lines_before(*script->source().provider()));
  }
  samples_.push_back(sample);
}

void CpuProfiler::collect() {
  if (!ticks_) return;
  auto& sampler = *vm_.samplingProfiler();
  JSC::DeferGC defer(vm_);  // cells named by the samples stay until they have been read
  WTF::Vector<SamplingProfiler::StackTrace> stacks;
  std::vector<Tick> ticks;
  {
    Locker locker{sampler.getLock()};
    stacks = sampler.releaseStackTraces();
    ticks = ticks_->take();
  }
  FrameIndexes seen;
  size_t next = 0;
  for (const auto& tick : ticks) {
    auto* stack = tick.has_stack && next < stacks.size() ? &stacks[next++] : nullptr;
    if (tick.kind != TickKind::Stack || (stack && !stack->frames.isEmpty())) add(tick, stack, seen);
  }
}

void CpuProfiler::end_sampling() {
  auto& sampler = *vm_.samplingProfiler();
  {
    Locker locker{sampler.getLock()};
    sampler.pause();
    sampler.clearData();
  }
  sampler.setTimingInterval(kPausedInterval);
  ticks_.reset();
  samples_.clear();
  tree_.clear();
}

void CpuProfiler::write_node(WTF::StringBuilder& out, uint32_t node, size_t hits,
                             const std::map<int, size_t>& lines) const {
  out.append(node ? ","_s : ""_s, "{\"id\":"_s, node + 1, ",\"callFrame\":"_s);
  tree_.write_call_frame(out, node);
  out.append(",\"hitCount\":"_s, hits);
  if (!tree_.children(node).empty()) {
    auto separator = ",\"children\":["_s;
    for (const auto& [of, child] : tree_.children(node)) out.append(std::exchange(separator, ","_s), child + 1);
    out.append(']');
  }
  if (!lines.empty()) {
    auto separator = ",\"positionTicks\":["_s;
    for (const auto& [line, count] : lines)
      out.append(std::exchange(separator, ","_s), "{\"line\":"_s, line, ",\"ticks\":"_s, count, '}');
    out.append(']');
  }
  out.append('}');
}

std::string CpuProfiler::write(const Profile& profile, double end) const {
  std::vector<size_t> hits(tree_.size());
  std::vector<std::map<int, size_t>> lines(tree_.size());
  WTF::StringBuilder out, samples, deltas;
  double last = profile.start;
  size_t count = 0;
  const auto is_in = [&](const Sample& sample) { return sample.time >= profile.start && sample.time <= end; };
  const auto all = static_cast<size_t>(std::ranges::count_if(samples_, is_in));
  size_t dropped = all > profile.most ? all - profile.most : 0;  // the oldest
  for (const auto& sample : samples_) {
    if (!is_in(sample) || (dropped > 0 && dropped--)) continue;
    hits[sample.node]++;
    if (sample.line > 0) lines[sample.node][sample.line]++;
    const auto separator = count++ ? ","_s : ""_s;
    samples.append(separator, sample.node + 1);
    deltas.append(separator, static_cast<int64_t>(std::max(0.0, sample.time - last)));
    last = std::max(last, sample.time);
  }
  out.append("{\"nodes\":["_s);
  for (uint32_t i = 0; i < tree_.size(); i++) write_node(out, i, hits[i], lines[i]);
  out.append("],\"startTime\":"_s, static_cast<int64_t>(profile.start), ",\"endTime\":"_s, static_cast<int64_t>(end));
  out.append(",\"samples\":["_s, samples.toString(), "],\"timeDeltas\":["_s, deltas.toString(), "]}"_s);
  return to_utf8(out.toString());
}

std::string CpuProfiler::stop(uint32_t number) {
  const auto found = profiles_.find(number);
  if (found == profiles_.end()) return {};
  const double end = microseconds(WTF::MonotonicTime::now());
  collect();
  const std::string json = write(found->second, end);
  profiles_.erase(found);
  if (profiles_.empty())
    end_sampling();
  else
    set_interval();
  return json;
}

}  // namespace rondo::engine
