// natives: none
// The bits shared by both halves of a stream's state, and the helper that shows
// a bit under the property name programs know (`_readableState.destroyed`, …).
// A state keeps one small integer, `flags`: a hot path tests several conditions
// with one mask. Bits from 1 << 9 up belong to readable_state.js and
// writable_state.js.
'use strict';

const kObjectMode = 1 << 0;
const kAutoDestroy = 1 << 1;
const kEmitClose = 1 << 2;
const kConstructed = 1 << 3;
const kDestroyed = 1 << 4;
const kErrored = 1 << 5;
const kErrorEmitted = 1 << 6;
const kClosed = 1 << 7;
const kCloseEmitted = 1 << 8;

const sharedNames = {
  objectMode: kObjectMode,
  autoDestroy: kAutoDestroy,
  emitClose: kEmitClose,
  constructed: kConstructed,
  destroyed: kDestroyed,
  errorEmitted: kErrorEmitted,
  closed: kClosed,
  closeEmitted: kCloseEmitted,
};

function defineFlags(prototype, names) {
  for (const name of each(Object.keys(names))) {
    const bit = names[name];
    Object.defineProperty(prototype, name, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get() {
        return (this.flags & bit) !== 0;
      },
      set(on) {
        if (on) this.flags |= bit;
        else this.flags &= ~bit;
      },
    });
  }
}

// `errored` is the error itself or null; the bit mirrors it for the masks.
function defineErrored(prototype) {
  Object.defineProperty(prototype, 'errored', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      return (this.flags & kErrored) !== 0 ? this.failure : null;
    },
    set(error) {
      if (error) {
        this.failure = error;
        this.flags |= kErrored;
      } else {
        this.failure = null;
        this.flags &= ~kErrored;
      }
    },
  });
}

module.exports = {
  kObjectMode,
  kAutoDestroy,
  kEmitClose,
  kConstructed,
  kDestroyed,
  kErrored,
  kErrorEmitted,
  kClosed,
  kCloseEmitted,
  sharedNames,
  defineFlags,
  defineErrored,
};
