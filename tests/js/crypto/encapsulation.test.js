// encapsulate and decapsulate with keys of curves (DHKEM of RFC 9180) and with RSA: what Node sealed is opened, and what is none is refused.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const { promisify } = require('node:util');

// Of private keys that count from 1: a ciphertext of Node's and its secret.
const cases = [
  ['P-256', 'BAoegyEb28mJIeT20ibOTzc+i9z5nkO9MQ+YmFDFi9j8/+Ou9TZrXkok+BPp6esMurBihXK5dRaU1q32LdDfzDo=',
    'e6335351d8b357e268b77614cb83d968b809b1e5a215ef61028992c448046cad'],
  ['P-384', 'BDiG6OhOg5LYU1+5LjMpUuGZ1lcFaqtjWE6ZOvAafoQgwpgZbshEHCSfgoBeEDJtpqpS3E1FFOY5AS/YWfiL7Dre6VXh1vMYuvAu38j44PKNpbWSH6l2nQFvhA98b3R3gw==',
    'bd3afafc6718baeb579ea681a29854c82f2f09e8eca5b75678b38ebb1c9845020cd14b1ee17db6ad854dd84637d28acc'],
  ['P-521', 'BACg3CeDqAs4zos4AZPrfYSgEYTUiBy5+Z20F/fYM/32vplV+dZn5m1KXLcP/cfv70jHhK218sEJLuFY+jjC8oXy7gHWtKL6DmIHRZrNL5m9GGmlYER0nAIhFnPdJVFyHsQ6/25WGEb4FxraQYP9yutT7I7uE1D+YFLxT2FXUEYT16t+vA==',
    'dcf4b1ec438e75c3ce50303ab5ece228d0e2a9c671af218e27db65d83219ebe2fa70369f8829f4e7aef53705bd16c07454ae7cfed162c651d86246ebbd639072'],
  ['X25519', 'n49Mb3MgpUBGLIbbnNkpNvcLz7jEDcTwxQ0yIMPstgs=',
    'd25cf152738e6105d1e702bdcfeaec928c273262662d26882b4da6c0b5b272ad'],
  ['X448', 'FrPsdQV3y1yyi9wwSbpDLS2nwXnZjeH8Mbl5CrexWJtpyyvgUu1Si+xA1LdiRiN4JC/wX0hOUcQ=',
    '2529f3e2a031dce3ee36f4aea318bc5030a9d486244df7ef05fcb2747a9c2dbb7b21255401186f1398dba83dc8c530d766763b7a94494734407dcb863ae37180'],
];

function privateKeyOf(name) {
  if (name.startsWith('X')) {
    const key = counting(name === 'X448' ? 56 : 32);
    return crypto.createPrivateKey({ key, format: 'raw-private', asymmetricKeyType: name.toLowerCase() });
  }
  const key = counting({ 'P-256': 32, 'P-384': 48, 'P-521': 66 }[name]);
  if (name === 'P-521') key[0] = 0;
  return crypto.createPrivateKey({ key, format: 'raw-private', asymmetricKeyType: 'ec', namedCurve: name });
}
const counting = (size) => Buffer.from(Array.from({ length: size }, (_, i) => i + 1));

async function main() {
  const failed = { code: 'ERR_CRYPTO_OPERATION_FAILED', message: 'Decapsulation failed' };
  for (const [name, sealed, secret] of cases) {
    const privateKey = privateKeyOf(name);
    const publicKey = crypto.createPublicKey(privateKey);
    const bytes = Buffer.from(sealed, 'base64');
    assert.strictEqual(crypto.decapsulate(privateKey, bytes).toString('hex'), secret, name);
    for (const from of [publicKey, privateKey]) {
      const { sharedKey, ciphertext } = await promisify(crypto.encapsulate)(from);
      assert.strictEqual(ciphertext.length, bytes.length);
      assert.deepStrictEqual(await promisify(crypto.decapsulate)(privateKey, ciphertext), sharedKey);
    }
    for (const bad of [Buffer.alloc(0), bytes.subarray(1), Buffer.concat([bytes, Buffer.of(0)]), Buffer.alloc(bytes.length)]) {
      assert.throws(() => crypto.decapsulate(privateKey, bad), failed, `${name}, ${bad.length}`);
    }
  }
  for (const [type, options] of [['ec', { namedCurve: 'secp256k1' }], ['ed25519'], ['rsa-pss', { modulusLength: 1024 }]]) {
    assert.throws(() => crypto.encapsulate(crypto.generateKeyPairSync(type, options).publicKey), { message: 'Encapsulation failed' }, type);
  }
  const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
  const { sharedKey, ciphertext } = crypto.encapsulate(rsa.publicKey);
  assert.deepStrictEqual(crypto.decapsulate(rsa.privateKey, ciphertext), sharedKey);
}
let isOver = false;
main().then(() => { isOver = true; });
process.on('exit', () => assert.ok(isOver));
