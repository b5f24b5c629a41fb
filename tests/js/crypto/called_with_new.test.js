// Functions that make something are functions, not methods: packages call some of them with `new` (openpgp: new createCipheriv(…)).
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const zlib = require('node:zlib');

const key = Buffer.alloc(16);
assert.ok(new crypto.createCipheriv('aes-128-cbc', key, key) instanceof crypto.Cipheriv);
assert.ok(new crypto.createDecipheriv('aes-128-cbc', key, key) instanceof crypto.Decipheriv);
assert.strictEqual(new crypto.createHash('sha1').update('a').digest('hex'), crypto.createHash('sha1').update('a').digest('hex'));
assert.strictEqual(typeof new crypto.createHmac('sha1', key).update('a').digest('hex'), 'string');
assert.ok(new zlib.createGzip() instanceof zlib.Gzip);
assert.strictEqual(crypto.createCipheriv.name, 'createCipheriv');
assert.strictEqual(zlib.createGzip.name, 'createGzip');
