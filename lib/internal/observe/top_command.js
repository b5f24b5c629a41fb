// natives: none
// rondo top [--once] script.js [arguments] | PID: a table of runtimes, once a second: how busy each loop is and with what,
// what is open, the pool, the heap.
'use strict';

const { parse, watch, Watcher } = require('internal/observe/command');

const kOptions = { __proto__: null, '--every': 'time', '--for': 'time', '--once': 'flag' };
const kColumns = ['pid', 'runtime', 'busy %', 'now ms', 'phase', 'callbacks/s', 'iterations/s', 'handles', 'jobs', 'heap MB', 'gc %'];

function row(pid, before, now) {
  const time = Math.max(1, now.now - before.now);
  const share = (part) => `${Math.round(100 * Math.max(0, Math.min(1, part / time)))}`;
  let open = 0;
  const kinds = Object.keys(now.handles);
  for (let i = 0; i < kinds.length; i++) open += now.handles[kinds[i]][0] - now.handles[kinds[i]][1];
  const rate = (count) => `${Math.round((count * 1000) / time)}`;
  return [
    `${pid}`,
    now.runtime === 0 ? 'main' : `worker ${now.runtime}`,
    share(time - (now.idle - before.idle)),
    `${Math.round(now.busy * 10) / 10}`,
    now.busy > 0 ? now.event || now.phase : 'waiting',
    rate(now.callbacks - before.callbacks),
    rate(now.iteration - before.iteration),
    `${open}`,
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
  const { options, rest } = parse(args, kOptions);
  const watcher = new Watcher(['pulse']);
  const shown = new Map(),
    newest = new Map();
  watcher.onMessage = (peer, message) => {
    if (message.kind !== 'pulse') return;
    const key = `${peer.pid} ${message.runtime}`;
    newest.set(key, { pid: peer.pid, pulse: message });
    if (!shown.has(key)) shown.set(key, message);
  };
  const show = () => {
    const keys = [...each(newest.keys())];
    if (keys.length === 0) return;
    const rows = arrayMap.call(keys, (key) => row(newest.get(key).pid, shown.get(key), newest.get(key).pulse));
    for (let i = 0; i < keys.length; i++) shown.set(keys[i], newest.get(keys[i]).pulse);
    process.stderr.write(`${process.stderr.isTTY ? '\u001b[H\u001b[J' : ''}${table(rows)}\n`);
    if (options['--once']) watcher.onGone?.();
  };
  setInterval(show, options['--every'] ?? 1000).unref();
  const code = await watch(watcher, rest, options['--for'] ?? 0);
  show();
  watcher.close();
  return code;
}

module.exports = { run };
