// natives: none
// `Stream`: the base of all Node streams, an EventEmitter with the pipe() of the
// first streams (data/drain/end, no buffering), which old packages still inherit.
// node/stream.js hangs the public names on this constructor.
'use strict';

const EventEmitter = require('internal/events/events');

function Stream(options) {
  call1(EventEmitter, this, options);
}
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

Stream.prototype.pipe = function (dest, options) {
  const source = this;
  let ended = false;

  function onData(chunk) {
    if (dest.writable && dest.write(chunk) === false && source.pause) source.pause();
  }
  function onDrain() {
    if (source.readable && source.resume) source.resume();
  }
  function onEnd() {
    if (ended) return;
    ended = true;
    dest.end();
  }
  function onClose() {
    if (ended) return;
    ended = true;
    if (typeof dest.destroy === 'function') dest.destroy();
  }
  function onError(error) {
    cleanup();
    // Ours may have been the last listener: then the error is nobody's.
    if (this.listenerCount?.('error') === 0) this.emit('error', error);
  }
  function cleanup() {
    for (const [emitter, event, listener] of eachEntry(attached)) emitter.removeListener(event, listener);
  }

  const attached = [
    [source, 'data', onData],
    [dest, 'drain', onDrain],
  ];
  if (!dest._isStdio && options?.end !== false) {
    arrayPush.call(attached, [source, 'end', onEnd], [source, 'close', onClose]);
  }
  for (const [emitter, event, listener] of eachEntry(attached)) emitter.on(event, listener);
  prependListener(source, 'error', onError);
  prependListener(dest, 'error', onError);
  const closing = [
    [source, 'end', cleanup],
    [source, 'close', cleanup],
    [dest, 'close', cleanup],
  ];
  for (const [emitter, event, listener] of eachEntry(closing)) emitter.on(event, listener);
  arrayPush.call(attached, [source, 'error', onError], [dest, 'error', onError], ...each(closing));

  dest.emit('pipe', source);
  return dest;
};

const kReadableEvents = ['data', 'end', 'readable'];
const kWritableEvents = ['prefinish', 'finish', 'drain'];

// Only events somebody listens to; a stream's own events come first, in one order.
Stream.prototype.eventNames = function eventNames() {
  const own = ['close', 'error'];
  if (this._writableState) arrayPush.call(own, ...each(kWritableEvents));
  if (this._readableState) arrayPush.call(own, ...each(kReadableEvents));
  const events = this._events;
  const names = arrayFilter.call(Reflect.ownKeys(events), (name) => {
    const listeners = events[name];
    return typeof listeners === 'function' || (Array.isArray(listeners) && listeners.length > 0);
  });
  if (own.length === 2) return names;
  return [
    ...each(arrayFilter.call(own, (name) => arrayIncludes.call(names, name))),
    ...each(arrayFilter.call(names, (name) => !arrayIncludes.call(own, name))),
  ];
};

// Emitters of old libraries may lack prependListener: then their listener table
// is edited directly.
function prependListener(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') {
    emitter.prependListener(event, listener);
    return;
  }
  const present = emitter._events?.[event];
  if (!present) emitter.on(event, listener);
  else if (Array.isArray(present)) arrayUnshift.call(present, listener);
  else emitter._events[event] = [listener, present];
}

module.exports = { Stream, prependListener };
