// natives: none
// What the language has and this build of the engine lacks, each added only where missing.
// The well-known symbols come at once, everything else loads when first used.
'use strict';

const { defineLazy } = require('internal/util/lazy_property');

function define(target, name, value) {
  Object.defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
}

for (const name of ['dispose', 'asyncDispose']) {
  if (name in Symbol) continue;
  Object.defineProperty(Symbol, name, {
    __proto__: null, value: Symbol(`Symbol.${name}`), writable: false, configurable: false, enumerable: false,
  });
}

// A method whose body is `module`'s export of that name.
function addMethods(target, module, lengths) {
  for (const name of Object.keys(lengths)) {
    if (name in target) continue;
    const method = { [name](...args) { return Reflect.apply(require(module)[name], this, args); } }[name];
    Object.defineProperty(method, 'length', { __proto__: null, value: lengths[name], configurable: true });
    define(target, name, method);
  }
}

function addGlobal(name, module) {
  if (!(name in globalThis)) defineLazy(globalThis, name, () => require(module)[name], false);
}

addMethods(Promise, 'internal/language/small', { try: 1 });
addMethods(Error, 'internal/language/small', { isError: 1 });
addMethods(RegExp, 'internal/language/small', { escape: 1 });
addMethods(Math, 'internal/language/small', { f16round: 1 });
addMethods(Map.prototype, 'internal/language/small', { getOrInsert: 2, getOrInsertComputed: 2 });
addMethods(WeakMap.prototype, 'internal/language/small', { getOrInsert: 2, getOrInsertComputed: 2 });
addMethods(Uint8Array, 'internal/language/bytes', { fromBase64: 1, fromHex: 1 });
addMethods(Uint8Array.prototype, 'internal/language/bytes', { toBase64: 0, setFromBase64: 1, toHex: 0, setFromHex: 1 });

const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);
addMethods(IteratorPrototype, 'internal/language/iterator', {
  reduce: 1, toArray: 0, forEach: 1, some: 1, every: 1, find: 1, map: 1, filter: 1, take: 1, drop: 1, flatMap: 1,
});
if (!(Symbol.dispose in IteratorPrototype)) {
  define(IteratorPrototype, Symbol.dispose, { [Symbol.dispose]() { this.return?.(); } }[Symbol.dispose]);
}
if (!(Symbol.asyncDispose in AsyncIteratorPrototype)) {
  define(AsyncIteratorPrototype, Symbol.asyncDispose, {
    async [Symbol.asyncDispose]() { await this.return?.(); },
  }[Symbol.asyncDispose]);
}
addGlobal('Iterator', 'internal/language/iterator');
addGlobal('SuppressedError', 'internal/language/disposable');
addGlobal('DisposableStack', 'internal/language/disposable');
addGlobal('AsyncDisposableStack', 'internal/language/disposable');
