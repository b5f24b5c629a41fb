// Float16Array, which this build of the engine has no kind of typed array for. To the engine it is a DataView, so that everything that takes
// an ArrayBufferView takes it, but its elements are properties. The constructor and the methods are lib/internal/language/float16.js.
#pragma once

#include "engine/core/jsc.h"

#include <optional>

namespace JSC {
class JSArrayBufferView;
}

namespace rondo::engine {

// Stands for them in a structured clone, among the engine's numbers of typed arrays.
constexpr uint8_t kFloat16Kind = 0xff;

// The structure of arrays whose prototype is the realm's Float16Array.prototype, which keeps it.
JSC::Structure* float16_structure(JSC::JSObject* prototype);
// Finds that prototype by the realm's global name.
JSC::Structure* realm_float16_structure(JSC::JSGlobalObject* realm);
// `length` in elements; nothing: it follows the buffer's. May throw.
JSC::JSObject* make_float16_array(JSC::JSGlobalObject* realm, JSC::Structure* structure,
                                  RefPtr<JSC::ArrayBuffer>&& memory, size_t byte_offset, std::optional<size_t> length);
bool is_float16_array(JSC::JSValue value);
// In elements; 0 when it is out of bounds or detached.
size_t float16_length(JSC::JSArrayBufferView* view);

double half_to_double(uint16_t bits);
// To the nearest, ties to even.
uint16_t double_to_half(double value);

}  // namespace rondo::engine
