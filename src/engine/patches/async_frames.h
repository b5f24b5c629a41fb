// Where an async function waits. See async_frames.cpp.
#pragma once

#include "engine/core/jsc.h"

#include <optional>

namespace JSC {
class JSGenerator;
}

namespace rondo::engine {

struct AwaitPoint {
  JSC::CodeBlock* code;
  unsigned offset;
  // The engine's record of places: the last one before it goes on, as an offset into the file, and how many other awaits went on in
  // between. `await name` leaves no place of its own.
  std::optional<unsigned> place_before;
  unsigned awaits_between;
};
// Of the generator behind an async function; nothing while it runs or when it has ended.
std::optional<AwaitPoint> await_point(JSC::JSGenerator* generator);
// Of a frame that was taken while its function waited: the function may have gone on since.
std::optional<AwaitPoint> await_point_at(JSC::CodeBlock* block, unsigned offset);

}  // namespace rondo::engine
