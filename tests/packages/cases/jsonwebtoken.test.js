// jsonwebtoken: tokens signed with a secret, with RSA and with elliptic curves, synchronously and with callbacks.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const jwt = require('jsonwebtoken');

const secret = jwt.sign({ name: 'ada' }, 'shhh', { expiresIn: '1h' });
assert.strictEqual(jwt.verify(secret, 'shhh').name, 'ada');
assert.throws(() => jwt.verify(secret, 'other'), { name: 'JsonWebTokenError', message: 'invalid signature' });
assert.throws(() => jwt.verify(jwt.sign({ exp: 1 }, 'shhh'), 'shhh'), { name: 'TokenExpiredError' });

const kinds = [
  ['RS256', crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['PS384', crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['ES256', crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['ES512', crypto.generateKeyPairSync('ec', { namedCurve: 'P-521' })],
];
for (const [algorithm, { publicKey, privateKey }] of kinds) {
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  const token = jwt.sign({ sub: algorithm }, pem, { algorithm });
  assert.strictEqual(jwt.verify(token, publicKey, { algorithms: [algorithm] }).sub, algorithm);
  assert.throws(() => jwt.verify(`${token.slice(0, -6)}AAAAAA`, publicKey, { algorithms: [algorithm] }), { name: 'JsonWebTokenError' });
}

let answers = 0;
jwt.sign({ later: true }, kinds[0][1].privateKey, { algorithm: 'RS256' }, (error, token) => {
  assert.ifError(error);
  jwt.verify(token, kinds[0][1].publicKey, (failed, payload) => {
    assert.ifError(failed);
    assert.strictEqual(payload.later, true);
    answers++;
  });
});
process.on('exit', () => assert.strictEqual(answers, 1));
