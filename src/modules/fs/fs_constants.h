// fs.constants: the numbers of this system's headers.
#pragma once

#include "engine/core/native.h"

namespace rondo::modules {

void put_fs_constants(JSC::JSGlobalObject* realm, JSC::JSObject* target);

}  // namespace rondo::modules
