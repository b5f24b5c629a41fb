// natives: none
// A window of another origin as a page sees it: https://html.spec.whatwg.org/#windowproxy with its cross-origin properties, and
// nothing else. The window itself is at the other end of a link; what passes are messages, a new address, and the end.
'use strict';

const { sources, queueTask } = require('html/agents/agent');
const messaging = require('html/agents/messaging');
const ports = require('html/agents/ports');
const { parse, originOf } = require('html/network/addresses');

// https://html.spec.whatwg.org/#cross-origin-properties: `then` and symbols are looked for, and not there. (The Standard names three
// symbols; jsdom asks for some of its own.)
const isSilent = (key) => key === 'then' || typeof key === 'symbol';

// The proxy, in `window`, of a window that `link` leads to.
function makeProxy(window, link, { isClosed, close, top, opener = null }) {
  const refuse = (key) => refusal(window, key);
  const navigate = (url) => {
    const target = parse(`${url}`, window.document.baseURI);
    if (target === undefined)
      throw new window.DOMException(`Failed to set the 'href' property on 'Location': '${url}' is not a valid URL.`, 'SyntaxError');
    // An address brings no code to another origin.
    if (target.protocol === 'javascript:') throw refuse('location');
    link.send(navigation(window, target.href));
  };
  const location = makeLocation(refuse, navigate);
  const members = {
    __proto__: null,
    postMessage: (message, targetOrigin, transfer) => sendToWindow(window, link, message, targetOrigin, transfer),
    close,
    focus() {},
    blur() {},
    length: 0,
    opener,
    get closed() {
      return isClosed();
    },
    get location() {
      return location;
    },
    get window() {
      return proxy;
    },
    get self() {
      return proxy;
    },
    get frames() {
      return proxy;
    },
    get parent() {
      return top();
    },
    get top() {
      return top();
    },
  };
  const proxy = new Proxy({}, handlerOf(members, refuse, navigate));
  return proxy;
}

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

function makeLocation(refuse, navigate) {
  return new Proxy(
    {},
    {
      __proto__: null,
      get(target, key) {
        if (key === 'replace') return navigate;
        throw refuse(key);
      },
      set(target, key, value) {
        if (key !== 'href') throw refuse(key);
        navigate(value);
        return true;
      },
    },
  );
}

function handlerOf(members, refuse, navigate) {
  return {
    __proto__: null,
    get(target, key) {
      if (key in members) return members[key];
      if (isSilent(key)) return undefined;
      throw refuse(key);
    },
    set(target, key, value) {
      if (key !== 'location') throw refuse(key);
      navigate(value);
      return true;
    },
    has: (target, key) => key in members,
    getPrototypeOf: () => null,
    ownKeys: () => [],
    deleteProperty(target, key) {
      throw refuse(key);
    },
    defineProperty(target, key) {
      throw refuse(key);
    },
  };
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

// Starts the agent of a window of another origin, in a frame of `window` or (isOpened) beside it. `text`: the page, if it is known.
function create(window, url, onLoad, onEnd, { isOpened = false, hasOpener = true, text, referrer } = {}) {
  const { Agent } = require('html/agents/agents');
  let isGone = false;
  let proxy;
  const requests = require('html/network/requests');
  // Of the folder it learns nothing.
  const agent = new Agent(
    'window',
    '',
    { url, text, referrer, initiator: initiatorOf(window), isOpened, hasOpener, requests: { ...requests.state(), folder: '' } },
    (message, arrived) => {
      if (message.type === 'window message') takeMessage(window, undefined, proxy, message, arrived);
      else if (message.type === 'loaded') queueTask(sources.dom, onLoad);
      else if (message.type === 'failed') require('html/agents/reports').reportForeign(message.report);
    },
    () => {
      isGone = true;
      onEnd();
    },
  );
  const close = () => {
    if (!isGone) agent.terminate();
  };
  proxy = makeProxy(window, agent.link, {
    isClosed: () => isGone,
    close: isOpened ? close : () => {},
    top: () => (isOpened ? proxy : window.top),
    opener: isOpened && hasOpener ? window : null,
  });
  return { proxy, close, navigate: (...args) => agent.link.send(navigation(window, ...each(args))) };
}

module.exports = { create, makeProxy, takeMessage };
