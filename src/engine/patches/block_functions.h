// Functions declared in a block of a sloppy script see the block's variables: `{ let x = 1; function f() { return x } }`. In the
// engine's build pinned in package.json they do so in functions and in eval's text; the compiler of a script hands them to the script
// itself, outside the block. May go when it does not.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// Runs a script. One that has such functions, and no let, const or class of its own at the top, runs as eval's text would: the only
// difference is that its `var` can be deleted. One that has both keeps the engine's way.
Value evaluate_script(JSC::JSGlobalObject* realm, const JSC::SourceCode& source, Value self,
                      WTF::NakedPtr<JSC::Exception>& exception);

}  // namespace rondo::engine
