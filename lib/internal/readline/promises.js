// natives: none
// node:readline/promises: Interface whose question() gives a promise, and Readline,
// which gathers cursor movements and writes them at once.
'use strict';

const {
  AbortError,
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');
const { validateAbortSignal, validateBoolean, validateInteger } = require('internal/util/validators');
const { isWritable } = require('internal/streams/utils');
const { Interface: Base } = require('internal/readline/interface');
const { kClearScreenDown, lineClearingOf, stepsOf, toColumn } = require('internal/readline/screen');

class Interface extends Base {
  constructor(...args) {
    super(...each(args));
  }

  // Completers return, or give a promise.
  _adaptCompleter(completer) {
    return async (text, callback) => {
      let result;
      try {
        result = await completer(text);
      } catch (error) {
        callback(error);
        return;
      }
      callback(null, result);
    };
  }

  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      let answer = resolve;
      const signal = options?.signal;
      if (signal) {
        validateAbortSignal(signal, 'options.signal');
        if (signal.aborted) {
          reject(new AbortError(undefined, { cause: signal.reason }));
          return;
        }
        const onAbort = () => {
          this._questionCancel();
          reject(new AbortError(undefined, { cause: signal.reason }));
        };
        const listening = require('internal/events/events').addAbortListener(signal, onAbort);
        answer = (line) => {
          listening[Symbol.dispose]();
          resolve(line);
        };
      }
      this._question(query, answer);
      this._questionReject = reject;
    });
  }
}

class Readline {
  #stream;
  #autoCommit = false;
  #todo = [];

  constructor(stream, options = undefined) {
    if (!isWritable(stream)) throw new ERR_INVALID_ARG_TYPE('stream', 'Writable', stream);
    this.#stream = stream;
    if (options?.autoCommit != null) {
      validateBoolean(options.autoCommit, 'options.autoCommit');
      this.#autoCommit = options.autoCommit;
    }
  }

  #add(data) {
    if (this.#autoCommit)
      process.nextTick(() => {
        this.#stream.write(data);
      });
    else arrayPush.call(this.#todo, data);
    return this;
  }

  cursorTo(x, y = undefined) {
    validateInteger(x, 'x');
    if (y !== undefined) validateInteger(y, 'y');
    return this.#add(toColumn(x, y));
  }

  moveCursor(dx, dy) {
    if (!dx && !dy) return this;
    validateInteger(dx, 'dx');
    validateInteger(dy, 'dy');
    return this.#add(stepsOf(dx, dy));
  }

  clearLine(dir) {
    validateInteger(dir, 'dir', -1, 1);
    return this.#add(lineClearingOf(dir));
  }

  clearScreenDown() {
    return this.#add(kClearScreenDown);
  }

  commit() {
    return new Promise((resolve) => {
      this.#stream.write(arrayJoin.call(this.#todo, ''), resolve);
      this.#todo = [];
    });
  }

  rollback() {
    this.#todo = [];
    return this;
  }
}

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = { Interface, Readline, createInterface };
