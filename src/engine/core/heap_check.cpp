// See heap_check.h.
#include "engine/core/heap_check.h"

#include "engine/core/function_label.h"
#include "engine/core/waiting_functions.h"

#include <JavaScriptCore/Heap.h>
#include <JavaScriptCore/WeakInlines.h>

namespace rondo::engine {

namespace {

struct Waiting {
  JSC::Weak<JSC::JSCell> function;
  std::string label;
};

// In a frame of its own: no pointer to what is found stays on the stack.
[[gnu::noinline]] std::vector<Waiting> remember_waiting(JSC::VM& vm, FunctionLabels& labels, size_t most) {
  std::vector<Waiting> waiting;
  JSC::MarkedArgumentBuffer found;
  find_waiting_functions(vm, found);
  for (size_t i = 0; i < found.size() && waiting.size() < most; i++) {
    auto label = labels.label(vm, found.at(i));
    if (label.is_programs && label.text.starts_with("await in "))
      waiting.push_back({JSC::Weak<JSC::JSCell>(found.at(i).asCell()), std::string(label.text)});
  }
  return waiting;
}

}  // namespace

// Heap::collectNow would sweep every block as well, which ends the process ("block is free-listed") in some programs; sizes and weak
// references are right without it.
size_t bytes_after_collection(JSC::VM& vm) {
  vm.heap.collectSync(JSC::CollectionScope::Full);
  return vm.heap.sizeAfterLastFullCollection();
}

std::vector<std::string> find_lost_functions(JSC::VM& vm, FunctionLabels& labels, size_t most) {
  auto waiting = remember_waiting(vm, labels, most);
  std::vector<std::string> lost;
  if (waiting.empty()) return lost;
  vm.heap.collectSync(JSC::CollectionScope::Full);
  for (auto& one : waiting)
    if (!one.function) lost.push_back(std::move(one.label));
  return lost;
}

}  // namespace rondo::engine
