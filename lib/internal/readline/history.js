// natives: none
// The inputs a readline interface remembers, newest first, and the walk through them with up and down: only those that begin with
// the text that stood before the cursor. An input of several lines is one entry, its lines joined by "\r" and the last one first,
// which is the form of Node's history file. Keeping them in a file is internal/repl/history_file's.
'use strict';

const { validateArray, validateNumber } = require('internal/util/validators');

const kDefaultSize = 30;

const reversed = (text, from, to) => arrayJoin.call(arrayReverse.call(stringSplit.call(text, from)), to);
const toEntry = (line) => reversed(line, '\n', '\r');
const fromEntry = (entry) => reversed(entry, '\r', '\n');

class History {
  constructor(lines, size, removeDuplicates) {
    if (lines === undefined) lines = [];
    else validateArray(lines, 'history');
    if (size === undefined) size = kDefaultSize;
    validateNumber(size, 'size', 0);
    this.lines = lines;
    this.size = size;
    this.removeDuplicates = !!removeDuplicates;
    this.index = -1; // -1: the line being typed
    this.prefix = null; // text that the walk looks for
    this.isFlushing = false;
  }

  get history() {
    return this.lines;
  }
  set history(lines) {
    this.lines = lines;
  }

  // Gives the line to report: history may have been edited in place.
  add(line, isMultiline, replacesLast) {
    if (line.length === 0) return { line: '', added: false };
    if (this.size === 0 || stringTrim.call(line).length === 0) return { line, added: false };
    const { lines } = this;
    // An input of several lines was added as far as it had come with each Enter before.
    const continues = isMultiline && this.index === -1;
    if (continues || replacesLast) arrayShift.call(lines);
    const entry = toEntry(line);
    if (lines.length === 0 || lines[0] !== entry) {
      if (this.removeDuplicates) {
        const at = arrayIndexOf.call(lines, entry);
        if (at !== -1) arraySplice.call(lines, at, 1);
      }
      arrayUnshift.call(lines, entry);
      if (lines.length > this.size) arrayPop.call(lines);
    }
    this.index = -1;
    return { line: fromEntry(lines[0]), added: true };
  }

  // An older (1) or newer (-1) line with the prefix, different from `current`; null at the end.
  move(step, current) {
    const { lines } = this;
    const prefix = this.prefix ?? '';
    if (step < 0 && this.index < 0) return null;
    if (step > 0 && this.index >= lines.length) return null;
    if (lines.length === 0) return null;
    let at = this.index + step;
    while (at >= 0 && at < lines.length && (!stringStartsWith.call(lines[at], prefix) || lines[at] === current)) at += step;
    this.index = at;
    return at >= 0 && at < lines.length ? fromEntry(lines[at]) : prefix;
  }
}

module.exports = { History };
