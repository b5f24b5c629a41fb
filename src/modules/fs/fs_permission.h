// Which rights a file request needs under --permission. fs.cpp asks before it runs or starts one.
#pragma once

#include "modules/fs/fs_call.h"

namespace rondo::modules {

// The error for the program, or null when it may. Asked only with a Permission in force.
JSC::JSObject* refusal_of(runtime::Runtime& runtime, const FileRequest& request);

// Whether the callback form throws it, as Node's does, instead of calling back.
bool throws_refusal(FileKind kind);

}  // namespace rondo::modules
