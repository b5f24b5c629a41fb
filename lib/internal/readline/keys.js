// natives: none
// Key bindings of a readline interface on a terminal, and tab completion.
'use strict';

const { AbortError } = require('internal/errors/coded');
const { clearScreenDown, cursorTo } = require('internal/readline/screen');
const { charLengthAt, charLengthLeft, commonPrefix, lineEnding } = require('internal/readline/text');

function dispatchKey(rl, text, key) {
  const previous = rl._previousKey;
  rl._previousKey = key;
  if (!key.meta || key.name !== 'y') rl._yanking = false;
  trackHistoryPrefix(rl, key);
  if (!isVertical(key)) rl._wantedColumn = -1;
  if (typeof key.sequence === 'string') {
    const code = stringCodePointAt.call(key.sequence, 0);
    if (code === 0x1f) return rl._undo();
    if (code === 0x1e) return rl._redo();
  }
  if (key.name === 'escape') return undefined;
  if (key.ctrl && key.shift) return lookUp(controlShiftKeys, key)?.(rl);
  if (key.ctrl) return lookUp(controlKeys, key)?.(rl);
  if (key.meta) return lookUp(metaKeys, key)?.(rl);

  // "\r" matters only if "\n" comes right after it.
  if (rl._sawReturnAt && key.name !== 'enter') rl._sawReturnAt = 0;
  const action = lookUp(plainKeys, key);
  if (action) return action(rl);
  if (key.name === 'tab' && typeof rl.completer === 'function' && rl.isCompletionEnabled) {
    return rl._tabComplete(previous?.name === 'tab');
  }
  return typeof text === 'string' && text ? type(rl, text) : undefined;
}

const lookUp = (table, key) => (key.name === undefined ? undefined : table[key.name]);

const isVertical = (key) => (key.name === 'up' || key.name === 'down') && !key.ctrl && !key.meta && !key.shift;

// Up and down look for lines that begin with what stood before the cursor first.
function trackHistoryPrefix(rl, key) {
  const history = rl.historyManager;
  if (isVertical(key)) {
    if (!rl._isMultiline) history.prefix ??= stringSlice.call(rl.line, 0, rl.cursor);
  } else if (history.prefix !== null) {
    history.prefix = null;
    if (history.lines.length === history.index) history.index = -1;
  }
}

// Text, possibly pasted with line ends in it.
function type(rl, text) {
  let from = 0;
  lineEnding.lastIndex = 0;
  for (let match; (match = regexpExec.call(lineEnding, text)) !== null; ) {
    const end = lineEnding.lastIndex;
    const piece = stringSlice.call(text, from, match.index);
    if (piece) rl._insertString(piece);
    from = end;
    rl._line();
    lineEnding.lastIndex = end; // a listener may have used it
  }
  if (from < text.length) rl._insertString(stringSlice.call(text, from));
}

// A question that waits as a promise is told.
function closeBy(rl, keys) {
  rl._questionReject?.(new AbortError(`Aborted with ${keys}`));
  rl.close();
}

function interrupt(rl) {
  if (rl.listenerCount('SIGINT') > 0) rl.emit('SIGINT');
  else closeBy(rl, 'Ctrl+C');
}

function suspend(rl) {
  if (rl.listenerCount('SIGTSTP') > 0) {
    rl.emit('SIGTSTP');
    return;
  }
  process.once('SIGCONT', () => {
    // The program may have been paused for good in between.
    if (!rl.paused) {
      rl.pause();
      rl.emit('SIGCONT');
    }
    rl._setRawMode(true);
    rl._refreshLine();
  });
  rl._setRawMode(false);
  process.kill(process.pid, 'SIGTSTP');
}

function endOrDelete(rl) {
  if (rl.cursor === 0 && rl.line.length === 0) closeBy(rl, 'Ctrl+D');
  else if (rl.cursor < rl.line.length) rl._deleteRight();
}

const charLeft = (rl) => rl._moveCursor(-charLengthLeft(rl.line, rl.cursor));
const charRight = (rl) => rl._moveCursor(charLengthAt(rl.line, rl.cursor));
const lineStart = (rl) => rl._moveCursor(-Infinity);
const lineEnd = (rl) => rl._moveCursor(+Infinity);

const controlShiftKeys = {
  __proto__: null,
  backspace: (rl) => rl._deleteLineLeft(),
  delete: (rl) => rl._deleteLineRight(),
};

const controlKeys = {
  __proto__: null,
  a: lineStart,
  b: charLeft,
  backspace: (rl) => rl._deleteWordLeft(),
  c: interrupt,
  d: endOrDelete,
  delete: (rl) => rl._deleteWordRight(),
  e: lineEnd,
  f: charRight,
  h: (rl) => rl._deleteLeft(),
  k: (rl) => rl._deleteLineRight(),
  l: (rl) => {
    cursorTo(rl.output, 0, 0);
    clearScreenDown(rl.output);
    rl._refreshLine();
  },
  left: (rl) => rl._wordLeft(),
  n: (rl) => rl._historyNext(),
  p: (rl) => rl._historyPrev(),
  right: (rl) => rl._wordRight(),
  u: (rl) => rl._deleteLineLeft(),
  w: (rl) => rl._deleteWordLeft(),
  y: (rl) => rl._yank(),
  z: suspend,
};

const metaKeys = {
  __proto__: null,
  b: (rl) => rl._wordLeft(),
  backspace: (rl) => rl._deleteWordLeft(),
  d: (rl) => rl._deleteWordRight(),
  delete: (rl) => rl._deleteWordRight(),
  f: (rl) => rl._wordRight(),
  y: (rl) => rl._yankPop(),
};

const plainKeys = {
  __proto__: null,
  backspace: (rl) => rl._deleteLeft(),
  delete: (rl) => rl._deleteRight(),
  down: (rl) => rl._moveDownOrHistoryNext(),
  end: lineEnd,
  // "\n": the second half of "\r\n", or a line end by itself.
  enter: (rl) => {
    if (rl._sawReturnAt === 0 || Date.now() - rl._sawReturnAt > rl.crlfDelay) rl._line();
    rl._sawReturnAt = 0;
  },
  home: lineStart,
  left: charLeft,
  return: (rl) => {
    rl._sawReturnAt = Date.now();
    rl._line();
  },
  right: charRight,
  up: (rl) => rl._moveUpOrHistoryPrev(),
};

// The first tab inserts what all candidates share; a second one lists them.
function complete(rl, isSecondTab) {
  rl.pause();
  const text = stringSlice.call(rl.line, 0, rl.cursor);
  rl.completer(text, (error, result) => {
    rl.resume();
    if (error) {
      const { inspect } = require('internal/util/inspect');
      rl._writeToOutput(`Tab completion error: ${inspect(error)}`);
      return;
    }
    offer(rl, isSecondTab, result);
  });
}

function offer(rl, isSecondTab, completion) {
  const [candidates, completed] = each(completion);
  if (!candidates || candidates.length === 0) return;
  const prefix = commonPrefix(arrayFilter.call(candidates, (candidate) => candidate !== ''));
  if (stringStartsWith.call(prefix, completed) && prefix.length > completed.length) {
    rl._insertString(stringSlice.call(prefix, completed.length));
    return;
  }
  if (!stringStartsWith.call(completed, prefix)) {
    const start = rl.cursor - completed.length;
    rl._replaceLine(stringSlice.call(rl.line, 0, start) + prefix + stringSlice.call(rl.line, rl.cursor), start + prefix.length);
    return;
  }
  if (!isSecondTab) return;
  rl._beforeEdit();
  rl._writeToOutput(inColumns(candidates, rl.columns));
  rl._refreshLine();
}

// An empty candidate separates groups.
function inColumns(candidates, columns) {
  const { getStringWidth } = require('internal/util/inspect');
  const widths = arrayMap.call(candidates, (candidate) => getStringWidth(candidate));
  const width = Math.max(...each(widths)) + 2;
  let perRow = Math.floor(columns / width) || 1;
  if (perRow === Infinity) perRow = 1;
  let text = '\r\n';
  let inRow = 0;
  let padding = 0;
  arrayForEach.call(candidates, (candidate, i) => {
    if (candidate === '' || inRow === perRow) {
      text += '\r\n';
      inRow = 0;
      padding = 0;
    } else {
      text += stringRepeat.call(' ', padding);
    }
    if (candidate === '') {
      text += '\r\n';
    } else {
      text += candidate;
      padding = width - widths[i];
      inRow++;
    }
  });
  return inRow === 0 ? text : `${text}\r\n\r\n`;
}

module.exports = { dispatchKey, complete };
