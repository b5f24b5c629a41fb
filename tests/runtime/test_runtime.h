// For C++ tests of the layers that need an engine: one booted runtime for the whole test binary, and a way to run text in it.
// Not for programs: those are run by src/cli.
#pragma once

#include "engine/core/source.h"
#include "modules/registry.h"
#include "runtime/runtime.h"
#include "runtime/entry/turn.h"

namespace rondo::runtime {

// Made with the first call, never destroyed: the engine lives as long as the process.
inline Runtime& test_runtime() {
  static Loop* loop = new Loop({});
  static Runtime* runtime = [] {
    auto* made =
        new Runtime(*loop, {.natives = modules::all(), .argv = {"rondo"}, .exec_argv = {}, .exec_path = "rondo"});
    if (!made->boot()) std::abort();
    made->end_startup();
    return made;
  }();
  return *runtime;
}

// The completion value of a script, as text; "throws: …" when it throws. Runs in no turn: microtasks stay queued.
inline std::string evaluate(std::string_view text) {
  auto* realm = test_runtime().realm();
  auto outcome = engine::evaluate_script(realm, engine::to_wtf(text), engine::to_wtf("test.js"), WTF::String());
  if (outcome.exception) return "throws: " + engine::to_utf8(outcome.exception->value().toWTFString(realm));
  return engine::to_utf8(outcome.value.toWTFString(realm));
}

inline engine::Value global(std::string_view name) {
  auto& runtime = test_runtime();
  return runtime.realm()->get(runtime.realm(), engine::identifier(runtime.vm(), name));
}

}  // namespace rondo::runtime
