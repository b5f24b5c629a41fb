// natives: wasi
// WASI's functions that are not of files: arguments, environment, clocks, waiting, random bytes, the end of the program; sockets, of which
// a program has none.
'use strict';

const binding = native('wasi');
const { errors, fileTypes, rights } = require('internal/wasi/constants');
const { fail, failWith, numberOf } = require('internal/wasi/error');

const bytesOf = (text) => require('internal/buffer/buffer').Buffer.from(text);

// A table of addresses, and the texts, each with a zero behind it.
function writeTexts(memory, texts, table, at) {
  let next = at;
  for (let i = 0; i < texts.length; i++) {
    const bytes = bytesOf(`${texts[i]}\0`);
    memory.setU32(table + 4 * i, next);
    bytesSet.call(memory.bytes(next, bytes.length), bytes);
    next += bytes.length;
  }
}

function writeSizes(memory, texts, count, size) {
  memory.check(count, 4);
  memory.check(size, 4);
  let total = 0;
  for (const text of each(texts)) total += bytesOf(text).length + 1;
  memory.setU32(count, texts.length);
  memory.setU32(size, total);
}

// WASI's clocks are Linux's first four: realtime, monotonic, of the process, of the thread.
const kClocks = 4;
function clock(id, asksResolution) {
  if (id >= kClocks) fail('EINVAL');
  const time = binding.clock(id, asksResolution);
  if (typeof time === 'number') failWith(time);
  return time;
}

// ---- poll_oneoff ----

const kSubscription = 48,
  kEvent = 32,
  kClock = 0,
  kRead = 1,
  kWrite = 2,
  kAbsolute = 1,
  kHangup = 1;
const POLLIN = 1,
  POLLOUT = 4,
  POLLERR = 8,
  POLLHUP = 16,
  POLLNVAL = 32,
  POLLRDHUP = 0x2000; // the other end of a socket writes no more, which a program sees as a hangup, too
const kSlice = 50; // milliseconds: in between a thread can be ended

function readSubscription({ memory, descriptors }, at) {
  const type = memory.u8(at + 8);
  const made = { userdata: memory.u64(at), type, error: 0 };
  if (type === kClock) {
    const id = memory.u32(at + 16);
    const time = memory.u64(at + 24);
    const isAbsolute = (memory.u16(at + 40) & kAbsolute) !== 0;
    try {
      made.id = id;
      made.due = isAbsolute ? time : clock(id, false) + time;
    } catch (error) {
      made.error = numberOf(error);
    }
  } else if (type === kRead || type === kWrite) {
    try {
      made.fd = descriptors.get(memory.u32(at + 16), rights.poll_fd_readwrite).fd;
    } catch (error) {
      made.error = numberOf(error);
    }
  } else fail('EINVAL');
  return made;
}

// Milliseconds until the first clock is due; undefined without one.
function timeLeft(subscriptions) {
  let least;
  for (const { type, error, id, due } of each(subscriptions)) {
    if (type !== kClock || error !== 0) continue;
    const left = due - clock(id, false);
    if (least === undefined || left < least) least = left;
  }
  return least === undefined ? undefined : Math.max(0, Number(least) / 1e6);
}

function waitForSome(subscriptions) {
  const files = arrayFilter.call(subscriptions, ({ fd, error }) => fd !== undefined && error === 0);
  const words = new Int32Array(3 * files.length);
  for (let i = 0; i < files.length; i++) {
    words[3 * i] = files[i].fd;
    words[3 * i + 1] = files[i].type === kRead ? POLLIN | POLLRDHUP : POLLOUT;
  }
  const hasError = arraySome.call(subscriptions, ({ error }) => error !== 0);
  for (;;) {
    const left = hasError ? 0 : timeLeft(subscriptions);
    const ready = binding.poll(words, Math.ceil(Math.min(left ?? kSlice, kSlice)));
    if (ready < 0 && ready !== -4) failWith(ready); // EINTR: once more
    for (let i = 0; i < files.length; i++) files[i].ready = words[3 * i + 2];
    if (ready > 0 || hasError || left === 0) return;
  }
}

function writeEvent(memory, at, { userdata, error, type, ready = 0 }) {
  memory.setU64(at, userdata);
  memory.setU64(at + 8, 0n);
  memory.setU16(at + 8, ready & POLLNVAL ? errors.EBADF : ready & POLLERR && !(ready & POLLHUP) ? errors.EIO : error);
  memory.setU8(at + 10, type);
  memory.setU64(at + 16, type === kClock ? 0n : 1n);
  memory.setU64(at + 24, ready & (POLLHUP | POLLRDHUP) ? BigInt(kHangup) : 0n);
}

function poll(program, from, into, count, done) {
  const { memory } = program;
  memory.check(done, 4);
  if (count === 0) fail('EINVAL');
  memory.check(from, count * kSubscription);
  memory.check(into, count * kEvent);
  const subscriptions = [];
  for (let i = 0; i < count; i++) arrayPush.call(subscriptions, readSubscription(program, from + i * kSubscription));
  waitForSome(subscriptions);
  let written = 0;
  for (const subscription of each(subscriptions)) {
    const { type, error, id, due, ready } = subscription;
    const isReady = error !== 0 || (type === kClock ? clock(id, false) >= due : ready !== 0);
    if (isReady) writeEvent(memory, into + kEvent * written++, subscription);
  }
  memory.setU32(done, written);
}

function requireSocket({ descriptors }, fd) {
  const { type } = descriptors.get(fd);
  if (type !== fileTypes.stream && type !== fileTypes.datagram) fail('ENOTSOCK');
  fail('ENOTSUP');
}

module.exports = {
  systemFunctions: {
    __proto__: null,
    args_get: ({ memory, args }, table, at) => writeTexts(memory, args, table, at),
    args_sizes_get: ({ memory, args }, count, size) => writeSizes(memory, args, count, size),
    environ_get: ({ memory, env }, table, at) => writeTexts(memory, env, table, at),
    environ_sizes_get: ({ memory, env }, count, size) => writeSizes(memory, env, count, size),
    clock_res_get({ memory }, id, at) {
      memory.check(at, 8);
      memory.setU64(at, clock(id, true));
    },
    clock_time_get({ memory }, id, _precision, at) {
      memory.check(at, 8);
      memory.setU64(at, clock(id, false));
    },
    poll_oneoff: poll,
    proc_exit({ exit }, code) {
      exit(code);
    },
    proc_raise(_program, signal) {
      require('internal/process/methods').kill(process.pid, signal);
    },
    random_get({ memory }, at, size) {
      const target = memory.bytes(at, size);
      bytesSet.call(target, require('internal/crypto/random').randomBytes(size));
    },
    sched_yield: () => binding.yield(),
    sock_accept: (program, fd) => requireSocket(program, fd),
    sock_recv: (program, fd) => requireSocket(program, fd),
    sock_send: (program, fd) => requireSocket(program, fd),
    sock_shutdown: (program, fd) => requireSocket(program, fd),
  },
};
