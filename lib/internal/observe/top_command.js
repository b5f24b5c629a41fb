// natives: none
// rondo top [--once] script.js [arguments] | PID: a table of runtimes, once a second: how busy each loop is and with what,
// what is open, the pool, the heap.
'use strict';

const { parseTarget, watch, Watcher } = require('internal/observe/command');

const kOptions = { __proto__: null, '--every': 'time', '--for': 'time', '--once': 'flag' };
const kColumns = [
  'pid',
  'runtime',
  'busy %',
  'now ms',
  'phase',
  'callbacks/s',
  'iterations/s',
  'handles',
  'timers',
  'jobs',
  'heap MB',
  'gc %',
];

const kPatience = 200; // ms

function row(pid, before, now, counts) {
  const time = Math.max(1, now.now - before.now);
  const share = (part) => `${Math.round(100 * Math.max(0, Math.min(1, part / time)))}`;
  const rate = (count) => `${Math.round((count * 1000) / time)}`;
  return [
    `${pid}`,
    now.runtime === 0 ? 'main' : `worker ${now.runtime}`,
    share(time - (now.idle - before.idle)),
    `${Math.round(now.busy * 10) / 10}`,
    now.busy > 0 ? now.event || now.phase : 'waiting',
    rate(now.callbacks - before.callbacks),
    rate(now.iteration - before.iteration),
    // A loop that is blocked does not say.
    counts === undefined ? '?' : `${counts.handles}`,
    counts === undefined ? '?' : `${counts.activeTimers}`,
    `${now.jobs[0] - now.jobs[1]}`,
    `${Math.round(now.heap / 104857.6) / 10}`,
    share(now.collecting - before.collecting),
  ];
}

function table(rows) {
  const all = [kColumns, ...each(rows)];
  const widths = arrayMap.call(kColumns, (_, i) => Math.max(...each(arrayMap.call(all, (one) => one[i].length))));
  const line = (one) =>
    arrayJoin.call(
      arrayMap.call(one, (cell, i) => stringPadStart.call(cell, widths[i])),
      '  ',
    );
  return arrayJoin.call(arrayMap.call(all, line), '\n');
}

async function run(args) {
  const { options, rest } = parseTarget(args, kOptions);
  const watcher = new Watcher(['pulse']);
  const shown = new Map(),
    newest = new Map();
  watcher.onMessage = (peer, message) => {
    if (message.kind !== 'pulse') return;
    const key = `${peer.pid} ${message.runtime}`;
    newest.set(key, { peer, pulse: message });
    if (!shown.has(key)) shown.set(key, message);
  };
  const show = async () => {
    const keys = [...each(newest.keys())];
    if (keys.length === 0) return;
    const answers = await Promise.all(
      arrayMap.call(keys, (key) => newest.get(key).peer.askLater('counts', newest.get(key).pulse.runtime, kPatience)),
    );
    const rows = arrayMap.call(keys, (key, i) => {
      const { peer, pulse } = newest.get(key);
      return row(peer.pid, shown.get(key), pulse, answers[i]?.said);
    });
    for (let i = 0; i < keys.length; i++) shown.set(keys[i], newest.get(keys[i]).pulse);
    process.stderr.write(`${process.stderr.isTTY ? '\u001b[H\u001b[J' : ''}${table(rows)}\n`);
    if (options['--once']) watcher.onGone?.();
  };
  setInterval(show, options['--every'] ?? 1000).unref();
  const code = await watch(watcher, rest, options['--for'] ?? 0);
  await show();
  watcher.close();
  return code;
}

module.exports = { run };
