// natives: none
// Editing the text typed at a terminal, one line or several: inserting, deleting, moving, undo,
// the kill ring, and keeping the screen right. Lines after the first are shown behind "| ". A base class: interface.js derives readline's
// Interface from it. Methods begin with "_" as programs that reach into readline
// know them.
'use strict';

const EventEmitter = require('internal/events/events');
const { validateString } = require('internal/util/validators');
const { clearScreenDown, cursorTo, moveCursor } = require('internal/readline/screen');
const { wordLengthLeft, wordLengthRight, deletableRight, charLengthAt, charLengthLeft } = require('internal/readline/text');

const kMostUndo = 2048;
const kMostKilled = 32;
const kMultilinePrompt = '| ';

class LineEditor extends EventEmitter {
  constructor() {
    super();
    this.line = '';
    this.cursor = 0;
    this.prevRows = 0;
    this._prompt = '';
    this._undoStack = [];
    this._redoStack = [];
    this._killRing = [];
    this._killRingCursor = 0;
    this._yanking = false;
    this._isMultiline = false;
    this._wantedColumn = -1; // of moves up and down over shorter lines
    this._previousState = undefined;
    this._colorize = undefined; // text of a line => the same with colours
  }

  _setLine(line) {
    this.line = line;
    this._isMultiline = stringIncludes.call(line, '\n');
  }

  get columns() {
    return this.output?.columns || Infinity;
  }

  _writeToOutput(text) {
    validateString(text, 'stringToWrite');
    if (this.output !== null && this.output !== undefined) this.output.write(text);
  }

  // Column and row of the end of `text`, counted from the start of the prompt.
  _getDisplayPos(text) {
    const { getStringWidth, stripVTControlCharacters } = require('internal/util/inspect');
    const width = this.columns;
    let offset = 0;
    let rows = 0;
    for (const char of each(stripVTControlCharacters(text))) {
      if (char === '\n') {
        rows += Math.ceil(offset / width) || 1;
        offset = this._isMultiline ? kMultilinePrompt.length : 0;
      } else if (char === '\t') {
        offset += this.tabSize - (offset % this.tabSize);
      } else {
        const charWidth = getStringWidth(char, false);
        // A wide character does not fit into the last column.
        if (charWidth === 2 && (offset + 1) % width === 0) offset++;
        offset += charWidth;
      }
    }
    const cols = offset % width;
    rows += (offset - cols) / width;
    return { cols, rows };
  }

  getCursorPos() {
    return this._getDisplayPos(this._prompt + stringSlice.call(this.line, 0, this.cursor));
  }

  _getCursorPos() {
    return this.getCursorPos();
  }

  _refreshLine() {
    const end = this._getDisplayPos(this._prompt + this.line);
    const at = this.getCursorPos();
    if (this.prevRows > 0) moveCursor(this.output, 0, -this.prevRows);
    cursorTo(this.output, 0);
    clearScreenDown(this.output);
    this._writeToOutput(this._prompt + this._shownLines(this.line));
    if (end.cols === 0) this._writeToOutput(' '); // makes the terminal open the new row
    cursorTo(this.output, at.cols);
    if (end.rows > at.rows) moveCursor(this.output, 0, at.rows - end.rows);
    this.prevRows = at.rows;
  }

  _shownLines(text) {
    const lines = stringSplit.call(text, '\n');
    if (this._colorize !== undefined) for (let i = 0; i < lines.length; i++) lines[i] = this._colorize(lines[i]);
    return arrayJoin.call(lines, `\n${kMultilinePrompt}`);
  }

  _moveCursor(dx) {
    if (dx === 0) return;
    const before = this.getCursorPos();
    this.cursor = Math.min(Math.max(this.cursor + dx, 0), this.line.length);
    const after = this.getCursorPos();
    if (before.rows === after.rows) moveCursor(this.output, after.cols - before.cols, 0);
    else this._refreshLine();
  }

  _beforeEdit() {
    this._redoStack.length = 0;
    arrayPush.call(this._undoStack, { text: this.line, cursor: this.cursor });
    if (this._undoStack.length > kMostUndo) arrayShift.call(this._undoStack);
  }

  _replaceLine(text, cursor) {
    this._setLine(text);
    this.cursor = cursor;
    this._refreshLine();
  }

  _insertString(text) {
    this._beforeEdit();
    const { line, cursor } = this;
    // In the middle of pasted text: the screen is made right with its last character.
    if (!this.isCompletionEnabled) {
      this._setLine(stringSlice.call(line, 0, cursor) + text + stringSlice.call(line, cursor));
      this.cursor += text.length;
      if (this._colorize === undefined) this._writeToOutput(text);
      else this._refreshLine();
      return;
    }
    if (cursor < line.length) {
      this._replaceLine(stringSlice.call(line, 0, cursor) + text + stringSlice.call(line, cursor), cursor + text.length);
      return;
    }
    const before = this.getCursorPos();
    this._setLine(line + text);
    this.cursor += text.length;
    if (before.rows < this.getCursorPos().rows || this._colorize !== undefined) this._refreshLine();
    else this._writeToOutput(text);
  }

  // Takes `count` characters before (negative) or after the cursor away.
  _remove(count) {
    const { line, cursor } = this;
    if (count < 0) this._replaceLine(stringSlice.call(line, 0, cursor + count) + stringSlice.call(line, cursor), cursor + count);
    else this._replaceLine(stringSlice.call(line, 0, cursor) + stringSlice.call(line, cursor + count), cursor);
  }

  _deleteLeft() {
    if (this.cursor === 0 || this.line.length === 0) return;
    this._beforeEdit();
    this._remove(-charLengthLeft(this.line, this.cursor));
  }

  _deleteRight() {
    if (this.cursor >= this.line.length) return;
    this._beforeEdit();
    this._remove(charLengthAt(this.line, this.cursor));
  }

  _deleteWordLeft() {
    if (this.cursor === 0) return;
    this._beforeEdit();
    this._remove(-wordLengthLeft(this.line, this.cursor));
  }

  _deleteWordRight() {
    if (this.cursor >= this.line.length) return;
    this._beforeEdit();
    this._remove(deletableRight(this.line, this.cursor));
  }

  _deleteLineLeft() {
    this._beforeEdit();
    this._kill(stringSlice.call(this.line, 0, this.cursor));
    this._remove(-this.cursor);
  }

  _deleteLineRight() {
    this._beforeEdit();
    this._kill(stringSlice.call(this.line, this.cursor));
    this._replaceLine(stringSlice.call(this.line, 0, this.cursor), this.cursor);
  }

  _wordLeft() {
    if (this.cursor > 0) this._moveCursor(-wordLengthLeft(this.line, this.cursor));
  }

  _wordRight() {
    if (this.cursor < this.line.length) this._moveCursor(wordLengthRight(this.line, this.cursor));
  }

  _kill(text) {
    if (!text || text === this._killRing[0]) return;
    arrayUnshift.call(this._killRing, text);
    this._killRingCursor = 0;
    while (this._killRing.length > kMostKilled) arrayPop.call(this._killRing);
  }

  _yank() {
    if (this._killRing.length === 0) return;
    this._yanking = true;
    this._insertString(this._killRing[this._killRingCursor]);
  }

  // Replaces what was just yanked by the text killed before it.
  _yankPop() {
    if (!this._yanking || this._killRing.length < 2) return;
    const last = this._killRing[this._killRingCursor];
    this._killRingCursor = (this._killRingCursor + 1) % this._killRing.length;
    const next = this._killRing[this._killRingCursor];
    const head = stringSlice.call(this.line, 0, this.cursor - last.length);
    this._replaceLine(head + next + stringSlice.call(this.line, this.cursor), head.length + next.length);
  }

  // Up (-1) or down (1) one line of a text of several; a column that a shorter line lacks is gone back to.
  _moveVertically(direction) {
    const lines = stringSplit.call(this.line, '\n');
    const { rows, cols } = this.getCursorPos();
    const next = lines[rows + direction];
    const toNext = direction > 0 ? lines[rows].length + 1 : -next.length - 1;
    const toItsEnd = direction > 0 ? lines[rows].length - cols + kMultilinePrompt.length + next.length + 1 : 1 - cols;
    let step = toNext;
    if (cols > next.length + 1) {
      if (this._wantedColumn === -1) this._wantedColumn = cols;
      step = toItsEnd;
    } else if (this._wantedColumn > next.length) {
      step = toItsEnd;
    } else if (this._wantedColumn !== -1) {
      step += this._wantedColumn - cols;
      this._wantedColumn = -1;
    }
    this._moveCursor(step);
  }

  _moveUpOrHistoryPrev() {
    if (this._isMultiline && this.getCursorPos().rows > 0) {
      this._moveVertically(-1);
      return;
    }
    this._wantedColumn = -1;
    this._historyPrev();
  }

  _moveDownOrHistoryNext() {
    if (this._isMultiline && this.getCursorPos().rows < stringSplit.call(this.line, '\n').length - 1) {
      this._moveVertically(1);
      return;
    }
    this._wantedColumn = -1;
    this._historyNext();
  }

  // The line that Enter has just taken is not complete: it comes back, with a line end where the cursor was. The cursor of the
  // terminal is on the row below the text.
  _addNewLineOnTTY() {
    const { line, cursor, prevRows } = this._previousState;
    const before = stringSlice.call(line, 0, cursor);
    let after = stringSlice.call(line, cursor);
    this._setLine(`${before}\n${after}`);
    this.cursor = cursor + 1;
    if (after === '') {
      this._writeToOutput(kMultilinePrompt);
      this.prevRows = stringSplit.call(this.line, '\n').length - 1;
      return;
    }
    const linesBefore = stringSplit.call(before, '\n');
    if (prevRows > 0) {
      // The line that was cut is written anew from the end of the line above it.
      const above = linesBefore[linesBefore.length - 2] ?? '';
      moveCursor(this.output, above.length + kMultilinePrompt.length, -stringSplit.call(after, '\n').length - 1);
      after = `${linesBefore[linesBefore.length - 1]}\n${after}`;
    } else {
      moveCursor(this.output, 0, -stringSplit.call(line, '\n').length);
    }
    clearScreenDown(this.output);
    if (prevRows > 0) this._writeToOutput('\n');
    this._writeToOutput(linesBefore.length < 2 ? `${this._prompt}${this._shownLines(before)}\n${kMultilinePrompt}` : kMultilinePrompt);
    const at = this.getCursorPos();
    this._writeToOutput(this._shownLines(after));
    const end = this._getDisplayPos(this.line);
    moveCursor(this.output, at.cols - end.cols, at.rows - end.rows);
    this.prevRows = at.rows;
  }

  _swapWith(from, to) {
    const entry = arrayPop.call(from);
    if (entry === undefined) return;
    arrayPush.call(to, { text: this.line, cursor: this.cursor });
    this._replaceLine(entry.text, entry.cursor);
  }

  _undo() {
    this._swapWith(this._undoStack, this._redoStack);
  }

  _redo() {
    this._swapWith(this._redoStack, this._undoStack);
  }
}

module.exports = { LineEditor, kMultilinePrompt };
