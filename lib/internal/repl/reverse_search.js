// natives: none
// Ctrl+R and Ctrl+S in a REPL: a search through the history, backwards and forwards, shown below the line.
'use strict';

const { clearScreenDown, cursorTo, moveCursor } = require('internal/readline/screen');

const kLabels = { __proto__: null, r: 'bck-i-search: ', s: 'fwd-i-search: ' };

class ReverseSearch {
  #repl;
  #isActive = false;
  #input = '';
  #direction = 'r';
  #index = -1; // of the entry looked at
  #cursor = -1; // of the match in it
  #seen = new Set(); // entries shown in this direction
  #match = -1; // index of the entry shown, and where it matches
  #matchCursor = -1;
  #promptPosition;

  constructor(repl) {
    this.#repl = repl;
  }

  // Whether the key was the search's own.
  onKey(text, key) {
    const isDirection = key.ctrl && kLabels[key.name] !== undefined;
    if (isDirection) this.#turn(key.name);
    if (!this.#isActive) {
      if (isDirection) this.#begin();
    } else if (isDirection) {
      this.#search();
    } else if (key.name === 'backspace' || (key.ctrl && (key.name === 'h' || key.name === 'w'))) {
      this.#restart(stringSlice.call(this.#input, 0, -1));
      this.#search();
    } else if ((key.ctrl && key.name === 'c') || key.name === 'escape') {
      this.#match = -1;
      this.#end();
      return true;
    } else if (key.ctrl || key.meta || key.name === 'return' || key.name === 'enter' || typeof text !== 'string' || text === '') {
      this.#end();
      this.#repl.historyManager.prefix = '';
    } else {
      this.#restart(this.#input + text);
      this.#search();
    }
    return this.#isActive;
  }

  #turn(direction) {
    if (this.#direction !== direction) this.#seen.clear();
    this.#direction = direction;
  }

  #begin() {
    const repl = this.#repl;
    this.#index = repl.historyIndex;
    this.#promptPosition = repl._getDisplayPos(repl.getPrompt());
    this.#print(repl.line, `${kLabels[this.#direction]}_`);
    this.#isActive = true;
  }

  #restart(input) {
    this.#input = input;
    this.#cursor = -1;
    this.#index = this.#repl.historyIndex;
    this.#seen.clear();
  }

  #nextEntry() {
    this.#seen.add(this.#repl.history[this.#index]);
    this.#index += this.#direction === 'r' ? 1 : -1;
    this.#cursor = -1;
  }

  #search() {
    const repl = this.#repl;
    const input = this.#input;
    const label = kLabels[this.#direction];
    if (input === '') {
      this.#print(repl.line, `${label}_`);
      return;
    }
    const { history } = repl;
    if (this.#direction === 'r') this.#index = Math.max(this.#index, 0);
    else this.#index = Math.min(this.#index, history.length - 1);
    while (this.#index >= 0 && this.#index < history.length) {
      const entry = history[this.#index];
      if (this.#seen.has(entry)) {
        this.#index += this.#direction === 'r' ? 1 : -1;
        continue;
      }
      this.#cursor =
        this.#direction === 'r'
          ? stringLastIndexOf.call(entry, input, (this.#cursor === -1 ? entry.length : this.#cursor) - 1)
          : stringIndexOf.call(entry, input, this.#cursor + 1);
      if (this.#cursor !== -1) {
        this.#found(entry, `${label}${input}_`);
        return;
      }
      this.#nextEntry();
    }
    this.#print(repl.line, `failed-${label}${input}_`);
  }

  #found(entry, label) {
    const cursor = this.#cursor;
    const input = this.#input;
    let shown = entry;
    if (this.#repl.useColors) {
      shown = `${stringSlice.call(entry, 0, cursor)}\x1B[4m${input}\x1B[24m${stringSlice.call(entry, cursor + input.length)}`;
    }
    this.#print(shown, label, cursor);
    this.#match = this.#index;
    this.#matchCursor = cursor;
    const isLast = this.#direction === 'r' ? cursor === 0 : shown.length === cursor + input.length;
    if (isLast) this.#nextEntry();
  }

  // The row on which the text shown begins, counted up from the cursor.
  #rowsAbove() {
    const repl = this.#repl;
    if (this.#match !== -1) {
      return repl._getDisplayPos(repl.getPrompt() + stringSlice.call(repl.history[this.#match], 0, this.#matchCursor)).rows;
    }
    return this.#isActive && repl.line !== '' ? repl.getCursorPos().rows : undefined;
  }

  #print(text, label, cursor = this.#repl.cursor) {
    const { output } = this.#repl;
    const repl = this.#repl;
    const above = this.#rowsAbove();
    if (above !== undefined) {
      cursorTo(output, this.#promptPosition.cols);
      if (above !== 0) moveCursor(output, 0, -above);
    }
    if (this.#isActive) {
      clearScreenDown(output);
      output.write(`${text}\n${label}`);
    } else {
      output.write(`\n${label}`);
    }
    this.#match = -1;
    const prompt = repl.getPrompt();
    const at = repl._getDisplayPos(prompt + stringSlice.call(text, 0, cursor));
    const end = repl._getDisplayPos(prompt + text);
    const below = repl._getDisplayPos(label);
    moveCursor(output, 0, -1 - (below.rows - (below.cols === 0 ? 1 : 0)) - (end.rows - at.rows));
    cursorTo(output, at.cols);
  }

  // The match becomes the line; without one the line is shown again.
  #end() {
    const repl = this.#repl;
    this.#isActive = false;
    if (this.#match !== -1) {
      repl._setLine(repl.history[this.#match]);
      repl.cursor = this.#matchCursor;
      repl.historyIndex = this.#match;
    }
    this.#match = -1;
    cursorTo(repl.output, this.#promptPosition.cols);
    moveCursor(repl.output, 0, this.#promptPosition.rows);
    clearScreenDown(repl.output);
    if (repl.line !== '') {
      repl.output.write(repl.line);
      if (repl.line.length !== repl.cursor) {
        const { cols, rows } = repl.getCursorPos();
        cursorTo(repl.output, cols);
        moveCursor(repl.output, 0, rows);
      }
    }
    this.#restart('');
  }
}

function setUp(repl) {
  if (process.env.TERM === 'dumb') return { reverseSearch: () => false };
  const search = new ReverseSearch(repl);
  return { reverseSearch: (text, key) => search.onKey(text, key) };
}

module.exports = { setUp };
