// natives: messaging
// Worker and SharedWorker of a window or of a worker (https://html.spec.whatwg.org/#workers). Each worker is an agent of its own
// (html/agents/agents): a thread, a VM, a worker event loop; html/agents/worker_scope is what runs there.
'use strict';

const messaging = native('messaging');
const { sources, queueTask, define } = require('html/agents/agent');
const { Agent } = require('html/agents/agents');
const { attribute } = require('html/window/handler_attribute');
const ports = require('html/agents/ports');
const { fire, messageEvent } = require('html/window/events');
const { onDiscard } = require('html/agents/discarding');
const reports = require('html/agents/reports');
const requests = require('html/network/requests');
const { parse } = require('html/network/addresses');

const kTypes = ['classic', 'module'];
const kMatched = ['type', 'credentials', 'extendedLifetime']; // of a shared worker's request
const kCredentials = ['omit', 'same-origin', 'include'];

// The shared workers of this agent's windows, by origin, address and name.
const shared = new Map();

// `document`: the cell of the window's document.
function install(window, url, document) {
  const { origin } = url;
  const agents = new Set(); // of the workers that this window started; they end with it
  onDiscard(document, () => {
    for (const agent of each(agents)) agent.terminate();
    for (const { targets } of each(shared.values()))
      for (const target of each(targets)) if (target instanceof window.SharedWorker) targets.delete(target);
  });
  define(window, 'Worker', workerClass(window, origin, document, agents), false);
  define(window, 'SharedWorker', sharedWorkerClass(window, origin), false);
}

// The description of the new agent; throws as the constructors do.
function requestOf(window, origin, given, options, isShared) {
  const kind = isShared ? 'SharedWorker' : 'Worker';
  const {
    type = 'classic',
    name = '',
    credentials = 'same-origin',
    extendedLifetime = false,
  } = typeof options === 'string' ? { name: options } : (options ?? {});
  if (!kTypes.includes(`${type}`)) {
    throw new window.TypeError(`Failed to construct '${kind}': The provided value '${type}' is not a valid enum value of type WorkerType.`);
  }
  if (!kCredentials.includes(`${credentials}`)) {
    throw new window.TypeError(
      `Failed to construct '${kind}': The provided value '${credentials}' is not a valid enum value of type RequestCredentials.`,
    );
  }
  const script = parse(`${given}`, window.document?.baseURI ?? window.location.href);
  if (script === undefined) throw new window.DOMException(`Failed to construct '${kind}': '${given}' is not a valid URL.`, 'SyntaxError');
  const client = requests.clientOf(window);
  const isLocal = script.protocol === 'blob:' || script.protocol === 'data:';
  // A worker of a data: address is of no origin.
  const isAlone = script.protocol === 'data:';
  if (!isLocal && script.origin !== origin) {
    throw new window.DOMException(
      `Failed to construct '${kind}': Script at '${script.href}' cannot be accessed from origin '${origin}'.`,
      'SecurityError',
    );
  }
  const text = isLocal ? requests.requestSync(script.href, { mode: 'same-origin' }, client).body.toString('utf8') : undefined;
  return {
    url: script.href,
    type: `${type}`,
    name: `${name}`,
    credentials: `${credentials}`,
    extendedLifetime: !!extendedLifetime,
    origin: isAlone ? 'null' : origin,
    isShared,
    text,
    from: client.address(),
    requests: { ...requests.state(), folder: isAlone ? '' : client.folder },
  };
}

// An error that the worker's own listeners did not prevent, or a script that could not be loaded:
// https://html.spec.whatwg.org/#report-an-error
function takeError(window, target, message) {
  if (message.type === 'script error') {
    queueTask(sources.dom, () => {
      fire(window, target, new window.Event('error'));
      process.exitCode = 1;
      process._rawDebug(`rondo: cannot load ${message.message}`);
    });
  } else if (message.type === 'error') {
    const { report } = message;
    queueTask(sources.dom, () => {
      const { message: text, filename, lineno, colno } = report;
      const event = new window.ErrorEvent('error', { cancelable: true, message: text, filename, lineno, colno, error: null });
      if (fire(window, target, event)) reports.reportForeign(report);
    });
  }
}

// `agents` gets those of its workers.
function workerClass(window, origin, document, agents) {
  class Worker extends window.EventTarget {
    #agent;
    #port; // the outside port
    constructor(scriptURL, options) {
      if (arguments.length === 0) throw new window.TypeError("Failed to construct 'Worker': 1 argument required, but only 0 present.");
      super();
      const request = requestOf(window, origin, scriptURL, options, false);
      const { 0: outside, 1: inside } = messaging.channel();
      ports.listen(window, document, outside, (init, type) => fire(window, this, messageEvent(window, init, type)));
      outside.keep();
      outside.start();
      this.#port = outside;
      this.#agent = new Agent(
        'worker',
        request.name,
        { ...request, port: inside.detach() },
        (message) => takeError(window, this, message),
        () => agents.delete(this.#agent),
      );
      agents.add(this.#agent);
    }
    postMessage(message, options) {
      if (arguments.length === 0)
        throw new window.TypeError("Failed to execute 'postMessage' on 'Worker': 1 argument required, but only 0 present.");
      ports.post(window, this.#port, message, options);
    }
    terminate() {
      this.#port.close();
      this.#agent.terminate();
    }
  }
  for (const type of each(['message', 'messageerror', 'error'])) attribute(Worker.prototype, type);
  return Worker;
}

// https://html.spec.whatwg.org/#dom-sharedworker: of windows only.
function connectShared(window, origin, target, request) {
  const id = `${origin} ${request.url} ${request.name}`;
  if (!shared.has(id)) {
    const entry = { request, targets: new Set() };
    // An exception while it runs is not an event of its owners; a script that cannot be loaded is one of all.
    entry.agent = new Agent(
      'worker',
      request.name,
      request,
      (message) => {
        if (message.type === 'error') reports.printForeign(message.report);
        else for (const sharer of each(entry.targets)) takeError(window, sharer, message);
      },
      () => shared.delete(id),
    );
    shared.set(id, entry);
  }
  const { agent, request: first, targets } = shared.get(id);
  if (kMatched.some((key) => first[key] !== request[key]))
    return queueTask(sources.dom, () => {
      fire(window, target, new window.Event('error'));
    });
  targets.add(target);
  const { 0: outside, 1: inside } = messaging.channel();
  agent.link.send({ type: 'connect', port: inside.detach() });
  return ports.makePort(window, outside.detach());
}

function sharedWorkerClass(window, origin) {
  class SharedWorker extends window.EventTarget {
    #port;
    constructor(scriptURL, options) {
      if (arguments.length === 0)
        throw new window.TypeError("Failed to construct 'SharedWorker': 1 argument required, but only 0 present.");
      super();
      const port = connectShared(window, origin, this, requestOf(window, origin, scriptURL, options, true));
      this.#port = port ?? new window.MessageChannel().port1;
    }
    get port() {
      return this.#port;
    }
  }
  attribute(SharedWorker.prototype, 'error');
  return SharedWorker;
}

module.exports = { install };
