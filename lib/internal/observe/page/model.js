// natives: none
// The model of one runtime of a recorded run: tasks, steps, the state at any step, and the pictures of the loop. Pure functions over
// records; the page, rondo trace PID, OTLP and the tests read it, and no view computes anything of its own.
//
// A recording: { script, live, runtimes: [{ number, names, lost, records: base64 | bytes: Uint8Array }], heap, findings, sources }
'use strict';

const { Records, kind, decodeBase64, kPhases, kTaskKinds } = require('internal/observe/page/records');
const { Spans } = require('internal/observe/page/spans');
const { Resources } = require('internal/observe/page/resources');
const sentences = require('internal/observe/page/sentences');
const html = require('internal/observe/page/html_loop');
const { LineCounts } = require('internal/observe/page/lines');
const { Overview } = require('internal/observe/page/overview');

const kQueueOf = { tick: 'ticks', microtask: 'microtasks', timer: 'timers', immediate: 'immediates', io: 'poll', event: 'poll' };
const kQueues = ['timers', 'poll', 'immediates', 'ticks', 'microtasks'];
const kShownNext = 3;
const kMostInIteration = 200;

// A step is something a person can see happen.
const kShown = new Uint8Array(256);
for (const name of [
  'phaseBegin',
  'waitBegin',
  'waitEnd',
  'taskQueued',
  'taskBegin',
  'taskEnd',
  'taskCancelled',
  'exit',
  'output',
  'jobQueued',
  'jobBegin',
  'jobEnd',
]) {
  kShown[kind[name]] = 1;
}

const isTaskRecord = (one) => (one >= kind.taskQueued && one <= kind.taskEnd) || one === kind.taskCancelled || one === kind.taskNamed;

const emptyTask = (id, kindName) => ({
  id,
  kind: kindName,
  name: '',
  cause: null,
  queued: null,
  begin: null,
  end: null,
  delay: 0,
  ready: 0,
  cancelled: null,
  beginStep: 0, // at which it begins
});

// Tasks by number. The ledger counts them, so they lie in a list, from the first that the recording has; 0 is the main script.
class Tasks {
  constructor(records) {
    let first = Infinity;
    let last = 0;
    for (let i = 0; i < records.count; i++) {
      if (!isTaskRecord(records.kindAt(i))) continue;
      const id = records.idAt(i);
      if (id !== 0 && id < first) first = id;
      if (id > last) last = id;
    }
    const length = last === 0 ? 0 : last - first + 1;
    this.first = first;
    this.list = length <= records.count ? new Array(length) : [];
    this.script = { ...emptyTask(0, 'script'), name: 'main script', queued: 0, begin: 0 };
    this.size = 1;
  }
  get(id) {
    return id === 0 ? this.script : this.list[id - this.first];
  }
  add(id, kindName) {
    this.size++;
    return (this.list[id - this.first] = emptyTask(id, kindName));
  }
  values() {
    const all = [this.script];
    this.list.forEach((task) => all.push(task));
    return all;
  }
}

// Tasks of a run and the steps of it, gathered in one pass.
class Run {
  constructor(records) {
    const { count } = records;
    this.records = records;
    this.isPage = records.has(kind.turn);
    this.queueNames = this.isPage ? html.kQueues : kQueues;
    this.queueOf = this.isPage ? html.kQueueOf : kQueueOf;
    this.steps = new Uint32Array(count);
    this.stepCount = 0;
    this.iterations = new Uint32Array(count + 1); // of each step; of a page its turns
    this.iterationStarts = new Map();
    this.outputs = [];
    this.kindCounts = {};
    this.tasks = new Tasks(records);
    this.gather();
  }

  gather() {
    const { records } = this;
    const iterationKind = this.isPage ? kind.turn : kind.iteration;
    let iteration = 0;
    for (let i = 0; i < records.count; i++) {
      const one = records.kindAt(i);
      if (one === iterationKind) this.addIteration((iteration = records.idAt(i)), i);
      if (one === kind.place && this.outputs.length > 0) this.outputs[this.outputs.length - 1].place = records.nameAt(i);
      if (kShown[one]) {
        this.steps[this.stepCount++] = i;
        this.iterations[this.stepCount] = iteration;
        if (one === kind.output) this.addOutput(i);
      }
      if (isTaskRecord(one)) this.addTaskRecord(one, i);
    }
    for (const task of this.tasks.values()) this.kindCounts[task.kind] = (this.kindCounts[task.kind] ?? 0) + 1;
  }

  // A page's turn has a record for its task, one for its rendering, one for its idle period.
  addIteration(number, i) {
    if (!this.iterationStarts.has(number)) this.iterationStarts.set(number, i);
  }

  addOutput(i) {
    const { records } = this;
    this.outputs.push({ step: this.stepCount, fd: records.idAt(i), text: records.nameAt(i), by: records.causeAt(i), place: '' });
  }

  taskAt(i) {
    const id = this.records.idAt(i);
    const known = this.tasks.get(id);
    if (known !== undefined) return known;
    const task = this.tasks.add(id, kTaskKinds[this.records.whatAt(i)] ?? 'io');
    task.cause = this.records.causeAt(i);
    return task;
  }

  addTaskRecord(one, i) {
    const { records } = this;
    const task = this.taskAt(i);
    const time = records.times[i];
    if (one === kind.taskNamed) {
      task.name = records.nameAt(i) || task.name;
    } else if (one === kind.taskQueued) {
      task.queued = time;
      task.cause = records.causeAt(i);
      task.name = records.nameAt(i) || task.name || 'promise reaction';
      if (task.kind === 'timer') task.delay = records.payloadAt(i) * 1000;
    } else if (one === kind.taskBegin) {
      task.begin = time;
      task.ready = records.payloadAt(i);
      task.beginStep = this.stepCount;
    } else if (one === kind.taskEnd) {
      task.end = time;
    } else {
      task.cancelled = time;
    }
  }
}

const emptyState = ({ queueNames }) => ({
  step: 0,
  time: 0,
  iteration: 0,
  phase: 'none',
  waits: false,
  ready: 0,
  stack: [],
  exit: null,
  queues: Object.fromEntries(queueNames.map((name) => [name, new Set()])),
});

function copyState(state) {
  const queues = {};
  for (const name of Object.keys(state.queues)) queues[name] = new Set(state.queues[name]);
  return { ...state, stack: state.stack.slice(), queues };
}

// The state of the loop at any step. States of some steps are kept, so that any step is near one.
class States {
  constructor(run) {
    this.run = run;
    this.every = Math.max(512, Math.ceil(run.stepCount / 256));
    this.kept = [emptyState(run)];
  }

  at(step) {
    const wanted = Math.max(0, Math.min(step, this.run.stepCount));
    const slot = Math.floor(wanted / this.every);
    while (this.kept.length <= slot) {
      const next = copyState(this.kept[this.kept.length - 1]);
      for (let i = 0; i < this.every; i++) this.apply(next, next.step + 1);
      this.kept.push(next);
    }
    const state = copyState(this.kept[slot]);
    while (state.step < wanted) this.apply(state, state.step + 1);
    return state;
  }

  apply(state, step) {
    const { records, steps, iterations } = this.run;
    const i = steps[step - 1];
    const one = records.kindAt(i);
    state.step = step;
    state.time = records.times[i];
    state.iteration = iterations[step];
    if (isTaskRecord(one)) this.applyTask(state, one, records.idAt(i));
    else if (one === kind.phaseBegin) state.phase = this.run.isPage ? state.phase : records.phaseAt(i);
    else if (one === kind.exit) state.exit = records.payloadAt(i);
    else if (one === kind.waitBegin)
      state.waits = records.payloadAt(i) !== 0; // a look without waiting is none
    else if (one === kind.waitEnd) {
      state.waits = false;
      state.ready = records.payloadAt(i);
    }
  }

  applyTask(state, one, id) {
    const queue = state.queues[this.run.queueOf[this.run.tasks.get(id)?.kind]];
    if (one === kind.taskQueued) {
      queue?.add(id);
    } else if (one === kind.taskEnd) {
      const top = state.stack.lastIndexOf(id);
      if (top >= 0) state.stack.splice(top, 1);
    } else {
      queue?.delete(id);
      if (one === kind.taskBegin) state.stack.push(id);
    }
    if (this.run.isPage) state.phase = html.partOf(state.stack.map((running) => this.run.tasks.get(running)));
  }
}

class Model {
  constructor(recording, number = 0) {
    const runtime = recording.runtimes.find((one) => one.number === number) ?? { names: {}, records: '', lost: 0 };
    runtime.bytes ??= decodeBase64(runtime.records);
    this.recording = recording;
    this.script = recording.script;
    this.lost = runtime.lost ?? 0;
    this.raw = new Records(runtime.bytes, runtime.names, runtime.offset);
    const run = new Run(this.raw);
    this.run = run;
    this.tasks = run.tasks;
    this.kindCounts = run.kindCounts;
    this.isPage = run.isPage;
    this.parts = run.isPage ? html.kParts : kPhases.slice(1); // of an iteration, or of a page's turn
    this.shownQueues = run.isPage ? html.usedQueues(run.kindCounts) : kQueues;
    this.stepCount = run.stepCount;
    this.recordCount = this.raw.count;
    this.lastTime = this.raw.count > 0 ? this.raw.times[this.raw.count - 1] : 0;
    this.states = new States(run);
    this.spans = new Spans(run.tasks, this.lastTime);
    this.resources = new Resources(this.raw);
    this.lineCounts = new LineCounts(this);
    this.overview = new Overview(this);
  }

  get records() {
    return Array.from({ length: this.recordCount }, (_, i) => this.raw.at(i));
  }
  get steps() {
    return Array.from({ length: this.stepCount }, (_, i) => this.raw.at(this.run.steps[i]));
  }
  stateAt(step) {
    return this.states.at(step);
  }
  stepRecord(step) {
    return step > 0 && step <= this.stepCount ? this.raw.at(this.run.steps[step - 1]) : undefined;
  }
  label(id) {
    const task = this.tasks.get(id);
    return task ? { id, kind: task.kind, name: task.name } : { id, kind: 'io', name: '' };
  }

  // The last lines that the program has printed up to a step.
  outputAt(step, most = Infinity) {
    const { outputs } = this.run;
    let low = 0;
    let high = outputs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (outputs[middle].step <= step) low = middle + 1;
      else high = middle;
    }
    return outputs.slice(Math.max(0, low - most), low);
  }

  // Calls on the stack, innermost last: [{ name, arguments }].
  callFrames(step) {
    return this.stateAt(step)
      .stack.map((id) => this.tasks.get(id))
      .filter((task) => task?.kind === 'call')
      .map(({ name }) => {
        const found = /^([^(]*)\((.*)\)$/.exec(name) ?? [name, name, ''];
        return { name: found[1], arguments: found[2] };
      });
  }

  // ---- the four pictures ----

  queues(state) {
    const all = {};
    for (const name of this.shownQueues) {
      const next = [];
      for (const id of state.queues[name]) {
        if (next.length === kShownNext) break;
        next.push(this.label(id));
      }
      all[name] = { length: state.queues[name].size, next };
    }
    return all;
  }
  // Stack, heap, queue: what runs, and what waits.
  stackPicture(step) {
    const state = this.stateAt(step);
    return {
      picture: 'stack',
      stack: state.stack.map((id) => this.label(id)).reverse(),
      depth: state.stack.length,
      heap: { tasks: this.tasks.size, ...this.heapAt(state.time) },
      queues: this.queues(state),
    };
  }
  // The phases as a wheel, with the events that come into poll.
  phasesPicture(step) {
    const state = this.stateAt(step);
    const now = state.stack.length > 0 ? this.label(state.stack[0]) : null;
    const isNow = (name) => state.phase === name && state.iteration > 0;
    return {
      picture: 'phases',
      iteration: state.iteration,
      waits: state.waits,
      incoming: this.incoming(state),
      phases: this.parts.map((name) => ({ name, isNow: isNow(name), task: state.phase === name ? now : null })),
    };
  }
  // Events that wait for poll; of a page, tasks of all sources that wait to be chosen.
  incoming({ queues }) {
    if (!this.isPage) return queues.poll.size;
    const isInner = (name) => name === 'microtasks' || name === 'rendering' || name === 'idle' || name === 'parallel';
    return this.shownQueues.reduce((sum, name) => sum + (isInner(name) ? 0 : queues[name].size), 0);
  }
  // One turn of a page: its parts, one after another.
  turnPicture(number) {
    const { raw, run } = this;
    const found = [];
    const stack = [];
    for (let i = number === 0 ? 0 : (run.iterationStarts.get(number) ?? raw.count); i < raw.count; i++) {
      const one = raw.kindAt(i);
      if (one === kind.turn && raw.idAt(i) !== number) break;
      if (one === kind.taskEnd) stack.pop();
      if (one !== kind.taskBegin) continue;
      stack.push(this.tasks.get(raw.idAt(i)));
      const phase = html.partOf(stack);
      if (found.at(-1)?.phase !== phase) found.push({ phase, tasks: [], count: 0 });
      const now = found.at(-1);
      now.count++;
      if (now.tasks.length < kMostInIteration) now.tasks.push({ ...this.label(raw.idAt(i)), depth: raw.depthAt(i) });
    }
    return { picture: 'iteration', number, phases: found };
  }
  // One iteration: its phases, and what ran in each.
  iterationPicture(number) {
    if (this.isPage) return this.turnPicture(number);
    const { raw, run } = this;
    const found = [];
    let now = null;
    const begin = (phase) => found.push((now = { phase, tasks: [], count: 0 }));
    for (let i = number === 0 ? 0 : (run.iterationStarts.get(number) ?? raw.count); i < raw.count; i++) {
      const one = raw.kindAt(i);
      if (one === kind.iteration && raw.idAt(i) !== number) break;
      if (one === kind.phaseBegin) begin(raw.phaseAt(i));
      if (one !== kind.taskBegin || (now === null && number !== 0)) continue;
      if (now === null) begin('script');
      now.count++;
      if (now.tasks.length < kMostInIteration) now.tasks.push({ ...this.label(raw.idAt(i)), depth: raw.depthAt(i) });
    }
    return { picture: 'iteration', number, phases: found };
  }
  // Node's workflow: phases around, ticks and microtasks in the middle, drained after each callback.
  workflowPicture(step) {
    const state = this.stateAt(step);
    const top = this.tasks.get(state.stack[state.stack.length - 1]);
    const isInner = top?.kind === 'microtask' || (top?.kind === 'tick' && !this.isPage);
    return {
      picture: 'workflow',
      around: this.parts.filter((name) => name !== 'microtasks'),
      at: state.iteration ? state.phase : 'script',
      middle: {
        isNow: isInner,
        kind: isInner ? top.kind : null,
        ticks: state.queues.ticks?.size ?? null, // a page has none
        microtasks: state.queues.microtasks.size,
      },
    };
  }

  // The heap after the last collection before a time: { bytes, collections }; empty where it was not recorded.
  heapAt(time) {
    let found = {};
    for (const { time: at, bytes, collections } of this.recording.heap ?? []) {
      if (at > time) break;
      found = { bytes, collections };
    }
    return found;
  }

  // ---- tasks by time, by name, in sentences ----

  stepOfTask(id) {
    return this.tasks.get(id)?.beginStep ?? 0;
  }
  // The next step at which a task whose name has the text begins; the same one where there is no other.
  findTask(text, step) {
    const { raw, run, stepCount } = this;
    for (let i = 1; i <= stepCount + 1; i++) {
      const to = (step + i) % (stepCount + 1);
      if (to === 0 || raw.kindAt(run.steps[to - 1]) !== kind.taskBegin) continue;
      if (this.tasks.get(raw.idAt(run.steps[to - 1]))?.name.includes(text)) return to;
    }
    return 0;
  }
  // The last step at or before a time.
  stepAtTime(time) {
    const { raw, run } = this;
    let low = 0;
    let high = this.stepCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (raw.times[run.steps[middle]] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  begunTasks() {
    return this.spans.begun();
  }
  slowest(count) {
    return this.spans.slowest(count);
  }
  tasksBetween(from, to, most) {
    return this.spans.between(from, to, most);
  }
  marks(name, from, to, parts) {
    return this.spans.marks(name, from, to, parts);
  }
  // Tasks that one queued, at most so many.
  queuedBy(id, most) {
    if (this.children === undefined) {
      this.children = new Map();
      for (const task of this.tasks.values()) {
        if (task.id === 0 || task.cause === null) continue;
        const list = this.children.get(task.cause);
        if (list === undefined) this.children.set(task.cause, [task.id]);
        else list.push(task.id);
      }
    }
    return (this.children.get(id) ?? []).slice(0, most).map((one) => this.label(one));
  }
  causes(id) {
    return sentences.causes(this, id);
  }
  behind(id) {
    return sentences.behind(this, id);
  }
  whyNow(id) {
    return sentences.whyNow(this, id);
  }
  inWords(step) {
    return sentences.inWords(this, step);
  }
  stepWords(step) {
    return sentences.stepWords(this, step);
  }
}

const makeModel = (recording, number) => new Model(recording, number);

module.exports = { makeModel, kQueues };
