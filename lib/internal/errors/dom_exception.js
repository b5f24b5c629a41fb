// natives: none
// DOMException and QuotaExceededError (https://webidl.spec.whatwg.org/#idl-DOMException).
// Instances are real Error objects; name, message and code are accessors of the
// prototype, as the specification has them.
'use strict';

const { kClone } = require('internal/symbols/messaging');

const kCodes = [
  ['IndexSizeError', 'INDEX_SIZE_ERR'],
  [undefined, 'DOMSTRING_SIZE_ERR'],
  ['HierarchyRequestError', 'HIERARCHY_REQUEST_ERR'],
  ['WrongDocumentError', 'WRONG_DOCUMENT_ERR'],
  ['InvalidCharacterError', 'INVALID_CHARACTER_ERR'],
  [undefined, 'NO_DATA_ALLOWED_ERR'],
  ['NoModificationAllowedError', 'NO_MODIFICATION_ALLOWED_ERR'],
  ['NotFoundError', 'NOT_FOUND_ERR'],
  ['NotSupportedError', 'NOT_SUPPORTED_ERR'],
  ['InUseAttributeError', 'INUSE_ATTRIBUTE_ERR'],
  ['InvalidStateError', 'INVALID_STATE_ERR'],
  ['SyntaxError', 'SYNTAX_ERR'],
  ['InvalidModificationError', 'INVALID_MODIFICATION_ERR'],
  ['NamespaceError', 'NAMESPACE_ERR'],
  ['InvalidAccessError', 'INVALID_ACCESS_ERR'],
  [undefined, 'VALIDATION_ERR'],
  ['TypeMismatchError', 'TYPE_MISMATCH_ERR'],
  ['SecurityError', 'SECURITY_ERR'],
  ['NetworkError', 'NETWORK_ERR'],
  ['AbortError', 'ABORT_ERR'],
  ['URLMismatchError', 'URL_MISMATCH_ERR'],
  ['QuotaExceededError', 'QUOTA_EXCEEDED_ERR'],
  ['TimeoutError', 'TIMEOUT_ERR'],
  ['InvalidNodeTypeError', 'INVALID_NODE_TYPE_ERR'],
  ['DataCloneError', 'DATA_CLONE_ERR'],
];

const codeByName = new Map();
arrayForEach.call(kCodes, (row, index) => {
  if (row[0] !== undefined) codeByName.set(row[0], index + 1);
});

function invalidThis(name = 'DOMException') {
  const {
    codes: { ERR_INVALID_THIS },
  } = require('internal/errors/coded');
  return new ERR_INVALID_THIS(name);
}

// The private part of a DOMException, stamped onto a genuine error object: the
// class itself must not extend Error, yet its instances are errors.
class Fields extends function (object) {
  return object;
} {
  #name;
  #message;
  #code;

  constructor(object, message, name, code) {
    super(object);
    this.#message = message;
    this.#name = name;
    this.#code = code;
  }

  static has(value) {
    return typeof value === 'object' && value !== null && #name in value;
  }

  static name(value) {
    if (!Fields.has(value)) throw invalidThis();
    return value.#name;
  }

  static message(value) {
    if (!Fields.has(value)) throw invalidThis();
    return value.#message;
  }

  static code(value) {
    if (!Fields.has(value)) throw invalidThis();
    return value.#code;
  }
}

function makeError(newTarget, message, name) {
  const error = Reflect.construct(Error, [], newTarget);
  delete error.message;
  new Fields(error, message, name, codeByName.get(name) ?? 0);
  return error;
}

// The engine heads a stack with own properties only, and here name and message are the prototype's accessors. So the
// frames come from a second error, and the text is put together when somebody looks.
function defineStack(error, above) {
  const trace = new Error();
  captureStackTrace(trace, above);
  const define = (value) =>
    Object.defineProperty(error, 'stack', {
      configurable: true,
      enumerable: false,
      writable: true,
      value,
    });
  Object.defineProperty(error, 'stack', {
    configurable: true,
    enumerable: false,
    get() {
      const frames = String(trace.stack);
      const firstLine = stringIndexOf.call(frames, '\n');
      const message = Fields.message(error);
      const head = message === '' ? Fields.name(error) : `${Fields.name(error)}: ${message}`;
      define(head + (firstLine === -1 ? '' : stringSlice.call(frames, firstLine)));
      return error.stack;
    },
    set: define,
  });
}

class DOMException {
  constructor(message = '', options = 'Error') {
    const isBag = options !== null && typeof options === 'object';
    const name = isBag ? (options.name === undefined ? 'Error' : `${options.name}`) : `${options}`;
    const error = makeError(new.target, `${message}`, name);
    if (isBag && 'cause' in options) {
      Object.defineProperty(error, 'cause', {
        configurable: true,
        enumerable: false,
        writable: true,
        value: options.cause,
      });
    }
    defineStack(error, new.target);
    markCloneable(error);
    return error;
  }

  [kClone]() {
    return {
      data: { message: this.message, name: this.name, stack: this.stack },
      deserializeInfo: 'internal/errors/dom_exception:ClonedDOMException',
    };
  }

  get name() {
    return Fields.name(this);
  }

  get message() {
    return Fields.message(this);
  }

  get code() {
    return Fields.code(this);
  }
}

function markCloneable(error) {
  requireLater('internal/messaging/structured_clone').markTransferMode(error, true, false);
}

// For structured clone: the copy has the stack of the original.
function ClonedDOMException({ message, name, stack }) {
  return withStack(new DOMException(message, name), stack);
}

function ClonedQuotaExceededError({ message, quota, requested, stack }) {
  const options = { quota: quota ?? undefined, requested: requested ?? undefined };
  return withStack(new QuotaExceededError(message, options), stack);
}

function withStack(made, stack) {
  Object.defineProperty(made, 'stack', {
    configurable: true,
    enumerable: false,
    writable: true,
    value: stack,
  });
  return made;
}

Object.setPrototypeOf(DOMException.prototype, Error.prototype);
for (const name of each(['name', 'message', 'code'])) {
  Object.defineProperty(DOMException.prototype, name, { enumerable: true });
}
arrayForEach.call(kCodes, (row, index) => {
  const constant = row[1];
  const property = { configurable: false, enumerable: true, writable: false, value: index + 1 };
  Object.defineProperty(DOMException, constant, property);
  Object.defineProperty(DOMException.prototype, constant, property);
});
Object.defineProperty(DOMException.prototype, Symbol.toStringTag, {
  configurable: true,
  enumerable: false,
  writable: false,
  value: 'DOMException',
});

function quotaNumber(options, key) {
  if (options == null || options[key] === undefined) return null;
  const value = +options[key];
  if (!Number.isFinite(value)) throw new TypeError(`${key} must be a finite number`);
  if (value < 0) throw new RangeError(`${key} must be a non-negative number`);
  return value;
}

class QuotaExceededError extends DOMException {
  #quota;
  #requested;

  constructor(message = '', options = undefined) {
    const quota = quotaNumber(options, 'quota');
    const requested = quotaNumber(options, 'requested');
    if (quota !== null && requested !== null && requested < quota) {
      throw new RangeError('requested must not be less than quota');
    }
    super(message, 'QuotaExceededError');
    this.#quota = quota;
    this.#requested = requested;
  }

  [kClone]() {
    return {
      data: { message: this.message, quota: this.#quota, requested: this.#requested, stack: this.stack },
      deserializeInfo: 'internal/errors/dom_exception:ClonedQuotaExceededError',
    };
  }

  get quota() {
    if (!(#quota in this)) throw invalidThis('QuotaExceededError');
    return this.#quota;
  }

  get requested() {
    if (!(#quota in this)) throw invalidThis('QuotaExceededError');
    return this.#requested;
  }
}

for (const name of each(['quota', 'requested'])) {
  Object.defineProperty(QuotaExceededError.prototype, name, { enumerable: true });
}
Object.defineProperty(QuotaExceededError.prototype, Symbol.toStringTag, {
  configurable: true,
  enumerable: false,
  writable: false,
  value: 'QuotaExceededError',
});

module.exports = { DOMException, QuotaExceededError, isDOMException: Fields.has, ClonedDOMException, ClonedQuotaExceededError };
