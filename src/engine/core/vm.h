// The virtual machine of one thread: start the engine once a process, make a VM, hold its lock for the thread's life.
// Holding the lock is what keeps microtasks in our hands: the engine drains them only when a lock is released.
#pragma once

#include "engine/core/heap_limit.h"
#include "engine/core/realm.h"
#include "engine/patches/heap_teardown.h"

namespace rondo::engine {

class Vm {
 public:
  // In bytes. heap_limit 0: a share of the machine's memory. How much of a thread's stack JavaScript may use is the first Vm's to say;
  // 0: what the engine thinks right.
  explicit Vm(uint64_t heap_limit = 0, uint64_t stack_size = 0, std::function<void()> on_heap_limit = {});
  ~Vm();
  Vm(const Vm&) = delete;
  Vm& operator=(const Vm&) = delete;

  JSC::VM& get() const { return *vm_; }
  uint64_t heap_limit() const { return heap_limit_->bytes(); }
  Realm* make_realm(RealmHost& host);
  // The end of a task: the engine lets go of what it kept for WeakRefs, and runs what it queued for itself (microtask_queue.h
  // has all that promises queue).
  void end_task();

 private:
  EndingHeap ending_;  // first: the VM goes with the lock
  RefPtr<JSC::VM> vm_;
  std::optional<JSC::JSLockHolder> lock_;
  std::optional<HeapLimit> heap_limit_;
  JSC::Strong<Realm> realm_;
};

// Any thread: the VM's thread calls VmState::on_interrupt at the next loop or call of the JavaScript that runs, or runs next, which goes
// on afterwards.
void interrupt_script(JSC::VM& vm);

}  // namespace rondo::engine
