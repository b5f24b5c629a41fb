// natives: none
// What undici uses of node:zlib, which is loaded when the first compressed answer comes.
'use strict';

module.exports = {
  Z_DEFAULT_WINDOWBITS: 15,
  get constants() {
    return require('zlib').constants;
  },
  createGunzip(options) {
    return require('zlib').createGunzip(options);
  },
  createInflate(options) {
    return require('zlib').createInflate(options);
  },
  createInflateRaw(options) {
    return require('zlib').createInflateRaw(options);
  },
  createBrotliDecompress(options) {
    return require('zlib').createBrotliDecompress(options);
  },
  createZstdDecompress(options) {
    return require('zlib').createZstdDecompress(options);
  },
};
