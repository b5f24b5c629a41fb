// querystring and punycode.
'use strict';

const assert = require('assert');
const qs = require('querystring');

assert.deepEqual({ ...qs.parse('a=1&b=x+y&a=2&c&=d&%E4%BD%A0=%zz') }, { 'a': ['1', '2'], 'b': 'x y', 'c': '', '': 'd', '你': '%zz' });
assert.strictEqual(qs.stringify({ a: [1, 2n], b: true, c: null, d: 'ü &' }), 'a=1&a=2&b=true&c=&d=%C3%BC%20%26');
assert.strictEqual(Object.keys(qs.parse('a&'.repeat(2000))).length, 1);
assert.deepEqual({ ...qs.parse('a:1;b:2', ';', ':', { maxKeys: 1 }) }, { a: '1' });
assert.throws(() => qs.escape('\ud800'), { code: 'ERR_INVALID_URI', name: 'URIError' });

process.noDeprecation = true;
const punycode = require('punycode');
assert.strictEqual(punycode.toASCII('mañana.com'), 'xn--maana-pta.com');
assert.strictEqual(punycode.toUnicode('xn--maana-pta.com'), 'mañana.com');
assert.strictEqual(punycode.decode(punycode.encode('他们为什么不说中文')), '他们为什么不说中文');
assert.throws(() => punycode.decode('\x80'), RangeError);
