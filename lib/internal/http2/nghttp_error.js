// natives: http2
// An error of nghttp2, the library behind node:http2.
'use strict';

const { errorText } = native('http2');

class NghttpError extends Error {
  constructor(number) {
    super(errorText(number));
    this.code = 'ERR_HTTP2_ERROR';
    this.errno = number;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}
Object.defineProperty(NghttpError.prototype, 'name', { __proto__: null, value: 'Error', writable: true, configurable: true });

module.exports = { NghttpError };
