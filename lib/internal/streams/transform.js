// natives: none
// Transform: what is written goes through _transform and comes out as pushes. A
// write is complete when its output fits below the readable high-water mark, so
// that a slow reader holds back the writer. _flush runs when the input has ended.
'use strict';

const {
  codes: { ERR_METHOD_NOT_IMPLEMENTED },
} = require('internal/errors/coded');
const Duplex = require('internal/streams/duplex');
const { kEnded } = require('internal/streams/readable_state');
const { getHighWaterMark } = require('internal/streams/state');

const kHeldCallback = Symbol('kHeldCallback'); // waits until somebody reads
const kWriteCallback = Symbol('kWriteCallback'); // of the chunk in work
const kLengthBefore = Symbol('kLengthBefore');
const kOnTransformed = Symbol('kOnTransformed');

module.exports = Transform;

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  call1(Duplex, this, options && withoutDoubleBuffering(this, options));
  // _read is ours and never synchronous: pushes may be announced at once.
  this._readableState.sync = false;
  this[kHeldCallback] = null;
  this[kWriteCallback] = null;
  this[kLengthBefore] = 0;
  // One function for all chunks: only one is ever in work.
  this[kOnTransformed] = (error, value) => {
    onTransformed(this, error, value);
  };
  if (options) {
    if (typeof options.transform === 'function') this._transform = options.transform;
    if (typeof options.flush === 'function') this._flush = options.flush;
  }
  this.on('prefinish', onPrefinish);
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);

// A readable mark of 0 means "buffer nothing": the writable half then must not either.
function withoutDoubleBuffering(transform, options) {
  const mark = getHighWaterMark(transform, options, 'readableHighWaterMark', true);
  if (mark !== 0) return options;
  return {
    ...options,
    highWaterMark: null,
    readableHighWaterMark: mark,
    writableHighWaterMark: options.writableHighWaterMark || 0,
  };
}

// Streams that define their own _final get their flush at 'prefinish' instead.
function onPrefinish() {
  if (this._final !== final) call0(final, this);
}

function final(callback) {
  if (typeof this._flush !== 'function' || this.destroyed) {
    this.push(null);
    if (callback) callback();
    return;
  }
  this._flush((error, data) => {
    if (error) {
      if (callback) callback(error);
      else this.destroy(error);
      return;
    }
    if (data != null) this.push(data);
    this.push(null);
    if (callback) callback();
  });
}

Transform.prototype._final = final;

Transform.prototype._transform = function (chunk, encoding, callback) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_transform()');
};

Transform.prototype._write = function (chunk, encoding, callback) {
  this[kWriteCallback] = callback;
  this[kLengthBefore] = this._readableState.length;
  this._transform(chunk, encoding, this[kOnTransformed]);
};

function onTransformed(transform, error, value) {
  const callback = transform[kWriteCallback];
  const before = transform[kLengthBefore];
  if (error) {
    callback(error);
    return;
  }
  if (value != null) transform.push(value);
  const r = transform._readableState;
  if ((r.flags & kEnded) !== 0) {
    // push(null) inside _transform: let the end be seen first.
    process.nextTick(callback);
  } else if (r.length === before || r.length < r.highWaterMark || transform._writableState.ended) {
    callback();
  } else {
    transform[kHeldCallback] = callback;
  }
}

Transform.prototype._read = function () {
  const callback = this[kHeldCallback];
  if (!callback) return;
  this[kHeldCallback] = null;
  callback();
};
