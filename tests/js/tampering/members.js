'use strict';
// For `make deep`: every member of every built-in prototype, and of the namespaces, replaced one at a time, while every API of probes.js
// is tried. A child for each prototype. `rondo members.js [NAME…]` tries those alone. tampering.test.js replaces them by groups.
const { spawn } = require('node:child_process');

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const iteratorOf = (value) => getPrototypeOf(value[Symbol.iterator]());
const places = {
  __proto__: null,
  Array: [Array.prototype],
  ArrayBuffer: [ArrayBuffer.prototype],
  ArrayIterator: [iteratorOf([])],
  AsyncGenerator: [getPrototypeOf(getPrototypeOf((async function* () {})()))],
  BigInt: [BigInt.prototype],
  Boolean: [Boolean.prototype],
  DataView: [DataView.prototype],
  Date: [Date.prototype],
  Error: [Error.prototype],
  FinalizationRegistry: [FinalizationRegistry.prototype],
  Function: [Function.prototype],
  Generator: [getPrototypeOf(getPrototypeOf((function* () {})()))],
  Iterator: [Iterator.prototype],
  Map: [Map.prototype],
  MapIterator: [iteratorOf(new Map())],
  Number: [Number.prototype],
  Object: [Object.prototype],
  Promise: [Promise.prototype],
  RegExp: [RegExp.prototype],
  Set: [Set.prototype],
  SetIterator: [iteratorOf(new Set())],
  String: [String.prototype],
  StringIterator: [iteratorOf('')],
  Symbol: [Symbol.prototype],
  TypedArray: [getPrototypeOf(Uint8Array.prototype)],
  WeakMap: [WeakMap.prototype],
  WeakRef: [WeakRef.prototype],
  WeakSet: [WeakSet.prototype],
  Namespaces: [Math, JSON, Reflect, Atomics],
  Functions: [Object, Array, Promise, Symbol, Number, String, ArrayBuffer, BigInt],
};

// 'place.member' or place → probes that need not work: Node 26 breaks there, or the program's own part of the probe does.
const kExpected = {
  __proto__: null,
  'Promise.then': ['eventsOnce', 'dynamicImport', 'esModule', 'fsPromisesFile'], // an async function that returns a promise asks for it
  'Error.toString': ['assertThrows', 'emitWarning'], // both show the program's error by it
  'Function.toString': ['net', 'netTimeout', 'http'], // listen() makes a number of what may be a port, a function as well
  'Object.toString': ['codedError'], // the received value is shown by it
  // `text += chunk` of the probes, ports as above, and values that messages show.
  'Object.valueOf': ['streamPipe', 'streamIterate', 'net', 'netTimeout', 'console', 'codedError', 'http'],
  // Node breaks in the same places and more.
  'TypedArray.byteLength': ['fsPromises', 'fsStream', 'zlib'],
  Generator: ['abortAny'], // the probe's iterable is a generator
  AsyncGenerator: ['streamIterate'], // not as Node: a stream's iterator is a generator
};

// Not tried: Node answers nothing any more where this is replaced.
const kSkipped = new Set(['TypedArray.length']);

function replace(object, name, broken) {
  const property = getOwnPropertyDescriptor(object, name);
  if (!property?.configurable || name === 'constructor' || name === Symbol.species) return undefined;
  if (typeof property.value === 'function') defineProperty(object, name, { __proto__: null, ...property, value: broken });
  else if (property.get) defineProperty(object, name, { __proto__: null, ...property, get: broken });
  else return undefined;
  property.__proto__ = null;
  return property;
}

// Nothing between replace() and its undoing may use what may be replaced.
async function child(place) {
  const probes = require('./probes.js');
  const { writeSync } = require('fs');
  const { setTimeout, clearTimeout, setInterval, clearInterval, Promise: ProgramPromise } = globalThis;
  const names = ownKeys(probes);
  const awake = setInterval(() => {}, 1 << 30);
  const broken = function () {
    throw new Error('the program replaced this');
  };
  const work = [];
  for (const object of places[place]) for (const name of ownKeys(object)) work.push({ object, name, label: `${place}.${String(name)}` });
  process.on('unhandledRejection', () => {});
  process.on('uncaughtException', () => {});
  for (let i = 0; i < work.length; i++) {
    const { object, name, label } = work[i];
    if (kSkipped.has(label)) continue;
    const before = replace(object, name, broken);
    if (before === undefined) continue;
    for (let j = 0; j < names.length; j++) {
      const probe = names[j];
      if (probe === 'fetch') continue; // a package, here and in Node: it calls what it finds
      let answer;
      try {
        answer = await new ProgramPromise((resolve) => {
          const timer = setTimeout(() => resolve('no answer'), 5000);
          const told = (value) => {
            clearTimeout(timer);
            resolve(value);
          };
          (async () => {
            try {
              told(await probes[probe]());
            } catch (error) {
              told(error);
            }
          })();
        });
      } catch (error) {
        answer = error;
      }
      if (answer === true) continue;
      defineProperty(object, name, before);
      writeSync(1, `${label} × ${probe}: ${answer?.stack ?? answer}\n`.replaceAll('\n    at ', ' < '));
      replace(object, name, broken);
    }
    defineProperty(object, name, before);
    writeSync(1, `tried ${label}\n`);
  }
  clearInterval(awake);
}

function run(place) {
  return new Promise((resolve) => {
    const running = spawn(process.execPath, [__filename, '--child', place], { stdio: ['ignore', 'pipe', 'ignore'], timeout: 1_800_000 });
    let out = '';
    running.stdout.on('data', (data) => {
      out += data;
    });
    running.on('close', (code, signal) => resolve({ out, code, signal }));
  });
}

const isExpected = (label, probe) =>
  kExpected[label]?.includes(probe) || kExpected[label.slice(0, label.indexOf('.'))]?.includes(probe) || false;

async function main(wanted) {
  let tried = 0;
  let failures = 0;
  for (const place of wanted) {
    const { out, code, signal } = await run(place);
    for (const line of out.split('\n')) {
      if (line.startsWith('tried ')) tried++;
      const found = /^(\S+) × (\w+): /.exec(line);
      if (!found || isExpected(found[1], found[2])) continue;
      failures++;
      console.log(line.slice(0, 300));
    }
    if (code === 0) continue;
    failures++;
    console.log(`${place}: ended with ${code ?? signal} after ${out.trimEnd().split('\n').at(-1)}`);
  }
  console.log(`${tried} members replaced, ${failures} failures`);
  process.exitCode = failures > 0 || tried === 0 ? 1 : 0;
}

if (process.argv[2] === '--child') child(process.argv[3]);
else main(process.argv.length > 2 ? process.argv.slice(2) : Object.keys(places));
