// See coverage.h.
#include "engine/core/coverage.h"

#include "engine/core/live_cells.h"
#include "engine/core/source.h"
#include "engine/core/vm_state.h"
#include "engine/patches/module_code.h"

#include <JavaScriptCore/ControlFlowProfiler.h>
#include <JavaScriptCore/DeleteAllCodeEffort.h>
#include <JavaScriptCore/FunctionHasExecutedCache.h>
#include <JavaScriptCore/JSFunctionInlines.h>

#include <algorithm>

namespace rondo::engine {

namespace {

constexpr unsigned kWrapperTail = 3;  // "\n})"

// The file's own text within the provider's: [first, last).
struct Extent {
  unsigned first;
  unsigned last;
};

Extent extent_of(JSC::SourceProvider& provider) {
  const auto text = provider.source();
  if (!wrapper_lines(provider)) return {0, text.length()};
  const auto line = text.find('\n');
  const unsigned first = line == WTF::notFound ? 0 : static_cast<unsigned>(line) + 1;
  return {first, std::max(first, text.length() - std::min(text.length(), kWrapperTail))};
}

// The engine's offsets are inclusive. Ranges of code that is not in the file (a class's default constructor) are dropped, those around
// the file's text are cut to it.
void add(std::vector<CountedRange>& ranges, Extent file, int start, int last, double count) {
  if (start < 0 || last < start || static_cast<unsigned>(start) >= file.last) return;
  const unsigned from = std::max(static_cast<unsigned>(start), file.first);
  const unsigned to = std::min(static_cast<unsigned>(last) + 1, file.last);
  if (from < to) ranges.push_back({from - file.first, to - file.first, count});
}

SourceCoverage read_source(JSC::VM& vm, JSC::SourceProvider& provider) {
  const Extent file = extent_of(provider);
  const auto id = provider.asID();
  SourceCoverage found{.id = static_cast<unsigned>(id),
                       .url = provider.sourceURL(),
                       .text = provider.source().substring(file.first, file.last - file.first).toString(),
                       .functions = {},
                       .blocks = {}};
  for (const auto& block : vm.controlFlowProfiler()->getBasicBlocksForSourceIDWithoutFunctionRange(id, vm)) {
    add(found.blocks, file, block.m_startOffset, block.m_endOffset, static_cast<double>(block.m_executionCount));
  }
  for (const auto& [was_called, start, last] : vm.functionHasExecutedCache()->getFunctionRanges(id)) {
    add(found.functions, file, static_cast<int>(start), static_cast<int>(last), was_called ? 1 : 0);
  }
  return found;
}

}  // namespace

void start_coverage(JSC::VM& vm) {
  auto& state = VmState::of(vm);
  if (state.is_covering) return;
  state.is_covering = true;
  if (!vm.controlFlowProfiler()) vm.enableControlFlowProfiler();
}

void start_late_coverage(JSC::VM& vm) {
  auto& state = VmState::of(vm);
  if (state.is_covering) return;
  start_coverage(vm);
  WTF::HashSet<JSC::SourceProvider*> known;
  for_each_cell(vm, [&](JSC::JSCell* cell) {
    auto* function = JSC::jsDynamicCast<JSC::JSFunction*>(cell);
    if (!function || function->isHostOrBuiltinFunction()) return;
    auto* provider = function->jsExecutable()->source().provider();
    if (provider && known.add(provider).isNewEntry && !provider->sourceURL().startsWith("node:"_s))
      state.covered_sources.append(*provider);
  });
  keep_module_code(vm, [&] { vm.deleteAllCode(JSC::PreventCollectionAndDeleteAllCode); });
}

void stop_coverage(JSC::VM& vm) {
  auto& state = VmState::of(vm);
  if (!state.is_covering) return;
  state.is_covering = false;
  // The profiler stays: code that runs holds the addresses of its counters.
  state.covered_sources.clear();
}

bool is_covering(JSC::VM& vm) { return VmState::of(vm).is_covering; }

void note_source(JSC::VM& vm, JSC::SourceProvider& provider) {
  auto& state = VmState::of(vm);
  if (state.is_covering) [[unlikely]]
    state.covered_sources.append(provider);
}

std::vector<SourceCoverage> read_coverage(JSC::VM& vm) {
  std::vector<SourceCoverage> all;
  if (!is_covering(vm)) return all;
  for (auto& provider : VmState::of(vm).covered_sources) all.push_back(read_source(vm, provider.get()));
  return all;
}

}  // namespace rondo::engine
