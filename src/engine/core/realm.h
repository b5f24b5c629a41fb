// The realm: one global object with the hooks through which the engine asks the runtime for modules, reports rejections
// and uncaught exceptions. The runtime installs the hooks; nothing here knows of a loop.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// Notifications of the engine to its owner. Called on the JavaScript thread, synchronously; must not throw into the engine.
class RealmHost {
 public:
  virtual ~RealmHost() = default;
  virtual void on_rejection(JSC::JSPromise* promise, JSC::JSPromiseRejectionOperation operation) = 0;
  virtual void on_uncaught_in_microtask(JSC::Exception* exception) = 0;
};

// JavaScript functions the engine calls; all set once by bootstrap.
enum class Hook : uint8_t {
  ResolveModule,  // (specifier, referrer) → key
  LoadModule,  // (key, type) → { kind, source } | { kind: 'synthetic', names, evaluate }
  InitImportMeta,  // (meta, key)
  ImportModule,  // (specifier, referrer, type, attributes) → promise of a namespace: import()
  EvaluateModule,  // (entry of the loader's registry) → undefined when all is done, else a promise; throws the module's error
  CompileStreaming,  // (source) → promise of a module: WebAssembly.compileStreaming
  InstantiateStreaming,  // (source, imports) → promise of a module and an instance
  MissingExport,  // (name, key of the module without it, is it ambiguous?) → words of the error
  PrepareStackTrace,  // (function, Error, error, frames[]) → value: calls the program's function with call sites
  DefaultPrepareStackTrace,  // what Error.prepareStackTrace is unless a program replaces it
  MappedStackTrace,  // (error, call sites) → text, while source maps are on: in place of the default
  Count,
};

extern const JSC::GlobalObjectMethodTable method_table;

class Realm final : public JSC::JSGlobalObject {
 public:
  using Base = JSC::JSGlobalObject;
  static constexpr unsigned StructureFlags = Base::StructureFlags;

  static Realm* create(JSC::VM& vm, RealmHost& host);
  static Realm* from(JSC::JSGlobalObject* global) { return JSC::jsCast<Realm*>(global); }

  // The realm of the program itself, when `global` is one that node:vm made; null outside of both.
  static Realm* main(JSC::JSGlobalObject* global);

  RealmHost& host() const { return *host_; }
  JSC::JSObject* hook(Hook hook) const { return hooks_[static_cast<size_t>(hook)].get(); }
  void set_hook(Hook hook, JSC::JSObject* function);
  // The functions of the microtask queue (microtask_queue.h); null until it is installed.
  JSC::JSObject* microtasks() const { return microtasks_.get(); }
  void set_microtasks(JSC::JSObject* functions) { microtasks_.set(vm(), this, functions); }
  JSC::JSMap* synthetic_modules();  // key → evaluate function, between load and evaluation

  // Whether a program's own function makes the text of a stack now (errors/stack_trace.cpp).
  bool is_formatting_stack = false;

  // Pointer for the layer above (the runtime's own state); the engine never looks into it.
  void* owner = nullptr;

  DECLARE_INFO;
  DECLARE_VISIT_CHILDREN;
  // A space of its own: the engine's space for global objects has cells of exactly JSGlobalObject's size.
  template <typename, JSC::SubspaceAccess>
  static JSC::GCClient::IsoSubspace* subspaceFor(JSC::VM& vm) {
    return space(vm);
  }
  static void destroy(JSC::JSCell* cell) { static_cast<Realm*>(cell)->~Realm(); }

 private:
  Realm(JSC::VM& vm, JSC::Structure* structure, RealmHost& host);
  static JSC::GCClient::IsoSubspace* space(JSC::VM& vm);

  RealmHost* host_;
  JSC::WriteBarrier<JSC::JSObject> microtasks_;
  JSC::WriteBarrier<JSC::JSMap> synthetic_modules_;
  JSC::WriteBarrier<JSC::JSObject> hooks_[static_cast<size_t>(Hook::Count)];
};

}  // namespace rondo::engine
