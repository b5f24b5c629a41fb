// State of the engine side for each virtual machine, in the place that the engine reserves for its embedder: the heap's spaces
// for our own cells, names that no program can spell, shapes of objects. It lives and dies with the VM; nothing here but `sleeps_at`
// is read by other threads, and nothing of the engine side lives anywhere else.
#pragma once

#include "engine/clone/clone_memory.h"
#include "engine/core/context_realm.h"
#include "engine/core/realm.h"

#include <JavaScriptCore/CachedBytecode.h>

#include <atomic>
#include <functional>

namespace rondo::engine {

class TimeLimit;

struct VmState final : JSC::VM::ClientData {
  explicit VmState(JSC::VM& vm);
  ~VmState() override;
  static VmState& of(JSC::VM& vm) { return *static_cast<VmState*>(vm.clientData); }
  WTF::String overrideSourceURL(const JSC::StackFrame&, const WTF::String&) const override { return {}; }

  // A space of cells of one size.
  template <class Cell>
  struct Space {
    Space(JSC::VM& vm, const char* name)
        : type(JSC::IsoHeapCellType::Args<Cell>()),
          server(name, vm.heap, type, sizeof(Cell), Cell::numberOfLowerTierCells),
          client(server) {}
    JSC::IsoHeapCellType type;
    JSC::IsoSubspace server;
    JSC::GCClient::IsoSubspace client;
  };
  Space<Realm> realms;
  Space<ContextRealm> contexts;

  JSC::PrivateName lazy_loaders{JSC::PrivateName::PrivateSymbol, "lazyLoader"_s};
  JSC::PrivateName clone_mode{JSC::PrivateName::PrivateSymbol, "cloneMode"_s};
  JSC::PrivateName script_code{JSC::PrivateName::PrivateSymbol, "code"_s};
  JSC::PrivateName captured_stack{JSC::PrivateName::PrivateSymbol, "capturedStack"_s};  // errors/stack_trace.cpp
  JSC::PrivateName script_rejected{JSC::PrivateName::PrivateSymbol, "rejected"_s};

  JSC::Strong<JSC::Structure> buffer_structure;  // of class Buffer; none until lib/ has made its prototype
  JSC::Strong<JSC::Structure> native_structure;  // of NativeCell
  CloneMemory clone_memory;
  WTF::Vector<Ref<JSC::CachedBytecode>> bytecode_views;  // of bytes in the binary
  std::function<void()> on_interrupt;  // interrupt_script()
  std::function<void(double seconds)> on_timed_wait;  // patches/timed_waits.h
  std::atomic<void*> sleeps_at = nullptr;  // the place that Atomics.wait waits for: patches/timed_waits.h
  void* match_exit = nullptr;  // a jmp_buf, while the engine's interpreter matches: patches/regexp_limit.cpp
  TimeLimit* innermost_time_limit = nullptr;  // of the scripts that run now
  JSC::Identifier code_name;  // "code", for the collector, which can make no names
  JSC::ErrorInstance* finalized_error = nullptr;  // the collector asks for its stack now: patches/collected_stacks.cpp
  bool is_covering = false;  // coverage.h
  WTF::Vector<Ref<JSC::SourceProvider>> covered_sources;  // of the program, while is_covering
  bool has_pages = false;  // programs run in contexts alone, and take the main realm's classes for their own
};

}  // namespace rondo::engine
