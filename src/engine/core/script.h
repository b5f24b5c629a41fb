// Compiled scripts that are kept and run more than once, in any realm: node:vm. A script is an ordinary object that carries its
// source in a place programs cannot see. Functions compiled outside a script (vm.compileFunction) are here too.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

struct ScriptSource {
  WTF::String text;
  WTF::String url;  // what stacks show
  WTF::String origin;  // what import() resolves against
  int line = 0;  // offsets of the first character, zero-based
  int column = 0;
};

// Null with a SyntaxError pending. `cache`: what script_cache gave for the same text, or empty.
JSC::JSObject* compile_script(JSC::JSGlobalObject* realm, const ScriptSource& source, std::span<const uint8_t> cache);
std::string script_cache(JSC::VM& vm, JSC::JSObject* script);
bool script_rejected_cache(JSC::JSObject* script);

struct ScriptOutcome {
  Value value;
  JSC::Exception* exception = nullptr;
  bool is_timeout = false;
  bool is_interrupted = false;  // by SIGINT
};
struct ScriptLimits {
  double timeout_ms = 0;  // 0: as long as it takes
  bool ends_by_sigint = false;
};
ScriptOutcome run_script(JSC::JSGlobalObject* realm, JSC::JSObject* script, const ScriptLimits& limits);

// A call within the same limits.
ScriptOutcome call_limited(JSC::JSGlobalObject* realm, Value function, const ScriptLimits& limits);

// A function with these parameters ("a,b"); with extensions, a function of as many objects that returns it with them in scope.
CallOutcome compile_detached(JSC::JSGlobalObject* realm, const ScriptSource& source, const WTF::String& parameters,
                             unsigned extensions);

}  // namespace rondo::engine
