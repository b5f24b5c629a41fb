// Several AsyncLocalStorages at once: each keeps its own value, whatever order they are entered, left or disabled in.
'use strict';

const assert = require('assert');
const { AsyncLocalStorage } = require('async_hooks');

const [a, b, c] = Array.from({ length: 3 }, () => new AsyncLocalStorage());
const stores = () => [a, b, c].map((storage) => storage.getStore());

c.enterWith('C');
a.run('A', () => {
  assert.deepStrictEqual(stores(), ['A', undefined, 'C']);
  b.run('B', () => {
    assert.deepStrictEqual(stores(), ['A', 'B', 'C']);
    a.run('A2', () => assert.deepStrictEqual(stores(), ['A2', 'B', 'C']));
    assert.deepStrictEqual(stores(), ['A', 'B', 'C']);
    a.disable();
    assert.deepStrictEqual(stores(), [undefined, 'B', 'C']);
  });
  // Leaving b's run does not bring back what was disabled in it.
  assert.deepStrictEqual(stores(), [undefined, undefined, 'C']);
  b.enterWith('B3');
});
// … and what was entered in another storage stays entered.
assert.deepStrictEqual(stores(), [undefined, 'B3', 'C']);

let checked = 0;
a.run(1, () => b.run(2, async () => {
  await null;
  assert.deepStrictEqual(stores(), [1, 2, 'C']);
  checked++;
}));
process.on('exit', () => assert.strictEqual(checked, 1));
