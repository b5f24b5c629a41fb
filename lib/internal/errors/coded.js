// natives: none
// The errors that Rondo's own modules throw: Node's codes, classes, messages and shapes.
// `codes.ERR_X` is a class, made from the tables in internal/errors/ with the first error.
// Also AbortError, SystemError and helpers to join errors and to hide our own stack frames.
// Not here: how a system call's failure is worded (internal/errors/system).
'use strict';

// The engine looks for this mark when it writes a stack: see shows_code in src/engine/errors/stack_trace.cpp.
const kIsNodeError = Symbol.for('rondo.error.coded');
const bases = { Error, TypeError, RangeError, SyntaxError, URIError };

// code -> { base: class name, text: sentence or function }
let entries;
function entryOf(code) {
  if (entries === undefined) {
    entries = new Map();
    const sentences = require('internal/errors/codes');
    for (const base of each(Object.keys(sentences))) {
      for (const key of each(Object.keys(sentences[base]))) entries.set(key, { base, text: sentences[base][key] });
    }
    const computed = require('internal/errors/messages');
    for (const key of each(Object.keys(computed))) entries.set(key, { base: computed[key][0], text: computed[key][1] });
  }
  return entries.get(code);
}

function checkArity(code, wanted, given, exact) {
  if (exact ? given === wanted : given >= wanted) return;
  throw new codes.ERR_INTERNAL_ASSERTION(
    `Code: ${code}; The provided arguments length (${given}) does not match the required ones (${wanted}).`,
  );
}

const kPlaceholder = /%[dfijoOs]/g;
function fillIn(text, args) {
  for (const arg of each(args)) {
    const type = typeof arg;
    if (type !== 'string' && type !== 'number') return requireLater('internal/util/format').format(text, ...each(args));
  }
  if (stringIncludes.call(text, '%j')) return requireLater('internal/util/format').format(text, ...each(args));
  let next = 0;
  return replaceMatches(text, kPlaceholder, () => (Object.is(args[next], -0) ? (next++, '-0') : `${args[next++]}`));
}

function getMessage(code, args, self) {
  const { text } = entryOf(code);
  if (typeof text === 'function') {
    checkArity(code, text.length, args.length, false);
    return Reflect.apply(text, self, args);
  }
  checkArity(code, regexpMatch.call(kPlaceholder, text)?.length ?? 0, args.length, true);
  return args.length === 0 ? text : fillIn(text, args);
}

function hidden(value) {
  return { __proto__: null, value, enumerable: false, writable: true, configurable: true };
}

function makeNodeError(Base, code) {
  return class NodeError extends Base {
    constructor(...args) {
      super();
      this.code = code;
      Object.defineProperty(this, 'message', hidden(getMessage(code, args, this)));
    }
    // Users see the plain class: `err.constructor === TypeError`.
    get ['constructor']() {
      return Base.prototype.constructor; // of a page, in an agent of pages
    }
    toString() {
      return `${this.name} [${code}]: ${this.message}`;
    }
  };
}

function mark(Class) {
  Object.defineProperty(Class.prototype, kIsNodeError, { ...hidden(true), writable: false });
  return Class;
}

// Carries a failed system call's context in `info`, under a code and a sentence of its own.
class SystemError extends Error {
  constructor(code, context) {
    super();
    let message = `${getMessage(code, [], this)}: ${context.syscall} returned ${context.code} (${context.message})`;
    if (context.path !== undefined) message += ` ${context.path}`;
    if (context.dest !== undefined) message += ` => ${context.dest}`;
    this.code = code;
    Object.defineProperties(this, {
      [kIsNodeError]: { ...hidden(true), writable: false },
      name: hidden('SystemError'),
      message: hidden(message),
      info: { __proto__: null, value: context, enumerable: true, configurable: true, writable: false },
    });
    for (const key of each(['errno', 'syscall'])) {
      Object.defineProperty(this, key, {
        __proto__: null,
        enumerable: true,
        configurable: true,
        get: () => context[key],
        set: (value) => {
          context[key] = value;
        },
      });
    }
    for (const key of each(['path', 'dest'])) {
      if (context[key] === undefined) continue;
      Object.defineProperty(this, key, {
        __proto__: null,
        enumerable: true,
        configurable: true,
        get: () => context[key]?.toString(),
        set: (value) => {
          context[key] = value ? requireLater('internal/buffer/buffer').Buffer.from(`${value}`) : undefined;
        },
      });
    }
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    return requireLater('internal/util/inspect').inspect(this, { ...options, getters: true, customInspect: false });
  }
}

function makeSystemError(code) {
  return class NodeError extends SystemError {
    constructor(context) {
      super(code, context);
    }
  };
}

// `codes.ERR_X`, and `codes.ERR_X.RangeError` for the few codes thrown under two classes.
// HideStackFramesError is the same class: frames are cut off where the error is thrown.
function makeClass(code, baseName) {
  const Class = baseName === 'SystemError' ? makeSystemError(code) : mark(makeNodeError(bases[baseName], code));
  for (const name of each(['Error', 'TypeError', 'RangeError'])) {
    if (name === baseName || baseName === 'SystemError') continue;
    let made;
    Object.defineProperty(Class, name, {
      configurable: true,
      enumerable: false,
      get: () => (made ??= withHideAlias(mark(makeNodeError(bases[name], code)))),
    });
  }
  return withHideAlias(Class);
}

function withHideAlias(Class) {
  Class.HideStackFramesError = Class;
  return Class;
}

// Modules take the classes they may throw when they load; tables are read and a class is made with the first error. Until then
// `codes.ERR_X` costs one small object. It stays a stand-in afterwards, and behaves as its class.
const classes = new Map();
function classOf(code) {
  let Class = classes.get(code);
  if (Class === undefined) classes.set(code, (Class = makeClass(code, entryOf(code).base)));
  return Class;
}

class StandIn {
  constructor(code) {
    this.code = code;
  }
  construct(target, args) {
    return new (classOf(this.code))(...each(args));
  }
  get(target, key) {
    return classOf(this.code)[key];
  }
}
Object.setPrototypeOf(StandIn.prototype, null); // no traps but these, whatever a program puts into Object.prototype
const shape = class {};

const codes = new Proxy(Object.create(null), {
  __proto__: null,
  get(target, code) {
    if (typeof code !== 'string') return undefined;
    return (target[code] ??= new Proxy(shape, new StandIn(code)));
  },
});

// Registers a code; for modules that bring their own.
function E(code, text, Base) {
  entryOf(code);
  entries.set(code, { base: Base === SystemError ? 'SystemError' : Base.name, text });
}

// Runs `fn`; an error that it throws shows the caller's frame first, not ours.
function hideStackFrames(fn) {
  function wrapped(...args) {
    try {
      return Reflect.apply(fn, this, args);
    } catch (error) {
      if (Error.stackTraceLimit) captureStackTrace(error, wrapped);
      throw error;
    }
  }
  wrapped.withoutStackTrace = fn;
  return wrapped;
}

function isErrorStackTraceLimitWritable() {
  const descriptor = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  if (descriptor === undefined) return Object.isExtensible(Error);
  return descriptor.writable ?? descriptor.set !== undefined;
}

function aggregateTwoErrors(inner, outer) {
  if (!inner || !outer || inner === outer) return inner || outer;
  if (Array.isArray(outer.errors)) {
    arrayPush.call(outer.errors, inner);
    return outer;
  }
  const both = new AggregateError([outer, inner], outer.message);
  both.code = outer.code;
  return both;
}

class NodeAggregateError extends AggregateError {
  constructor(errors, message) {
    super(errors, message);
    this.code = errors[0]?.code;
  }
  get ['constructor']() {
    return AggregateError;
  }
}
mark(NodeAggregateError);

class AbortError extends Error {
  constructor(message = 'The operation was aborted', options = undefined) {
    if (options !== undefined && typeof options !== 'object') {
      throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    }
    super(message, options);
    this.code = 'ABORT_ERR';
    this.name = 'AbortError';
  }
}

function genericNodeError(message, properties) {
  const error = Object.assign(new Error(message), properties);
  if (Error.stackTraceLimit) captureStackTrace(error, genericNodeError);
  return error;
}

let overflow;
function isStackOverflowError(error) {
  if (overflow === undefined) {
    const recurse = () => recurse() + 1;
    try {
      recurse();
    } catch (thrown) {
      overflow = thrown;
    }
  }
  return !!error && error.name === overflow.name && error.message === overflow.message;
}

// An error may carry a function that knows a longer story of its stack (an unhandled 'error'
// event says where it was emitted); the fatal-error path asks for it before anyone looks.
const { kEnhanceStackBeforeInspector } = require('internal/symbols/events');
function enhanceFatalStack(error) {
  try {
    if (typeof error?.[kEnhanceStackBeforeInspector] === 'function') error.stack = error[kEnhanceStackBeforeInspector]();
  } catch {
    /* the plain stack stays; a proxy may throw at the first look */
  }
}

const describe = () => require('internal/errors/describe');
const system = () => require('internal/errors/system');

module.exports = {
  get ConnResetException() {
    return system().ConnResetException;
  },
  get DNSException() {
    return system().DNSException;
  },
  get ErrnoException() {
    return system().ErrnoException;
  },
  get ExceptionWithHostPort() {
    return system().ExceptionWithHostPort;
  },
  get UVException() {
    return system().UVException;
  },
  get UVExceptionWithHostPort() {
    return system().UVExceptionWithHostPort;
  },
  get uvErrmapGet() {
    return system().uvErrmapGet;
  },
  get determineSpecificType() {
    return describe().determineSpecificType;
  },
  get formatList() {
    return describe().formatList;
  },
  get inspectWithNoCustomRetry() {
    return describe().inspectSafely;
  },
  AbortError,
  E,
  NodeAggregateError,
  SystemError,
  aggregateTwoErrors,
  codes,
  enhanceFatalStack,
  errnoException: (number, call, original) => new (system().ErrnoException)(number, call, original),
  exceptionWithHostPort: (...args) => new (system().ExceptionWithHostPort)(...each(args)),
  genericNodeError,
  getMessage,
  hideStackFrames,
  isErrorStackTraceLimitWritable,
  isStackOverflowError,
  kEnhanceStackBeforeInspector,
  kIsNodeError,
  uvException: (context) => new (system().UVException)(context),
};
