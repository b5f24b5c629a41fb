// natives: html
// The library's realm in an agent of pages: a page holds functions of it (every method of jsdom's is one) and may walk from there to
// whatever they lead to. So its global object has nothing of Node's, it makes no code of text, import() does nothing there
// (engine/modules), and its intrinsics are frozen: what one page does to them would happen to the library, and to other pages. html/start
// and html/agents/agent_entry call this before anything of a page runs.
'use strict';

const { disableEval, freeze } = native('html');

// Of lib/internal, as packages use them by these names; each is in pages, too. Everything else beside the language goes.
const kKept = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'DOMException',
  'Event',
  'EventTarget',
  'File',
  'MessagePort',
  'ReadableStream',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WritableStream',
  'atob',
  'btoa',
  'performance',
  'queueMicrotask',
  'structuredClone',
];
const kLanguage = [
  'AggregateError',
  'Array',
  'ArrayBuffer',
  'AsyncDisposableStack',
  'Atomics',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Boolean',
  'DataView',
  'Date',
  'DisposableStack',
  'Error',
  'EvalError',
  'FinalizationRegistry',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Function',
  'Infinity',
  'Int16Array',
  'Int32Array',
  'Int8Array',
  'Intl',
  'Iterator',
  'JSON',
  'Map',
  'Math',
  'NaN',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'ReferenceError',
  'Reflect',
  'RegExp',
  'Set',
  'SharedArrayBuffer',
  'String',
  'SuppressedError',
  'Symbol',
  'SyntaxError',
  'Temporal',
  'TypeError',
  'URIError',
  'Uint16Array',
  'Uint32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'WeakMap',
  'WeakRef',
  'WeakSet',
  'WebAssembly',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'escape',
  'eval',
  'globalThis',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'undefined',
  'unescape',
];

function removeGlobals() {
  const kept = new Set([...each(kKept), ...each(kLanguage)]);
  for (const name of each(Reflect.ownKeys(globalThis))) if (!kept.has(name)) delete globalThis[name];
}

// A frozen property cannot be assigned on what inherits it, either, and packages do assign these: of these the setter defines the heir's
// own.
const kAssigned = {
  __proto__: null,
  Object: ['constructor', 'toString', 'valueOf'],
  Function: ['constructor', 'toString'],
  Error: ['constructor', 'message', 'name', 'toString'],
};
// Made by the engine when first used, and of no use to what a page can reach.
const kLater = ['Intl', 'Temporal', 'WebAssembly'];
const kErrors = [
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'SuppressedError',
];

function allowAssignment(prototype, names) {
  for (const name of each(names)) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
    if (descriptor === undefined || !('value' in descriptor) || !descriptor.configurable) continue;
    const { value, enumerable } = descriptor;
    Object.defineProperty(prototype, name, {
      __proto__: null,
      configurable: false,
      enumerable,
      get() {
        return value;
      },
      set(given) {
        if (this === prototype) throw new TypeError(`Cannot assign to read only property '${name}' of object`);
        Reflect.defineProperty(this, name, { __proto__: null, value: given, writable: true, configurable: true, enumerable: true });
      },
    });
  }
}

// Objects that syntax makes, each with its prototype.
const samples = () => [
  [][Symbol.iterator](),
  new program.Map()[Symbol.iterator](),
  new program.Set()[Symbol.iterator](),
  ''[Symbol.iterator](),
  'x'.matchAll(/x/g),
  function* () {},
  async function* () {},
  async () => {},
  (function* () {})(),
  (async function* () {})(),
  [].values().map((item) => item),
];

function freezeIntrinsic(value) {
  if (!freeze(value)) Object.freeze(value);
}

// Constructors, prototypes and namespaces. Their methods stay as they are: nothing that a page puts on one is ever read.
function freezeIntrinsics() {
  for (const name of each(Object.keys(kAssigned)))
    if (!kErrors.includes(name)) allowAssignment(globalThis[name].prototype, kAssigned[name]);
  for (const name of each(kLanguage)) {
    const value = kLater.includes(name) ? undefined : globalThis[name];
    if (typeof value !== 'object' && typeof value !== 'function') continue;
    if (value !== globalThis) freezeIntrinsic(value);
    if (typeof value === 'function' && value.prototype !== undefined && !kErrors.includes(name)) freezeIntrinsic(value.prototype);
  }
  for (const sample of each(samples())) {
    for (let at = Object.getPrototypeOf(sample); at !== null && !Object.isFrozen(at); at = Object.getPrototypeOf(at)) {
      freezeIntrinsic(at);
      const made = Object.getOwnPropertyDescriptor(at, 'constructor')?.value;
      if (typeof made === 'function') freezeIntrinsic(made);
    }
  }
  const TypedArray = Object.getPrototypeOf(Uint8Array);
  freezeIntrinsic(TypedArray);
  freezeIntrinsic(TypedArray.prototype);
}

// Errors of the library are errors of the agent's first window: a page tells them by `instanceof` and by their constructor. Called before
// that window's first script, because the prototypes are frozen with it.
let isJoined = false;
function joinErrors(window) {
  if (isJoined) return;
  isJoined = true;
  for (const name of each(kErrors)) {
    const { prototype } = globalThis[name] ?? {};
    if (prototype === undefined) continue;
    Object.defineProperty(prototype, 'constructor', { __proto__: null, value: window[name], configurable: true });
    Object.setPrototypeOf(prototype, window[name].prototype);
    allowAssignment(prototype, kAssigned.Error);
    freezeIntrinsic(prototype);
  }
}

// The prototypes of the library's errors lead to the window's, so that its own Error would not be found on their chain.
function findErrors() {
  const { isError } = Error;
  const find = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(Error, Symbol.hasInstance, {
    __proto__: null,
    value(value) {
      return this === Error ? isError(value) : Reflect.apply(find, this, [value]);
    },
  });
}

function close() {
  removeGlobals();
  disableEval();
  findErrors();
  freezeIntrinsics();
}

module.exports = { close, joinErrors };
