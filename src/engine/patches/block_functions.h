// Functions declared in a block of a sloppy script see the block's variables: `{ let x = 1; function f() { return x } }`. In the
// engine's build pinned in package.json they do so in functions and in eval's text; the compiler of a script hands them to the script
// itself, outside the block. May go when it does not.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// Visibility of a script's top-level let, const and class declarations: other scripts may use them, or there are no others.
enum class Declarations : uint8_t { Shared, Own };

// Runs a script. One that has such functions runs as eval's text would: the only differences are that its `var` can be deleted, and that
// its let, const and class are its own. If those are shared, a script that has both keeps the engine's way.
Value evaluate_script(JSC::JSGlobalObject* realm, const JSC::SourceCode& source, Value self,
                      WTF::NakedPtr<JSC::Exception>& exception, Declarations declarations = Declarations::Shared);

}  // namespace rondo::engine
