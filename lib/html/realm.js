// natives: html
// The library's realm in an agent of pages: a page holds functions of it (every method of jsdom's is one) and may walk from there to whatever they lead
// to. So its global object has nothing of Node's, it makes no code of text, import() does nothing there (engine/modules), and its intrinsics
// are frozen: what one page does to them would happen to the library, and to other pages. html/start and html/owned call this before anything of a page runs.
'use strict';

const { disableEval } = native('html');

// Of lib/web, as packages use them by these names; each is in pages, too. Everything else beside the language goes.
const kKept = [
  'AbortController', 'AbortSignal', 'Blob', 'DOMException', 'Event', 'EventTarget', 'File', 'MessagePort', 'ReadableStream', 'TextDecoder',
  'TextDecoderStream', 'TextEncoder', 'TransformStream', 'URL', 'URLSearchParams', 'WritableStream', 'atob', 'btoa', 'performance', 'queueMicrotask',
  'structuredClone',
];
const kLanguage = [
  'AggregateError', 'Array', 'ArrayBuffer', 'AsyncDisposableStack', 'Atomics', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView',
  'Date', 'DisposableStack', 'Error', 'EvalError', 'FinalizationRegistry', 'Float16Array', 'Float32Array', 'Float64Array', 'Function', 'Infinity',
  'Int16Array', 'Int32Array', 'Int8Array', 'Intl', 'Iterator', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object', 'Promise', 'Proxy', 'RangeError',
  'ReferenceError', 'Reflect', 'RegExp', 'Set', 'SharedArrayBuffer', 'String', 'SuppressedError', 'Symbol', 'SyntaxError', 'Temporal', 'TypeError',
  'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array', 'Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet', 'WebAssembly', 'decodeURI',
  'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'eval', 'globalThis', 'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'undefined',
  'unescape',
];

function removeGlobals() {
  const kept = new Set([...each(kKept), ...each(kLanguage)]);
  for (const name of each(Reflect.ownKeys(globalThis))) if (!kept.has(name)) delete globalThis[name];
}

function close() {
  removeGlobals();
  disableEval();
}

module.exports = { close };
