// Execution counts of a program's sources, from the engine's basic-block profile. Off until start_coverage; code that is compiled
// afterwards counts. Sources are known because the functions that compile them call note_source; those of lib/ are not among them.
// Readers: native('coverage') (NODE_V8_COVERAGE, the test runner), and clients of the profiler's protocol.
#pragma once

#include "engine/core/jsc.h"

#include <JavaScriptCore/SourceProvider.h>

#include <vector>

namespace rondo::engine {

// UTF-16 offsets in the file's text, without the wrapper of a CommonJS file; `end` is behind the last unit.
struct CountedRange {
  unsigned start;
  unsigned end;
  double count;
};

struct SourceCoverage {
  unsigned id;
  WTF::String url;  // a path or a URL, as stacks show it
  WTF::String text;
  std::vector<CountedRange> functions;  // count: 0 for those never called, else 1
  std::vector<CountedRange> blocks;  // parts of functions and of the file that run as one piece
};

void start_coverage(JSC::VM& vm);
// The same in the middle of a program: sources that are compiled already count too, each function from its first call after the code that
// runs now has returned.
void start_late_coverage(JSC::VM& vm);
void stop_coverage(JSC::VM& vm);
bool is_covering(JSC::VM& vm);

// Called for each source of the program before it runs.
void note_source(JSC::VM& vm, JSC::SourceProvider& provider);

// Counts since the code was compiled.
std::vector<SourceCoverage> read_coverage(JSC::VM& vm);

}  // namespace rondo::engine
