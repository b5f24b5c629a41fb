// natives: none
// The standard streams of a worker as its owner sees them. Each is made when somebody asks for it or the worker writes: a worker that
// is silent costs none. Streams that the owner did not ask for go to its own standard output and error.
'use strict';

const { ControlLine } = require('internal/worker/control_line');

const streams = () => require('internal/worker/stdio');

function pipeQuietly(source, target) {
  const limits = [source._maxListeners, target._maxListeners];
  source.setMaxListeners(Infinity);
  target.setMaxListeners(Infinity);
  source.pipe(target);
  source._maxListeners = limits[0];
  target._maxListeners = limits[1];
}

class Stdio {
  #line;
  #options;
  #made = {};
  #isOver = false;

  constructor(handle, options) {
    this.#options = options;
    this.#line = new ControlLine({
      ref: () => handle.ref(),
      unref: () => handle.unref(),
      postMessage: (message) => handle.post(message),
    });
    this.stdin = options.stdin ? new (streams().WritableWorkerStdio)(this.#line, 'stdin') : null;
  }

  #readable(name) {
    if (this.#made[name] !== undefined) return this.#made[name];
    const isWanted = !!this.#options[name];
    const stream = (this.#made[name] = new (streams().ReadableWorkerStdio)(this.#line, name, isWanted));
    if (!isWanted) pipeQuietly(stream, process[name]);
    if (this.#isOver) stream.push(null);
    return stream;
  }

  get stdout() {
    return this.#readable('stdout');
  }
  get stderr() {
    return this.#readable('stderr');
  }

  take(name, chunks) {
    this.#readable(name).take(chunks);
  }
  more() {
    this.stdin?.more();
  }

  // The worker has ended.
  end() {
    this.#isOver = true;
    this.#line.close();
    for (const stream of each(Object.values(this.#made))) if (!stream.readableEnded) stream.push(null);
  }
}

module.exports = { Stdio };
