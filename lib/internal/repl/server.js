// natives: none
// REPLServer: a readline interface whose lines are evaluated and whose values are printed. Each part has a file of its own:
// evaluate, context, errors, commands, complete, preview, reverse_search, history_file.
'use strict';

const { Interface } = require('internal/readline/readline');
const { AsyncLocalStorage } = require('internal/async_hooks/async_hooks');
const { inspect } = require('internal/util/inspect');
const { codes } = require('internal/errors/coded');
const { validateFunction, validateObject } = require('internal/util/validators');
const { getOptionValue } = require('internal/process/options');
const { kMultilinePrompt } = require('internal/readline/editor');
const { commonPrefix } = require('internal/readline/text');
const { defineCommands, leaveEditorMode, kEditorHelp } = require('internal/repl/commands');
const { makeContext } = require('internal/repl/context');
const { Recoverable, makeEvaluate, nextResourceName } = require('internal/repl/evaluate');
const { uncaughtText } = require('internal/repl/errors');
const { kBuffered, kLoading, kStandalone, REPL_MODE_SLOPPY } = require('internal/repl/symbols');

const writer = (value) => inspect(value, writer.options);
writer.options = { ...inspect.defaultOptions, showProxy: true };

// The REPL whose input is being run, or has started what runs: uncaught errors are shown there.
const running = new AsyncLocalStorage();
let isCapturing = false;

function captureErrors() {
  if (isCapturing) return;
  isCapturing = true;
  process.addUncaughtExceptionCaptureCallback((error) => {
    const repl = running.getStore();
    return repl !== undefined && repl._handleError(error) !== 'unhandled';
  });
}

function refuseUncaughtListener(event) {
  if (event !== 'uncaughtException' || running.getStore() === undefined) return;
  throw new codes.ERR_INVALID_REPL_INPUT('Listeners for `uncaughtException` cannot be used in the REPL');
}

let embedded = 0;
function refuseListeners(repl) {
  if (embedded++ === 0) process.prependListener('newListener', refuseUncaughtListener);
  repl.once('exit', () => {
    if (--embedded === 0) process.removeListener('newListener', refuseUncaughtListener);
  });
}

// Keys that come while an input is awaited wait for it.
class HeldInput {
  interrupts = new Set(); // called by Ctrl+C instead of the REPL's own answer
  #repl;
  #isPaused = false;
  #held = [];

  constructor(repl) {
    this.#repl = repl;
  }

  get isPaused() {
    return this.#isPaused;
  }
  pause() {
    this.#isPaused = true;
  }
  hold(action) {
    arrayPush.call(this.#held, { action, isCompletionEnabled: this.#repl.isCompletionEnabled });
  }

  resume() {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    const { isCompletionEnabled } = this.#repl;
    while (!this.#isPaused && this.#held.length > 0) {
      const { action, isCompletionEnabled: had } = arrayShift.call(this.#held);
      this.#repl.isCompletionEnabled = had;
      action();
    }
    this.#repl.isCompletionEnabled = isCompletionEnabled;
  }
}

function readOptions(prompt, stream, evaluate, useGlobal, ignoreUndefined, replMode) {
  const isObject = prompt !== null && typeof prompt === 'object';
  const options = isObject ? { ...prompt } : { prompt, eval: evaluate, useGlobal, ignoreUndefined, replMode };
  if (isObject) stream = options.stream || options.socket;
  if (!options.input && !options.output) {
    stream ||= process;
    options.input = stream.stdin || stream;
    options.output = stream.stdout || stream;
  }
  options.terminal = !!(options.terminal ?? options.output.isTTY);
  if (options.terminal && options.useColors === undefined) {
    options.useColors = require('internal/tty/colors').shouldColorize(options.output);
  }
  options.preview = options.terminal && (options.preview === undefined ? !options.eval : !!options.preview);
  return options;
}

const deprecated = (function_, message, code) =>
  getOptionValue('--pending-deprecation') ? require('internal/util/util').deprecate(function_, message, code) : function_;

function addOldNames(repl) {
  const message = 'repl.inputStream and repl.outputStream are deprecated. Use repl.input and repl.output instead';
  for (const name of each(['input', 'output'])) {
    Object.defineProperty(repl, `${name}Stream`, {
      __proto__: null,
      get: deprecated(() => repl[name], message, 'DEP0141'),
      set: deprecated(
        (value) => {
          repl[name] = value;
        },
        message,
        'DEP0141',
      ),
      enumerable: false,
      configurable: true,
    });
  }
}

class REPLServer extends Interface {
  #input;
  #sawInterrupt = false;
  #sawCtrlD = false;
  #closingOnFlush = false;

  constructor(prompt, stream, eval_, useGlobal, ignoreUndefined, replMode) {
    const options = readOptions(prompt, stream, eval_, useGlobal, ignoreUndefined, replMode);
    let self;
    super({
      input: options.input,
      output: options.output,
      terminal: options.terminal,
      historySize: options.historySize,
      prompt: options.prompt,
      completer: options.completer || ((text, callback) => self.#complete(text, callback)),
    });
    self = this;
    this.#takeOptions(options);
    this.#input = new HeldInput(this);
    if (options[kStandalone]) require('internal/repl/repl').repl = this;
    else refuseListeners(this);
    captureErrors();
    const evaluate = options.eval || makeEvaluate(this, this.#input);
    this.eval = (code, context, file, callback) => {
      running.run(this, () => {
        call4(evaluate, this, code, context, file, callback);
      });
    };
    this.clearBufferedCommand();
    this.resetContext();
    this.commands = { __proto__: null };
    defineCommands(this);
    if (options[kStandalone]) require('internal/repl/loop_commands').defineLoopCommands(this);
    this.#chooseWriter(options);
    this.#listen();
    this.#wrapKeys(options.preview);
    this.displayPrompt();
  }

  #takeOptions(options) {
    addOldNames(this);
    this.allowBlockingCompletions = !!options.allowBlockingCompletions;
    this.useColors = !!options.useColors;
    this[kStandalone] = !!options[kStandalone];
    if (this.useColors && this[kStandalone]) this._colorize = require('internal/repl/highlight').highlight;
    if (options.domain !== undefined) throw new codes.ERR_INVALID_ARG_VALUE('options.domain', options.domain, 'is no longer supported');
    this.useGlobal = !!options.useGlobal;
    this.ignoreUndefined = !!options.ignoreUndefined;
    this.replMode = options.replMode || REPL_MODE_SLOPPY;
    this.underscoreAssigned = false;
    this.last = undefined;
    this.underscoreErrAssigned = false;
    this.lastError = undefined;
    this.breakEvalOnSigint = !!options.breakEvalOnSigint;
    this.editorMode = false;
    this._userErrorHandler = options.handleError;
    if (this.breakEvalOnSigint && options.eval) throw new codes.ERR_INVALID_REPL_EVAL_CONFIG();
  }

  #chooseWriter(options) {
    this.writer = options.writer || require('internal/repl/repl').writer;
    if (this.writer !== writer) return;
    writer.options.colors = this.useColors;
    if (!options[kStandalone]) return;
    Object.defineProperty(inspect, 'replDefaults', {
      __proto__: null,
      get() {
        return writer.options;
      },
      set(value) {
        validateObject(value, 'options');
        Object.assign(writer.options, value);
      },
      enumerable: true,
      configurable: true,
    });
  }

  #listen() {
    const leave = () => {
      this.emit('exit');
    };
    this.on('close', () => {
      if (this.#input.isPaused) this.#input.hold(leave);
      else leave();
    });
    this.on('SIGINT', () => {
      this.#interrupt();
    });
    this.on('line', (line) => {
      this.#onLine(line || '');
    });
    this.on('SIGCONT', () => {
      if (!this.editorMode) {
        this.displayPrompt(true);
        return;
      }
      this.output.write(`${this._initialPrompt}.editor\n`);
      this.output.write(kEditorHelp);
      this.output.write(`${this[kBuffered]}\n`);
      this.prompt(true);
    });
  }

  #interrupt() {
    const { interrupts } = this.#input;
    if (interrupts.size > 0) {
      for (const interrupt of each([...each(interrupts)])) interrupt();
      return;
    }
    const isEmpty = this.line.length === 0 && this[kBuffered].length === 0;
    this.clearLine();
    leaveEditorMode(this);
    if (isEmpty && this.#sawInterrupt) {
      this.#sawInterrupt = false;
      this.close();
      return;
    }
    if (isEmpty) this.output.write('(To exit, press Ctrl+C again or Ctrl+D or type .exit)\n');
    this.#sawInterrupt = isEmpty;
    this.clearBufferedCommand();
    this.lines.level = [];
    this.displayPrompt();
  }

  #onLine(line) {
    this.#sawInterrupt = false;
    if (this.editorMode) {
      this.#addToEditor(line);
      return;
    }
    const trimmed = stringTrim.call(line);
    const isKeyword = trimmed[0] === '.' && trimmed[1] !== '.' && Number.isNaN(parseFloat(trimmed));
    if (isKeyword) {
      const match = regexpExec.call(/^\.([^\s]+)\s*(.*)$/, trimmed);
      const command = match === null ? undefined : this.commands[match[1]];
      if (command) {
        call1(command.action, this, match[2]);
        return;
      }
      if (!this[kBuffered]) {
        this.output.write('Invalid REPL keyword\n');
        this.#finish(line, null, undefined, false);
        return;
      }
    }
    // Called back with one argument there is nothing to print.
    const finish = (...results) => {
      this.#finish(line, results[0], results[1], results.length === 2);
    };
    this.eval(`${this[kBuffered]}${line}\n`, this.context, nextResourceName(), finish);
  }

  #addToEditor(line) {
    this[kBuffered] += `${line}\n`;
    // The next line begins below this one's first character.
    const indent = this._sawKeyPress && !this[kLoading] ? regexpExec.call(/^\s+/, line)?.[0] : undefined;
    if (indent) {
      this.write(indent);
      this.line = indent;
      this.cursor = indent.length;
    }
    this.#remember(line);
  }

  // The lines that .save writes.
  #remember(line) {
    this.lines ??= [];
    arrayPush.call(this.lines, line);
  }

  #finish(line, error, value, hasValue) {
    this.#remember(line);
    if (error && !this[kBuffered] && stringStartsWith.call(stringTrim.call(line), 'npm ') && !(error instanceof Recoverable)) {
      this.output.write('npm should be run outside of the Node.js REPL, in your normal shell.\n(Press Ctrl+D to exit.)\n');
      this.displayPrompt();
      return;
    }
    if (error instanceof Recoverable && !this.#sawCtrlD) {
      if (this.terminal) {
        this._addNewLineOnTTY();
      } else {
        this[kBuffered] += `${line}\n`;
        this.displayPrompt();
      }
      return;
    }
    if (error) {
      this._handleError(error.err || error);
      this._lastCommandErrored = true;
    }
    this.clearBufferedCommand();
    this.#sawCtrlD = false;
    if (error) return;
    if (hasValue && (!this.ignoreUndefined || value !== undefined)) {
      if (!this.underscoreAssigned) this.last = value;
      this.output.write(`${this.writer(value)}\n`);
    }
    if (this.closed) return;
    this._lastCommandErrored = false;
    this.displayPrompt();
  }

  // Between readline and the terminal: awaited inputs hold keys back, search and preview see them first, the editor has its own.
  #wrapKeys(hasPreview) {
    const { reverseSearch } = require('internal/repl/reverse_search').setUp(this);
    const { clearPreview, showPreview } = require('internal/repl/preview').setUp(this, hasPreview);
    const write = (text, key) => {
      call2(Interface.prototype._ttyWrite, this, text, key);
    };
    this._ttyWrite = (text, key) => {
      key ??= {};
      if (this.#input.isPaused && !(this.breakEvalOnSigint && key.ctrl && key.name === 'c')) {
        this.#input.hold(() => {
          this._ttyWrite(text, key);
        });
        return;
      }
      if (this.editorMode && this.terminal) {
        this.#editorKey(text, key, write);
        return;
      }
      if (key.ctrl && key.name === 'd' && this.cursor === 0 && this.line.length === 0) this.clearLine();
      clearPreview(key);
      if (reverseSearch(text, key)) return;
      write(text, key);
      showPreview(key.name !== 'escape');
    };
  }

  #editorKey(text, key, write) {
    if (key.ctrl && !key.shift) {
      if (key.name === 'n' || key.name === 'p') return;
      if (key.name !== 'd') {
        write(text, key);
        return;
      }
      leaveEditorMode(this);
      this.#sawCtrlD = true;
      write(text, { name: 'return' });
      return;
    }
    if (key.name === 'up' || key.name === 'down') return;
    if (key.name === 'tab') this._previousKey = null; // a second tab lists nothing
    write(text, key);
  }

  #complete(text, callback) {
    call2(require('internal/repl/complete').complete, this, text, this.editorMode ? this.completeOnEditorMode(callback) : callback);
  }

  setupHistory(config = {}, callback) {
    const options = typeof config === 'string' ? { filePath: config } : { ...config };
    if (typeof callback === 'function') options.onHistoryFileLoaded = callback;
    require('internal/repl/history_file').setUpHistory(this, options);
  }

  clearBufferedCommand() {
    this[kBuffered] = '';
  }

  _handleError(error) {
    if (this._userErrorHandler) {
      const state = this._userErrorHandler(error);
      if (state === 'ignore') return undefined;
      if (state === 'unhandled') return state;
      if (state !== 'print') {
        throw new codes.ERR_INVALID_STATE(
          `External REPL error handler must return either "ignore", "print", or "unhandled", but received: ${state}`,
        );
      }
    }
    const text = uncaughtText(this, error, writer.options.breakLength);
    if (!this.underscoreErrAssigned) this.lastError = error;
    if (this[kStandalone] && process.listenerCount('uncaughtException') !== 0) {
      process.nextTick(() => {
        process.emit('uncaughtException', error);
        this.#nextInput();
      });
    } else {
      this.output.write(text);
      this.#nextInput();
    }
    return undefined;
  }

  #nextInput() {
    this.clearBufferedCommand();
    this.lines.level = [];
    if (!this.closed) this.displayPrompt();
  }

  close() {
    if (this.terminal && this.historyManager.isFlushing && !this.#closingOnFlush) {
      this.#closingOnFlush = true;
      this.once('flushHistory', () => {
        this.close();
      });
      return;
    }
    const close = () => {
      call0(Interface.prototype.close, this);
    };
    const file = this._historyFile;
    this._historyFile = undefined;
    if (this.terminal && file !== undefined) promiseThen(file.close(), close);
    else process.nextTick(close);
  }

  createContext() {
    return makeContext(this);
  }

  resetContext() {
    this.context = this.createContext();
    this.underscoreAssigned = false;
    this.underscoreErrAssigned = false;
    this.lines = [];
    this.lines.level = [];
    this.#defineLast('_', 'last', 'underscoreAssigned');
    this.#defineLast('_error', 'lastError', 'underscoreErrAssigned');
    this.emit('reset', this.context);
  }

  // A name for the last value or error, until a program assigns to it.
  #defineLast(name, field, assigned) {
    Object.defineProperty(this.context, name, {
      __proto__: null,
      configurable: true,
      get: () => this[field],
      set: (value) => {
        this[field] = value;
        if (this[assigned]) return;
        this[assigned] = true;
        this.output.write(`Expression assignment to ${name} now disabled.\n`);
      },
    });
  }

  displayPrompt(preserveCursor) {
    this._prompt = this[kBuffered].length > 0 ? kMultilinePrompt : this._initialPrompt;
    this.prompt(preserveCursor);
  }

  setPrompt(prompt) {
    this._initialPrompt = prompt;
    super.setPrompt(prompt);
  }

  complete(...args) {
    Reflect.apply(this.completer, this, args);
  }

  // In the editor a tab inserts what all candidates share, and lists nothing.
  completeOnEditorMode(callback) {
    return (error, results) => {
      if (error) {
        callback(error);
        return;
      }
      const [completions, completed = ''] = each(results);
      const candidates = arrayFilter.call(completions, Boolean);
      callback(null, [completed && candidates.length > 0 ? [commonPrefix(candidates)] : candidates, completed]);
    };
  }

  defineCommand(keyword, command) {
    if (typeof command === 'function') command = { action: command };
    else validateFunction(command.action, 'cmd.action');
    this.commands[keyword] = command;
  }
}

module.exports = { REPLServer, writer, deprecated };
