// natives: none
// ErrorEvent (https://html.spec.whatwg.org/#errorevent), for web workers.
'use strict';

const { Event, enumerable } = require('internal/events/event');

class ErrorEvent extends Event {
  #init;

  constructor(type, { message = '', filename = '', lineno = 0, colno = 0, error = undefined, ...init } = {}) {
    super(type, init);
    this.#init = { message: `${message}`, filename: `${filename}`, lineno: lineno >>> 0, colno: colno >>> 0, error };
  }

  get message() {
    return this.#init.message;
  }
  get filename() {
    return this.#init.filename;
  }
  get lineno() {
    return this.#init.lineno;
  }
  get colno() {
    return this.#init.colno;
  }
  get error() {
    return this.#init.error;
  }
}

enumerable(ErrorEvent.prototype, ['message', 'filename', 'lineno', 'colno', 'error']);
Object.defineProperty(ErrorEvent.prototype, Symbol.toStringTag, { __proto__: null, value: 'ErrorEvent', configurable: true });

// [file, line, column] of the first place in a stack that is not the library's.
function placeIn(stack) {
  for (const line of each(typeof stack === 'string' ? stringSplit.call(stack, '\n') : [])) {
    const at = regexpExec.call(/^ +at (?:.*? \()?(.+):(\d+):(\d+)\)?$/, line);
    if (at !== null && !stringStartsWith.call(at[1], 'node:')) return arraySlice.call(at, 1);
  }
  return ['', 0, 0];
}

// For what a program has thrown.
function errorEvent(error) {
  const place = placeIn(error?.stack);
  const message = error instanceof Error ? `Uncaught ${error}` : `Uncaught ${String(error)}`;
  return new ErrorEvent('error', { message, filename: place[0], lineno: place[1], colno: place[2], error, cancelable: true });
}

module.exports = { ErrorEvent, errorEvent };
