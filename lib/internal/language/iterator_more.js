// natives: none
// Further helpers of iterators: chunks and windows (https://tc39.es/proposal-iterator-chunking), includes
// (https://tc39.es/proposal-iterator-includes), join (https://tc39.es/proposal-iterator-join).
'use strict';

const kMaxChunk = 2 ** 32 - 1;
const kMaxSafe = 2 ** 53 - 1;

// Of internal/language/iterator, in whose realm this file is loaded.
let IteratorHelper;
let RangeError;
let Source;
let TypeError;
let abandon;
let close;
let needObject;

module.exports = (parts) => {
  ({ IteratorHelper, RangeError, Source, TypeError, abandon, close, needObject } = parts);
  return methods;
};

const isWhole = (value) => typeof value === 'number' && value % 1 === 0;

// A size of chunks: no other kind of value is converted.
function checkSize(iterator, size) {
  if (!isWhole(size)) throw abandon(iterator, new TypeError('the size is not a whole number'));
  if (size < 1 || size > kMaxChunk) throw abandon(iterator, new RangeError(`the size must be from 1 to ${kMaxChunk}`));
}

const going = (value) => ({ value, done: false });
const helperOver = (source, step) => new IteratorHelper(step, () => close(source.iterator));

// Elements of an array that a program cannot see being made.
function append(list, value) {
  list[list.length] = value;
}

const methods = {
  chunks(chunkSize) {
    needObject(this);
    checkSize(this, chunkSize);
    const source = new Source(this);
    let isOver = false;
    return helperOver(source, () => {
      if (isOver) return undefined;
      const chunk = [];
      while (chunk.length < chunkSize) {
        const result = source.step();
        if (result === undefined) {
          isOver = true;
          return chunk.length === 0 ? undefined : going(chunk);
        }
        append(chunk, result.value);
      }
      return going(chunk);
    });
  },

  windows(windowSize, undersized = undefined) {
    needObject(this);
    checkSize(this, windowSize);
    const mode = undersized === undefined ? 'only-full' : undersized;
    if (mode !== 'only-full' && mode !== 'allow-partial') {
      throw abandon(this, new TypeError('undersized must be "only-full" or "allow-partial"'));
    }
    const source = new Source(this);
    let last;
    let isOver = false;
    return helperOver(source, () => {
      if (isOver) return undefined;
      const window = [];
      if (last !== undefined) for (let i = 1; i < last.length; i++) append(window, last[i]);
      while (window.length < windowSize) {
        const result = source.step();
        if (result === undefined) {
          isOver = true;
          return mode === 'allow-partial' && last === undefined && window.length > 0 ? going(window) : undefined;
        }
        append(window, result.value);
      }
      last = window;
      const shown = [];
      for (let i = 0; i < window.length; i++) append(shown, window[i]);
      return going(shown);
    });
  },

  includes(searchElement, skippedElements = undefined) {
    needObject(this);
    let left = 0;
    if (skippedElements !== undefined) {
      const isNumber = isWhole(skippedElements) || skippedElements === Infinity || skippedElements === -Infinity;
      if (!isNumber) throw abandon(this, new TypeError('skippedElements is not a whole number'));
      left = skippedElements;
    }
    if (left < 0 || (left > kMaxSafe && left !== Infinity)) throw abandon(this, new RangeError('skippedElements is out of range'));
    const source = new Source(this);
    for (;;) {
      const result = source.step();
      if (result === undefined) return false;
      const { value } = result;
      if (left > 0) {
        left--;
      } else if (value === searchElement || (value !== value && searchElement !== searchElement)) {
        close(source.iterator);
        return true;
      }
    }
  },

  join(separator) {
    needObject(this);
    let between = ',';
    if (separator !== undefined) {
      try {
        between = `${separator}`;
      } catch (error) {
        throw abandon(this, error);
      }
    }
    const source = new Source(this);
    let text = '';
    let isFirst = true;
    for (;;) {
      const result = source.step();
      if (result === undefined) return text;
      const { value } = result;
      if (!isFirst) text += between;
      isFirst = false;
      if (value === undefined || value === null) continue;
      try {
        text += `${value}`;
      } catch (error) {
        throw abandon(source.iterator, error);
      }
    }
  },
};
