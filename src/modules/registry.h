// The parts list of native modules: native(name) in lib/ finds its other half here.
#pragma once

#include "runtime/builtins.h"

namespace rondo::modules {

std::span<const runtime::NativeModule> all();

}  // namespace rondo::modules
