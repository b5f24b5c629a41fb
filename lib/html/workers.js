// natives: none
// Worker and SharedWorker of a window or of a worker (https://html.spec.whatwg.org/#workers). Each worker is an agent of its own
// (html/agents): a thread, a VM, a worker event loop; html/worker_scope is what runs there.
'use strict';

const { sources, queueTask, define } = require('html/agent');
const { Agent } = require('html/agents');
const { attribute, of } = require('html/messaging');
const { fire } = require('html/events');
const { onDiscard } = require('html/discarding');
const reports = require('html/reports');
const requests = require('html/requests');
const { parse } = require('html/addresses');

const kTypes = ['classic', 'module'];
const kMatched = ['type', 'credentials', 'extendedLifetime']; // of a shared worker's request
const kCredentials = ['omit', 'same-origin', 'include'];

// The shared workers of this agent's windows, by origin, address and name.
const shared = new Map();

// `document`: the number of the window's document.
function install(window, url, document) {
  const { origin } = url;
  const agents = new Set(); // of the workers that this window started; they end with it
  onDiscard(document, () => {
    for (const agent of each(agents)) agent.terminate();
    for (const { targets } of each(shared.values()))
      for (const target of each(targets)) if (target instanceof window.SharedWorker) targets.delete(target);
  });
  const base = () => window.document?.baseURI ?? window.location.href;

  // The description of the new agent; throws as the constructors do.
  function requestOf(given, options, isShared) {
    const kind = isShared ? 'SharedWorker' : 'Worker';
    const {
      type = 'classic',
      name = '',
      credentials = 'same-origin',
      extendedLifetime = false,
    } = typeof options === 'string' ? { name: options } : (options ?? {});
    if (!kTypes.includes(`${type}`)) {
      throw new window.TypeError(
        `Failed to construct '${kind}': The provided value '${type}' is not a valid enum value of type WorkerType.`,
      );
    }
    if (!kCredentials.includes(`${credentials}`)) {
      throw new window.TypeError(
        `Failed to construct '${kind}': The provided value '${credentials}' is not a valid enum value of type RequestCredentials.`,
      );
    }
    const script = parse(`${given}`, base());
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
  function takeError(target, message) {
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

  class Worker extends window.EventTarget {
    #agent;
    constructor(scriptURL, options) {
      if (arguments.length === 0) throw new window.TypeError("Failed to construct 'Worker': 1 argument required, but only 0 present.");
      super();
      const request = requestOf(scriptURL, options, false);
      this.#agent = new Agent(
        'worker',
        request.name,
        request,
        (message) => this.#take(message),
        () => agents.delete(this.#agent),
      );
      agents.add(this.#agent);
    }
    #take(message) {
      if (message.type !== 'message') return takeError(this, message);
      const { data, ports } = of(window).arrive(this.#agent.link, message.wire);
      return queueTask(sources.message, () => of(window).deliver(this, { data, ports }));
    }
    postMessage(message, options) {
      if (arguments.length === 0)
        throw new window.TypeError("Failed to execute 'postMessage' on 'Worker': 1 argument required, but only 0 present.");
      const { link } = this.#agent;
      of(window).sendOver(link, message, options, (wire, transfer) => link.send({ type: 'message', wire }, transfer));
    }
    terminate() {
      this.#agent.terminate();
    }
  }
  for (const type of each(['message', 'messageerror', 'error'])) attribute(Worker.prototype, type);
  define(window, 'Worker', Worker, false);

  // https://html.spec.whatwg.org/#dom-sharedworker: of windows only.
  function connectShared(target, request) {
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
          else for (const sharer of each(entry.targets)) takeError(sharer, message);
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
    const { port1, port2 } = new window.MessageChannel();
    of(window).sendOver(agent.link, undefined, [port2], (wire, transfer) => agent.link.send({ type: 'connect', wire }, transfer));
    return port1;
  }

  class SharedWorker extends window.EventTarget {
    #port;
    constructor(scriptURL, options) {
      if (arguments.length === 0)
        throw new window.TypeError("Failed to construct 'SharedWorker': 1 argument required, but only 0 present.");
      super();
      const port = connectShared(this, requestOf(scriptURL, options, true));
      this.#port = port ?? new window.MessageChannel().port1;
    }
    get port() {
      return this.#port;
    }
  }
  attribute(SharedWorker.prototype, 'error');
  define(window, 'SharedWorker', SharedWorker, false);
}

module.exports = { install };
