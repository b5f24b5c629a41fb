// Two thousand AsyncLocalStorages entered, left and disabled at random have the values that a plain Map of them has, also in
// contexts that were kept; a value that was replaced is let go.
// flags: --expose-gc
'use strict';

const assert = require('assert');
const { AsyncLocalStorage } = require('async_hooks');

let seed = 20261118;
const random = (below) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % below;
};

const storages = Array.from({ length: 2000 }, (_, i) => new AsyncLocalStorage({ defaultValue: `default ${i}` }));
let model = new Map();
const check = (expected, i) => {
  const wanted = expected.has(i) ? expected.get(i) : `default ${i}`;
  assert.strictEqual(storages[i].getStore(), wanted, `storage ${i}`);
};
const anyStorage = () => (random(2) ? random(storages.length) : random(20));

function step(depth) {
  const i = anyStorage();
  const value = random(8) ? `value ${random(1e6)}` : undefined;
  switch (random(depth > 5 ? 2 : 4)) {
    case 0:
      storages[i].enterWith(value);
      model = new Map(model).set(i, value);
      break;
    case 1:
      check(model, i);
      break;
    default: {
      const outer = model;
      storages[i].run(value, () => {
        model = new Map(model).set(i, value);
        check(model, i);
        if (random(2)) for (let k = 0; k < 4; k++) check(model, anyStorage());
        if (random(2)) {
          storages[i].enterWith('changed inside');
          check(new Map([[i, 'changed inside']]), i);
        }
        for (let k = 0; k < 3; k++) storages[i].run(k, () => check(new Map([[i, k]]), i));
      });
      model = outer;
      check(model, i);
    }
  }
}

const kept = [];
for (let n = 0; n < 4000; n++) {
  step(random(8));
  if (n % 200 === 0) kept.push([AsyncLocalStorage.snapshot(), model]);
}
for (const [run, expected] of kept) run(() => storages.forEach((_, i) => check(expected, i)));
storages.forEach((_, i) => check(model, i));
for (const i of [0, 1, 15, 16, 255, 256, 1999]) {
  storages[i].enterWith('to be disabled');
  storages[(i + 1) % storages.length].enterWith('other');
  storages[i].disable();
  assert.strictEqual(storages[i].getStore(), `default ${i}`);
  assert.strictEqual(storages[(i + 1) % storages.length].getStore(), 'other');
}

// A value that another one has replaced is not reachable from the context.
const [a, b] = storages;
const reference = (() => {
  const large = { text: 'large' };
  a.enterWith(large);
  b.enterWith(1);
  a.enterWith(2);
  return new WeakRef(large);
})();
let rounds = 0;
setImmediate(function collect() {
  globalThis.gc();
  if (++rounds < 50) setImmediate(() => reference.deref() && collect());
  else assert.strictEqual(reference.deref(), undefined);
});
