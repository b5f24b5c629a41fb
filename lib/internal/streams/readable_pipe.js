// natives: none
// Readable.prototype.pipe and unpipe: data events into dest.write(), pausing the
// source while a destination is full. A source with several destinations waits
// for all the slow ones. readable.js adds these to the prototype.
'use strict';

const { prependListener } = require('internal/streams/legacy');
const { errorOrDestroy } = require('internal/streams/destroy');
const { kEndEmitted, kFlowing, kDataListening, kMultiAwaitDrain } = require('internal/streams/readable_state');

function pipe(dest, options) {
  const source = this;
  const state = source._readableState;
  let drainListener = null;
  let detached = false;

  addPipe(state, dest);

  function onData(chunk) {
    try {
      if (dest.write(chunk) === false) holdBack();
    } catch (error) {
      dest.destroy(error);
    }
  }

  function holdBack() {
    // The write itself may have unpiped us; pausing then would be for ever.
    if (!detached) {
      noteSlowWriter(state, dest);
      source.pause();
    }
    if (drainListener === null) {
      drainListener = () => onDrain(source, dest);
      dest.on('drain', drainListener);
    }
  }

  const detach = () => source.unpipe(dest);
  const atEnd = endsWithSource(dest, options) ? () => dest.end() : detach;

  function onDestClose() {
    dest.removeListener('finish', onDestFinish);
    detach();
  }

  function onDestFinish() {
    dest.removeListener('close', onDestClose);
    detach();
  }

  function onDestError(error) {
    detach();
    dest.removeListener('error', onDestError);
    if (dest.listenerCount('error') === 0) raise(dest, error);
  }

  function onUnpipe(readable, info) {
    if (readable !== source || !info || info.hasUnpiped !== false) return;
    info.hasUnpiped = true;
    cleanup();
  }

  function cleanup() {
    dest.removeListener('close', onDestClose);
    dest.removeListener('finish', onDestFinish);
    if (drainListener !== null) dest.removeListener('drain', drainListener);
    dest.removeListener('error', onDestError);
    dest.removeListener('unpipe', onUnpipe);
    source.removeListener('end', atEnd);
    source.removeListener('data', onData);
    detached = true;
    // A source waiting for this destination would wait for ever.
    if (drainListener !== null && state.awaitDrainWriters) drainListener();
  }

  if ((state.flags & kEndEmitted) !== 0) process.nextTick(atEnd);
  else source.once('end', atEnd);

  dest.on('unpipe', onUnpipe);
  source.on('data', onData);
  prependListener(dest, 'error', onDestError);
  dest.once('close', onDestClose);
  dest.once('finish', onDestFinish);
  dest.emit('pipe', source);

  if (dest.writableNeedDrain === true) holdBack();
  else if ((state.flags & kFlowing) === 0) source.resume();
  return dest;
}

function endsWithSource(dest, options) {
  return options?.end !== false && dest !== process.stdout && dest !== process.stderr;
}

// An error of a destination without listeners of its own.
function raise(dest, error) {
  const state = dest._writableState || dest._readableState;
  // Not emitted by the stream itself, but by somebody's dest.emit('error').
  if (state && !state.errorEmitted) errorOrDestroy(dest, error);
  else dest.emit('error', error);
}

function addPipe(state, dest) {
  if (state.pipes.length === 1) awaitDrainOfMany(state);
  arrayPush.call(state.pipes, dest);
}

function awaitDrainOfMany(state) {
  if ((state.flags & kMultiAwaitDrain) !== 0) return;
  state.flags |= kMultiAwaitDrain;
  state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
}

function noteSlowWriter(state, dest) {
  const pipes = state.pipes;
  if (pipes.length === 1 && pipes[0] === dest) {
    state.awaitDrainWriters = dest;
    state.flags &= ~kMultiAwaitDrain;
  } else if (pipes.length > 1 && arrayIncludes.call(pipes, dest)) {
    state.awaitDrainWriters.add(dest);
  }
}

function onDrain(source, dest) {
  const state = source._readableState;
  if (state.awaitDrainWriters === dest) state.awaitDrainWriters = null;
  else if ((state.flags & kMultiAwaitDrain) !== 0) state.awaitDrainWriters.delete(dest);

  const noneSlow = !state.awaitDrainWriters || state.awaitDrainWriters.size === 0;
  if (noneSlow && (state.flags & kDataListening) !== 0) source.resume();
}

function unpipe(dest) {
  const state = this._readableState;
  const pipes = state.pipes;
  if (pipes.length === 0) return this;
  if (!dest) {
    state.pipes = [];
    this.pause();
    for (let i = 0; i < pipes.length; i++) pipes[i].emit('unpipe', this, { hasUnpiped: false });
    return this;
  }
  const index = arrayIndexOf.call(pipes, dest);
  if (index === -1) return this;
  arraySplice.call(pipes, index, 1);
  if (pipes.length === 0) this.pause();
  dest.emit('unpipe', this, { hasUnpiped: false });
  return this;
}

module.exports = { pipe, unpipe };
