// natives: none
// Getters of a Writable's state (writable, writableLength, destroyed, …):
// property descriptors, not enumerable, added to the prototypes of Writable and
// (those that do not clash with Readable's) of Duplex.
'use strict';

const { kDestroyed, kErrored } = require('internal/streams/flags');
const { kNeedDrain, kEnding, kEnded, kFinished } = require('internal/streams/writable_state');

function getter(get, set) {
  return { __proto__: null, configurable: false, enumerable: false, get, set };
}

module.exports = {
  closed: getter(function () {
    return this._writableState ? this._writableState.closed : false;
  }),

  destroyed: getter(
    function () {
      return this._writableState ? this._writableState.destroyed : false;
    },
    function (value) {
      if (this._writableState) this._writableState.destroyed = value;
    },
  ),

  // `writable = false` is old programs' way to switch the half off.
  writable: getter(
    function () {
      const state = this._writableState;
      return !!state && state.writable !== false && (state.flags & (kEnding | kEnded | kDestroyed | kErrored)) === 0;
    },
    function (value) {
      if (this._writableState) this._writableState.writable = !!value;
    },
  ),

  writableFinished: getter(function () {
    return this._writableState ? this._writableState.finished : false;
  }),

  writableObjectMode: getter(function () {
    return this._writableState ? this._writableState.objectMode : false;
  }),

  writableBuffer: getter(function () {
    return this._writableState?.getBuffer();
  }),

  writableEnded: getter(function () {
    return this._writableState ? this._writableState.ending : false;
  }),

  writableNeedDrain: getter(function () {
    const state = this._writableState;
    return state ? (state.flags & (kDestroyed | kEnding | kNeedDrain)) === kNeedDrain : false;
  }),

  writableHighWaterMark: getter(function () {
    return this._writableState?.highWaterMark;
  }),
  writableCorked: getter(function () {
    return this._writableState ? this._writableState.corked : 0;
  }),
  writableLength: getter(function () {
    return this._writableState?.length;
  }),
  errored: getter(function () {
    return this._writableState ? this._writableState.errored : null;
  }),

  writableAborted: getter(function () {
    const state = this._writableState;
    return state.writable !== false && (state.flags & (kDestroyed | kErrored)) !== 0 && (state.flags & kFinished) === 0;
  }),
};
