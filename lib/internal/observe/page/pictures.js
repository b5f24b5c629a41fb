// natives: none
// The four pictures of the loop: phases with incoming events; stack, heap and queues; one iteration; Node's workflow with ticks and
// microtasks in the middle. Each is a function of the page and shows what the model says of the current step.
'use strict';

const { make, svg, box } = require('internal/observe/page/dom');
const { short, bytes, ms, withoutSource } = require('internal/observe/page/sentences');
const { sourcePart } = require('internal/observe/page/source');

const kQueueTitles = {
  timers: 'Timers',
  poll: 'Poll: operations and events',
  immediates: 'Check: immediates',
  ticks: 'nextTick',
  microtasks: 'Microtasks',
  // of a page
  dom: 'DOM manipulation',
  interaction: 'User interaction',
  networking: 'Networking',
  history: 'History traversal',
  message: 'Posted messages',
  scheduler: 'scheduler.postTask',
  database: 'Database access',
  rendering: 'Animation frames',
  idle: 'Idle callbacks',
  parallel: 'In parallel: work of the library',
};

const kCentre = 200;
const kOuter = 176;
const kInner = 112;

const point = (radius, angle) => `${kCentre + radius * Math.cos(angle)} ${kCentre + radius * Math.sin(angle)}`;

// A segment of a ring, between two angles.
function segment(from, to) {
  return (
    `M ${point(kOuter, from)} A ${kOuter} ${kOuter} 0 0 1 ${point(kOuter, to)} ` +
    `L ${point(kInner, to)} A ${kInner} ${kInner} 0 0 0 ${point(kInner, from)} Z`
  );
}

// Events that wait for poll, as dots on their way in.
function incomingDots(count, angle) {
  const kMost = 12;
  const dots = Array.from({ length: Math.min(kMost, count) }, (_, i) => {
    const radius = kOuter + 10 + 9 * Math.floor(i / 4);
    const turn = angle + ((i % 4) - 1.5) * 0.05;
    return svg('circle', { cx: kCentre + radius * Math.cos(turn), cy: kCentre + radius * Math.sin(turn), r: 3.2, class: 'event' });
  });
  return dots;
}

// In many segments the words of a name stand below one another.
function segmentName(name, count, x, y) {
  const kFew = 8;
  const words = count > kFew ? name.split(' ') : [name];
  const tall = 14;
  return words.map((word, i) =>
    svg(
      'text',
      { x, y: y + 5 + (i - (words.length - 1) / 2) * tall, 'text-anchor': 'middle', class: count > kFew ? 'small' : '' },
      document.createTextNode(word),
    ),
  );
}

// The ring: `now` is marked, `middle` are the lines inside, `heat` (name → share of the time) tints the segments.
function wheel(names, now, { middle, isMiddleNow, heat = {}, incoming = 0, label }) {
  const part = (2 * Math.PI) / names.length;
  const parts = names.map((name, i) => {
    const from = -Math.PI / 2 - part / 2 + i * part + 0.012;
    const angle = from + part / 2 - 0.012;
    const radius = (kOuter + kInner) / 2;
    const isNow = name === now;
    return svg(
      'g',
      { class: isNow ? 'phase is-now' : 'phase' },
      svg('path', { d: segment(from, from + part - 0.024), style: `--heat:${Math.round((heat[name] ?? 0) * 100)}%` }),
      ...segmentName(name, names.length, kCentre + radius * Math.cos(angle), kCentre + radius * Math.sin(angle)),
    );
  });
  const pollAngle = -Math.PI / 2 + Math.max(0, names.indexOf('poll')) * part; // a page's events become tasks, at the top
  const lines = middle.map((line, i) =>
    svg(
      'text',
      { x: kCentre, y: kCentre - 8 * middle.length + 14 + i * 21, 'text-anchor': 'middle', class: i === 0 ? 'strong' : '' },
      line,
    ),
  );
  return svg(
    'svg',
    { viewBox: '0 0 400 400', role: 'img', 'aria-label': label, class: 'wheel' },
    ...parts,
    svg('circle', { cx: kCentre, cy: kCentre, r: 96, class: isMiddleNow ? 'middle is-now' : 'middle' }),
    ...lines,
    ...incomingDots(incoming, pollAngle),
  );
}

// The title of a queue says what kind its tasks are: there a name stands alone.
function taskItem(page, { id, kind, name }, { isNow = false, isQueued = false }) {
  const text = isQueued ? withoutSource(short(name)) : short(name);
  const go = () => page.goToTask(id);
  const number = id === 0 || isQueued ? null : make('span', { class: 'dim' }, ` #${id}`);
  const mark = isQueued ? make('span', { class: `dot ${kind}` }) : make('span', { class: `kind ${kind}` }, kind);
  return make(
    'li',
    { class: isNow ? 'task is-now' : 'task' },
    mark,
    make('button', { class: 'link', onclick: go, title: `task #${id}` }, text || 'promise reaction'),
    number,
  );
}

function taskList(page, items, { rest = 0, empty = 'empty', ...how } = {}) {
  if (items.length === 0) return make('p', { class: 'dim' }, empty);
  const more = rest > 0 ? make('li', { class: 'dim' }, `and ${rest} more`) : null;
  return make('ul', { class: 'tasks' }, ...items.map((one) => taskItem(page, one, how)), more);
}

function queueCards(page, queues) {
  return Object.entries(queues).map(([name, { length, next }]) => {
    const title = make('h3', {}, kQueueTitles[name], ' ', make('span', { class: 'count' }, String(length)));
    return make('div', { class: 'queue', 'data-queue': name }, title, taskList(page, next, { isQueued: true, rest: length - next.length }));
  });
}

// Shares of the time that the last iterations spent in each phase.
function heatOf(model, step) {
  const kWindow = 400;
  const heat = {};
  let total = 0;
  const first = Math.max(1, step - kWindow);
  let state = model.stateAt(first);
  for (let at = first + 1; at <= step; at++) {
    const before = { time: state.time, phase: state.phase, waits: state.waits };
    model.states.apply(state, at);
    if (before.waits) continue;
    heat[before.phase] = (heat[before.phase] ?? 0) + state.time - before.time;
    total += state.time - before.time;
  }
  state = null;
  for (const name of Object.keys(heat)) heat[name] = total > 0 ? heat[name] / total : 0;
  return heat;
}

const roundName = (model) => (model.isPage ? 'turn' : 'iteration');

// A page has no ticks.
function innerQueues({ queues }) {
  const microtasks = `microtasks ${queues.microtasks.size}`;
  return queues.ticks === undefined ? [microtasks] : [`nextTick ${queues.ticks.size}`, microtasks];
}

function phases(page) {
  const { model, step } = page;
  const picture = model.phasesPicture(step);
  const state = model.stateAt(step);
  const now = picture.phases.find((one) => one.isNow)?.name ?? '';
  const ring = wheel(
    picture.phases.map((one) => one.name),
    now,
    {
      middle: [picture.waits ? 'waits for events' : `${roundName(model)} ${picture.iteration}`, ...innerQueues(state)],
      isMiddleNow: picture.waits,
      heat: heatOf(model, step),
      incoming: picture.incoming,
      label: model.inWords(step),
    },
  );
  const stack = model.stackPicture(step);
  const running = box('Running', taskList(page, stack.stack, { isNow: true, empty: 'nothing at this step' }));
  running.id = 'running';
  return make(
    'div',
    { class: 'now' },
    box(model.isPage ? 'A turn of the HTML loop' : 'Phases of the loop', ring, make('p', { class: 'words dim' }, model.inWords(step))),
    make('div', {}, running, box('Queues', make('div', { class: 'queues' }, ...queueCards(page, stack.queues)))),
    box('Source', sourcePart(page, 14)),
  );
}

function stack(page) {
  const picture = page.model.stackPicture(page.step);
  const { heap } = picture;
  const size = heap.bytes === undefined ? null : make('p', { class: 'big' }, bytes(heap.bytes));
  const about = heap.bytes === undefined ? `${heap.tasks} tasks known` : `after ${heap.collections} collections; ${heap.tasks} tasks known`;
  return make(
    'div',
    { class: 'columns' },
    box(`Call stack, depth ${picture.depth}`, taskList(page, picture.stack, { isNow: true })),
    box('Heap', size, make('p', { class: 'dim' }, about)),
    box('Queues', make('div', { class: 'queues' }, ...queueCards(page, picture.queues))),
  );
}

function iteration(page) {
  const { model, step } = page;
  const { number, phases: list } = model.iterationPicture(model.stateAt(step).iteration);
  const items = list.map((one) =>
    make('li', {}, make('h3', {}, one.phase, ' ', make('span', { class: 'count' }, String(one.count))), taskList(page, one.tasks)),
  );
  const before = model.isPage ? 'Before the first turn' : 'Before the first iteration: the script and its ticks and microtasks';
  const about = number === 0 ? before : model.isPage ? `Turn ${number}, part by part` : `Iteration ${number}, phase by phase`;
  return box(about, items.length > 0 ? make('ol', { class: 'iteration' }, ...items) : make('p', { class: 'dim' }, 'nothing ran'));
}

function workflow(page) {
  const { model, step } = page;
  const { around, at, middle } = model.workflowPicture(step);
  const state = model.stateAt(step);
  const what = model.isPage ? 'Microtasks' : 'Ticks and microtasks';
  const ring = wheel(around, at, {
    middle: [middle.isNow ? `${middle.kind} runs` : 'after every callback', ...innerQueues(state)],
    isMiddleNow: middle.isNow,
    incoming: model.incoming(state),
    label: `${model.inWords(step)} ${what} run in the middle, after every callback.`,
  });
  const { ticks, microtasks } = model.stackPicture(step).queues;
  return make(
    'div',
    { class: 'columns' },
    box(`${what} run in the middle, after every callback`, ring),
    box(
      'Run until empty before the loop goes on',
      make('div', { class: 'queues' }, ...queueCards(page, ticks === undefined ? { microtasks } : { ticks, microtasks })),
    ),
  );
}

function slowest(page) {
  const items = page.model
    .slowest(30)
    .map((task) =>
      make(
        'li',
        {},
        make('span', { class: `kind ${task.kind}` }, task.kind),
        make('strong', {}, ms(task.end - task.begin)),
        make('button', { class: 'link', onclick: () => page.goToTask(task.id) }, short(task.name)),
      ),
    );
  return box('Slowest tasks', make('ol', { class: 'slowest' }, ...items));
}

module.exports = { phases, stack, iteration, workflow, slowest, taskList };
