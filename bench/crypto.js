// node:crypto in numbers: how often a second of CPU time each of these is done. Runs on any runtime with node:crypto, so that two can be
// compared: `rondo bench/crypto.js`, `node bench/crypto.js`.
'use strict';
const crypto = require('node:crypto');

const small = Buffer.alloc(64, 1), large = Buffer.alloc(1 << 20, 1), text = 'x'.repeat(64);
const key = Buffer.alloc(32, 2), iv = Buffer.alloc(12, 3);
const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
const signature = crypto.sign(null, small, privateKey);

const rows = {
  'sha256 of 64 bytes': () => crypto.createHash('sha256').update(small).digest('hex'),
  'sha256 of 64 characters': () => crypto.createHash('sha256').update(text).digest('hex'),
  'crypto.hash of 64 bytes': () => crypto.hash('sha256', small),
  'sha256 of 1 MiB': () => crypto.createHash('sha256').update(large).digest(),
  'hmac-sha256 of 64 bytes': () => crypto.createHmac('sha256', key).update(small).digest(),
  'aes-256-gcm of 64 bytes': () => {
    const cipher = crypto.createCipheriv('aes-256-gcm', key, iv);
    cipher.update(small);
    cipher.final();
    return cipher.getAuthTag();
  },
  'aes-256-gcm of 1 MiB': () => {
    const cipher = crypto.createCipheriv('aes-256-gcm', key, iv);
    cipher.update(large);
    cipher.final();
    return cipher.getAuthTag();
  },
  'ed25519 sign': () => crypto.sign(null, small, privateKey),
  'ed25519 verify': () => crypto.verify(null, small, publicKey, signature),
  randomUUID: () => crypto.randomUUID(),
};

// The best of five runs of at least a fifth of a second: what else the machine does only makes one slower.
function rate(act) {
  let best = 0;
  for (let run = 0; run < 5; run++) {
    let count = 0, batch = 1, used = 0;
    const begin = process.cpuUsage();
    do {
      for (let i = 0; i < batch; i++) act();
      count += batch;
      if (batch < 1 << 16) batch *= 2;
      const { user, system } = process.cpuUsage(begin);
      used = user + system;
    } while (used < 2e5);
    best = Math.max(best, count / used * 1e6);
  }
  return best;
}

for (const name of Object.keys(rows)) console.log(`${name.padEnd(26)}${Math.round(rate(rows[name])).toLocaleString('en').padStart(14)} /s`);
