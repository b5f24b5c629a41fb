// See heap_profiler.h.
#include "engine/core/heap_profiler.h"

#include <JavaScriptCore/CodeBlock.h>
#include <JavaScriptCore/HeapInlines.h>
#include <JavaScriptCore/StackVisitor.h>
#include <wtf/text/StringBuilder.h>

namespace rondo::engine {

HeapProfiler::HeapProfiler(JSC::VM& vm, HeapProfileOptions options)
    : AllocationWatch(vm), vm_(vm), options_(options), next_(options.interval) {
  vm_.heap.addObserver(this);
}

HeapProfiler::~HeapProfiler() { vm_.heap.removeObserver(this); }

// Frames of functions that were met before make no text.
uint32_t HeapProfiler::current_node() {
  std::vector<uint32_t> frames;
  if (!vm_.topCallFrame) return 0;
  JSC::StackVisitor::visit(vm_.topCallFrame, vm_, [&](JSC::StackVisitor& visitor) {
    auto* code = visitor->codeBlock();
    if (!code) return WTF::IterationStatus::Continue;
    auto& script = *code->ownerExecutable();
    auto* provider = script.source().provider();
    const uint64_t key = (static_cast<uint64_t>(provider ? provider->asID() : 0) << 32) |
                         static_cast<uint32_t>(script.source().startOffset());
    const auto [found, is_new] = frame_numbers_.try_emplace(key, 0);
    if (is_new) found->second = tree_.index_of(frame_of_script(script, false));
    frames.push_back(found->second);
    return frames.size() < options_.most_frames ? WTF::IterationStatus::Continue : WTF::IterationStatus::Done;
  });
  uint32_t node = 0;
  for (size_t i = frames.size(); i-- > 0;) node = tree_.child(node, frames[i]);
  return node;
}

void HeapProfiler::on_allocation(void* cell, size_t bytes) {
  bytes_ += bytes;
  if (bytes_ < next_) return;
  const uint32_t node = current_node();
  {
    const std::lock_guard lock(mutex_);
    samples_.push_back({.cell = cell, .node = node, .bytes = bytes_, .number = ++last_number_});
  }
  bytes_ = 0;
  next_ = static_cast<size_t>(static_cast<double>(options_.interval) * (0.5 + random_.get()));
}

// A cell that is not marked now is dead, and its place may be another's soon.
void HeapProfiler::didGarbageCollect(JSC::CollectionScope scope) {
  const bool keeps = scope == JSC::CollectionScope::Full ? options_.keeps_dead : options_.keeps_dead_young;
  const std::lock_guard lock(mutex_);
  for (auto& sample : samples_) {
    if (!sample.cell || vm_.heap.isMarked(sample.cell)) continue;
    sample.cell = nullptr;
    if (!keeps) sample.bytes = 0;
  }
  std::erase_if(samples_, [](const Sample& sample) { return sample.bytes == 0; });
}

void HeapProfiler::write_node(WTF::StringBuilder& out, uint32_t node, const std::vector<size_t>& sizes) const {
  out.append("{\"callFrame\":"_s);
  tree_.write_call_frame(out, node);
  out.append(",\"selfSize\":"_s, sizes[node], ",\"id\":"_s, node + 1, ",\"children\":["_s);
  bool is_first = true;
  for (const auto& [of, child] : tree_.children(node)) {
    if (!std::exchange(is_first, false)) out.append(',');
    write_node(out, child, sizes);
  }
  out.append("]}"_s);
}

std::string HeapProfiler::text() {
  std::vector<size_t> sizes(tree_.size());
  WTF::StringBuilder out, list;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& sample : samples_) {
      sizes[sample.node] += sample.bytes;
      list.append(list.isEmpty() ? ""_s : ","_s, "{\"size\":"_s, sample.bytes, ",\"nodeId\":"_s, sample.node + 1,
                  ",\"ordinal\":"_s, sample.number, '}');
    }
  }
  out.append("{\"head\":"_s);
  write_node(out, 0, sizes);
  out.append(",\"samples\":["_s, list.toString(), "]}"_s);
  return to_utf8(out.toString());
}

}  // namespace rondo::engine
