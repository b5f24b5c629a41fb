// expect pool-saturation compress
const zlib = require('zlib'); const data = require('crypto').randomBytes(1 << 22);
function compress() { return new Promise((ok) => zlib.brotliCompress(data, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } }, ok)); }
for (let i = 0; i < 12; i++) compress();
