// natives: none
// Interface, the base of readline.Interface and readline/promises.Interface: lines
// out of an input stream. With a terminal keys are edited here (editor.js) and
// dispatched by keys.js; without one the input is just cut into lines.
'use strict';

const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_USE_AFTER_CLOSE },
} = require('internal/errors/coded');
const { validateAbortSignal, validateUint32 } = require('internal/util/validators');
const { LineEditor } = require('internal/readline/editor');
const { History } = require('internal/readline/history');
const { emitKeypressEvents } = require('internal/readline/keypress');
const { dispatchKey, complete } = require('internal/readline/keys');
const { lineEnding } = require('internal/readline/text');

const kLeastCrlfDelay = 100;
const kSettings = Symbol('kSettings');

// Both forms of the arguments: (input, output, completer, terminal) and (options).
function readSettings(input, output, completer, terminal) {
  const options = input?.input ? input : { input, output, completer, terminal };
  const settings = { prompt: '> ', escapeCodeTimeout: 500, tabSize: 8, ...pickDefined(options) };
  if (options.tabSize !== undefined) validateUint32(options.tabSize, 'tabSize', true);
  if (!Number.isFinite(settings.escapeCodeTimeout)) {
    throw new ERR_INVALID_ARG_VALUE('input.escapeCodeTimeout', settings.escapeCodeTimeout);
  }
  if (options.signal) validateAbortSignal(options.signal, 'options.signal');
  if (settings.completer !== undefined && typeof settings.completer !== 'function') {
    throw new ERR_INVALID_ARG_VALUE('completer', settings.completer);
  }
  settings.terminal ??= settings.output == null ? false : settings.output.isTTY;
  return settings;
}

function pickDefined(options) {
  const picked = {};
  for (const key of each([
    'input',
    'output',
    'completer',
    'terminal',
    'history',
    'historySize',
    'removeHistoryDuplicates',
    'prompt',
    'crlfDelay',
    'escapeCodeTimeout',
    'tabSize',
    'signal',
  ])) {
    if (options[key] !== undefined) picked[key] = options[key];
  }
  return picked;
}

class Interface extends LineEditor {
  constructor(input, output, completer, terminal) {
    super();
    const settings = readSettings(input, output, completer, terminal);
    this[kSettings] = settings;
    this.historyManager = new History(settings.history, settings.historySize, settings.removeHistoryDuplicates);
    this.input = settings.input;
    this.output = settings.output;
    this.completer = settings.completer && this._adaptCompleter(settings.completer);
    this.crlfDelay = settings.crlfDelay ? Math.max(kLeastCrlfDelay, settings.crlfDelay) : kLeastCrlfDelay;
    this.escapeCodeTimeout = settings.escapeCodeTimeout;
    this.tabSize = settings.tabSize;
    this.terminal = !!settings.terminal;
    this.isCompletionEnabled = true;
    this.closed = false;
    this.paused = false;
    this._sawReturnAt = 0;
    this._sawKeyPress = false;
    this._lastCommandErrored = false;
    this._previousKey = null;
    this._questionCallback = null;
    this._questionReject = null; // of readline/promises
    this._oldPrompt = '';
    this._line_buffer = null;
    this.setPrompt(settings.prompt);
    this._listenTo(this.input);
    if (settings.signal) this._listenToSignal(settings.signal);
    this._setLine('');
    this.input.resume();
  }

  get history() {
    return this.historyManager.lines;
  }
  set history(lines) {
    this.historyManager.lines = lines;
  }
  get historySize() {
    return this.historyManager.size;
  }
  set historySize(size) {
    this.historyManager.size = size;
  }
  get isFlushing() {
    return this.historyManager.isFlushing;
  }
  get historyIndex() {
    return this.historyManager.index;
  }
  set historyIndex(index) {
    this.historyManager.index = index;
  }
  get removeHistoryDuplicates() {
    return this.historyManager.removeDuplicates;
  }
  set removeHistoryDuplicates(value) {
    this.historyManager.removeDuplicates = value;
  }

  // A completer with two parameters calls back; others return.
  _adaptCompleter(completer) {
    return completer.length === 2
      ? completer
      : (text, callback) => {
          callback(null, completer(text));
        };
  }

  _listenTo(input) {
    const listening = [
      [
        input,
        'error',
        (error) => {
          this.emit('error', error);
        },
      ],
    ];
    if (this.terminal) {
      emitKeypressEvents(input, this);
      arrayPush.call(
        listening,
        [
          input,
          'keypress',
          (text, key) => {
            this._onKeypress(text, key);
          },
        ],
        [
          input,
          'end',
          () => {
            this._endWith(this.line);
          },
        ],
      );
      this._setRawMode(true);
      this.cursor = 0;
      if (this.output != null)
        arrayPush.call(listening, [
          this.output,
          'resize',
          () => {
            this._refreshLine();
          },
        ]);
    } else {
      const { StringDecoder } = require('internal/buffer/string_decoder');
      this._decoder = new StringDecoder('utf8');
      arrayPush.call(
        listening,
        [
          input,
          'data',
          (data) => {
            this._normalWrite(data);
          },
        ],
        [
          input,
          'end',
          () => {
            this._endWith(this._line_buffer);
          },
        ],
      );
    }
    for (const [emitter, event, listener] of eachEntry(listening)) emitter.on(event, listener);
    this.once('close', () => {
      for (const [emitter, event, listener] of eachEntry(listening)) emitter.removeListener(event, listener);
    });
  }

  _listenToSignal(signal) {
    if (signal.aborted) {
      process.nextTick(() => {
        this.close();
      });
      return;
    }
    const listening = require('internal/events/events').addAbortListener(signal, () => {
      this.close();
    });
    this.once('close', () => {
      listening[Symbol.dispose]();
    });
  }

  _onKeypress(text, key) {
    this._ttyWrite(text, key);
    // Half a character was typed: the other half changes what is shown.
    const code = key?.sequence ? stringCodePointAt.call(key.sequence, 0) : 0;
    if (code >= 0xd800 && code <= 0xdfff) this._refreshLine();
  }

  // A last line without a line end still counts.
  _endWith(rest) {
    if (typeof rest === 'string' && rest.length > 0) this.emit('line', rest);
    this.close();
  }

  setPrompt(prompt) {
    this._prompt = prompt;
  }

  getPrompt() {
    return this._prompt;
  }

  prompt(preserveCursor) {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) this.resume();
    if (this.terminal && process.env.TERM !== 'dumb') {
      if (!preserveCursor) this.cursor = 0;
      this._refreshLine();
    } else {
      this._writeToOutput(this._prompt);
    }
  }

  _question(query, callback) {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (this._questionCallback) {
      this.prompt();
    } else {
      this._oldPrompt = this._prompt;
      this.setPrompt(query);
      this._questionCallback = callback;
      this.prompt();
    }
  }

  _questionCancel() {
    if (!this._questionCallback) return;
    this._questionCallback = null;
    this.setPrompt(this._oldPrompt);
    this.clearLine();
  }

  _onLine(line) {
    const callback = this._questionCallback;
    if (!callback) {
      this.emit('line', line);
      return;
    }
    this._questionCallback = null;
    this.setPrompt(this._oldPrompt);
    callback(line);
  }

  _setRawMode(mode) {
    const wasRaw = this.input.isRaw;
    if (typeof this.input.setRawMode === 'function') this.input.setRawMode(mode);
    return wasRaw;
  }

  close() {
    if (this.closed) return;
    this.pause();
    if (this.terminal) this._setRawMode(false);
    this.closed = true;
    this.emit('close');
  }

  pause() {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) return this;
    this.input.pause();
    this.paused = true;
    this.emit('pause');
    return this;
  }

  resume() {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (!this.paused) return this;
    this.input.resume();
    this.paused = false;
    this.emit('resume');
    return this;
  }

  write(data, key) {
    if (this.closed) throw new ERR_USE_AFTER_CLOSE('readline');
    if (this.paused) this.resume();
    if (this.terminal) this._ttyWrite(data, key);
    else this._normalWrite(data);
  }

  clearLine() {
    this._moveCursor(+Infinity);
    this._writeToOutput('\r\n');
    this._setLine('');
    this.cursor = 0;
    this.prevRows = 0;
  }

  // Enter was pressed.
  _line() {
    this._previousState = { line: this.line, cursor: this.cursor, prevRows: this.prevRows };
    const line = this._addHistory();
    this._undoStack.length = 0;
    this._redoStack.length = 0;
    this.clearLine();
    this._onLine(line);
  }

  _addHistory() {
    const { line, added } = this.historyManager.add(this.line, this._isMultiline, this._lastCommandErrored);
    if (added) this.emit('history', this.historyManager.lines);
    return line;
  }

  _walkHistory(step) {
    const { index } = this.historyManager;
    const line = this.historyManager.move(step, this.line);
    if (line === null || (line === this.line && index === this.historyManager.index)) return;
    this._beforeEdit();
    this._replaceLine(line, line.length);
  }

  _historyPrev() {
    this._walkHistory(1);
  }
  _historyNext() {
    this._walkHistory(-1);
  }

  // Input without a terminal. A "\r" at the end of one piece and a "\n" at the start
  // of the next are one line end if they come within crlfDelay.
  _normalWrite(data) {
    if (data === undefined) return;
    let text = this._decoder.write(data);
    if (this._sawReturnAt && Date.now() - this._sawReturnAt <= this.crlfDelay) {
      if (stringCharCodeAt.call(text, 0) === 10) text = stringSlice.call(text, 1);
      this._sawReturnAt = 0;
    }
    lineEnding.lastIndex = 0;
    if (!regexpTest.call(lineEnding, text)) {
      if (text) this._line_buffer = this._line_buffer ? this._line_buffer + text : text;
      return;
    }
    if (this._line_buffer) text = this._line_buffer + text;
    this._sawReturnAt = stringEndsWith.call(text, '\r') ? Date.now() : 0;
    const lines = regexpSplit.call(/\r\n|\n|\r(?!\n)|\u2028|\u2029/, text);
    this._line_buffer = arrayPop.call(lines);
    for (const line of each(lines)) this._onLine(line);
  }

  _tabComplete(isSecondTab) {
    complete(this, isSecondTab);
  }

  _ttyWrite(text, key) {
    dispatchKey(this, text, key ?? {});
  }

  [Symbol.asyncIterator]() {
    if (this._lineIterator === undefined) {
      const { kFirstEventParam } = require('internal/symbols/events');
      this._lineIterator = require('internal/events/events').on(this, 'line', {
        close: ['close'],
        highWaterMark: 1024,
        [kFirstEventParam]: true,
      });
    }
    return this._lineIterator;
  }

  [Symbol.dispose]() {
    this.close();
  }
}

module.exports = { Interface };
