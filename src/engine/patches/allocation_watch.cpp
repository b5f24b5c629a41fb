// See allocation_watch.h. The linker sends the engine's calls here (--wrap, see cmake/engine.cmake).
//
// Layout: m_freeList
#include "engine/patches/allocation_watch.h"

#include <JavaScriptCore/CompleteSubspace.h>
#include <JavaScriptCore/LocalAllocator.h>

#include <atomic>
#include <map>
#include <mutex>

#define RONDO_BLOCK \
  "_ZN3JSC14LocalAllocator16allocateSlowCaseERNS_4HeapEmPNS_17GCDeferralContextENS_21AllocationFailureModeE"
#define RONDO_LARGE \
  "_ZN3JSC16CompleteSubspace12allocateSlowERNS_2VMEmPNS_17GCDeferralContextENS_21AllocationFailureModeE"

using JSC::AllocationFailureMode;
using JSC::CompleteSubspace;
using JSC::GCDeferralContext;
using JSC::LocalAllocator;

extern void* real_block(LocalAllocator*, JSC::Heap&, size_t, GCDeferralContext*,
                        AllocationFailureMode) asm("__real_" RONDO_BLOCK);
void* wrap_block(LocalAllocator*, JSC::Heap&, size_t, GCDeferralContext*,
                 AllocationFailureMode) asm("__wrap_" RONDO_BLOCK);
extern void* real_large(CompleteSubspace*, JSC::VM&, size_t, GCDeferralContext*,
                        AllocationFailureMode) asm("__real_" RONDO_LARGE);
void* wrap_large(CompleteSubspace*, JSC::VM&, size_t, GCDeferralContext*,
                 AllocationFailureMode) asm("__wrap_" RONDO_LARGE);

namespace rondo::engine {

namespace {

// A private member, by explicit instantiation, which may name it.
template <class Name, typename Name::Member member>
struct Opened {
  friend typename Name::Member member_of(Name) { return member; }
};
struct FreeCells {
  using Member = JSC::FreeList LocalAllocator::*;
  friend Member member_of(FreeCells);
};
template struct Opened<FreeCells, &LocalAllocator::m_freeList>;

struct Watches {
  std::atomic<int> count{0};
  std::mutex mutex;
  std::map<JSC::Heap*, AllocationWatch*> all;
};

Watches& watches() {
  static auto* const watches = new Watches;
  return *watches;
}

[[gnu::noinline]] void tell(JSC::Heap& heap, void* cell, size_t bytes) {
  auto& list = watches();
  AllocationWatch* watch = nullptr;
  {
    const std::lock_guard lock(list.mutex);
    const auto found = list.all.find(&heap);
    if (found != list.all.end()) watch = found->second;
  }
  if (watch) watch->on_allocation(cell, bytes);
}

bool is_watched() { return watches().count.load(std::memory_order_relaxed) > 0; }

}  // namespace

AllocationWatch::AllocationWatch(JSC::VM& vm) : vm_(vm) {
  auto& list = watches();
  const std::lock_guard lock(list.mutex);
  if (list.all.emplace(&vm_.heap, this).second) list.count++;
}

AllocationWatch::~AllocationWatch() {
  auto& list = watches();
  const std::lock_guard lock(list.mutex);
  const auto found = list.all.find(&vm_.heap);
  if (found == list.all.end() || found->second != this) return;
  list.all.erase(found);
  list.count--;
}

}  // namespace rondo::engine

void* wrap_block(LocalAllocator* self, JSC::Heap& heap, size_t size, GCDeferralContext* deferral,
                 AllocationFailureMode mode) {
  void* cell = real_block(self, heap, size, deferral, mode);
  if (rondo::engine::is_watched() && cell) [[unlikely]]
    rondo::engine::tell(heap, cell, (self->*member_of(rondo::engine::FreeCells{})).originalSize());
  return cell;
}

void* wrap_large(CompleteSubspace* self, JSC::VM& vm, size_t size, GCDeferralContext* deferral,
                 AllocationFailureMode mode) {
  void* cell = real_large(self, vm, size, deferral, mode);
  if (rondo::engine::is_watched() && cell && size > JSC::MarkedSpace::largeCutoff) [[unlikely]]
    rondo::engine::tell(vm.heap, cell, size);
  return cell;
}
