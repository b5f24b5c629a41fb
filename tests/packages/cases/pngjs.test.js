// pngjs drives the codec of node:zlib by itself (its handle, output buffer and sizes) in PNG.sync.read, and streams otherwise.
'use strict';
const assert = require('node:assert');
const { PNG } = require('pngjs');

const picture = new PNG({ width: 200, height: 150 });
for (let i = 0; i < picture.data.length; i++) picture.data[i] = (i * 7919) >> 3;
const bytes = PNG.sync.write(picture);
const again = PNG.sync.read(bytes);
assert.strictEqual(again.width, 200);
assert.ok(again.data.equals(picture.data));
assert.throws(() => PNG.sync.read(bytes.subarray(0, 60)), /read requests waitng on finished stream/);  // the words of pngjs

picture.pack().pipe(new PNG()).on('parsed', function onParsed() {
  assert.ok(this.data.equals(picture.data));
  console.log('done');
});
