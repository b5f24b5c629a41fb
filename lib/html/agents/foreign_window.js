// natives: none
// A window of another origin as a page sees it: https://html.spec.whatwg.org/#windowproxy with its cross-origin properties, and
// nothing else. The window itself is at the other end of a link; what passes are messages, a new address, and the end.
'use strict';

const { sources, queueTask } = require('html/agents/agent');
const messaging = require('html/agents/messaging');
const ports = require('html/agents/ports');
const { parse, originOf } = require('html/network/addresses');
const { adopt } = require('html/window/own_realm');

// https://html.spec.whatwg.org/#crossoriginproperties-(-o-) of `members`: methods and accessors that another origin may use.
function descriptorsOf(window, members) {
  const descriptors = Object.getOwnPropertyDescriptors(members);
  for (const key of each(Reflect.ownKeys(descriptors))) {
    const { value, get, set } = descriptors[key];
    for (const made of each([value, get, set])) if (typeof made === 'function') adopt(window, made);
    const kind = value === undefined ? { get, set } : { value, writable: false };
    descriptors[key] = { ...kind, enumerable: false, configurable: true };
  }
  return descriptors;
}

// https://html.spec.whatwg.org/#crossoriginpropertyfallback-(-p-): `then` and symbols are looked for, and not there. (The Standard names
// three symbols; jsdom asks for some of its own.)
const kAbsent = ['then', Symbol.toStringTag, Symbol.hasInstance, Symbol.isConcatSpreadable];
const absent = () => ({ value: undefined, writable: false, enumerable: false, configurable: true });

// The internal methods of a Window or Location of another origin.
function handlerOf(descriptors, refuse) {
  const find = (key) => {
    if (Object.hasOwn(descriptors, key)) return descriptors[key];
    if (kAbsent.includes(key)) return absent();
    if (typeof key === 'symbol') return undefined;
    throw refuse(key);
  };
  return {
    __proto__: null,
    getPrototypeOf: () => null,
    setPrototypeOf: (target, prototype) => prototype === null,
    preventExtensions: () => false,
    getOwnPropertyDescriptor: (target, key) => find(key),
    defineProperty(target, key) {
      throw refuse(key);
    },
    has: (target, key) => find(key) !== undefined,
    get(target, key, receiver) {
      const found = find(key);
      if (found === undefined || Object.hasOwn(found, 'value')) return found?.value;
      if (found.get === undefined) throw refuse(key);
      return Reflect.apply(found.get, receiver, []);
    },
    set(target, key, value, receiver) {
      const found = find(key);
      if (found?.set === undefined) throw refuse(key);
      Reflect.apply(found.set, receiver, [value]);
      return true;
    },
    deleteProperty(target, key) {
      throw refuse(key);
    },
    ownKeys: () => [...each(Reflect.ownKeys(descriptors)), ...each(kAbsent)],
  };
}

// The proxy, in `window`, of a window that `link` leads to.
function makeProxy(window, link, { isClosed, close: end, top, self, opener = null, mayNavigate = () => true }) {
  const refuse = (key) => refusal(window, key);
  const navigate = (url) => {
    const target = parse(`${url}`, window.document.baseURI);
    if (target === undefined)
      throw new window.DOMException(`Failed to set the 'href' property on 'Location': '${url}' is not a valid URL.`, 'SyntaxError');
    // An address brings no code to another origin.
    if (target.protocol === 'javascript:') throw refuse('location');
    if (!mayNavigate()) throw navigationRefusal(window, target.href);
    link.send(navigation(window, target.href));
  };
  const location = new Proxy({}, handlerOf(descriptorsOf(window, locationMembers(navigate)), refuse));
  const members = {
    __proto__: null,
    get window() {
      return self?.() ?? proxy;
    },
    get self() {
      return self?.() ?? proxy;
    },
    get location() {
      return location;
    },
    set location(url) {
      navigate(url);
    },
    close() {
      end();
    },
    get closed() {
      return isClosed();
    },
    focus() {},
    blur() {},
    get frames() {
      return self?.() ?? proxy;
    },
    get length() {
      return 0;
    },
    get top() {
      return top();
    },
    get opener() {
      return opener;
    },
    get parent() {
      return top();
    },
    postMessage(message, targetOrigin = undefined, transfer = undefined) {
      sendToWindow(window, link, message, targetOrigin, transfer);
    },
  };
  const proxy = new Proxy({}, handlerOf(descriptorsOf(window, members), refuse));
  return proxy;
}

const locationMembers = (navigate) => ({
  __proto__: null,
  set href(url) {
    navigate(url);
  },
  replace(url) {
    navigate(url);
  },
});

// The message by which `window` asks the window at the other end for another page. It is asked for in the name of `window`.
const navigation = (window, url, text, referrer) => ({ type: 'navigate', url, text, referrer, initiator: initiatorOf(window) });
const kNoSite = 'data:,';
function initiatorOf(window) {
  const client = require('html/network/requests').clientOf(window);
  // A document of another site than the page around it puts what it frames apart from both.
  const site = require('html/network/cookies').isOfItsSite(client) ? client.site() : kNoSite;
  return { href: client.address(), origin: client.origin, site };
}

const originOfWindow = (window) => require('html/network/requests').clientOf(window).origin;

function refusal(window, key) {
  const by = `Blocked a frame with origin "${originOfWindow(window)}" from accessing a cross-origin frame.`;
  return new window.DOMException(`Failed to read a named property '${String(key)}' from 'Window': ${by}`, 'SecurityError');
}

function navigationRefusal(window, url) {
  const by = `The current window does not have permission to navigate the target frame to '${url}'.`;
  return new window.DOMException(`Failed to set the 'href' property on 'Location': ${by}`, 'SecurityError');
}

// postMessage of `window` to the window at the other end of the link.
function sendToWindow(window, link, message, targetOrigin, transfer) {
  const options = typeof targetOrigin === 'object' && targetOrigin !== null ? targetOrigin : { targetOrigin, transfer };
  const wanted = messaging.checkedTarget(window, options.targetOrigin);
  const origin = originOfWindow(window);
  ports.inWindow(window, () => {
    const list = ports.checkedList(window, options.transfer);
    const memory = list.filter((item) => Object.prototype.toString.call(item) === '[object ArrayBuffer]');
    link.send({ type: 'window message', data: message, memory, origin, wanted: wanted === '/' ? origin : wanted }, list);
  });
}

// A message for `window`, which came over the link from the window behind `proxy`.
function takeMessage(window, document, proxy, { data: foreign, memory, origin, wanted }, arrived) {
  const init = ports.cloneFor(window, foreign, [...each(memory), ...each(arrived)]); // it came as objects of the library's realm
  queueTask(
    sources.message,
    () => {
      if (wanted !== '*' && originOf(wanted) !== originOfWindow(window)) return;
      messaging.of(window).deliver(window, { ...init, origin, source: proxy });
    },
    document,
  );
}

// Starts the agent of a window of another origin, in a frame of `window` or (isOpened) beside it. `text`: the page, if it is known; `base`:
// what addresses of a page without an address are read against; `flags`: https://html.spec.whatwg.org/#sandboxing.
// onLoad, onEnd; onLeave({ url, text, referrer, added }): it goes on to a page of another origin; represent(proxy) → what stands for it.
function create(window, url, { onLoad, onEnd, onLeave, represent }, { isOpened = false, hasOpener = true, flags = [], ...page } = {}) {
  const { Agent } = require('html/agents/agents');
  const requests = require('html/network/requests');
  let isGone = false;
  let agent;
  let shown; // the WindowProxy
  // An opened window that goes on to a page of another origin has the next agent.
  const goOn = ({ url: next, text, referrer, added }) => {
    const last = agent;
    start(next, { text, referrer, flags: require('html/document/sandbox').union(flags, added) });
    last.terminate();
  };
  const start = (address, given) => {
    // Of the folder it learns nothing.
    const made = new Agent(
      'window',
      '',
      { ...given, url: address, initiator: initiatorOf(window), isOpened, hasOpener, requests: { ...requests.state(), folder: '' } },
      (message, arrived) => {
        if (message.type === 'window message') takeMessage(window, undefined, shown, message, arrived);
        else if (message.type === 'loaded' && onLoad !== undefined) queueTask(sources.dom, onLoad);
        else if (message.type === 'failed') require('html/agents/reports').reportForeign(message.report);
        else if (message.type === 'leave') (onLeave ?? goOn)(message);
      },
      () => {
        if (agent !== made) return;
        isGone = true;
        onEnd?.();
      },
    );
    agent = made;
  };
  start(url, { ...page, flags });
  let isClosing = false;
  const close = () => {
    isClosing = true;
    if (!isGone) agent.terminate();
  };
  const link = { send: (...args) => agent.link.send(...each(args)) };
  const proxy = makeProxy(window, link, {
    isClosed: () => isClosing || isGone,
    close: isOpened ? close : () => {},
    self: () => shown,
    top: () => (isOpened ? shown : window.top),
    opener: isOpened && hasOpener ? window : null,
  });
  shown = represent?.(proxy) ?? proxy;
  return { proxy: shown, close, navigate: (...args) => link.send(navigation(window, ...each(args))) };
}

module.exports = { create, makeProxy, takeMessage };
