// natives: none
// Getters of a Readable's state (readable, readableLength, destroyed, …):
// property descriptors, not enumerable, added to the prototype by readable.js.
'use strict';

const { kDestroyed, kErrored, kErrorEmitted } = require('internal/streams/flags');
const { kEndEmitted } = require('internal/streams/readable_state');

function getter(get, set) {
  return { __proto__: null, configurable: false, enumerable: false, get, set };
}

module.exports = {
  // `readable = false` is old programs' way to switch the half off.
  readable: getter(
    function () {
      const state = this._readableState;
      return !!state && state.readable !== false && (state.flags & (kDestroyed | kErrorEmitted | kEndEmitted)) === 0;
    },
    function (value) {
      if (this._readableState) this._readableState.readable = !!value;
    },
  ),

  readableDidRead: getter(function () {
    return this._readableState.dataEmitted;
  }),

  readableAborted: getter(function () {
    const state = this._readableState;
    return state.readable !== false && (state.flags & (kDestroyed | kErrored)) !== 0 && (state.flags & kEndEmitted) === 0;
  }),

  readableHighWaterMark: getter(function () {
    return this._readableState.highWaterMark;
  }),
  readableBuffer: getter(function () {
    return this._readableState?.buffer;
  }),

  readableFlowing: getter(
    function () {
      return this._readableState.flowing;
    },
    function (value) {
      if (this._readableState) this._readableState.flowing = value;
    },
  ),

  readableLength: getter(function () {
    return this._readableState.length;
  }),

  readableObjectMode: getter(function () {
    return this._readableState ? this._readableState.objectMode : false;
  }),

  readableEncoding: getter(function () {
    return this._readableState ? this._readableState.encoding : null;
  }),

  errored: getter(function () {
    return this._readableState ? this._readableState.errored : null;
  }),
  closed: getter(function () {
    return this._readableState ? this._readableState.closed : false;
  }),

  // Before the state exists, or where a class manages it itself, it can be set.
  destroyed: getter(
    function () {
      return this._readableState ? this._readableState.destroyed : false;
    },
    function (value) {
      if (this._readableState) this._readableState.destroyed = value;
    },
  ),

  readableEnded: getter(function () {
    return this._readableState ? this._readableState.endEmitted : false;
  }),
};
