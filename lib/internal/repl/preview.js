// natives: none
// Previews of a REPL, shown in grey while a line is typed: behind the cursor the part that all completions share, below the line its value,
// where that can be had without side effects (internal/repl/pure_evaluate).
'use strict';

const { clearLine, clearScreenDown, cursorTo, moveCursor } = require('internal/readline/screen');
const { commonPrefix } = require('internal/readline/text');
const { getStringWidth, inspect } = require('internal/util/inspect');
const { isValidSyntax } = require('internal/repl/syntax');
const { kBuffered, REPL_MODE_STRICT } = require('internal/repl/symbols');

const kMostColumns = 250;

class Preview {
  #repl;
  #value = null; // text shown below the line
  #completion = null; // text shown behind it
  #asked = 0;
  #hasCompletions = false;
  #escaped = null; // the line whose completion Escape has refused

  constructor(repl) {
    this.#repl = repl;
  }

  #positions() {
    const repl = this.#repl;
    const end = repl._getDisplayPos(repl.getPrompt() + repl.line);
    return { end, cursor: repl.line.length === repl.cursor ? end : repl.getCursorPos() };
  }

  #isAtEnd() {
    const { end, cursor } = this.#positions();
    return end.rows === cursor.rows && end.cols === cursor.cols;
  }

  forgetValue() {
    this.#value = null;
  }

  clear(key) {
    this.#clearValue();
    if (this.#completion !== null) this.#clearCompletion(key);
    if (this.#escaped !== this.#repl.line) this.#escaped = null;
  }

  #clearValue() {
    if (this.#value === null) return;
    const { output } = this.#repl;
    const { end, cursor } = this.#positions();
    const rows = end.rows - cursor.rows + 1;
    moveCursor(output, 0, rows);
    clearLine(output);
    moveCursor(output, 0, -rows);
    this.#value = null;
  }

  #clearCompletion(key) {
    const repl = this.#repl;
    const moves = repl.line.length !== repl.cursor;
    const at = moves ? this.#positions() : undefined;
    const rows = moves ? at.end.rows - at.cursor.rows : 0;
    if (moves) {
      cursorTo(repl.output, at.end.cols);
      moveCursor(repl.output, 0, rows);
    }
    const shown = repl._getDisplayPos(repl.getPrompt() + repl.line + this.#completion);
    if (shown.rows === 0 || at?.end.rows === shown.rows) clearLine(repl.output, 1);
    else clearScreenDown(repl.output);
    if (moves) {
      cursorTo(repl.output, at.cursor.cols);
      moveCursor(repl.output, 0, -rows);
    }
    if (!key.ctrl && !key.shift) {
      const isEnter = (key.name === 'return' || key.name === 'enter') && !key.meta;
      if (key.name === 'escape') {
        if (this.#escaped === null && key.meta) this.#escaped = repl.line;
      } else if (isEnter && this.#escaped !== repl.line && this.#isAtEnd()) {
        repl._insertString(this.#completion);
      }
    }
    this.#completion = null;
  }

  show(showsCompletion = true) {
    const repl = this.#repl;
    if (this.#value !== null || repl._isMultiline || !repl.isCompletionEnabled) return;
    const line = stringTrim.call(repl.line);
    if (line === '') return;
    this.#hasCompletions = false;
    if (showsCompletion) this.offerCompletion(false);
    if (repl[kBuffered]) return;
    const isAccepted = this.#completion !== null && this.#isAtEnd() && this.#escaped !== repl.line;
    const text = this.#textFor(isAccepted ? line + this.#completion : line);
    if (text !== undefined && text !== line) this.#showValue(text);
  }

  // The common prefix of all completions, shown or inserted.
  offerCompletion(inserts) {
    const repl = this.#repl;
    const asked = ++this.#asked;
    repl.completer(repl.line, (error, result) => {
      if (asked !== this.#asked || error) return;
      const [all, completed] = each(result);
      if (!all || all.length === 0) return;
      this.#hasCompletions = true;
      const prefix = commonPrefix(arrayFilter.call(all, Boolean));
      if (prefix.length <= completed.length) return;
      const suffix = stringSlice.call(prefix, completed.length);
      if (inserts) repl._insertString(suffix);
      else this.#showCompletion(suffix);
    });
  }

  #showCompletion(suffix) {
    const repl = this.#repl;
    this.#completion = suffix;
    const { end, cursor } = this.#positions();
    if (repl.line.length !== repl.cursor) {
      cursorTo(repl.output, end.cols);
      moveCursor(repl.output, 0, end.rows - cursor.rows);
    }
    repl.output.write(repl.useColors ? `\u001b[90m${suffix}\u001b[39m` : ` // ${suffix}`);
    cursorTo(repl.output, cursor.cols);
    const shown = repl._getDisplayPos(repl.getPrompt() + repl.line + suffix);
    moveCursor(repl.output, 0, -(shown.rows - cursor.rows - (shown.cols === 0 ? 1 : 0)));
  }

  #isStrict() {
    return (
      this.#repl.replMode === REPL_MODE_STRICT ||
      arraySome.call(process.execArgv, (arg) => stringReplaceAll.call(stringToLowerCase.call(arg), '_', '-') === '--use-strict')
    );
  }

  // An object literal is meant as one; where that has no value, as a block.
  #textFor(input) {
    const isObject = input[0] === '{' && input[input.length - 1] !== ';' && isValidSyntax(input);
    return (isObject ? this.#valueText(`(${input})`) : undefined) ?? this.#valueText(input);
  }

  #valueText(input) {
    const repl = this.#repl;
    const vm = require('internal/vm/vm');
    const run = (text) => (repl.useGlobal ? vm.runInThisContext(text) : vm.runInContext(text, repl.context));
    const result = require('internal/repl/pure_evaluate').pureEvaluate(input, repl.context, run);
    if (result === undefined) return undefined;
    if (!('error' in result)) return this.#inspect(result.value);
    const { error } = result;
    if (error instanceof SyntaxError || error instanceof EvalError) return undefined;
    if (error instanceof ReferenceError && (this.#hasCompletions || !this.#isStrict())) return undefined;
    return this.#inspect(error);
  }

  #inspect(value) {
    const text = inspect(value, { ...this.#repl.writer.options, colors: false, depth: 1, compact: true, breakLength: Infinity });
    const isHidden = value === undefined && (!this.#repl.useColors || this.#repl.ignoreUndefined);
    return isHidden ? undefined : text;
  }

  #cut(text) {
    const repl = this.#repl;
    let left = Math.min(repl.columns, kMostColumns);
    if (text.length * 2 >= left && getStringWidth(text) > left) {
      left -= repl.useColors ? 4 : 7;
      let short = '';
      for (const character of each(text)) {
        left -= getStringWidth(character);
        if (left < 0) break;
        short += character;
      }
      text = `${short}...`;
    }
    return regexpSplit.call(/[\r\n\v]/, text, 1)[0];
  }

  #showValue(text) {
    const repl = this.#repl;
    this.#value = text;
    const shown = this.#cut(text);
    const { end, cursor } = this.#positions();
    const rows = end.rows - cursor.rows;
    moveCursor(repl.output, 0, rows);
    repl.output.write(repl.useColors ? `\n\u001b[90m${shown}\u001b[39m` : `\n// ${shown}`);
    cursorTo(repl.output, cursor.cols);
    moveCursor(repl.output, 0, -rows - 1);
  }
}

function setUp(repl, isActive) {
  if (process.env.TERM === 'dumb' || !isActive) return { showPreview() {}, clearPreview() {} };
  const preview = new Preview(repl);
  const { _refreshLine: refresh, _moveCursor: move, clearLine: clear } = repl;
  repl._refreshLine = () => {
    preview.forgetValue();
    call0(refresh, repl);
    preview.show();
  };
  let inserts = true;
  // A step to the right at the end takes the completion shown.
  repl._moveCursor = (dx) => {
    const { cursor } = repl;
    call1(move, repl, dx);
    if (cursor + dx > repl.line.length && typeof repl.completer === 'function' && inserts) preview.offerCompletion(true);
  };
  repl.clearLine = () => {
    inserts = false;
    call0(clear, repl);
    inserts = true;
  };
  return { showPreview: (showsCompletion) => preview.show(showsCompletion), clearPreview: (key) => preview.clear(key) };
}

module.exports = { setUp };
