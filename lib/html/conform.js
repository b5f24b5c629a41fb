// natives: none
// Where the document's own interfaces are not quite a browser's: errors of the wrong realm, blobs that cannot be cloned.
'use strict';

const { define } = require('html/agent');
const pack = require('html/pack');
const { kClone } = require('internal/messaging/symbols');
const { markTransferMode } = require('web/structured_clone');

// The window that a message is made for.
let receiver;
function setReceiver(window) { receiver = window; }

// jsdom's own code throws errors of the library's realm.
function throwOwnErrors(window, prototype, name) {
  const method = prototype[name];
  define(prototype, name, { [name](...args) {
    try {
      return Reflect.apply(method, this, args);
    } catch (error) {
      throw error instanceof TypeError ? new window.TypeError(error.message) : error;
    }
  } }[name]);
}

// What a blob becomes on its way, and of a copy's way back (web/structured_clone calls it by its name).
function ClonedBlob({ bytes, type, name, lastModified }) {
  if (name === undefined) return new receiver.Blob([bytes], { type });
  return new receiver.File([bytes], name, { type, lastModified });
}

function cloneBlobs(implOf) {
  const generated = pack.load('jsdom/lib/generated/idl/Blob.js');
  const { _internalSetup: setUp } = generated;
  generated._internalSetup = (wrapper, globalObject) => {
    setUp(wrapper, globalObject);
    markTransferMode(wrapper, true, false);
    define(wrapper, kClone, () => {
      const { _bytes, type, name, lastModified } = implOf(wrapper);
      return { data: { bytes: new Uint8Array(_bytes), type, name, lastModified }, deserializeInfo: 'html/conform:ClonedBlob' };
    }, false);
  };
}

// A change that nobody observes queues no microtask, so that those who do are told at their changes' own place among the microtasks.
function queueForObservers() {
  const records = pack.load('jsdom/lib/jsdom/living/helpers/mutation-observers.js');
  const isObserved = (target) => {
    for (let node = target; node !== null; node = node.parentNode) if (node._registeredObserverList?.length > 0) return true;
    return false;
  };
  for (const name of each(['queueMutationRecord', 'queueTreeMutationRecord', 'queueAttributeMutationRecord'])) {
    const queue = records[name];
    const at = name === 'queueMutationRecord' ? 1 : 0;
    records[name] = (...args) => { if (isObserved(args[at])) queue(...each(args)); };
  }
}

// https://html.spec.whatwg.org/#event-handler-content-attributes: an attribute's text is kept wherever its element is, and compiled only where scripts run; an
// element cloned from a template's content has its handlers, too.
function keepHandlers() {
  const accessors = pack.load('jsdom/lib/jsdom/living/helpers/create-event-accessor.js');
  const { getCurrentEventHandlerValue: current } = accessors;
  accessors.getCurrentEventHandlerValue = (target, event) => {
    const isRaw = target._getEventHandlerFor(event)?.body !== undefined;
    return isRaw && target.constructor.name !== 'Window' && !target._ownerDocument._defaultView ? null : current(target, event);
  };
  for (const name of each(['HTMLElement', 'SVGElement'])) {
    const { prototype } = pack.load(`jsdom/lib/jsdom/living/nodes/${name}-impl.js`).implementation;
    prototype._globalEventChanged = function(event) {
      if (!(`on${event}` in this)) return;
      const body = this.getAttributeNS(null, `on${event}`);
      this._setEventHandlerFor(event, body === null ? null : { body });
    };
  }
}

let isBlobReady = false;
function install(window, implOf) {
  throwOwnErrors(window, window.MutationObserver.prototype, 'observe');
  if (!isBlobReady) cloneBlobs(implOf);
  isBlobReady = true;
}

module.exports = { install, keepHandlers, queueForObservers, setReceiver, ClonedBlob };
