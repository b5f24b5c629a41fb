// natives: structured_clone
// call(name, args) and serve(name, handler): a request goes to one of all that serve the name. It has a deadline, which the server's
// signal knows too; a server with too much to do says so, and the caller tries again until its deadline.
'use strict';

const { decode } = native('structured_clone');
const { AbortController } = require('internal/events/abort');
const { validateAbortSignal, validateFunction, validateInteger, validateNumber, validateObject } = require('internal/util/validators');
const { MeshError, closedError } = require('internal/mesh/errors');
const { checkName } = require('internal/mesh/names');
const { now } = require('internal/perf/clock');

const kDone = 0,
  kThrew = 1,
  kBusy = 2;
const kTimeout = 30_000;
const kConcurrency = 100,
  kWaiting = 1000;

function badMessage(error) {
  return new MeshError('ERR_MESH_BAD_MESSAGE', `A message cannot be read: ${error.message}`, { cause: error });
}

class Caller {
  #mesh;
  #count = 0;

  constructor(mesh) {
    this.#mesh = mesh;
  }

  async ask(name, args, options = {}) {
    checkName(name);
    validateObject(options, 'options');
    const { timeout = kTimeout, signal } = options;
    validateNumber(timeout, 'options.timeout', 1, 2 ** 31 - 1);
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    signal?.throwIfAborted();
    const trace = this.#mesh.tracing.current();
    const broker = this.#mesh.broker ?? (await this.#mesh.ready());
    const end = now() + timeout;
    for (let wait = 5; ; wait = Math.min(wait * 2, 500)) {
      const left = end - now();
      if (left <= 0) throw this.#late(name, timeout);
      const answer = await this.#once(broker, name, args, trace, left, timeout, signal);
      if (answer[0] === kDone) return answer[1];
      if (answer[0] === kThrew) throw thrownOf(answer);
      await sleep(Math.min(wait * (0.5 + Math.random()), Math.max(0, end - now())), signal);
    }
  }

  #late(name, timeout) {
    return new MeshError('ERR_MESH_TIMEOUT', `No answer of '${name}' within ${timeout} ms`);
  }

  // The whole answer: [what, value, code].
  #once(broker, name, args, trace, left, timeout, signal) {
    const id = `${this.#mesh.id}.${++this.#count}`;
    return new Promise((resolve, reject) => {
      let isOver = false;
      const finish = (end, value) => {
        if (isOver) return;
        isOver = true;
        answers.stop();
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#mesh.closing.delete(onClose);
        broker.release();
        end(value);
      };
      const cancel = (error) => {
        if (isOver) return;
        broker.publish(`rondo.x.${name}`, undefined, trace, id);
        finish(reject, error);
      };
      const onAbort = () => cancel(signal.reason);
      const onClose = () => finish(reject, closedError());
      const answers = broker.answers((message) => {
        if (message.status === 503) return finish(reject, new MeshError('ERR_MESH_NO_SERVER', `Nobody serves '${name}'`));
        let answer;
        try {
          answer = decode(message.chunk, message.bodyAt, message.end);
        } catch (error) {
          return finish(reject, badMessage(error));
        }
        if (!Array.isArray(answer)) return finish(reject, badMessage(new Error('it is no answer')));
        return finish(resolve, answer);
      });
      const timer = setTimeout(() => cancel(this.#late(name, timeout)), left);
      signal?.addEventListener('abort', onAbort);
      this.#mesh.closing.add(onClose);
      broker.hold();
      try {
        broker.publish(`rondo.r.${name}`, answers.subject, trace, [id, left, args]);
      } catch (error) {
        finish(reject, error);
      }
    });
  }
}

function thrownOf(answer) {
  const thrown = answer[1];
  if (typeof thrown === 'object' && thrown !== null && typeof answer[2] === 'string') thrown.code = answer[2];
  return thrown;
}

function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

// The result of serve().
class Service {
  #mesh;
  #name;
  #handler;
  #concurrency;
  #most;
  #running = new Map(); // id of a request -> AbortController
  #waiting = [];
  #stops = [];
  #isClosed = false;
  #idle;

  constructor(mesh, name, handler, { concurrency, waiting }) {
    this.#mesh = mesh;
    this.#name = name;
    this.#handler = handler;
    this.#concurrency = concurrency;
    this.#most = waiting;
  }

  get name() {
    return this.#name;
  }
  get running() {
    return this.#running.size;
  }

  static async open(mesh, name, handler, options = {}) {
    checkName(name);
    validateFunction(handler, 'handler');
    validateObject(options, 'options');
    const { concurrency = kConcurrency, waiting = kWaiting } = options;
    validateInteger(concurrency, 'options.concurrency', 1);
    validateInteger(waiting, 'options.waiting', 0);
    const service = new Service(mesh, name, handler, { concurrency, waiting });
    const broker = mesh.broker ?? (await mesh.ready());
    arrayPush.call(
      service.#stops,
      broker.subscribe(`rondo.r.${name}`, 'rondo', (message) => service.#request(broker, message)),
      broker.subscribe(`rondo.x.${name}`, undefined, (message) => service.#cancel(message)),
    );
    broker.hold();
    mesh.closing.add(service.#closeNow);
    await broker.flush(); // from here on the server knows it
    return service;
  }

  #request(broker, message) {
    const { reply, trace } = message;
    if (reply === undefined) return;
    let request;
    try {
      request = decode(message.chunk, message.bodyAt, message.end);
    } catch (error) {
      return this.#refuse(broker, reply, trace, error.message);
    }
    if (!Array.isArray(request) || typeof request[0] !== 'string' || !(request[1] > 0)) {
      return this.#refuse(broker, reply, trace, 'it is no request');
    }
    if (this.#running.size < this.#concurrency) return this.#start(broker, request, reply, trace);
    if (this.#waiting.length >= this.#most) return broker.publish(reply, undefined, trace, [kBusy]);
    arrayPush.call(this.#waiting, { request, reply, trace, end: now() + request[1] });
    return undefined;
  }

  #start(broker, request, reply, trace) {
    promiseThen(
      this.#mesh.tracing.run(trace, (one, to) => this.#run(broker, one, to, trace), request, reply),
      undefined,
      (error) => this.#mesh.failed(error),
    );
  }

  async #run(broker, request, reply, trace) {
    const { 0: id, 1: left, 2: args } = request;
    const handler = this.#handler;
    const running = new RunningCall(Math.min(left, 2 ** 31 - 1));
    this.#running.set(id, running);
    let answer;
    try {
      answer = [kDone, await handler(args, running.context)];
    } catch (error) {
      answer = [kThrew, error, typeof error?.code === 'string' ? error.code : undefined];
    } finally {
      running.end();
      this.#running.delete(id);
    }
    this.#answer(broker, reply, trace, answer);
    this.#next(broker);
  }

  #refuse(broker, reply, trace, why) {
    broker.publish(reply, undefined, trace, [kThrew, new Error(`A message cannot be read: ${why}`), 'ERR_MESH_BAD_MESSAGE']);
  }

  #answer(broker, reply, trace, answer) {
    try {
      broker.publish(reply, undefined, trace, answer);
    } catch (problem) {
      // It cannot be cloned, or is too large. Of an error the text goes.
      const [what, thrown] = each(answer);
      const text = what === kThrew ? `${thrown?.message ?? thrown}` : `The answer cannot be sent: ${problem.message}`;
      const code = what === kThrew ? thrown?.code : problem.code;
      broker.publish(reply, undefined, trace, [
        kThrew,
        new Error(stringSlice.call(text, 0, 1000)),
        typeof code === 'string' ? code : undefined,
      ]);
    }
  }

  #next(broker) {
    if (this.#isClosed && this.#running.size === 0) this.#idle?.();
    while (this.#waiting.length > 0 && this.#running.size < this.#concurrency) {
      const { request, reply, trace, end } = arrayShift.call(this.#waiting);
      request[1] = end - now();
      if (request[1] > 0) this.#start(broker, request, reply, trace); // nobody waits for the others any more
    }
  }

  #cancel(message) {
    if (this.#running.size === 0 && this.#waiting.length === 0) return;
    let id;
    try {
      id = decode(message.chunk, message.bodyAt, message.end);
    } catch {
      return;
    }
    this.#running.get(id)?.abort(new MeshError('ERR_MESH_CANCELLED', 'The caller does not wait any more'));
    const at = arrayFindIndex.call(this.#waiting, (one) => one.request[0] === id);
    if (at >= 0) arraySplice.call(this.#waiting, at, 1);
  }

  #closeNow = () => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stop of each(this.#stops)) stop();
    this.#mesh.closing.delete(this.#closeNow);
    this.#mesh.broker?.release();
  };

  // Takes no more; resolves when those that run have been answered.
  async close() {
    this.#closeNow();
    if (this.#running.size > 0) await new Promise((resolve) => (this.#idle = resolve));
    await this.#mesh.broker?.flush();
  }
}

// A call that runs. Its signal, and the timer behind it, are made when a handler asks for the signal.
class RunningCall {
  #controller;
  #timer;
  #left;
  #start = now();
  #reason;

  constructor(left) {
    this.#left = left;
    const signal = () => this.#signal;
    this.context = {
      get signal() {
        return signal();
      },
      deadline: Date.now() + left,
    };
  }
  get #signal() {
    if (this.#controller !== undefined) return this.#controller.signal;
    this.#controller = new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    const left = Math.max(0, this.#left - (now() - this.#start));
    this.#timer = setTimeout(() => this.abort(new MeshError('ERR_MESH_TIMEOUT', 'The deadline of the call is over')), left);
    this.#timer.unref();
    return this.#controller.signal;
  }
  abort(reason) {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
  end() {
    clearTimeout(this.#timer);
  }
}

module.exports = { Caller, Service };
