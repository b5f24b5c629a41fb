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
};
// Of the generator behind an async function; nothing while it runs or when it has ended.
std::optional<AwaitPoint> await_point(JSC::JSGenerator* generator);

}  // namespace rondo::engine
