// Bytecode of library files as rondo_bake writes it. The engine's own function (generateProgramBytecode) leaves out what `new` runs, so that
// every constructor was parsed and compiled again in each process and each worker; and it writes all of the text beside the code, to copy, hash
// and compare it when the code is read. Used by source.cpp alone.
#pragma once

#include "engine/core/jsc.h"

#include <string>

namespace rondo::engine {

// The engine will know the code by `key`. Empty on a syntax error.
std::string bake_program(JSC::VM& vm, const JSC::SourceCode& source, const JSC::SourceCode& key);

// All of the provider's text, its first line numbered so, be it below one.
JSC::SourceCode beginning_at_line(JSC::SourceProvider& provider, int line);

// A view of bytes that are nobody's to free, such as the binary's own: release_bytecode() before the last reference goes.
Ref<JSC::CachedBytecode> view_bytecode(std::string_view bytes);
void release_bytecode(JSC::CachedBytecode& view);

}  // namespace rondo::engine
