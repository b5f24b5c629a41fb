// natives: none
//
// The process in which a program's asynchronous module hooks run (see
// remote_hooks.js, which starts it with RONDO_HOOKS set). Questions come on
// descriptor 3, one at a time; answers go out on 4. While a question is open
// nothing of ours keeps the loop alive: when it ends, the hooks will never
// settle, and the program is told so.

'use strict';

const programState = require('internal/process/program_state');
const { Buffer } = require('internal/buffer/buffer');
const { frame, kLengthBytes, packError } = require('internal/modules/hooks_wire');

const kQuestions = 3;
const kAnswers = 4;

let open = 0; // number of the question that waits for its hooks
let count = 0;
let hasEnded = false;

function send(message) {
  const bytes = frame(message);
  const { writeSync } = require('internal/fs/fs');
  for (let at = 0; at < bytes.length; ) at += writeSync(kAnswers, bytes, at);
}

// The default steps: what the loader does by itself. A CommonJS module keeps its source: the program reads it again,
// unless a hook says otherwise.
function defaultResolve(specifier, context) {
  const { formatWithoutSource } = require('internal/modules/formats');
  const url = require('internal/modules/esm_resolve').defaultResolve(specifier, context.parentURL, context.conditions);
  return { __proto__: null, url, format: formatWithoutSource(url) ?? null };
}

function defaultLoad(url, context) {
  const loaded = require('internal/modules/esm_loader').defaultLoad(url, context.format ?? undefined, context.importAttributes);
  if (loaded.format === 'commonjs' || loaded.format === 'builtin') return { __proto__: null, format: loaded.format, source: null };
  const source = typeof loaded.source === 'string' ? Buffer.from(loaded.source) : loaded.source;
  return { __proto__: null, format: loaded.format, source };
}

let hasWarned = false;
function warnOfPreload() {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning('`globalPreload` has been removed; use `initialize` instead.', 'UnsupportedWarning');
}

function contextOf(parentURL) {
  const { importConditionNames } = require('internal/modules/conditions');
  return { conditions: [...each(importConditionNames())], importAttributes: {}, parentURL };
}

const answers = {
  __proto__: null,

  start({ argv }) {
    process.argv = argv;
  },

  async register({ specifier, parentURL, data }) {
    const { importModule } = require('internal/modules/esm_loader');
    const { addHooks, hasHooks, runResolve } = require('internal/modules/hooks_chain');
    // The hooks that stand resolve those that come.
    const found = hasHooks() ? (await runResolve(specifier, contextOf(parentURL), defaultResolve)).url : specifier;
    const { initialize, ...exported } = await importModule(found, parentURL);
    if (initialize === undefined && exported.globalPreload) warnOfPreload();
    addHooks(specifier, exported);
    await initialize?.(data);
  },

  resolve({ specifier, context }) {
    return require('internal/modules/hooks_chain').runResolve(specifier, context, defaultResolve);
  },

  load({ url, context }) {
    return require('internal/modules/hooks_chain').runLoad(url, context, defaultLoad);
  },
};

async function answer(message, socket) {
  const number = ++count;
  open = number;
  socket.unref();
  let reply;
  try {
    reply = { result: await answers[message.kind](message) };
  } catch (error) {
    reply = { failure: packError(error) };
  }
  if (open === number) finish(reply, socket); // else it was given up
}

function finish(reply, socket) {
  open = 0;
  socket.ref();
  send(reply);
}

function serve() {
  delete process.env.RONDO_HOOKS;
  // Hook modules look at this to tell where they are: in Node a thread of their own, without import.meta.resolve.
  Object.assign(requireLater('internal/worker/worker_threads'), { isMainThread: false, threadId: 1 });
  programState.isHooksProcess = true;
  const socket = new (require('internal/net/net').Socket)({ fd: kQuestions, readable: true, writable: false });
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= kLengthBytes && pending.length >= kLengthBytes + pending.readUInt32LE(0)) {
      const end = kLengthBytes + pending.readUInt32LE(0);
      const message = require('internal/v8/v8').deserialize(pending.subarray(kLengthBytes, end));
      pending = pending.subarray(end);
      answer(message, socket);
    }
  });
  // The program is gone: so are its hooks.
  socket.on('end', () => {
    hasEnded = true;
    process.exit();
  });
  process.on('beforeExit', () => {
    if (open !== 0) finish({ isUnsettled: true }, socket);
  });
  process.on('exit', (code) => {
    if (!hasEnded) send({ exit: code });
  });
}

module.exports = { serve };
