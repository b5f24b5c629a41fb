// The files of lib/ (and embedded npm packages) that ride in the binary; the table is generated at build time.
#pragma once

#include <span>
#include <string_view>

namespace rondo::runtime {

// Around every library file: the function expression that Builtins calls with what the names say. One line before the file's first,
// which stacks leave out again (engine/source.h).
inline constexpr std::string_view kWrapperHead = "(function (exports,require,module,native) {\n";
inline constexpr std::string_view kWrapperTail = "\n})";

// The names that stand around the files: what lib/ keeps for itself, whatever a program does to its globals
// (lib/bootstrap/00_own.js makes what differs from them).
inline constexpr std::string_view kOwnNames[] = {"each",
                                                 "eachEntry",
                                                 "promiseFinally",
                                                 "promiseThen",
                                                 "program",
                                                 "process",
                                                 "setTimeout",
                                                 "clearTimeout",
                                                 "setInterval",
                                                 "clearInterval",
                                                 "setImmediate",
                                                 "clearImmediate",
                                                 "queueMicrotask",
                                                 "globalThis",
                                                 "AggregateError",
                                                 "Array",
                                                 "ArrayBuffer",
                                                 "Atomics",
                                                 "BigInt",
                                                 "BigInt64Array",
                                                 "BigUint64Array",
                                                 "Boolean",
                                                 "DataView",
                                                 "Date",
                                                 "Error",
                                                 "EvalError",
                                                 "FinalizationRegistry",
                                                 "Float32Array",
                                                 "Float64Array",
                                                 "Function",
                                                 "Int16Array",
                                                 "Int32Array",
                                                 "Int8Array",
                                                 "JSON",
                                                 "Map",
                                                 "Math",
                                                 "Number",
                                                 "Object",
                                                 "Promise",
                                                 "Proxy",
                                                 "RangeError",
                                                 "ReferenceError",
                                                 "Reflect",
                                                 "RegExp",
                                                 "Set",
                                                 "SharedArrayBuffer",
                                                 "String",
                                                 "Symbol",
                                                 "SyntaxError",
                                                 "TypeError",
                                                 "URIError",
                                                 "Uint16Array",
                                                 "Uint32Array",
                                                 "Uint8Array",
                                                 "Uint8ClampedArray",
                                                 "WeakMap",
                                                 "WeakRef",
                                                 "WeakSet",
                                                 "decodeURI",
                                                 "decodeURIComponent",
                                                 "encodeURI",
                                                 "encodeURIComponent",
                                                 "parseFloat",
                                                 "parseInt"};
// The language's own files (lib/internal/language) work on the globals of the realm they run in.
constexpr bool sees_own_names(std::string_view id) { return !id.starts_with("internal/language/"); }

struct EmbeddedSource {
  std::string_view id;  // "fs", "internal/errors/coded", "bootstrap/10_ticks"
  std::string_view source;  // UTF-8, wrapped
  bool is_ascii;  // can be used where it lies
  std::string_view bytecode;  // empty when none was baked
};

// Sorted by id.
std::span<const EmbeddedSource> embedded_sources();

}  // namespace rondo::runtime
