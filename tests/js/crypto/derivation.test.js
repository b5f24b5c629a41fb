// pbkdf2, scrypt, hkdf, argon2 and primes: the RFCs' answers, from the synchronous and the asynchronous form alike.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const { promisify } = require('node:util');

async function main() {
  const argon2 = (overrides) => ({
    message: Buffer.alloc(32, 1), nonce: Buffer.alloc(16, 2), secret: Buffer.alloc(8, 3), associatedData: Buffer.alloc(12, 4),
    parallelism: 4, tagLength: 32, memory: 32, passes: 3, ...overrides,
  });
  // RFC 6070, 7914 (11 and 12), 5869 (A.1) and 9106 (5).
  const cases = [
    ['argon2', ['argon2d', argon2()], '512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb'],
    ['argon2', ['argon2i', argon2()], 'c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8'],
    ['argon2', ['argon2id', argon2()], '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659'],
    ['argon2', ['argon2id', argon2({ message: '', secret: undefined, associatedData: undefined })],
      '0a34f1abde67086c82e785eaf17c68382259a264f4e61b91cd2763cb75ac189a'],
    ['pbkdf2', ['password', 'salt', 4096, 20, 'sha1'], '4b007901b765489abead49d926f721d065a429c1'],
    ['pbkdf2', ['passwd', 'salt', 1, 64, 'sha256'], '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc'],
    ['scrypt', ['password', 'NaCl', 64, { N: 1024, r: 8, p: 16, maxmem: 1 << 26 }], 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640'],
    ['hkdf', ['sha256', Buffer.alloc(22, 0x0b), Buffer.from('000102030405060708090a0b0c', 'hex'), Buffer.from('f0f1f2f3f4f5f6f7f8f9', 'hex'), 42],
      '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865'],
  ];
  for (const [name, args, expected] of cases) {
    const now = Buffer.from(crypto[`${name}Sync`](...args)).toString('hex');
    const later = Buffer.from(await promisify(crypto[name])(...args)).toString('hex');
    assert.strictEqual(now, later, name);
    assert.ok(now.startsWith(expected), `${name}: ${now}`);
  }
  // As RFC 8018 defines it, over HMAC: all hashes, keys shorter and longer than a block, several blocks of output.
  for (const digest of ['sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-256', 'sha3-256', 'md5']) {
    for (const password of ['', 'short', 'x'.repeat(64), 'y'.repeat(128), 'z'.repeat(129)]) {
      const defined = [];
      for (let block = 1; block <= 3; block++) {
        let last = crypto.createHmac(digest, password).update('salt').update(Buffer.of(0, 0, 0, block)).digest();
        const sum = Buffer.from(last);
        for (let i = 1; i < 3; i++) {
          last = crypto.createHmac(digest, password).update(last).digest();
          last.forEach((byte, k) => { sum[k] ^= byte; });
        }
        defined.push(sum);
      }
      const expected = Buffer.concat(defined).subarray(0, -3);
      assert.deepStrictEqual(crypto.pbkdf2Sync(password, 'salt', 3, expected.length, digest), expected, `${digest}, ${password.length}`);
    }
  }
  // The same, many rounds and odd sizes: SHA-256 of what Node 26 answers.
  const all = crypto.createHash('sha256');
  for (const digest of ['sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-256', 'sha3-256', 'md5']) {
    for (const [iterations, size] of [[1, 1], [1, 20], [2, 63], [1000, 64], [77, 200]]) {
      all.update(crypto.pbkdf2Sync('p'.repeat(iterations), 's'.repeat(size), iterations, size, digest));
    }
  }
  assert.strictEqual(all.digest('hex'), 'e1f044e0aff55e355ce4a247a3320bd80178533ac67f65f6600ae516f956578a');
  assert.throws(() => crypto.pbkdf2Sync('a', 'b', 1, 1, 'no-such'), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
  assert.throws(() => crypto.scryptSync('a', 'b', 1, { N: 3 }), { code: 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS' });
  assert.throws(() => crypto.scryptSync('a', 'b', 1, { N: 2 ** 20 }), /memory limit exceeded/);
  assert.throws(() => crypto.hkdfSync('sha256', 'a', 'b', 'c', 255 * 32 + 1), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
  const outOfRange = {
    nonce: 'short', tagLength: 3, passes: 0, parallelism: 0, memory: 31,
  };
  for (const [name, value] of Object.entries(outOfRange)) {
    assert.throws(() => crypto.argon2Sync('argon2id', argon2({ [name]: value })), { code: 'ERR_OUT_OF_RANGE' }, name);
  }
  assert.throws(() => crypto.argon2Sync('argon2id', {}), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => crypto.argon2Sync('argon3', argon2()), { code: 'ERR_INVALID_ARG_VALUE' });
  assert.throws(() => crypto.argon2('argon2id', argon2()), { code: 'ERR_INVALID_ARG_TYPE' });

  const prime = await promisify(crypto.generatePrime)(64, { bigint: true, add: 12n, rem: 11n });
  assert.strictEqual(prime % 12n, 11n);
  assert.strictEqual(await promisify(crypto.checkPrime)(prime), true);
  assert.strictEqual(crypto.checkPrimeSync(prime + 1n), false);
}
let isOver = false;
main().then(() => { isOver = true; });
process.on('exit', () => assert.ok(isOver));
