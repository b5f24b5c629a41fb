// natives: none
//
// node:domain: errors of everything that was begun inside go to the domain. A stack says which domains are entered; hooks of
// async_hooks enter a resource's domain around its callbacks, the async context carries it over `await`, which has no hooks, and
// event emitters belong to the domain that was active when they were made. Nothing of this costs a program that does not load it.

'use strict';

const EventEmitter = require('internal/events/events');
const { AsyncLocalStorage, createHook } = require('internal/async_hooks/async_hooks');
const { codes } = require('internal/errors/coded');
const { setCapture } = require('internal/process/uncaught');

let stack = [];
let current = null;
const carried = new AsyncLocalStorage();
const domainOf = new Map(); // by async id; the resource itself keeps its domain alive
const ofForeignPromise = new WeakMap();

function set(domain) {
  current = domain;
  carried.enterWith(domain ?? undefined);
}
Object.defineProperty(process, 'domain', {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get: () => current ?? carried.getStore() ?? current,
  set,
});

// Not enumerable, so that an error or emitter prints as before.
function mark(object, domain) {
  Object.defineProperty(object, 'domain', { __proto__: null, configurable: true, enumerable: false, value: domain, writable: true });
}

function activate(domain) {
  exports.active = process.domain = domain;
}

// Someone on the stack hears errors: they come to us first.
function watchErrors() {
  const isHeard = arraySome.call(stack, (domain) => domain.listenerCount('error') > 0);
  setCapture(isHeard ? (error) => process.domain._errorHandler(error) : null);
}

const hook = createHook({
  init(id, type, trigger, resource) {
    const domain = process.domain;
    if (domain == null) return;
    domainOf.set(id, new WeakRef(domain));
    // A promise of another context gets no way into this one.
    if (type !== 'PROMISE' || resource instanceof Promise) mark(resource, domain);
    else ofForeignPromise.set(resource, domain);
  },
  before(id) {
    domainOf.get(id)?.deref()?.enter();
  },
  after(id) {
    domainOf.get(id)?.deref()?.exit();
  },
  destroy(id) {
    domainOf.delete(id);
  },
});

function leaveAll() {
  stack.length = 0;
  activate(null);
  watchErrors();
}

// A program's own listener of 'uncaughtException' runs outside all domains.
process.on('newListener', (name, listener) => {
  if (name !== 'uncaughtException' || listener === leaveAll) return;
  process.removeListener(name, leaveAll);
  process.prependListener(name, leaveAll);
});
process.on('removeListener', (name, listener) => {
  if (name !== 'uncaughtException' || listener === leaveAll) return;
  const left = process.listeners(name);
  if (left.length === 1 && left[0] === leaveAll) process.removeListener(name, leaveAll);
});

class Domain extends EventEmitter {
  constructor() {
    super();
    this.members = [];
    hook.enable();
    this.on('removeListener', watchErrors);
    this.on('newListener', watchErrors);
  }

  // The runtime's question about an uncaught error: does a domain take it?
  _errorHandler(error) {
    if ((typeof error === 'object' && error !== null) || typeof error === 'function') {
      mark(error, this);
      error.domainThrown = true;
    }
    // The handler must not run inside its own domain: its own error would come back to it.
    while (exports.active === this) this.exit();
    const isTaken = stack.length === 0 ? tellOutermost(this, error) : tellInner(this, error);
    leaveAll();
    return isTaken;
  }

  enter() {
    activate(this);
    arrayPush.call(stack, this);
    watchErrors();
  }

  exit() {
    const index = arrayLastIndexOf.call(stack, this);
    if (index === -1) return;
    arraySplice.call(stack, index);
    activate(arrayAt.call(stack, -1));
    watchErrors();
  }

  add(member) {
    if (member.domain === this) return;
    member.domain?.remove(member);
    // A circle of domains would pass an error around for ever.
    if (this.domain && member instanceof Domain) {
      for (let outer = this.domain; outer; outer = outer.domain) {
        if (outer === member) return;
      }
    }
    mark(member, this);
    arrayPush.call(this.members, member);
  }

  remove(member) {
    member.domain = null;
    const index = arrayIndexOf.call(this.members, member);
    if (index !== -1) arraySplice.call(this.members, index, 1);
  }

  run(callback, ...args) {
    return inside(this, callback, this, args);
  }

  intercept(callback) {
    const domain = this;
    return function runIntercepted(error, ...args) {
      if (!(error instanceof Error)) return inside(domain, callback, this, args);
      error.domainBound = callback;
      error.domainThrown = false;
      mark(error, domain);
      domain.emit('error', error);
      return undefined;
    };
  }

  bind(callback) {
    const domain = this;
    function runBound(...args) {
      return inside(domain, callback, this, args);
    }
    mark(runBound, this);
    return runBound;
  }
}
Domain.prototype.members = undefined;

// Not left when the callback throws: the error is the domain's, and its handler leaves.
function inside(domain, callback, receiver, args) {
  domain.enter();
  const result = Reflect.apply(callback, receiver, args);
  domain.exit();
  return result;
}

// Without a listener the error goes on to 'uncaughtException' instead of being thrown by emit().
function tellOutermost(domain, error) {
  if (domain.listenerCount('error') === 0) return false;
  setCapture(null);
  try {
    return domain.emit('error', error);
  } finally {
    watchErrors();
  }
}

// A handler that throws hands its error to the domain around it.
function tellInner(domain, error) {
  try {
    return domain.emit('error', error);
  } catch (second) {
    watchErrors();
    if (stack.length === 0) throw second;
    activate(arrayAt.call(stack, -1));
    return process.domain._errorHandler(second);
  }
}

// ---- event emitters ----

EventEmitter.usingDomains = true;

const plainInit = EventEmitter.init;
EventEmitter.init = function init(options) {
  mark(this, null);
  if (process.domain && !(this instanceof Domain)) this.domain = process.domain;
  return Reflect.apply(plainInit, this, [options]);
};

const plainEmit = EventEmitter.prototype.emit;
EventEmitter.prototype.emit = function emit(...args) {
  const { domain } = this;
  const isError = args[0] === 'error';
  if (domain == null || this === process || (isError && this.listenerCount('error') > 0)) return Reflect.apply(plainEmit, this, args);
  if (!isError) return inside(domain, plainEmit, this, args);
  emitToDomain(this, domain, args.length > 1 && args[1] ? args[1] : new codes.ERR_UNHANDLED_ERROR());
  return false;
};

// The handler runs outside the active domain, however often that was entered; then all is as it was.
function emitToDomain(emitter, domain, error) {
  if (typeof error === 'object') {
    error.domainEmitter = emitter;
    mark(error, domain);
    error.domainThrown = false;
  }
  const [outerStack, outerDomain] = each([arraySlice.call(stack), process.domain]);
  while (stack.length > 0 && arrayAt.call(stack, -1) === outerDomain) arrayPop.call(stack);
  activate(stack.length > 0 ? arrayAt.call(stack, -1) : null);
  watchErrors();
  domain.emit('error', error);
  exports._stack = stack = outerStack;
  activate(outerDomain);
  watchErrors();
}

const createDomain = () => new Domain();
Object.assign(exports, { _stack: stack, Domain, create: createDomain, createDomain, active: null });
