// natives: none
// node:readline: Interface with callbacks, and the functions that move the cursor.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const { AbortError } = require('internal/errors/coded');
const { validateAbortSignal } = require('internal/util/validators');
const { Interface: Base } = require('internal/readline/interface');
const { emitKeypressEvents } = require('internal/readline/keypress');
const { clearLine, clearScreenDown, cursorTo, moveCursor } = require('internal/readline/screen');

const kPromisify = Symbol.for('nodejs.util.promisify.custom');

// Callable without `new`, and inheritable by util.inherits.
function Interface(input, output, completer, terminal) {
  if (!(this instanceof Interface)) return new Interface(input, output, completer, terminal);
  return Reflect.construct(Base, [input, output, completer, terminal], new.target ?? this.constructor);
}
Object.setPrototypeOf(Interface.prototype, Base.prototype);
Object.setPrototypeOf(Interface, Base);

Interface.prototype.question = function question(query, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  options = options !== null && typeof options === 'object' ? options : {};
  const { signal } = options;
  if (signal) {
    validateAbortSignal(signal, 'options.signal');
    if (signal.aborted) return;
    const onAbort = () => {
      this._questionCancel();
    };
    const listening = require('internal/events/events').addAbortListener(signal, onAbort);
    const answered = callback;
    callback =
      typeof answered !== 'function'
        ? () => {
            listening[Symbol.dispose]();
          }
        : (answer) => {
            listening[Symbol.dispose]();
            return answered(answer);
          };
  }
  if (typeof callback === 'function') this._question(query, callback);
};

Interface.prototype.question[kPromisify] = function question(query, options) {
  const { signal } = options !== null && typeof options === 'object' ? options : {};
  if (signal) validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
  return new Promise((resolve, reject) => {
    let done = resolve;
    if (signal) {
      const listening = require('internal/events/events').addAbortListener(signal, () => {
        reject(new AbortError(undefined, { cause: signal.reason }));
      });
      done = (answer) => {
        listening[Symbol.dispose]();
        resolve(answer);
      };
    }
    this.question(query, options, done);
  });
};

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = {
  Interface,
  clearLine,
  clearScreenDown,
  createInterface,
  cursorTo,
  emitKeypressEvents,
  moveCursor,
};
addLazy(module.exports, ['promises'], () => require('internal/readline/promises'), true);
