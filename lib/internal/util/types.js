// natives: float16, napi, util
// Type checks that no user code can fool: by the engine's own class of a value, not by its
// prototype. util.types and everything in lib/ that must know what a value is use these.
'use strict';

const engine = native('util');

const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const typedArrayName = Object.getOwnPropertyDescriptor(TypedArrayPrototype, Symbol.toStringTag).get;
const nameOf = (value) => call0(typedArrayName, value);

const isArrayBufferView = ArrayBuffer.isView;
// Float16Array is a DataView to the engine (src/engine/core/float16_array.h).
const isFloat16Array = (value) => engine.isDataView(value) && native('float16').isFloat16Array(value);
const isTypedArray = (value) => nameOf(value) !== undefined || isFloat16Array(value);

module.exports = {
  isExternal: (value) => native('napi').isExternal(value),
  isDate: engine.isDate,
  isArgumentsObject: engine.isArgumentsObject,
  isBigIntObject: engine.isBigIntObject,
  isBooleanObject: engine.isBooleanObject,
  isNumberObject: engine.isNumberObject,
  isStringObject: engine.isStringObject,
  isSymbolObject: engine.isSymbolObject,
  isBoxedPrimitive: engine.isBoxedPrimitive,
  isNativeError: engine.isNativeError,
  isRegExp: engine.isRegExp,
  isAsyncFunction: engine.isAsyncFunction,
  isGeneratorFunction: engine.isGeneratorFunction,
  isGeneratorObject: engine.isGeneratorObject,
  isPromise: engine.isPromise,
  isMap: engine.isMap,
  isSet: engine.isSet,
  isMapIterator: engine.isMapIterator,
  isSetIterator: engine.isSetIterator,
  isWeakMap: engine.isWeakMap,
  isWeakSet: engine.isWeakSet,
  isArrayBuffer: engine.isArrayBuffer,
  isDataView: (value) => engine.isDataView(value) && !native('float16').isFloat16Array(value),
  isSharedArrayBuffer: engine.isSharedArrayBuffer,
  isProxy: engine.isProxy,
  isModuleNamespaceObject: engine.isModuleNamespaceObject,
  isAnyArrayBuffer: engine.isAnyArrayBuffer,
  isArrayBufferView,
  isTypedArray,
  isUint8Array: (value) => nameOf(value) === 'Uint8Array',
  isUint8ClampedArray: (value) => nameOf(value) === 'Uint8ClampedArray',
  isUint16Array: (value) => nameOf(value) === 'Uint16Array',
  isUint32Array: (value) => nameOf(value) === 'Uint32Array',
  isInt8Array: (value) => nameOf(value) === 'Int8Array',
  isInt16Array: (value) => nameOf(value) === 'Int16Array',
  isInt32Array: (value) => nameOf(value) === 'Int32Array',
  isFloat16Array,
  isFloat32Array: (value) => nameOf(value) === 'Float32Array',
  isFloat64Array: (value) => nameOf(value) === 'Float64Array',
  isBigInt64Array: (value) => nameOf(value) === 'BigInt64Array',
  isBigUint64Array: (value) => nameOf(value) === 'BigUint64Array',
};
