// JSON.parse with a reviver, whose third argument holds the source of a primitive:
// https://tc39.es/proposal-json-parse-with-source. The engine has parsed the text; this walks its value beside the text.
#pragma once

#include "engine/core/native.h"

namespace rondo::modules {

// → what the reviver leaves of `value`, which the engine made of `text`; empty when it threw.
engine::Value revive_json(engine::Call& call, JSC::JSString* text, engine::Value value, JSC::JSObject* reviver);

}  // namespace rondo::modules
