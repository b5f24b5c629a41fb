// natives: inspector
//
// The engine's debugger as all sessions share it: attached while one of them has the Debugger domain on; the scripts it knows; the state
// of a stopped program, and the loop in which a stopped program takes messages.

'use strict';

const binding = native('inspector');
const { scriptUrl } = require('internal/inspector/stack');

const scripts = new Map(); // number → script
const idsByUrl = new Map();
const users = new Set(); // of class DebuggerState (debugger_domain): sessions with the domain on

let pause; // while the program is stopped: { reason, frames, … }
let nextReason; // of the next stop that is no breakpoint: { reason, data }
let inEngine = 0; // calls of the engine's debugger that have not returned
let isAttached = false;
let lastHash = 0;

function hashOf(text) {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + stringCharCodeAt.call(text, i)) >>> 0;
  return stringPadStart.call(numberToString.call(hash, 16), 64, '0');
}

function makeScript(id, name, sourceMapURL, startLine, startColumn, endLine, endColumn, length, isModule) {
  const url = scriptUrl(name);
  return {
    id,
    url,
    sourceMapURL: sourceMapURL ?? '',
    startLine,
    startColumn,
    endLine,
    endColumn,
    length,
    isModule,
    hash: hashOf(`${url} ${length} ${lastHash++}`),
    isLibrary: stringStartsWith.call(url, 'node:'),
  };
}

// The engine's debugger waits for each of these to return. A message may interrupt them and end the debugging: the debugger goes later
// then. Lowering the count is the last step.
function fromEngine(run) {
  return (...details) => {
    inEngine++;
    try {
      return run(...each(details));
    } finally {
      inEngine--;
    }
  };
}

const listener = {
  scriptParsed: fromEngine((...details) => {
    const script = makeScript(...each(details));
    scripts.set(script.id, script);
    if (script.url !== '') idsByUrl.set(script.url, String(script.id));
    for (const user of each(Array.from(users))) user.onScript(script);
  }),
  scriptFailed: fromEngine((...details) => {
    const script = makeScript(...each(details));
    for (const user of each(Array.from(users))) user.onFailedScript(script);
  }),
  shouldStopAtException: fromEngine((value, isCaught) => arraySome.call(Array.from(users), (user) => user.stopsAtException(isCaught))),
  paused: fromEngine(whilePaused),
};

function whilePaused(kind, breakpoint, hasException, exception, frames) {
  if (users.size === 0) return;
  const loopStop = binding.takeLoopStop();
  pause = { kind, breakpoint, hasException, exception, frames, loopStop, isOver: false, ...nextReason };
  nextReason = undefined;
  for (const user of each(Array.from(users))) user.onPaused(pause);
  const { takeSoon, takeWhile } = require('internal/inspector/events');
  takeWhile(() => !pause.isOver && hasRemoteUser());
  pause = undefined;
  for (const user of each(Array.from(users))) user.onResumed();
  takeSoon();
}

function hasRemoteUser() {
  return arraySome.call(Array.from(users), (user) => user.session.isRemote);
}

// Scripts that there are already are told: by attaching, or here.
function add(user) {
  users.add(user);
  if (isAttached) {
    for (const script of each(Array.from(scripts.values()))) user.onScript(script);
    return;
  }
  isAttached = true;
  binding.attach(listener);
}

function detach() {
  isAttached = false;
  binding.detach();
}

function remove(user) {
  if (!users.delete(user)) return;
  if (users.size > 0) return;
  if (pause !== undefined) {
    pause.isOver = true;
    binding.goOn(0);
  }
  // The engine's debugger cannot go while it is stopped, and not before the code that stopped it has returned.
  if (inEngine === 0) detach();
  else detachSoon();
}

function detachSoon() {
  setImmediate(() => {
    if (users.size === 0 && isAttached) detach();
  }).unref();
}

const kSteps = { __proto__: null, resume: 0, stepInto: 1, stepOver: 2, stepOut: 3 };

function goOn(step) {
  binding.goOn(kSteps[step]);
  pause.isOver = true;
}

// The next statement of the program stops it.
function pauseSoon(reason) {
  nextReason = reason;
  binding.pauseSoon(true);
}

module.exports = {
  add,
  goOn,
  idsByUrl,
  pauseSoon,
  remove,
  scripts,
  users,
  get pause() {
    return pause;
  },
  scriptIdOf: (url) => idsByUrl.get(url) ?? '0',
};
