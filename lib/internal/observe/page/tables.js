// natives: none
// Tables and cards: what keeps the program alive, sockets, the pool; the doctor's findings; the heap.
'use strict';

const { make, svg, box, table } = require('internal/observe/page/dom');
const { short, ms, seconds, bytes } = require('internal/observe/page/sentences');

const kSockets = /tcp|pipe|udp|Socket|Server|TCP|Pipe|UDP|TLS/;

function place(page, { function: name, place: where }) {
  const text = name ? `${name} (${where})` : (where ?? '');
  return text === '' ? '' : short(text);
}

const age = (since) => (since === undefined ? '' : seconds(Math.max(0, Date.now() - since) * 1e6));

// Answer of a running program (inside.js): each with the place that made it.
function answeredRows(page, list) {
  return list.map((one) => [
    one.what,
    one.address ?? one.peer ?? one.child ?? (one.due === undefined ? '' : `due in ${seconds(one.due * 1e6)}`),
    place(page, one),
    age(one.since),
  ]);
}

function recordedRows(page, time) {
  const { model, step } = page;
  const { handles } = model.resources.at(time);
  const state = model.stateAt(step);
  const waiting = (name, what) =>
    [...(state.queues[name] ?? [])].slice(0, 500).map((id) => {
      const task = model.tasks.get(id);
      return [
        what,
        task.kind === 'timer' ? `due in ${seconds(Math.max(0, task.queued + task.delay - time))}` : '',
        short(task.name),
        ms(time - task.queued),
      ];
    });
  return [
    ...handles.map((one) => [one.kind, `#${one.id}`, '', ms(time - one.since)]),
    ...waiting('timers', 'timer'),
    ...waiting(model.isPage ? 'parallel' : 'poll', 'operation'),
    ...waiting('immediates', 'immediate'),
  ];
}

function alive(page) {
  const { model, step } = page;
  const { time } = model.stateAt(step);
  const columns = ['what', 'about', 'made or called at', 'age'];
  const answer = page.live?.alive;
  const rows = answer === undefined ? recordedRows(page, time) : answeredRows(page, answer);
  const sockets = rows.filter((row) => kSockets.test(row[0]));
  const others = rows.filter((row) => !kSockets.test(row[0]));
  const { jobs } = model.resources.at(time);
  const jobRows = jobs.map((job) => [
    job.kind,
    job.begin === null ? 'queued' : `on thread ${job.thread}`,
    short(model.label(job.cause).name),
    ms(time - (job.begin ?? job.queued)),
  ]);
  const empty = (what) => make('p', { class: 'dim' }, what);
  return make(
    'div',
    { class: 'columns' },
    box(
      answer === undefined ? 'Open at this step' : 'Keeps the program alive',
      others.length > 0 ? table('Handles, timers, operations', columns, others) : empty('nothing'),
    ),
    box('Sockets and servers', sockets.length > 0 ? table('Sockets and servers', columns, sockets) : empty('none')),
    box(
      'Thread pool',
      jobRows.length > 0 ? table('Jobs', ['class', 'state', 'asked for by', 'for'], jobRows) : empty('no job at this step'),
    ),
  );
}

function findings(page) {
  const { model } = page;
  const list = page.recording.findings ?? [];
  if (list.length === 0)
    return box('Findings of the doctor', make('p', { class: 'dim' }, 'None: no function blocks the loop, nothing grows.'));
  const cards = list.map((one) => {
    const go = () => page.goToTime(one.time, one.function);
    return make(
      'article',
      { class: 'card finding' },
      make('h3', {}, one.class),
      make('p', {}, make('strong', {}, one.function), ` ${short(`(${one.place})`)}`),
      make('p', {}, `${one.ms > 0 ? `${one.ms} ms; ` : ''}${short(one.cause)}`),
      make('p', { class: 'dim' }, one.advice),
      make('button', { onclick: go }, `Show at ${ms(Math.max(0, Math.min(one.time, model.lastTime)))}`),
    );
  });
  return box('Findings of the doctor', make('div', { class: 'columns' }, ...cards));
}

function heapChart(list, now, last) {
  const kWide = 800;
  const kTall = 200;
  const most = Math.max(...list.map((one) => one.bytes), 1);
  const x = (time) => (time / Math.max(1, last)) * kWide;
  const y = (value) => kTall - (value / most) * (kTall - 10);
  const points = list.map((one) => `${x(one.time).toFixed(1)},${y(one.bytes).toFixed(1)}`).join(' ');
  const newest = list[list.length - 1];
  const label = `Heap after collections: ${bytes(list[0].bytes)} at first, ${bytes(newest.bytes)} at last, ${bytes(most)} at most`;
  return svg(
    'svg',
    { viewBox: `0 0 ${kWide} ${kTall}`, role: 'img', 'aria-label': label, class: 'chart', preserveAspectRatio: 'none' },
    svg('polyline', { points: `${points} ${kWide},${y(newest.bytes)}`, class: 'curve' }),
    svg('line', { x1: x(now), x2: x(now), y1: 0, y2: kTall, class: 'cursor' }),
  );
}

function heap(page) {
  const list = page.recording.heap ?? [];
  if (list.length === 0) return box('Heap', make('p', { class: 'dim' }, 'No collection was seen.'));
  const newest = list[list.length - 1];
  const { time } = page.model.stateAt(page.step);
  const rows = list
    .slice(-50)
    .reverse()
    .map((one) => [ms(one.time), bytes(one.bytes), String(one.collections), ms(one.collecting * 1e6)]);
  return make(
    'div',
    { class: 'columns' },
    box('Heap after each collection', make('p', { class: 'big' }, bytes(newest.bytes)), heapChart(list, time, page.model.lastTime)),
    box('Collections', table('Heap over time', ['at', 'left', 'collections so far', 'time in them'], rows)),
  );
}

module.exports = { alive, findings, heap };
