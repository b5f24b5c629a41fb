// WebAssembly compiled in the background keeps the program alive and settles its promises; a module that waits on it at top level runs
// on. A waiter of Atomics that nobody wakes does not hold the program.
import assert from 'node:assert';

// (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
const bytes = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 9, 1, 7, 0, 32, 0, 32, 1, 106, 11,
]);
const { instance, module } = await WebAssembly.instantiate(bytes);
assert.strictEqual(instance.exports.add(2, 3), 5);
assert(await WebAssembly.instantiate(module) instanceof WebAssembly.Instance);
assert(await WebAssembly.compile(bytes) instanceof WebAssembly.Module);
await assert.rejects(WebAssembly.compile(bytes.subarray(0, 20)), WebAssembly.CompileError);

const order = [];
WebAssembly.compile(bytes).then(() => {
  order.push('compiled');
  process.nextTick(() => order.push('tick'));
});
if (Atomics.waitAsync) Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
process.on('exit', () => assert.deepStrictEqual(order, ['compiled', 'tick']));
