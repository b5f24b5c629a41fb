// natives: none
// Error.prepareStackTrace: the call sites a program's own function gets, with the methods V8's have, and the default function.
// The engine (src/engine/errors/stack_trace.cpp) calls prepareWith when a stack is first read while a program's function is in place.
'use strict';

const kIsConstructor = 1;
const kIsTopLevel = 2;
const kIsWrapper = 4;
const kIsAsync = 8;

class CallSite {
  #name;
  #url;
  #line;
  #column;
  #flags;
  #callee;

  constructor(frame) {
    const [name, url, line, column, flags, callee] = each(frame);
    this.#name = name;
    this.#url = url;
    this.#line = line;
    this.#column = column;
    this.#flags = flags;
    this.#callee = callee;
  }

  // Of strict code V8 tells neither receiver nor function; here of no code its receiver.
  getThis() { return undefined; }
  getFunction() { return this.#callee; }

  getTypeName() {
    if (this.#flags & kIsWrapper) return 'Object';
    return this.isToplevel() ? null : 'Object';
  }
  getFunctionName() { return this.#name; }
  getMethodName() { return null; }
  getFileName() { return this.#url ?? undefined; }
  getLineNumber() { return this.#line || null; }
  getColumnNumber() { return this.#column || null; }
  getEvalOrigin() { return undefined; }
  getScriptNameOrSourceURL() { return this.#url; }
  getScriptHash() { return ''; }
  getEnclosingLineNumber() { return this.#line || null; }
  getEnclosingColumnNumber() { return this.#column || null; }
  getPosition() { return 0; }
  getPromiseIndex() { return null; }
  isToplevel() { return (this.#flags & kIsTopLevel) !== 0 || (this.#flags & kIsWrapper) === 0; }
  isEval() { return false; }
  isNative() { return this.#url === null; }
  isConstructor() { return (this.#flags & kIsConstructor) !== 0; }
  isAsync() { return (this.#flags & kIsAsync) !== 0; }
  isPromiseAll() { return false; }

  toString() {
    let place = this.#url ?? '<anonymous>';
    if (this.#line) place += `:${this.#line}:${this.#column}`;
    let name = this.#name;
    if (name === null && this.#flags & kIsWrapper) name = 'Object.<anonymous>';
    if (this.isConstructor()) name = `new ${name ?? '<anonymous>'}`;
    const async = this.isAsync() ? 'async ' : '';
    return name === null ? async + place : `${async}${name} (${place})`;
  }
}

function prepareWith(prepare, Error, error, frames) {
  return Reflect.apply(prepare, Error, [error, frames.map((frame) => new CallSite(frame))]);
}

function headerOf(error) {
  try {
    return Reflect.apply(Error.prototype.toString, error, []);
  } catch {
    return '<error>';
  }
}

function prepareStackTrace(error, trace) {
  const header = headerOf(error);
  return trace.length === 0 ? header : `${header}\n    at ${trace.join('\n    at ')}`;
}

module.exports = { prepareWith, prepareStackTrace };
