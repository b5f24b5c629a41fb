'use strict';
// A program may spoil its own globals (fake timers, polyfills, hardened realms); lib/ goes on working. Every tampering below runs
// in a process of its own, which then tries every API of probes.js. What Node 26 itself does not survive is named in kAsNode.
const assert = require('node:assert');
const { spawn } = require('node:child_process');

function broken() { throw new Error('the program replaced this'); }

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const typedArrayMethods = ownKeys(getPrototypeOf(Uint8Array.prototype)).filter((name) =>
  typeof getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), name).value === 'function');
function spoil(object, names) {
  for (const name of names ?? ownKeys(object)) {
    const property = getOwnPropertyDescriptor(object, name);
    if (!property?.configurable || name === 'constructor' || name === Symbol.species) continue;
    if (typeof property.value === 'function') defineProperty(object, name, { ...property, value: broken });
    else if (property.get) defineProperty(object, name, { ...property, get: broken });
  }
}
const iteratorOf = (value) => getPrototypeOf(value[Symbol.iterator]());

// name → what the program does before it uses anything. Run in the child: order matters, the last thing spoilt is what spoils.
const tamperings = {
  nothing() {},
  fakeTimers() { for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate']) globalThis[name] = broken; },
  noProcess() { delete globalThis.process; },
  otherProcess() { globalThis.process = { env: {} }; },
  noWebGlobals() {
    for (const name of ['queueMicrotask', 'structuredClone', 'AbortController', 'AbortSignal', 'EventTarget', 'Event', 'URL',
      'URLSearchParams', 'Buffer', 'performance', 'TextDecoder', 'TextEncoder', 'Blob', 'MessageChannel', 'MessagePort', 'DOMException',
      'ReadableStream', 'WritableStream', 'fetch', 'crypto', 'navigator', 'console', 'global']) delete globalThis[name];
  },
  noLanguageGlobals() {
    for (const name of ['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'FinalizationRegistry', 'Promise', 'Symbol', 'Error', 'TypeError',
      'RangeError', 'Date', 'JSON', 'Math', 'Number', 'String', 'Boolean', 'BigInt', 'RegExp', 'Function', 'Proxy', 'Array', 'ArrayBuffer',
      'Uint8Array', 'DataView', 'Int32Array', 'parseInt', 'decodeURIComponent', 'encodeURIComponent', 'Reflect', 'Object']) globalThis[name] = undefined;
  },
  arrayIterator() { Array.prototype[Symbol.iterator] = broken; },
  arrayIteratorNext() { iteratorOf([]).next = broken; },
  mapMethods() { spoil(Map.prototype); },
  setMethods() { spoil(Set.prototype); },
  mapIteratorNext() { iteratorOf(new Map()).next = broken; iteratorOf(new Set()).next = broken; },
  weakMethods() { spoil(WeakMap.prototype); spoil(WeakSet.prototype); spoil(WeakRef.prototype); spoil(FinalizationRegistry.prototype); },
  promiseMethods() { spoil(Promise.prototype, ['then', 'catch', 'finally']); },
  promiseFunctions() { spoil(Promise, ['resolve', 'reject', 'all', 'race', 'any', 'allSettled', 'withResolvers', 'try']); },
  stringIterator() { iteratorOf('').next = broken; String.prototype[Symbol.iterator] = broken; },
  mathAndJson() { spoil(Math); spoil(JSON); },
  objectFunctions() { spoil(Object); },
  reflectFunctions() { spoil(Reflect); },
  arrayFunctions() { spoil(Array); },
  arrayMethods() { spoil(Array.prototype); },
  stringMethods() { spoil(String.prototype); },
  functionMethods() { spoil(Function.prototype); },
  expressionMethods() { spoil(RegExp.prototype); },
  dateMethods() { spoil(Date.prototype); spoil(Date); },
  numberMethods() { spoil(Number.prototype); spoil(BigInt.prototype); spoil(Symbol.prototype); spoil(Boolean.prototype); },
  numberFunctions() { spoil(Number); spoil(BigInt); spoil(Symbol); spoil(String); spoil(RegExp); },
  bufferFunctions() { spoil(ArrayBuffer); spoil(Uint8Array); spoil(getPrototypeOf(Uint8Array)); spoil(Atomics); spoil(SharedArrayBuffer); },
  typedArrayMethods() { spoil(getPrototypeOf(Uint8Array.prototype), typedArrayMethods); },
  errorFunctions() { spoil(Error, ['captureStackTrace', 'isError']); },
  generatorMethods() { spoil(getPrototypeOf(getPrototypeOf((function* () {})()))); },
  asyncGeneratorMethods() { spoil(getPrototypeOf(getPrototypeOf((async function* () {})()))); },
  iteratorMethods() { spoil(Iterator.prototype); spoil(Iterator); },
  inheritedDescriptor() {
    for (const name of ['get', 'set', 'value', 'enumerable', 'configurable']) {
      defineProperty(Object.prototype, name, {
        __proto__: null, configurable: true, get: broken,
        set(value) { defineProperty(this, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true }); },
      });
    }
  },
};

// Where Node 26.10 breaks as well: tampering → probes that need not work.
const kAsNode = {
  // An async function that returns a promise asks for its then; so does the loading of a module.
  promiseMethods: ['eventsOnce', 'dynamicImport', 'esModule', 'fsPromisesFile'],
  asyncGeneratorMethods: ['streamIterate'],  // not as Node: a stream's iterator is a generator
  generatorMethods: ['abortAny'],  // the program's iterable is a generator
  functionMethods: ['net', 'netTimeout', 'http'],  // listen() makes a number of what may be a port, a function as well
};
// fetch is a package (undici), here and in Node, and calls what it finds: it is tried where the language's own functions are left alone.
const kTriesFetch = ['nothing', 'fakeTimers', 'noProcess', 'otherProcess', 'dateMethods'];

async function child(name) {
  const probes = require('./probes.js');
  const names = Object.keys(probes).filter((probe) => probe !== 'fetch' || kTriesFetch.includes(name));
  const { writeSync } = require('fs');
  const { clearInterval } = globalThis;
  const awake = setInterval(() => {}, 1 << 30);  // an AbortSignal's timer alone does not keep a program alive
  const on = process.on.bind(process);
  on('unhandledRejection', (error) => writeSync(1, `\nunhandled ${error?.stack}\n`));
  tamperings[name]();
  for (let i = 0; i < names.length; i++) {
    let answer;
    try {
      answer = await probes[names[i]]();
    } catch (error) {
      answer = `${error?.stack ?? error}`;
    }
    writeSync(1, `\nprobe ${names[i]} ${answer === true ? 'ok' : `failed: ${answer}`}\nend\n`);
  }
  clearInterval(awake);
}

function run(name) {
  return new Promise((resolve) => {
    const running = spawn(process.execPath, [__filename, name], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000 });
    let out = '';
    let err = '';
    running.stdout.on('data', (data) => { out += data; });
    running.stderr.on('data', (data) => { err += data; });
    running.on('close', (code, signal) => resolve({ out, err, code, signal }));
  });
}

async function main() {
  const wanted = Object.keys(require('./probes.js'));
  const failures = [];
  const only = process.env.TAMPERING?.split(',') ?? Object.keys(tamperings);
  async function judge(name) {
    const { out, err, code, signal } = await run(name);
    for (const probe of wanted) {
      if (kAsNode[name]?.includes(probe) || (probe === 'fetch' && !kTriesFetch.includes(name)) || out.includes(`\nprobe ${probe} ok\n`)) continue;
      const at = out.indexOf(`\nprobe ${probe} `);
      failures.push(`${name} × ${probe}: ${at === -1 ? 'never answered' : out.slice(at, out.indexOf('\nend\n', at)).split('\n').slice(1, 8).join('\n    ')}`);
    }
    if (code !== 0) failures.push(`${name}: exit code ${code ?? signal}\n${err.split('\n').slice(0, 12).join('\n')}`);
    if (out.includes('\nunhandled ') && kAsNode[name] === undefined) failures.push(`${name}: ${out.slice(out.indexOf('\nunhandled ')).split('\n').slice(0, 6).join('\n    ')}`);
  }
  // Four at a time: each waits for timers, sockets and workers most of the time.
  const next = async () => { for (let name; (name = only.shift()) !== undefined;) await judge(name); };
  await Promise.all([next(), next(), next(), next()]);
  assert.deepStrictEqual(failures.join('\n'), '', failures.join('\n'));
}

if (process.argv[2] !== undefined) child(process.argv[2]);
else main();
