// One ES module as the engine has it, without a loader: its body run step by step. Which module runs when is
// lib/internal/modules/evaluation's to say.
#pragma once

#include "engine/core/script.h"

#include <span>
#include <vector>

namespace rondo::engine {

bool is_module_record(Value value);

// Known from linking on, kept with the record.
void set_top_level_await(JSC::VM& vm, Value record, bool has_it);
bool has_top_level_await(JSC::VM& vm, Value record);

// Runs the body, or goes on with it after an await, with what the await gave (`mode` 0) or threw (2). Returns what is awaited next
// while the body is suspended.
CallOutcome execute_module(JSC::JSGlobalObject* realm, Value record, Value sent, int mode);
bool is_module_suspended(Value record);

// Modules that are in no loader's registry: node:vm's. Each function but the first takes a value for which is_module_record() holds.
// `source.origin` is the module's key, which import() and import.meta get to see; `bytecode` is what module_bytecode gave for the text, or empty.
CallOutcome parse_module(JSC::JSGlobalObject* realm, const ScriptSource& source, std::span<const uint8_t> bytecode);
// [[specifier, type | undefined] …] in the order of the text
Value requests_of(JSC::JSGlobalObject* realm, Value record);
void set_dependency(JSC::JSGlobalObject* realm, Value record, Value specifier, Value dependency);
// This record alone: those it requires come first.
CallOutcome link_record(Value record);
CallOutcome namespace_of_record(Value record);

// A module without a text, whose exports are undefined until they are set.
Value make_synthetic_record(JSC::JSGlobalObject* realm, const WTF::String& key, const std::vector<WTF::String>& names);
bool set_synthetic_export(Value record, const WTF::String& name, Value value);

}  // namespace rondo::engine
