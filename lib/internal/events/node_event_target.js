// natives: none
// NodeEventTarget: an EventTarget that also answers to a part of EventEmitter's
// API (on, off, once, emit …). The base of MessagePort and of nothing else yet.
'use strict';

const {
  codes: { ERR_INVALID_THIS },
} = require('internal/errors/coded');
const {
  EventTarget,
  initEventTarget,
  isEventTarget,
  kEvents,
  kHybridDispatch,
  kIsNodeStyleListener,
  kMaxEventTargetListeners,
  kMaxEventTargetListenersWarned,
} = require('internal/events/event_target');
const { enumerable } = require('internal/events/event');

function requireNodeTarget(value) {
  if (!(value instanceof NodeEventTarget) || !isEventTarget(value)) throw new ERR_INVALID_THIS('NodeEventTarget');
}

class NodeEventTarget extends EventTarget {
  constructor() {
    super();
  }

  static defaultMaxListeners = 10;

  setMaxListeners(n) {
    requireNodeTarget(this);
    require('internal/events/events').setMaxListeners(n, this);
  }

  getMaxListeners() {
    requireNodeTarget(this);
    return this[kMaxEventTargetListeners];
  }

  eventNames() {
    requireNodeTarget(this);
    return [...each(this[kEvents].keys())];
  }

  listenerCount(type) {
    requireNodeTarget(this);
    return this[kEvents].get(`${type}`)?.length ?? 0;
  }

  off(type, listener, options) {
    requireNodeTarget(this);
    this.removeEventListener(type, listener, options);
    return this;
  }

  removeListener(type, listener, options) {
    requireNodeTarget(this);
    this.removeEventListener(type, listener, options);
    return this;
  }

  on(type, listener) {
    requireNodeTarget(this);
    this.addEventListener(type, listener, { [kIsNodeStyleListener]: true });
    return this;
  }

  addListener(type, listener) {
    requireNodeTarget(this);
    this.addEventListener(type, listener, { [kIsNodeStyleListener]: true });
    return this;
  }

  emit(type, arg) {
    requireNodeTarget(this);
    type = `${type}`;
    const hadListeners = this.listenerCount(type) > 0;
    this[kHybridDispatch](arg, type);
    return hadListeners;
  }

  once(type, listener) {
    requireNodeTarget(this);
    this.addEventListener(type, listener, { once: true, [kIsNodeStyleListener]: true });
    return this;
  }

  removeAllListeners(type) {
    requireNodeTarget(this);
    if (type !== undefined) this[kEvents].delete(`${type}`);
    else this[kEvents].clear();
    return this;
  }
}

enumerable(NodeEventTarget.prototype, [
  'setMaxListeners',
  'getMaxListeners',
  'eventNames',
  'listenerCount',
  'off',
  'removeListener',
  'on',
  'addListener',
  'once',
  'emit',
  'removeAllListeners',
]);

function initNodeEventTarget(self) {
  initEventTarget(self);
  self[kMaxEventTargetListenersWarned] = false;
}

module.exports = { NodeEventTarget, initNodeEventTarget };
