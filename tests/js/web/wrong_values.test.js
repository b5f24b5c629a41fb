// Every export of these modules is fed every kind of wrong value: an error or a result, never a crash or a hang.
'use strict';
const { writeSync } = require('node:fs');

const values = [
  undefined, null, true, 0, -1, 1.5, NaN, Infinity, 10n, '', 'x', Symbol('s'), {}, [], () => {}, new Date(), /x/, new Map(),
  new Uint8Array(3), new ArrayBuffer(2), new Proxy({}, {}), Object.create(null),
];
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});
process.on('warning', () => {});

let calls = 0;
function poke(callee, self) {
  for (const first of values) {
    for (const second of values) {
      try {
        const result = callee.call(self, first, second);
        if (result && typeof result.then === 'function') result.then(() => {}, () => {});
      } catch {}
      calls++;
    }
    try { new callee(first, first, first); } catch {}
  }
}

function pokeAll(object, self = object) {
  for (const key of Object.getOwnPropertyNames(object)) {
    if (key === 'constructor') continue;
    const { value, get, set } = Object.getOwnPropertyDescriptor(object, key);
    for (const callee of [value, get, set]) if (typeof callee === 'function') for (const each of [self, {}, undefined]) poke(callee, each);
  }
}

for (const id of ['buffer', 'url', 'perf_hooks', 'worker_threads', 'timers/promises']) {
  const exported = require(id);
  for (const key of Object.keys(exported)) if (typeof exported[key] === 'function') poke(exported[key]);
}
pokeAll(Buffer);
pokeAll(Buffer.prototype, Buffer.alloc(8));
const instances = [
  new URL('http://x'), new URLSearchParams(), new TextDecoder(), new TextEncoder(), new Event('x'), new CustomEvent('x'),
  new EventTarget(), new AbortController(), AbortSignal.abort(), new Blob(), new File([], 'x'), new MessageChannel().port1,
  new BroadcastChannel('x'), new DOMException(), new Headers(), new Response(), new PerformanceObserver(() => {}),
];
for (const instance of instances) {
  poke(instance.constructor);
  pokeAll(instance.constructor);
  pokeAll(Object.getPrototypeOf(instance), instance);
}
for (const callee of [structuredClone, atob, btoa, fetch]) poke(callee);
if (calls < 1e5) {
  writeSync(2, `only ${calls} calls\n`);
  process.exit(1);
}
setImmediate(() => process.exit(0));
