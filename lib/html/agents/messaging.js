// natives: none
// postMessage to windows, and structuredClone. Every message is a structured clone and arrives as a task of the posted message source
// (https://html.spec.whatwg.org/#web-messaging). Ports and channels are in html/agents/ports.
'use strict';

const { loop, sources, queueTask, defineAll } = require('html/agents/agent');
const { fire, messageEvent } = require('html/window/events');
const { parse, originOf } = require('html/network/addresses');
const ports = require('html/agents/ports');
const fixes = require('html/jsdom/fixes');

const installed = new WeakMap(); // window → { deliver, origin, isClosing }

function install(window, origin, document) {
  const deliver = (target, init) => {
    const event = messageEvent(window, init);
    require('html/window/origin').noteMessage(event, init.origin ?? '', init.source);
    return fire(window, target, event);
  };
  const entry = { deliver, origin, isClosing: false };
  defineAll(window, {
    postMessage: postMessageOf(window, entry, document),
    ...ports.makeClasses(window, origin, document, () => entry.isClosing),
    structuredClone: (value, options) => ports.cloneFor(window, value, options).data,
  });
  fixes.addReceiver(window);
  require('html/agents/discarding').onDiscard(document, () => fixes.removeReceiver(window));
  installed.set(window, entry);
}

// https://html.spec.whatwg.org/#dom-window-postmessage
function postMessageOf(window, { deliver, origin }, document) {
  return function postMessage(message, targetOrigin, transfer) {
    if (arguments.length === 0)
      throw new window.TypeError("Failed to execute 'postMessage' on 'Window': 1 argument required, but only 0 present.");
    const options = typeof targetOrigin === 'object' && targetOrigin !== null ? targetOrigin : { targetOrigin, transfer };
    const wanted = checkedTarget(window, options.targetOrigin);
    const init = ports.cloneFor(window, message, transfer === undefined ? options : { transfer });
    const caller = loop.caller();
    const source = installed.has(caller) ? caller : window;
    const from = installed.get(source).origin;
    const allowed = wanted === '/' ? from : wanted === '*' ? origin : originOf(wanted);
    queueTask(
      sources.message,
      () => {
        if (allowed === origin) deliver(window, { ...init, origin: from, source });
      },
      document,
    );
  };
}

// A target origin: '*', '/' or a URL.
function checkedTarget(window, given) {
  const wanted = given === undefined ? '/' : `${given}`;
  if (wanted === '*' || wanted === '/' || parse(wanted) !== undefined) return wanted;
  throw new window.DOMException(
    `Failed to execute 'postMessage' on 'Window': Invalid target origin '${wanted}' in a call to 'postMessage'.`,
    'SyntaxError',
  );
}

// deliver(target, init): fires a message event; origin; isClosing: of a worker's scope that has been closed.
function of(window) {
  return installed.get(window);
}

module.exports = { install, of, checkedTarget };
