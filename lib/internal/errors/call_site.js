// natives: util
// Error.prepareStackTrace: the call sites a program's own function gets, with the methods V8's have, and the default function.
// The engine (src/engine/errors/stack_trace.cpp) calls prepareWith when a stack is first read while a program's function is in place.
'use strict';

const { kIsConstructor, kIsWrapper, kIsAsync, kIsEval } = native('util');

class CallSite {
  #name;
  #url;
  #line;
  #column;
  #flags;
  #callee;
  #type;
  #method;
  #shownName;
  #receiver;
  #place;
  #evalOrigin;

  constructor(frame) {
    const [name, url, line, column, flags, callee, receiver, type, method, shownName, place, evalOrigin] = each(frame);
    this.#name = name;
    this.#url = url;
    this.#line = line;
    this.#column = column;
    this.#flags = flags;
    this.#callee = callee;
    this.#type = type;
    this.#method = method;
    this.#shownName = shownName;
    this.#receiver = receiver;
    this.#place = place;
    this.#evalOrigin = evalOrigin;
  }

  // Of strict code V8 tells neither receiver nor function.
  getThis() {
    return this.#receiver;
  }
  getFunction() {
    return this.#callee;
  }

  getTypeName() {
    return this.#flags & kIsWrapper ? 'Object' : this.#type;
  }
  getFunctionName() {
    return this.isEval() ? 'eval' : this.#name;
  }
  getMethodName() {
    return this.#method;
  }
  getFileName() {
    return this.#url ?? (this.#line ? undefined : null);
  }
  getLineNumber() {
    return this.#line || null;
  }
  getColumnNumber() {
    return this.#column || null;
  }
  getEvalOrigin() {
    return this.#evalOrigin ?? undefined;
  }
  getScriptNameOrSourceURL() {
    return this.getFileName();
  }
  getScriptHash() {
    return '';
  }
  getEnclosingLineNumber() {
    return this.#line || null;
  }
  getEnclosingColumnNumber() {
    return this.#column || null;
  }
  getPosition() {
    return 0;
  }
  getPromiseIndex() {
    return null;
  }
  isToplevel() {
    return this.getTypeName() === null && !this.isConstructor();
  }
  isEval() {
    return (this.#flags & kIsEval) !== 0;
  }
  isNative() {
    return false;
  }
  isConstructor() {
    return (this.#flags & kIsConstructor) !== 0;
  }
  isAsync() {
    return (this.#flags & kIsAsync) !== 0;
  }
  isPromiseAll() {
    return false;
  }

  toString() {
    const async = this.isAsync() ? 'async ' : '';
    return this.#shownName === null ? async + this.#place : `${async}${this.#shownName} (${this.#place})`;
  }
}

function prepareWith(prepare, Error, error, frames) {
  return Reflect.apply(prepare, Error, [error, arrayMap.call(frames, (frame) => new CallSite(frame))]);
}

function headerOf(error) {
  try {
    return errorToString.call(error);
  } catch {
    return '<error>';
  }
}

function prepareStackTrace(error, trace) {
  const header = headerOf(error);
  return trace.length === 0 ? header : `${header}\n    at ${arrayJoin.call(trace, '\n    at ')}`;
}

module.exports = { prepareWith, prepareStackTrace };
