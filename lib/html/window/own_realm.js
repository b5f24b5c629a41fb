// natives: none
// Interfaces and functions that the library makes for one window become that window's own as far as their prototypes tell: `instanceof
// Function` and `instanceof Object` hold, and the library's prototypes are not reached by them. Their code stays the library's.
'use strict';

const { getPrototypeOf, setPrototypeOf, getOwnPropertyDescriptor, prototype: kObject } = Object;
const { prototype: kFunction } = Function;

function adoptFunction(own, made) {
  if (typeof made === 'function' && getPrototypeOf(made) === kFunction) setPrototypeOf(made, own.Function);
}

function adoptMembers(own, target) {
  for (const key of each(Reflect.ownKeys(target))) {
    const { value, get, set } = getOwnPropertyDescriptor(target, key);
    if (key === 'constructor') continue;
    adoptFunction(own, value);
    adoptFunction(own, get);
    adoptFunction(own, set);
  }
}

const owned = new WeakMap(); // window → its prototypes, as they were before its first script
function prototypesOf(window) {
  if (!owned.has(window)) owned.set(window, { Function: window.Function.prototype, Object: window.Object.prototype });
  return owned.get(window);
}

// A class or a namespace that is made for `window` alone, with what it has.
function adopt(window, Class) {
  const own = prototypesOf(window);
  if (typeof Class !== 'function' && (typeof Class !== 'object' || Class === null)) return;
  adoptFunction(own, Class);
  adoptMembers(own, Class);
  const { prototype } = Class;
  if (typeof prototype !== 'object' || prototype === null) return;
  if (getPrototypeOf(prototype) === kObject) setPrototypeOf(prototype, own.Object);
  adoptMembers(own, prototype);
}

// Values of the library as the window's own: a prototype is all that a page sees of where a value was made.
const kViews = ['Uint8Array', 'ArrayBuffer', 'Promise', 'Array', 'Object'];
let views; // prototype of the library → the window's
function ownPrototypes(window) {
  return new Map(kViews.map((name) => [globalThis[name].prototype, window[name].prototype]));
}
function ownValue(value) {
  if (typeof value !== 'object' || value === null) return value;
  const prototype = views.get(getPrototypeOf(value));
  if (prototype !== undefined) setPrototypeOf(value, prototype);
  if (ArrayBuffer.isView(value)) ownValue(value.buffer);
  return value;
}

// A function of a shared class, with results of the window.
function withOwnResult(inner) {
  const made = {
    [inner.name](...args) {
      return ownValue(Reflect.apply(inner, this, args));
    },
  }[inner.name];
  Object.defineProperty(made, 'length', { __proto__: null, value: inner.length, configurable: true });
  Object.defineProperty(made, 'name', { __proto__: null, value: inner.name, configurable: true });
  return made;
}

function withOwnResults(target) {
  for (const key of each(Reflect.ownKeys(target))) {
    const descriptor = getOwnPropertyDescriptor(target, key);
    if (key === 'constructor' || key === 'prototype' || !descriptor.configurable) continue;
    for (const part of each(['value', 'get']))
      if (typeof descriptor[part] === 'function') descriptor[part] = withOwnResult(descriptor[part]);
    Object.defineProperty(target, key, { __proto__: null, ...descriptor });
  }
}

// A class that all windows of the agent share: it becomes the first one's.
let first;
const shared = new WeakSet();
function adoptShared(window, Class, hasResults = false) {
  first ??= new WeakRef(window);
  if (first.deref() !== window || typeof Class !== 'function' || shared.has(Class)) return;
  shared.add(Class);
  if (hasResults) {
    if (views === undefined) {
      views = ownPrototypes(window);
      require('internal/webstreams/shared').setToPage((result) => {
        ownValue(result.value);
        return ownValue(result);
      });
    }
    withOwnResults(Class);
    withOwnResults(Class.prototype);
  }
  adopt(window, Class);
}

// Functions and classes of a window, once all are there.
function adoptAll(window) {
  for (const key of each(Reflect.ownKeys(window))) {
    const { value } = getOwnPropertyDescriptor(window, key);
    if (typeof value === 'function' && (getPrototypeOf(value) === kFunction || value.prototype !== undefined)) adopt(window, value);
  }
}

module.exports = { adopt, adoptShared, adoptAll };
