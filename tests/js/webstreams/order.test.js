// Web streams: what runs before what, as recorded from Node 26.10 (order.txt). Every line is one way to connect a source, a transform and a
// sink: how much each may hold, and whether its functions answer at once, a microtask, a tick or an immediate later.
//   node order.test.js --write      records it anew
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');

const pauses = {
  none: () => undefined,
  microtask: () => Promise.resolve(),
  tick: () => new Promise((resolve) => process.nextTick(resolve)),
  immediate: () => new Promise((resolve) => setImmediate(resolve)),
};

function sourceOf(log, { queued, room, start, pull }) {
  let count = 0;
  return new ReadableStream({
    start(controller) {
      log.push('start');
      for (let i = 0; i < queued; i++) controller.enqueue(`q${i}`);
      return pauses[start]();
    },
    pull(controller) {
      log.push(`pull ${controller.desiredSize}`);
      const number = count++;
      const give = () => (number < 3 ? controller.enqueue(`r${number}`) : controller.close());
      return pull === 'none' ? give() : pauses[pull]().then(give);
    },
  }, { highWaterMark: room });
}

const ways = {
  async piped(log, source, { sinkRoom, sinkStart, write }) {
    await source.pipeTo(new WritableStream({
      start: () => (log.push('sink'), pauses[sinkStart]()),
      write: (chunk) => (log.push(`write ${chunk}`), pauses[write]()),
      close: () => void log.push('close'),
    }, { highWaterMark: sinkRoom }));
  },
  transformed(log, source, sink) {
    const transform = new TransformStream({
      transform(chunk, controller) {
        log.push(`transform ${chunk}`);
        controller.enqueue(chunk);
      },
      flush: () => void log.push('flush'),
    });
    return ways.piped(log, source.pipeThrough(transform), sink);
  },
  async iterated(log, source) {
    for await (const chunk of source) log.push(`chunk ${chunk}`);
  },
  async read(log, source) {
    const reader = source.getReader();
    for (let result = await reader.read(); !result.done; result = await reader.read()) log.push(`chunk ${result.value}`);
  },
};

// Every pair of two settings occurs, not every combination.
function* settings() {
  const choices = {
    way: Object.keys(ways), room: [0, 1, 3], pull: Object.keys(pauses), write: Object.keys(pauses), sinkRoom: [1, 4], queued: [0, 3],
    start: ['none', 'tick'], sinkStart: ['none', 'tick'],
  };
  for (let i = 0; i < 96; i++) {
    let rest = i * 7919;
    yield Object.fromEntries(Object.entries(choices).map(([name, values]) => {
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length) + i;
      return [name, value];
    }));
  }
}

(async () => {
  const lines = [];
  for (const setting of settings()) {
    const log = [];
    await ways[setting.way](log, sourceOf(log, setting), setting);
    lines.push(`${Object.values(setting).join(' ')}: ${log.join(', ')}`);
  }
  // Keys of what a read gives, and an iteration that ends before it began.
  const { readable } = new TransformStream();
  lines.push(`keys: ${Object.keys(await ReadableStream.from('a').getReader().read())}`);
  const iterator = new ReadableStream({ cancel: () => void lines.push('cancelled') }).values();
  const ended = iterator.return();
  lines.push('after return()', JSON.stringify(await ended), String(readable.locked));

  const file = path.join(__dirname, 'order.txt');
  if (process.argv.includes('--write')) fs.writeFileSync(file, `${lines.join('\n')}\n`);
  else assert.deepStrictEqual(lines, fs.readFileSync(file, 'utf8').trimEnd().split('\n'));
})();
