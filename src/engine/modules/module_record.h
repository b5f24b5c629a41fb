// One ES module as the engine has it, without a loader: its body run step by step. Which module runs when is
// lib/internal/modules/evaluation's to say.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

// Known from linking on, kept with the record.
void set_top_level_await(JSC::VM& vm, Value record, bool has_it);
bool has_top_level_await(JSC::VM& vm, Value record);

// Runs the body, or goes on with it after an await, with what the await gave (`mode` 0) or threw (2). Returns what is awaited next
// while the body is suspended.
CallOutcome execute_module(JSC::JSGlobalObject* realm, Value record, Value sent, int mode);
bool is_module_suspended(Value record);

}  // namespace rondo::engine
