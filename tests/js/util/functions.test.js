// node:util's other functions: promisify, callbackify, deprecate, parseArgs, styleText, MIME types, types, parseEnv, diff.
'use strict';

const assert = require('assert');
const util = require('util');

async function main() {
  const add = util.promisify((a, b, callback) => process.nextTick(callback, null, a + b));
  assert.strictEqual(await add(1, 2), 3);
  await assert.rejects(util.promisify((callback) => callback(new Error('no')))(), /no/);
  const back = util.callbackify(async (x) => x * 2);
  assert.strictEqual(back.length, 2);
  assert.strictEqual(await new Promise((resolve) => { back(4, (error, value) => resolve(value)); }), 8);
  const reason = await new Promise((resolve) => { util.callbackify(() => Promise.reject(null))(resolve); });
  assert.strictEqual(reason.code, 'ERR_FALSY_VALUE_REJECTION');
}

let finished = false;
main().then(() => { finished = true; });
process.on('exit', () => assert.ok(finished));

assert.deepEqual({ ...util.parseArgs({
  args: ['-f', '--bar=b', '--no-color', 'x', '--', '-y'],
  options: { foo: { type: 'boolean', short: 'f' }, bar: { type: 'string' }, color: { type: 'boolean' } },
  allowPositionals: true, allowNegative: true,
}) }, { values: { foo: true, bar: 'b', color: false }, positionals: ['x', '-y'] });
assert.throws(() => util.parseArgs({ args: ['--what'] }), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' });

assert.strictEqual(util.styleText(['bold', 'red'], 'x', { validateStream: false }), '\x1B[1m\x1B[31mx\x1B[39m\x1B[22m');
assert.strictEqual(util.styleText('#f00', 'x', { validateStream: false }), '\x1B[38;2;255;0;0mx\x1B[39m');
assert.throws(() => util.styleText('nocolor', 'x'), { code: 'ERR_INVALID_ARG_VALUE' });
assert.strictEqual(util.stripVTControlCharacters('\x1B[31mred\x1B[39m'), 'red');

const mime = new util.MIMEType('Text/HTML; charset="utf-8"; q=a');
assert.strictEqual(`${mime}`, 'text/html;charset=utf-8;q=a');
assert.strictEqual(mime.params.get('charset'), 'utf-8');
assert.throws(() => new util.MIMEType('bad'), { code: 'ERR_INVALID_MIME_SYNTAX' });

for (const [check, value] of [
  ['isPromise', Promise.resolve()], ['isProxy', new Proxy({}, {})], ['isMapIterator', new Map().keys()],
  ['isAsyncFunction', async () => {}], ['isGeneratorFunction', function* () {}], ['isGeneratorObject', (function* () {})()],
  ['isBoxedPrimitive', Object(1n)], ['isSymbolObject', Object(Symbol())], ['isArgumentsObject', (function() { return arguments; })()],
  ['isNativeError', new RangeError()], ['isAnyArrayBuffer', new SharedArrayBuffer(1)], ['isUint8Array', Buffer.alloc(1)],
  ['isWeakMap', new WeakMap()], ['isDate', new Date()], ['isRegExp', /x/], ['isDataView', new DataView(new ArrayBuffer(1))],
]) {
  assert.strictEqual(util.types[check](value), true, check);
  assert.strictEqual(util.types[check]({}), false, check);
  assert.strictEqual(util.types[check](undefined), false, check);
}
assert.strictEqual(util.types.isDate(Object.create(Date.prototype)), false);

assert.deepEqual({ ...util.parseEnv('A=1 # c\nexport B="x\\ny"\nC=\'#\'\n# no\nD=`a\nb`') }, { A: '1', B: 'x\ny', C: '#', D: 'a\nb' });
assert.deepStrictEqual(util.diff('abc', 'abd'), [[0, 'a'], [0, 'b'], [1, 'c'], [-1, 'd']]);
assert.strictEqual(util.getSystemErrorName(-2), 'ENOENT');
assert.strictEqual(util.getSystemErrorMap().get(-98)[1], 'address already in use');
assert.strictEqual(util.toUSVString('\ud800x'), '\ufffdx');
assert.strictEqual(util.getCallSites()[0].scriptName, __filename);
