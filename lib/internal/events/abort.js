// natives: none
// AbortController and AbortSignal (https://dom.spec.whatwg.org/#aborting-ongoing-activities),
// with timeout(), any() and Node's transferable signals. Timers of
// AbortSignal.timeout() never keep the loop alive, and hold the signal only
// weakly unless somebody listens.
'use strict';

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS },
} = require('internal/errors/coded');
const { validateAbortSignal, validateObject, validateUint32 } = require('internal/util/validators');
const {
  Event,
  EventTarget,
  defineEventHandler,
  kNewListener,
  kRemoveListener,
  kResistStopPropagation,
  kTrustEvent,
  kWeakHandler,
  listenersOf,
} = require('internal/events/event_target');
const { enumerable, stringTag } = require('internal/events/event');
const { kMaxEventTargetListeners } = require('internal/symbols/events');
const { kTransfer, kTransferList, kDeserialize } = require('internal/symbols/messaging');

const kMake = Symbol('make');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

// Signals somebody listens to while only a timer or a source signal could fire them.
const heldSignals = new Set();

let stateOf, isAbortSignal;

class SignalState {
  constructor(aborted, reason) {
    this.aborted = aborted;
    this.reason = reason;
    this.isDependent = false;
    this.isTimeout = false;
    this.sources = undefined; // Set<WeakRef<AbortSignal>>, of a signal made by any()
    this.dependents = undefined; // Set<WeakRef<AbortSignal>>, signals that abort after this one
    this.kept = undefined; // Set<AbortSignal>, timeout signals this one waits for
    this.isTransferable = false;
    this.channel = undefined;
  }
}

function inspectAs(name, self, shown, depth, options) {
  if (depth < 0) return self;
  const { inspect } = require('internal/util/inspect');
  return `${name} ${inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
}

function abortError() {
  const { DOMException } = require('internal/errors/dom_exception');
  return new DOMException('This operation was aborted', 'AbortError');
}

class AbortSignal extends EventTarget {
  #state;

  constructor(token = undefined, aborted = false, reason = undefined) {
    if (token !== kMake) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super();
    this[kMaxEventTargetListeners] = 0; // any number may listen
    this.#state = new SignalState(aborted, reason);
  }

  static {
    isAbortSignal = (value) => typeof value === 'object' && value !== null && #state in value;
    stateOf = (signal) => {
      if (!isAbortSignal(signal)) throw new ERR_INVALID_THIS('AbortSignal');
      return signal.#state;
    };
  }

  get aborted() {
    return stateOf(this).aborted;
  }

  get reason() {
    return stateOf(this).reason;
  }

  throwIfAborted() {
    const state = stateOf(this);
    if (state.aborted) throw state.reason;
  }

  [kInspect](depth, options) {
    return inspectAs('AbortSignal', this, { aborted: stateOf(this).aborted }, depth, options);
  }

  static abort(reason = abortError()) {
    return new AbortSignal(kMake, true, reason);
  }

  static timeout(delay) {
    validateUint32(delay, 'delay', false);
    const signal = new AbortSignal(kMake);
    stateOf(signal).isTimeout = true;
    startTimeout(new WeakRef(signal), signal, delay);
    return signal;
  }

  static any(signals) {
    if (signals === null || signals === undefined || typeof signals[Symbol.iterator] !== 'function') {
      throw new ERR_INVALID_ARG_TYPE('signals', 'Iterable', signals);
    }
    const list = [...each(signals)];
    arrayForEach.call(list, (signal, index) => {
      if (!isAbortSignal(signal)) throw notASignal(index);
    });
    return dependentSignal(list);
  }

  [kNewListener](size, type, listener, once, capture, passive, isWeak) {
    super[kNewListener](size, type, listener, once, capture, passive, isWeak);
    const state = stateOf(this);
    if (type === 'abort' && !state.aborted && !isWeak && size >= 1 && (state.isTimeout || state.isDependent)) {
      heldSignals.add(this);
    }
  }

  [kRemoveListener](size, type, listener, capture) {
    super[kRemoveListener](size, type, listener, capture);
    if (type === 'abort' && size === 0) heldSignals.delete(this);
  }

  [kTransfer]() {
    return transferSignal(this);
  }

  [kTransferList]() {
    const state = stateOf(this);
    if (state.isTransferable && !state.aborted) {
      state.channel = new (requireLater('internal/messaging/message_channel').MessageChannel)();
      return [state.channel.port1];
    }
    return [];
  }

  [kDeserialize](data) {
    receiveSignal(this, data);
  }
}

enumerable(AbortSignal.prototype, ['aborted', 'reason', 'throwIfAborted']);
for (const name of each(['abort', 'timeout', 'any'])) Object.defineProperty(AbortSignal, name, { enumerable: true });
stringTag(AbortSignal, 'AbortSignal');
defineEventHandler(AbortSignal.prototype, 'abort');

function notASignal(index) {
  const error = new TypeError(`signals[${index}] is not of type AbortSignal.`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

const forgetTimer = new FinalizationRegistry((timer) => clearTimeout(timer));

function startTimeout(weakSignal, signal, delay) {
  const timer = setTimeout(() => {
    const target = weakSignal.deref();
    if (target === undefined) return;
    forgetTimer.unregister(target);
    heldSignals.delete(target);
    const { DOMException } = require('internal/errors/dom_exception');
    signalAbort(target, new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, delay);
  timer.unref();
  forgetTimer.register(signal, timer, signal);
}

// https://dom.spec.whatwg.org/#create-a-dependent-abort-signal
function dependentSignal(signals) {
  const result = new AbortSignal(kMake);
  const state = stateOf(result);
  for (const signal of each(signals)) {
    if (signal.aborted) {
      state.aborted = true;
      state.reason = signal.reason;
      return result;
    }
  }
  state.isDependent = true;
  state.sources = new Set();
  for (const signal of each(signals)) {
    const sourceState = stateOf(signal);
    if (!sourceState.isDependent) {
      follow(result, signal);
      continue;
    }
    for (const weak of each(sourceState.sources)) {
      const source = weak.deref();
      if (source !== undefined) follow(result, source);
    }
  }
  return result;
}

// The source knows its dependents weakly; a dependent with a timer keeps the timer's signal.
function follow(dependent, source) {
  const state = stateOf(dependent);
  const sourceState = stateOf(source);
  state.sources.add(new WeakRef(source));
  if (sourceState.isTimeout) (state.kept ??= new Set()).add(source);
  sourceState.dependents ??= new Set();
  sourceState.dependents.add(new WeakRef(dependent));
  forgetDependent.register(dependent, new WeakRef(sourceState));
}

const forgetDependent = new FinalizationRegistry((weakState) => {
  const dependents = weakState.deref()?.dependents;
  if (dependents === undefined) return;
  for (const weak of each(dependents)) if (weak.deref() === undefined) dependents.delete(weak);
});

// https://dom.spec.whatwg.org/#abortsignal-signal-abort
function signalAbort(signal, reason = abortError()) {
  const state = stateOf(signal);
  if (state.aborted) return;
  state.aborted = true;
  state.reason = reason;
  const toRun = [];
  if (state.dependents !== undefined) {
    for (const weak of each(state.dependents)) {
      const dependent = weak.deref();
      if (dependent === undefined) continue;
      const dependentState = stateOf(dependent);
      if (dependentState.aborted) continue;
      dependentState.aborted = true;
      dependentState.reason = reason;
      arrayPush.call(toRun, dependent);
    }
    state.dependents = undefined;
  }
  runAbort(signal);
  for (const dependent of each(toRun)) runAbort(dependent);
}

function runAbort(signal) {
  heldSignals.delete(signal);
  const state = stateOf(signal);
  state.kept = undefined;
  if (listenersOf(signal, 'abort').length === 0) return;
  signal.dispatchEvent(new Event('abort', { [kTrustEvent]: true }));
}

class AbortController {
  #signal;

  get signal() {
    if (typeof this !== 'object' || this === null || !(#signal in this)) throw new ERR_INVALID_THIS('AbortController');
    return (this.#signal ??= new AbortSignal(kMake));
  }

  abort(reason = abortError()) {
    if (typeof this !== 'object' || this === null || !(#signal in this)) throw new ERR_INVALID_THIS('AbortController');
    signalAbort((this.#signal ??= new AbortSignal(kMake)), reason);
  }

  [kInspect](depth, options) {
    return inspectAs('AbortController', this, { signal: this.signal }, depth, options);
  }

  static [kMake]() {
    const controller = new AbortController();
    controller.#signal = new AbortSignal(kMake);
    transferableAbortSignal(controller.#signal);
    return controller;
  }
}

enumerable(AbortController.prototype, ['signal', 'abort']);
stringTag(AbortController, 'AbortController');

// --- transferring a signal: the far side follows through a message port

function transferSignal(signal) {
  const state = stateOf(signal);
  const data = { aborted: state.aborted, reason: state.reason, port: undefined };
  if (!state.aborted && state.channel !== undefined) {
    const { port1, port2 } = state.channel;
    state.channel = undefined;
    data.port = port1;
    port2.unref();
    signal.addEventListener(
      'abort',
      () => {
        port2.postMessage(signal.reason);
        port2.close();
      },
      { once: true, [kResistStopPropagation]: true },
    );
  }
  return { data, deserializeInfo: 'internal/events/abort:ClonedAbortSignal' };
}

function receiveSignal(signal, { aborted, reason, port }) {
  const state = stateOf(signal);
  state.aborted = aborted;
  state.reason = reason;
  if (aborted || port === undefined) return;
  port.onmessage = ({ data }) => {
    signalAbort(signal, data);
    port.close();
  };
  port.unref();
}

function ClonedAbortSignal() {
  return new AbortSignal(kMake);
}

function transferableAbortSignal(signal) {
  if (!isAbortSignal(signal)) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  stateOf(signal).isTransferable = true;
  requireLater('internal/messaging/structured_clone').markTransferMode(signal, false, true);
  return signal;
}

function transferableAbortController() {
  return AbortController[kMake]();
}

// util.aborted: settles with the abort, or never if `resource` is collected first.
function aborted(signal, resource) {
  if (signal === undefined) {
    return Promise.reject(new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal));
  }
  try {
    validateAbortSignal(signal, 'signal');
    validateObject(resource, 'resource', require('internal/util/validators').kValidateObjectAllowObjects);
  } catch (error) {
    return Promise.reject(error);
  }
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers();
  signal.addEventListener('abort', () => resolve(), {
    __proto__: null,
    [kWeakHandler]: resource,
    once: true,
    [kResistStopPropagation]: true,
  });
  return promise;
}

module.exports = {
  AbortController,
  AbortSignal,
  ClonedAbortSignal,
  aborted,
  isAbortSignal,
  transferableAbortController,
  transferableAbortSignal,
};
