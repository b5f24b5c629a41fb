// The library inside the binary: finds a file of lib/, compiles it once, runs it, keeps its exports. This is what
// `require` and `native` mean inside lib/; user modules are another matter (lib/internal/modules).
#pragma once

#include "engine/core/name_scope.h"
#include "engine/core/source.h"
#include "runtime/embedded.h"

#include <string>
#include <vector>

namespace rondo::runtime {

class Runtime;

// The native half of a module: fills the object that native(name) returns, once, when first asked for.
struct NativeModule {
  std::string_view name;
  void (*init)(Runtime& runtime, JSC::JSObject* target);
};

class Builtins {
 public:
  Builtins(Runtime& runtime, std::span<const NativeModule> natives);

  // Runs lib/bootstrap/* in order of name. Returns the exception that stopped it, or null.
  JSC::Exception* run_bootstrap();

  // require(id) of lib/; throws into `realm` when there is no such file or it throws.
  engine::Value require(std::string_view id);
  engine::Value native(std::string_view name);
  // Runs a file of lib/ once more, in a vm context's realm: what it makes belongs there.
  engine::CallOutcome load_in(JSC::JSGlobalObject* realm, std::string_view id);
  bool has(std::string_view id) const { return find(id) != nullptr; }
  bool has_loaded(std::string_view id);
  std::vector<std::string_view> ids() const;

 private:
  const EmbeddedSource* find(std::string_view id) const;
  // The bytecode of kStartFiles, read with the first of them.
  engine::EmbeddedBundle& start_files();
  engine::CallOutcome compile(const EmbeddedSource& source, JSC::JSScope* scope);
  JSC::JSObject* make_module(const EmbeddedSource& source);
  // Answers with the exports.
  engine::CallOutcome run(const EmbeddedSource& source, JSC::JSObject* module, JSC::JSScope* scope);
  engine::Value load(const EmbeddedSource& source);
  void refresh_own();
  // kScopeNames, and kBufferName in an agent of pages.
  std::vector<std::string_view> own_names() const;

  Runtime& runtime_;
  std::span<const NativeModule> natives_;
  JSC::Strong<JSC::JSMap> modules_;      // id → module object
  JSC::Strong<JSC::JSMap> native_objects_;
  JSC::Strong<JSC::JSObject> require_function_;
  JSC::Strong<JSC::JSObject> native_function_;
  engine::EmbeddedBundle start_files_;
  // kScopeNames: at first the realm's globals, then what bootstrap/00_primordials has made of them.
  engine::NameScope own_;
};

// The name of a library file in stacks; also used by rondo_bake, so that the bytecode matches.
std::string builtin_url(std::string_view id);

}  // namespace rondo::runtime
