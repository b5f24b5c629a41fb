// natives: none
// The lines a readline interface remembers, newest first, and the walk through them
// with up and down: only lines that begin with what stood before the cursor.
'use strict';

const { validateArray, validateNumber } = require('internal/util/validators');

const kDefaultSize = 30;

class History {
  constructor(lines, size, removeDuplicates) {
    if (lines === undefined) lines = [];
    else validateArray(lines, 'history');
    if (size === undefined) size = kDefaultSize;
    validateNumber(size, 'historySize', 0);
    this.lines = lines;
    this.size = size;
    this.removeDuplicates = !!removeDuplicates;
    this.index = -1; // -1: the line being typed
    this.prefix = null; // what the walk looks for
  }

  // Gives the line to report: history may have been edited in place.
  add(line) {
    if (line.length === 0) return { line: '', added: false };
    if (this.size === 0 || stringTrim.call(line).length === 0) return { line, added: false };
    const { lines } = this;
    if (lines.length === 0 || lines[0] !== line) {
      if (this.removeDuplicates) {
        const at = arrayIndexOf.call(lines, line);
        if (at !== -1) arraySplice.call(lines, at, 1);
      }
      arrayUnshift.call(lines, line);
      if (lines.length > this.size) arrayPop.call(lines);
    }
    this.index = -1;
    return { line: lines[0], added: true };
  }

  // An older (1) or newer (-1) line with the prefix, different from `current`; null at the end.
  move(step, current) {
    const { lines } = this;
    const prefix = this.prefix ?? '';
    if (step < 0 && this.index < 0) return null;
    if (step > 0 && this.index >= lines.length) return null;
    if (step > 0 && lines.length === 0) return null;
    let at = this.index + step;
    while (at >= 0 && at < lines.length && (!stringStartsWith.call(lines[at], prefix) || lines[at] === current)) at += step;
    this.index = at;
    return at >= 0 && at < lines.length ? lines[at] : prefix;
  }
}

module.exports = { History };
