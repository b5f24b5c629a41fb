// Node's Buffer as C++ sees it: a Uint8Array whose prototype is Buffer.prototype. lib/internal/buffer/create.js names
// that prototype once; until then the functions here make plain Uint8Arrays. Used by every module that hands bytes to
// JavaScript.
#pragma once

#include "engine/core/native.h"

namespace rondo::engine {

void set_buffer_prototype(JSC::JSGlobalObject* realm, JSC::JSObject* prototype);

// Uninitialised memory: the caller fills every byte. Null with a pending RangeError when the size cannot be had.
JSC::JSUint8Array* make_buffer_uninitialized(JSC::JSGlobalObject* realm, size_t size);
JSC::JSUint8Array* make_buffer_zeroed(JSC::JSGlobalObject* realm, size_t size);
JSC::JSUint8Array* make_buffer(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes);
// Takes ownership of malloc'ed memory: no copy.
JSC::JSUint8Array* adopt_buffer(JSC::JSGlobalObject* realm, uint8_t* malloced, size_t size);
JSC::JSUint8Array* adopt_buffer(JSC::JSGlobalObject* realm, std::string&& bytes);
// Another Buffer on the memory of `view`, without copying.
JSC::JSUint8Array* buffer_on(JSC::JSGlobalObject* realm, JSC::JSArrayBufferView* view, size_t offset, size_t size);

// A string from bytes: lossy UTF-8, and one byte a character. Throws (empty value) beyond kMaxStringLength.
inline constexpr size_t kMaxStringLength = 536870888;  // Node's 0x1fffffe8
Value string_from_utf8(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes);
Value string_from_latin1(JSC::JSGlobalObject* realm, std::span<const uint8_t> bytes);

// Throws an Error of this kind with Node's `code`.
// ERR_STRING_TOO_LONG: a string that Node could not hold.
Value raise_too_long(JSC::JSGlobalObject* realm);
Value raise_with_code(JSC::JSGlobalObject* realm, JSC::ErrorType type, ASCIILiteral code, const WTF::String& message);

}  // namespace rondo::engine
