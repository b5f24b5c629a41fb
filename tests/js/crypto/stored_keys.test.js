// Private keys by URL: OpenSSL's STORE loaders, in every place that takes a private key and in no other, and the right that they need.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');
const { createPrivateKey, createPublicKey, createSign, generateKeyPairSync, sign, verify } = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { pathToFileURL } = require('url');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'stored')));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
function write(name, data) {
  fs.writeFileSync(path.join(folder, name), data);
  return pathToFileURL(path.join(folder, name));
}
const plain = write('plain #1.pem', privateKey.export({ format: 'pem', type: 'pkcs8' }));
const der = write('key.der', privateKey.export({ format: 'der', type: 'pkcs8' }));
const sealed = write('sealed.pem', privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-128-cbc', passphrase: 'word' }));
const data = Buffer.from('data');

for (const key of [plain, der, { key: plain }, { key: plain, properties: '' }, { key: sealed, passphrase: 'word' }, { key: sealed, passphrase: '776f7264', encoding: 'hex' }]) {
  assert.ok(createPrivateKey(key).equals(privateKey));
  assert.ok(verify('sha256', data, publicKey, sign('sha256', data, key)));
}
assert.ok(verify('sha256', data, publicKey, createSign('sha256').update(data).sign(plain)));

const isCode = (code) => ({ code });
assert.throws(() => createPrivateKey(sealed), isCode('ERR_MISSING_PASSPHRASE'));
assert.throws(() => createPrivateKey({ key: sealed, passphrase: 'wrong' }), { code: /^ERR_OSSL_/ });
assert.throws(() => createPrivateKey({ key: sealed, passphrase: 1 }), isCode('ERR_INVALID_ARG_VALUE'));
assert.throws(() => createPrivateKey({ key: plain, properties: 1 }), isCode('ERR_INVALID_ARG_TYPE'));
assert.throws(() => createPrivateKey({ key: plain, properties: 'a\0' }), isCode('ERR_INVALID_ARG_VALUE'));
assert.throws(() => createPrivateKey(new URL('pkcs11:a%00b')), { code: /^ERR_(OSSL|CRYPTO)_/ });
assert.throws(() => createPrivateKey(new URL('file:///a%00b')), isCode('ERR_INVALID_ARG_VALUE'));
assert.throws(() => createPrivateKey(write('none.pem', 'no key')), isCode('ERR_CRYPTO_OPERATION_FAILED'));
assert.throws(() => createPrivateKey(pathToFileURL(path.join(folder, 'missing'))), /No such file|unsupported/);
assert.throws(() => createPrivateKey(new URL('pkcs11:object=none')), { code: /^ERR_OSSL_OSSL_STORE_/ });
// Public keys have no such place, and what looks like a URL is none.
for (const attempt of [() => createPublicKey(plain), () => createPublicKey({ key: plain }), () => verify('sha256', data, plain, data), () => createPrivateKey({ href: plain.href, protocol: 'file:' })])
  assert.throws(attempt, isCode('ERR_INVALID_ARG_TYPE'));
// An accessor of the program's says nothing about which file is read.
{
  const lying = new URL(plain);
  Object.defineProperty(lying, 'href', { value: 'file:///none' });
  assert.ok(createPrivateKey(lying).equals(privateKey));
}

// --permission: its own right, which neither reads of files give nor refusals name.
const env = { ...process.env };
delete env.NODE_OPTIONS;
const asked = (...options) => spawnSync(process.execPath, ['--no-warnings', ...options, '-e', `
  const told = [];
  require('diagnostics_channel').subscribe('node:permission-model:openssl-store', ({ permission, resource, drop }) => drop || told.push(permission + '[' + resource + ']'));
  const load = () => { try { return require('crypto').createPrivateKey(new URL(${JSON.stringify(plain.href)})).type; } catch (error) { return [error.code, error.permission, error.resource].join(' '); } };
  const first = load();
  process.permission.drop('openssl.store');
  console.log([first, load(), told].join());`], { encoding: 'utf8', env }).stdout.trim();
const refusal = 'ERR_ACCESS_DENIED OpenSSLStore ';
assert.strictEqual(asked('--permission', '--allow-openssl-store'), `private,${refusal},OpenSSLStore[]`);
assert.strictEqual(asked('--permission', '--allow-fs-read=*'), `${refusal},${refusal},OpenSSLStore[],OpenSSLStore[]`);
