// natives: none
// ErrorEvent (https://html.spec.whatwg.org/#errorevent), for web workers.
'use strict';

const { Event, enumerable } = require('web/event');

class ErrorEvent extends Event {
  #init;

  constructor(type, { message = '', filename = '', lineno = 0, colno = 0, error = undefined, ...init } = {}) {
    super(type, init);
    this.#init = { message: `${message}`, filename: `${filename}`, lineno: lineno >>> 0, colno: colno >>> 0, error };
  }

  get message() { return this.#init.message; }
  get filename() { return this.#init.filename; }
  get lineno() { return this.#init.lineno; }
  get colno() { return this.#init.colno; }
  get error() { return this.#init.error; }
}

enumerable(ErrorEvent.prototype, ['message', 'filename', 'lineno', 'colno', 'error']);
Object.defineProperty(ErrorEvent.prototype, Symbol.toStringTag, { __proto__: null, value: 'ErrorEvent', configurable: true });

// For what a program has thrown. The place is the first that its stack names.
function errorEvent(error) {
  const at = /\(?([^\s()]+):(\d+):(\d+)\)?$/m.exec(typeof error?.stack === 'string' ? error.stack : '') ?? [];
  const message = error instanceof Error ? `Uncaught ${error}` : `Uncaught ${String(error)}`;
  return new ErrorEvent('error', { message, filename: at[1] ?? '', lineno: at[2] ?? 0, colno: at[3] ?? 0, error, cancelable: true });
}

module.exports = { ErrorEvent, errorEvent };
