// expect pool-saturation pack
const zlib = require('node:zlib'); const data = Buffer.alloc(12 << 20, 'some text that is long enough to be worth its packing; ');
const pack = (done) => zlib.gzip(data, { level: 9 }, done);
let rounds = 0; for (let i = 0; i < 16; i++) pack(function again() { if (++rounds < 16) pack(again); });
