// The names that stand around the files of lib/: what it keeps for itself, whatever a program does to its globals. tools/check_lib reads this file.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace rondo::runtime {

// Globals; lib/bootstrap/00_primordials.js makes what differs from them.
// clang-format off
inline constexpr std::string_view kPrimordials[] = {
    "each", "eachEntry", "promiseFinally", "promiseThen", "call0", "call1", "call2", "call3", "call4",
    "captureStackTrace", "replaceMatches", "program", "process",
    "setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "queueMicrotask",
    "globalThis", "AggregateError", "Array", "ArrayBuffer", "Atomics", "BigInt", "BigInt64Array", "BigUint64Array",
    "Boolean", "DataView", "Date", "Error", "EvalError", "FinalizationRegistry", "Float32Array", "Float64Array",
    "Function", "Int16Array", "Int32Array", "Int8Array", "JSON", "Map", "Math", "Number", "Object", "Promise",
    "Proxy", "RangeError", "ReferenceError", "Reflect", "RegExp", "Set", "SharedArrayBuffer", "String", "Symbol",
    "SyntaxError", "TypeError", "URIError", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray",
    "WeakMap", "WeakRef", "WeakSet", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent",
    "parseFloat", "parseInt"};
// clang-format on

// Methods of the language: copies with a `call` of their own (engine/core/method_copy.h), written `arrayPush.call(list, item)`.
// clang-format off
inline constexpr std::string_view kPrimordialMethods[] = {
    "arrayAt", "arrayConcat", "arrayEntries", "arrayEvery", "arrayFill", "arrayFilter", "arrayFind",
    "arrayFindIndex", "arrayFindLast", "arrayFindLastIndex", "arrayFlat", "arrayFlatMap", "arrayForEach",
    "arrayIncludes", "arrayIndexOf", "arrayJoin", "arrayKeys", "arrayLastIndexOf", "arrayMap", "arrayPop",
    "arrayPush", "arrayReduce", "arrayReverse", "arrayShift", "arraySlice", "arraySome", "arraySort", "arraySplice",
    "arrayToReversed", "arrayToSorted", "arrayToSpliced", "arrayUnshift", "arrayValues", "bigintToString", "bigintValueOf", "booleanValueOf",
    "bytesCopyWithin", "bytesEvery", "bytesFill", "bytesIncludes", "bytesIndexOf", "bytesJoin", "bytesLastIndexOf",
    "bytesMap", "bytesReverse", "bytesSet", "bytesSlice", "bytesSubarray", "dateGetDate", "dateGetFullYear",
    "dateGetHours", "dateGetMilliseconds", "dateGetMinutes", "dateGetMonth", "dateGetSeconds", "dateGetTime",
    "dateToISOString", "dateToString", "dateToUTCString", "dateValueOf", "errorToString", "functionApply",
    "functionBind", "functionCall", "functionToString", "numberToFixed", "numberToString", "numberValueOf",
    "objectHasOwnProperty", "objectIsPrototypeOf", "objectPropertyIsEnumerable", "objectToString", "regexpExec",
    "regexpMatch", "regexpSearch", "regexpSplit", "regexpTest", "regexpToString", "stringAt", "stringCharAt",
    "stringCharCodeAt", "stringCodePointAt", "stringConcat", "stringEndsWith", "stringIncludes", "stringIndexOf",
    "stringIsWellFormed", "stringLastIndexOf", "stringLocaleCompare", "stringMatch", "stringMatchAll",
    "stringNormalize", "stringPadEnd", "stringPadStart", "stringRepeat", "stringReplace", "stringReplaceAll",
    "stringSearch", "stringSlice", "stringSplit", "stringStartsWith", "stringSubstring", "stringToLowerCase",
    "stringToUpperCase", "stringToWellFormed", "stringTrim", "stringTrimEnd", "stringTrimStart", "stringValueOf",
    "symbolToString", "symbolValueOf"};
// clang-format on

// All of them, in the order of their places in the scope.
inline constexpr auto kScopeNames = [] {
  std::array<std::string_view, std::size(kPrimordials) + std::size(kPrimordialMethods)> names;
  std::copy(std::begin(kPrimordialMethods), std::end(kPrimordialMethods),
            std::copy(std::begin(kPrimordials), std::end(kPrimordials), names.begin()));
  return names;
}();

}  // namespace rondo::runtime
