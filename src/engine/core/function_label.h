// The name of a task in a report for people: the function that will run, and where it stands; or the await that an async function
// goes on from; or, where nothing of the program's own runs, who asked for it. For the ledger.
//
// Owner: the Runtime. Thread: its loop's. Texts are made once for each place and kept.
#pragma once

#include "engine/core/native.h"

#include <string>
#include <unordered_map>

namespace rondo::engine {

struct AwaitPoint;

struct Label {
  std::string text;
  bool is_programs = true;  // it names a place in the program
};

class FunctionLabels {
 public:
  // `subject` is the function that will run, or the generator behind an async function that goes on. "promise reaction" stands for
  // the engine's own steps.
  Label label(JSC::VM& vm, Value subject);
  // For a callback that was given to a queue: as above, but a promise's own function is called by what it settles.
  Label callback_label(JSC::VM& vm, Value subject);
  // "name (file:line:column)" of a function of the program's own, its place alone without a name; empty for all others.
  std::string program_function(Value value);

  struct Place {
    std::string function, place;
    std::string text() const { return function.empty() ? place : function + " (" + place + ")"; }
  };
  // Where the program is: the innermost call of its own on the stack; null when there is none. Valid until the next call.
  const Place* running(JSC::VM& vm);
  // "file:line:column" of it, or empty.
  std::string running_place(JSC::VM& vm);

 private:
  // A piece of code in a source that is never another's: addresses of the engine's objects are used again.
  struct Spot {
    uint64_t source = 0;
    uint32_t start = 0;
    int32_t detail = 0;  // an offset into bytecode; kWhole is the function itself
    bool operator==(const Spot&) const = default;
  };
  struct SpotHash {
    size_t operator()(const Spot& spot) const;
  };
  struct Walk;

  static Spot spot_of(JSC::ScriptExecutable& executable, int32_t detail);
  std::string function_text(JSC::JSFunction* function);
  const Place* promise_maker(JSC::VM& vm);
  const Place& await_at(JSC::VM& vm, const AwaitPoint& point);
  const Place& place_at(JSC::VM& vm, JSC::CodeBlock* code, uint32_t bytecode_offset);

  std::unordered_map<Spot, Place, SpotHash> functions_;
  std::unordered_map<Spot, Place, SpotHash> places_;
};

}  // namespace rondo::engine
