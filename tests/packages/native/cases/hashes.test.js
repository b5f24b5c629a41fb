// Addons whose work is done on the pool, each in the async context in which it was asked for: argon2, @node-rs/bcrypt, sodium-native; sharp's streams.
'use strict';
const assert = require('node:assert');
const { AsyncLocalStorage } = require('node:async_hooks');
const { Readable } = require('node:stream');

const storage = new AsyncLocalStorage();

async function hashes() {
  const argon2 = require('argon2');
  const options = { salt: Buffer.alloc(16, 1), timeCost: 2, memoryCost: 1024 };
  const hash = await argon2.hash('secret', options);
  assert.strictEqual(hash, '$argon2id$v=19$m=1024,p=4,t=2$AQEBAQEBAQEBAQEBAQEBAQ$' + hash.split('$')[5]);
  assert.deepStrictEqual([await argon2.verify(hash, 'secret'), await argon2.verify(hash, 'other')], [true, false]);
  const bcrypt = require('@node-rs/bcrypt');
  const other = await storage.run('here', async () => {
    const made = await bcrypt.hash('secret', { cost: 4 });
    assert.strictEqual(storage.getStore(), 'here');
    return made;
  });
  assert.deepStrictEqual([await bcrypt.verify('secret', other), bcrypt.verifySync('other', other)], [true, false]);
  const sodium = require('sodium-native');
  const text = Buffer.alloc(sodium.crypto_pwhash_STRBYTES);
  await new Promise((resolve, reject) =>
    sodium.crypto_pwhash_str_async(text, Buffer.from('secret'), 1, 16384, (error) => (error ? reject(error) : resolve())),
  );
  assert.match(text.toString(), /^\$argon2id\$/);
}

async function images() {
  const sharp = require('sharp');
  const made = await sharp({ create: { width: 64, height: 48, channels: 3, background: { r: 200, g: 30, b: 60 } } })
    .resize(32)
    .png()
    .toBuffer();
  const { width, height, format } = await sharp(made).metadata();
  assert.deepStrictEqual([width, height, format], [32, 24, 'png']);
  assert.deepStrictEqual([...(await sharp(made).raw().toBuffer()).subarray(0, 3)], [200, 30, 60]);
  const pieces = await Readable.from([made]).pipe(sharp().resize(8).jpeg()).toArray();
  assert.strictEqual((await sharp(Buffer.concat(pieces)).metadata()).width, 8);
  await assert.rejects(sharp(Buffer.from('no image')).metadata(), /unsupported image format/);
  const { createCanvas } = require('@napi-rs/canvas');
  const canvas = createCanvas(20, 20);
  const context = canvas.getContext('2d');
  context.fillStyle = 'red';
  context.fillRect(5, 5, 10, 10);
  assert.deepStrictEqual([...context.getImageData(6, 6, 1, 1).data], [255, 0, 0, 255]);
  assert.strictEqual((await canvas.encode('png')).subarray(1, 4).toString(), 'PNG');
}

hashes()
  .then(images)
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
