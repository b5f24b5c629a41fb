// crypto.createMac and getMacs: results are those of Node 26, whose OpenSSL is a later one.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');

const key = Buffer.alloc(16, 1);
const long = Buffer.alloc(32, 1);
const mac = (name, secret, options) => crypto.createMac(name, secret, options).update('a').final('hex');

const kHmac = '8cfa8b718b9eac480ae0b7db89b7a1e3ce6a5c0910be0cdf661a2b0f61f0daa4';
assert.strictEqual(mac('hmac', key, { digest: 'sha256' }), kHmac);
assert.strictEqual(mac('HMAC', crypto.createSecretKey(key), { digest: 'sha256' }), kHmac);
assert.strictEqual(kHmac, crypto.createHmac('sha256', key).update('a').digest('hex'));
assert.strictEqual(mac('cmac', key, { cipher: 'aes-128-cbc' }), '8415eae2d42f75dfd788b028fedd74b4');
assert.strictEqual(mac('gmac', key, { cipher: 'aes-128-gcm', iv: Buffer.alloc(12) }), '7371a8555bdde5db253d77b757c73827');
assert.strictEqual(mac('kmac128', key), '30dad59ebd2cc212811ddb15ba0e3072838339040c8a092ab7f62c747ff13d66');
assert.strictEqual(mac('kmac-256', key, { outputLength: 8, customization: Buffer.from('x') }), '7c5ac594248d65ac');
assert.strictEqual(mac('kmac128', key, { outputLength: 0 }), '');
assert.strictEqual(mac('poly1305', long), '62636363026263630262636302626363');
assert.strictEqual(mac('siphash', key), '63adc27f69166a4257a755c5d6fe44a8');
assert.strictEqual(mac('siphash', key, { outputLength: 8 }), '8ec1cdb411d0e330');
assert.strictEqual(mac('blake2bmac', key, { outputLength: 20, salt: Buffer.alloc(16) }), '6eaab5a4cd66aae07110cae425b5842772094c39');
assert.deepStrictEqual(crypto.getMacs(), [
  'blake2bmac', 'blake2smac', 'cmac', 'gmac', 'hmac', 'kmac-128', 'kmac-256', 'kmac128', 'kmac256', 'poly1305', 'siphash']);

// What does not fit is refused, and says what.
const refused = (name, secret, options, expected) => assert.throws(() => crypto.createMac(name, secret, options), expected);
const bad = (message) => ({ name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE', message });
refused('nope', key, {}, { name: 'TypeError', code: 'ERR_CRYPTO_INVALID_MAC', message: 'Invalid MAC: nope' });
refused('', key, {}, bad("The argument 'algorithm' must be non-empty and contain no NUL bytes. Received ''"));
refused('hmac', key, {}, bad("The property 'options.digest' is required for HMAC"));
refused('gmac', key, { cipher: 'aes-128-gcm' }, bad("The property 'options.iv' must be non-empty for GMAC"));
refused('hmac', key, { digest: 'sha256', cipher: 'aes-128-cbc' }, bad("The property 'options.cipher' is not supported by MAC hmac"));
refused('siphash', key, { outputLength: 0 }, bad("The property 'options.outputLength' was not honored by MAC siphash"));
refused('siphash', key, { outputLength: 5 }, { code: 'ERR_CRYPTO_OPERATION_FAILED', message: 'Failed to initialize MAC' });
refused('hmac', key, { digest: 'nope' }, { code: 'ERR_OSSL_EVP_UNSUPPORTED' });
refused('cmac', key, { cipher: 'aes-128-gcm' }, { code: 'ERR_OSSL_INVALID_MODE' });
refused('cmac', long, { cipher: 'aes-128-cbc' }, { code: 'ERR_OSSL_EVP_INVALID_KEY_LENGTH' });
refused('kmac128', Buffer.alloc(1), {}, { code: 'ERR_OSSL_INVALID_KEY_LENGTH' });
refused('kmac128', key, { outputLength: 2 ** 32 - 1 }, { code: 'ERR_OSSL_INVALID_OUTPUT_LENGTH' });
refused('kmac128', key, { outputLength: -1 }, { code: 'ERR_OUT_OF_RANGE' });
for (const options of [1, null, { digest: 1 }, { iv: 'x' }, { customization: 1 }]) refused('hmac', key, options, { code: 'ERR_INVALID_ARG_TYPE' });
for (const secret of ['text', 1, {}, crypto.generateKeyPairSync('ed25519').publicKey]) {
  refused('hmac', secret, { digest: 'sha256' }, { code: 'ERR_INVALID_ARG_TYPE' });
}

// It ends once; encodings are checked; it is a stream.
const running = () => crypto.createMac('hmac', key, { digest: 'sha256' });
const over = running();
over.final();
for (const act of [() => over.final(), () => over.update('a')]) assert.throws(act, { code: 'ERR_CRYPTO_MAC_FINALIZED' });
assert.throws(() => running().update(1), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => running().update('a', 'nope'), bad("The argument 'inputEncoding' is invalid. Received 'nope'"));
assert.throws(() => running().final('nope'), bad("The argument 'outputEncoding' is invalid. Received 'nope'"));
assert.strictEqual(running().update('61', 'hex').final('hex'), kHmac);
assert(Buffer.isBuffer(running().final('buffer')));

const chunks = [];
running().on('data', (chunk) => chunks.push(chunk)).end('a');
process.on('exit', () => assert.strictEqual(Buffer.concat(chunks).toString('hex'), kHmac));
