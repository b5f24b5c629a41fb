// natives: none
// The part of node:zlib that undici uses, which is loaded when the first compressed answer comes.
'use strict';

module.exports = {
  Z_DEFAULT_WINDOWBITS: 15,
  get constants() {
    return require('internal/zlib/zlib').constants;
  },
  createGunzip(options) {
    return require('internal/zlib/zlib').createGunzip(options);
  },
  createInflate(options) {
    return require('internal/zlib/zlib').createInflate(options);
  },
  createInflateRaw(options) {
    return require('internal/zlib/zlib').createInflateRaw(options);
  },
  createBrotliDecompress(options) {
    return require('internal/zlib/zlib').createBrotliDecompress(options);
  },
  createZstdDecompress(options) {
    return require('internal/zlib/zlib').createZstdDecompress(options);
  },
};
