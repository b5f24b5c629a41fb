// The engine's debugger for one realm: breakpoints, stepping, stopped frames. It tells a listener, an object of lib/internal/inspector,
// what happens, and stays stopped until the listener's paused() returns. It knows no protocol and no connection.
//
// Thread: the VM's. Lines and columns are zero-based and count in the program's own text: the line that wraps a CommonJS file is
// subtracted here.
//
//  D1  attach() makes the engine compile code with places to stop; what is on the stack at that time has none until it returns.
//  D2  Files of the library never stop, and neither does the code that runs while the program is stopped.
#pragma once

#include "engine/core/native.h"

#include <JavaScriptCore/Debugger.h>

#include <map>
#include <unordered_map>

namespace rondo::engine {

struct TextPlace {
  int line = 0;
  int column = 0;
};

struct FunctionPlace {
  JSC::SourceID script = JSC::noSourceID;
  TextPlace place;
};

// Where a function's parameters begin; none for one that is not written in JavaScript.
std::optional<FunctionPlace> place_of_function(Value function);

enum class Step : uint8_t { Resume, Into, Over, Out };

// Methods of the listener:
//   scriptParsed(id, url, sourceMapUrl, startLine, startColumn, endLine, endColumn, length, isModule, realm's global object)
//   scriptFailed(id, url, …the same)
//   paused(reason, breakpoint id or 0, hasException, exception, frames): until it returns the program is stopped
//   shouldStopAtException(value, isCaught) → boolean
class ScriptDebugger final : public JSC::Debugger, private JSC::Debugger::Client {
 public:
  ScriptDebugger(JSC::JSGlobalObject* realm, JSC::JSObject* listener);
  ~ScriptDebugger() override;

  // The place where it stops, or none when nothing can stop there. `is_taken`: another breakpoint is at that place.
  std::optional<TextPlace> add_breakpoint(uint32_t id, JSC::SourceID script, TextPlace place,
                                          const WTF::String& condition, bool& is_taken);
  void remove_breakpoint(uint32_t id);
  std::vector<TextPlace> possible_breakpoints(JSC::SourceID script, TextPlace from, TextPlace to);
  // Null when there is no such script.
  WTF::String source_of(JSC::SourceID script) const;
  void set_stops_at_exceptions(bool stops);
  void skip_script(JSC::SourceID script, bool skips);

  // Stops now, where the VM's thread is, if its code was compiled before attach(): such code has no places to stop. The frames are shown
  // without their variables.
  void stop_if_unhooked();

  // While it is stopped: how it goes on when paused() returns.
  void go_on(Step step);
  // A value, or what was thrown.
  CallOutcome evaluate_in_frame(unsigned index, const WTF::String& expression);

 private:
  void sourceParsed(JSC::JSGlobalObject* realm, JSC::SourceProvider* provider, int error_line,
                    const WTF::String& message) override;
  void handlePause(JSC::JSGlobalObject* realm, ReasonForPause reason) override;
  JSC::JSObject* debuggerScopeExtensionObject(JSC::Debugger&, JSC::JSGlobalObject*, JSC::DebuggerCallFrame&) override;

  void call_listener(const char* method, const JSC::ArgList& arguments);
  Value frames();
  Value frame_object(JSC::DebuggerCallFrame& frame);
  Value scopes(JSC::DebuggerCallFrame& frame);
  JSC::SourceProvider* provider_of(JSC::SourceID script) const;
  int lines_before_text(JSC::SourceID script) const;
  bool should_stop_at_exception();

  JSC::JSGlobalObject* realm_;
  JSC::Strong<JSC::JSObject> listener_;
  struct Script {
    RefPtr<JSC::SourceProvider> provider;
    TextPlace end;
  };
  std::unordered_map<JSC::SourceID, Script> scripts_;
  std::map<uint32_t, Ref<JSC::Breakpoint>> breakpoints_;
  std::vector<RefPtr<JSC::DebuggerCallFrame>> stopped_frames_;
  JSC::Strong<JSC::JSObject> exception_question_;
};

}  // namespace rondo::engine
