// natives: http
// The HTTPParser of node:_http_common for programs that parse by themselves (@mswjs/interceptors does): instead of messages it gives its
// events to functions that stand under numbers, `parser[HTTPParser.kOnBody] = …`. Servers and clients use the class it extends.
'use strict';

const binding = native('http');
const { kComplete, kKeepAlive, kMinor, kUpgrade, kVersion09, kVersion20 } = binding;
const { HTTPParser } = require('internal/http/parser');

const kOnMessageBegin = 0;
const kOnHeaders = 1;
const kOnHeadersComplete = 2;
const kOnBody = 3;
const kOnMessageComplete = 4;
const kOnExecute = 5;
const kOnTimeout = 6;

class CallbackParser extends HTTPParser {
  // One that is left out spreads its arguments.
  constructor() {
    super();
  }

  initialize(kind, _resource, maxHeaderSize = 0, lenientBits = 0) {
    super.initialize(kind, maxHeaderSize, lenientBits);
  }

  // With onIncoming it makes messages, as the class it extends.
  onHead(flags, text, head) {
    if (this.onIncoming) return super.onHead(flags, text, head);
    this[kOnMessageBegin]?.();
    const parser = this.native;
    const fields = binding.rawHeaders(head, this.maxHeaderPairs >> 1);
    const isUpgrade = (flags & kUpgrade) !== 0;
    const isOldest = (flags & kVersion09) !== 0;
    const major = isOldest ? 0 : (flags & kVersion20) !== 0 ? 2 : 1;
    const minor = isOldest ? 9 : (flags & kMinor) !== 0 ? 1 : 0;
    const keepsAlive = (flags & kKeepAlive) !== 0;
    const onComplete = this[kOnHeadersComplete];
    let treatment;
    if (typeof onComplete === 'function') {
      treatment = this.isResponse
        ? this[kOnHeadersComplete](major, minor, fields, undefined, undefined, flags & 1023, text, isUpgrade, keepsAlive)
        : this[kOnHeadersComplete](major, minor, fields, flags & 255, text, undefined, undefined, isUpgrade, keepsAlive);
    }
    if (treatment !== 0 && treatment !== undefined) {
      parser.skipBody();
      if (treatment === 2) parser.setUpgrade(true);
    }
    if ((flags & kComplete) !== 0) this.onEnd();
  }

  onBody(bytes) {
    if (this.incoming) return super.onBody(bytes);
    this[kOnBody]?.(bytes);
  }

  onEnd() {
    if (this.incoming) return super.onEnd();
    const trailers = this.native === undefined ? [] : this.native.trailers();
    if (trailers.length !== 0) this[kOnHeaders]?.(trailers, '');
    this[kOnMessageComplete]?.();
  }

  getCurrentBuffer() {
    return this.lastPiece;
  }
}
Object.defineProperty(CallbackParser, 'name', { __proto__: null, value: 'HTTPParser' });
Object.assign(CallbackParser, { kOnMessageBegin, kOnHeaders, kOnHeadersComplete, kOnBody, kOnMessageComplete, kOnExecute, kOnTimeout });

module.exports = { CallbackParser };
