// The name of a task in a report for people: the function that will run, and where it stands; or the await that an async function
// goes on from; or, where nothing of the program's own runs, who asked for it. For the ledger.
//
// Owner: the Runtime. Thread: its loop's. Texts are made once for each place and kept.
#pragma once

#include "engine/core/native.h"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace JSC {
class FunctionExecutable;
class JSGenerator;
}  // namespace JSC

namespace rondo::engine {

struct AwaitPoint;

struct Label {
  std::string_view text;  // valid until the next call; mostly for ever
  bool is_programs = true;  // it names a place in the program
};

class FunctionLabels {
 public:
  // `subject` is the function that will run, or the generator behind an async function that goes on. "promise reaction" stands for
  // the engine's own steps.
  Label label(JSC::VM& vm, Value subject);
  // For a callback that was given to a queue: as above, but a promise's own function is called by what it settles.
  Label callback_label(JSC::VM& vm, Value subject);
  // "name (file:line:column)" of a function of the program's own, its place alone without a name; empty for all others. Valid until
  // the next call; of a function without a name of its own that the program gave it, for ever.
  std::string_view program_function(Value value);

  struct Place {
    Place() = default;
    Place(std::string in, std::string at)
        : function(std::move(in)),
          place(std::move(at)),
          text_(function.empty() ? place : function + " (" + place + ")") {}
    const std::string& text() const { return text_; }

    std::string function, place;

   private:
    std::string text_;
  };
  // Where the program is: the innermost call of its own on the stack; null when there is none. Valid as long as this object.
  const Place* running(JSC::VM& vm);
  // "file:line:column" of it, or empty. Valid as long as this object.
  std::string_view running_place(JSC::VM& vm);

  // Two texts as one, made once for two addresses: `first` + `between` + `second` + `after`. Valid until the next call.
  std::string_view joined(std::string_view first, std::string_view between, std::string_view second,
                          std::string_view after = {});

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

  // Findings about cells of the engine, which are others after a collection: `version` is the collector's at that time.
  struct KnownFunction {
    const JSC::FunctionExecutable* executable = nullptr;
    uint64_t version = 0;
    const Place* place = nullptr;
    bool is_programs = false;
  };
  // The calls on the stack, by their code and where each of them is, and the place that running() answers.
  struct KnownStack {
    uint64_t calls = 0;
    uint64_t version = 0;
    const Place* place = nullptr;
  };
  static constexpr size_t kKnown = 256;

  static Spot spot_of(JSC::ScriptExecutable& executable, int32_t detail);
  // Of a function that is not the host's.
  const KnownFunction& known(JSC::JSFunction* function);
  bool is_program(JSC::JSFunction* function);
  std::string_view function_text(JSC::JSFunction* function);
  const Place* promise_maker(JSC::VM& vm);
  const Place& await_at(JSC::VM& vm, const AwaitPoint& point);
  const std::string& await_text(JSC::VM& vm, JSC::JSGenerator* generator, JSC::JSFunction* body);
  const Place& place_at(JSC::VM& vm, JSC::CodeBlock* code, uint32_t bytecode_offset);

  std::array<KnownFunction, kKnown> known_functions_;
  std::array<KnownStack, kKnown> known_stacks_;
  std::unordered_map<Spot, Place, SpotHash> functions_;
  std::unordered_map<Spot, Place, SpotHash> places_;
  std::unordered_map<Spot, std::string, SpotHash> awaits_;  // "await in …"
  struct Pair {
    const char *first, *second;
    bool operator==(const Pair&) const = default;
  };
  struct PairHash {
    size_t operator()(const Pair& pair) const;
  };
  // By the addresses of both; a text that was made anew at an address of another is told apart by its content.
  std::unordered_map<Pair, std::string, PairHash> joined_;
  std::string renamed_;  // the last text of a function with a name that the program gave it
};

}  // namespace rondo::engine
