// Objects of the library in a message: values are copied and stay what they are, URLs are refused as everywhere, and the environment is an object
// with its fields.
'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const net = require('node:net');
const { once } = require('node:events');
const { Worker, workerData, parentPort, isMainThread } = require('node:worker_threads');

async function inWorker() {
  const { key, secret, cryptoKey, address, env } = workerData;
  let exported;
  try {
    exported = await crypto.subtle.exportKey('raw', cryptoKey);
  } catch (error) {
    exported = error.name;
  }
  parentPort.postMessage({
    signature: crypto.sign(null, Buffer.from('text'), key), publicKey: crypto.createPublicKey(key), secret: secret.export(), exported,
    address, isAddress: net.SocketAddress.isSocketAddress(address), word: env.WORD_OF_THE_TEST,
  });
}

async function main() {
  process.env.WORD_OF_THE_TEST = 'word';
  const { publicKey, privateKey } = crypto.generateKeyPairSync('ed25519');
  const worker = new Worker(__filename, { workerData: {
    key: privateKey, secret: crypto.createSecretKey(Buffer.from('hush')), address: new net.SocketAddress({ address: '10.0.0.1', port: 7 }),
    cryptoKey: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']), env: process.env,
  } });
  const [answer] = await once(worker, 'message');
  assert.ok(crypto.verify(null, Buffer.from('text'), publicKey, answer.signature));
  assert.ok(answer.publicKey instanceof crypto.KeyObject && answer.publicKey.equals(publicKey));
  assert.strictEqual(Buffer.from(answer.secret).toString(), 'hush');
  assert.strictEqual(answer.exported, 'InvalidAccessError', 'a key that may not be exported stays one');
  assert.ok(answer.isAddress && answer.address instanceof net.SocketAddress);
  assert.deepStrictEqual([answer.address.address, answer.address.port, answer.word], ['10.0.0.1', 7, 'word']);
  const copy = structuredClone(process.env);
  assert.deepStrictEqual(copy, { ...process.env });
  assert.strictEqual(Object.getPrototypeOf(copy), Object.prototype);
  for (const value of [new URL('http://a/'), new URLSearchParams('a=1')]) {
    assert.throws(() => structuredClone(value), { name: 'DataCloneError', code: 25, message: 'Cannot clone object of unsupported type.' });
    assert.throws(() => structuredClone({ value }, { transfer: [value] }), { name: 'DataCloneError' });
  }
  assert.throws(() => structuredClone(new Proxy({}, {})), { name: 'DataCloneError' });
}

if (isMainThread) main();
else inWorker();
