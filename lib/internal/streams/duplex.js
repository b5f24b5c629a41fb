// natives: none
// Duplex: a Readable that has a writable half as well. The halves are independent;
// only destruction and 'close' are common. `readable: false` or `writable: false`
// switches a half off from the start.
'use strict';

const { Stream } = require('internal/streams/legacy');
const { construct } = require('internal/streams/destroy');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');
const writableProperties = require('internal/streams/writable_properties');

module.exports = Duplex;

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  call1(Stream, this, options);
  this._readableState = new Readable.ReadableState(options, this, true);
  this._writableState = new Writable.WritableState(options, this, true);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  if (options) applyOptions(this, options);
  if (this._construct != null) {
    construct(this, () => {
      this._readableState.onConstructed(this);
      this._writableState.onConstructed(this);
    });
  }
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);

function applyOptions(duplex, options) {
  const { _readableState: r, _writableState: w } = duplex;
  if (options.readable === false) {
    r.readable = false;
    r.ended = true;
    r.endEmitted = true;
  }
  if (options.writable === false) {
    w.writable = false;
    w.ending = true;
    w.ended = true;
    w.finished = true;
  }
  if (typeof options.read === 'function') duplex._read = options.read;
  if (typeof options.write === 'function') duplex._write = options.write;
  if (typeof options.writev === 'function') duplex._writev = options.writev;
  if (typeof options.destroy === 'function') duplex._destroy = options.destroy;
  if (typeof options.final === 'function') duplex._final = options.final;
  if (typeof options.construct === 'function') duplex._construct = options.construct;
  if (options.signal) {
    require('internal/streams/add_abort_signal').addAbortSignal(options.signal, duplex);
  }
}

for (const method of each(['write', 'cork', 'uncork', 'setDefaultEncoding', '_write', '_writev', 'end', 'destroy'])) {
  Duplex.prototype[method] = Writable.prototype[method];
}

for (const name of each([
  'writable',
  'writableHighWaterMark',
  'writableObjectMode',
  'writableBuffer',
  'writableLength',
  'writableFinished',
  'writableCorked',
  'writableEnded',
  'writableNeedDrain',
])) {
  Object.defineProperty(Duplex.prototype, name, writableProperties[name]);
}

Object.defineProperty(Duplex.prototype, 'destroyed', {
  __proto__: null,
  get() {
    const { _readableState: r, _writableState: w } = this;
    return r !== undefined && w !== undefined && r.destroyed && w.destroyed;
  },
  set(value) {
    const { _readableState: r, _writableState: w } = this;
    if (!r || !w) return;
    r.destroyed = value;
    w.destroyed = value;
  },
});

Duplex.fromWeb = function (pair, options) {
  return requireLater('internal/webstreams/adapters').newStreamDuplexFromReadableWritablePair(pair, options);
};

Duplex.toWeb = function (duplex, options) {
  return requireLater('internal/webstreams/adapters').newReadableWritablePairFromDuplex(duplex, options);
};

Duplex.from = function (body) {
  return require('internal/streams/duplexify')(body, 'body');
};
