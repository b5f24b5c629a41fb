// natives: none
// The model of a recorded run, as text: the page has it inside (page_text.js) and computes every view with it, in the browser; tests take
// it out of a page that rondo trace -o run.html wrote. Pure functions over records (docs/trace-format.md).
//
// makeModel({ script, runtimes: [{ number, names, records }] }): records are base64 of 32 bytes each.
'use strict';

module.exports = String.raw`
function makeModel(recording, number) {
  'use strict';
  var kinds = ['start', 'iteration', 'phase.begin', 'phase.end', 'wait.begin', 'wait.end', 'poll.budget', 'callback.begin',
    'callback.end',
    'handle.start', 'handle.stop', 'handle.close', 'task.queued', 'task.begin', 'task.end', 'job.queued', 'job.begin', 'job.end', 'exit',
    'starvation', 'task.cancelled', 'task.named', 'output'];
  var phases = ['update time', 'timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing'];
  var taskKinds = ['script', 'tick', 'microtask', 'timer', 'immediate', 'io', 'event', 'rendering', 'idle', 'call'];
  var queueOf = { tick: 'ticks', microtask: 'microtasks', timer: 'timers', immediate: 'immediates', io: 'poll', event: 'poll' };
  var runtime = recording.runtimes.filter(function (one) { return one.number === (number || 0); })[0] || { names: {}, records: '' };

  function decode(text) {
    var bytes;
    if (typeof Buffer === 'function') bytes = new Uint8Array(Buffer.from(text, 'base64'));
    else bytes = Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); });
    var view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), list = [];
    for (var at = 0; at + 32 <= bytes.length; at += 32) {
      list.push({ time: Number(view.getBigInt64(at, true)), payload: Number(view.getBigInt64(at + 8, true)), id: view.getUint32(at + 16,
        true),
        cause: view.getUint32(at + 20, true), name: view.getUint32(at + 24, true), kind: kinds[bytes[at + 28]],
          phase: phases[bytes[at + 29]],
        what: bytes[at + 30], depth: bytes[at + 31] });
    }
    return list;
  }

  var records = decode(runtime.records).sort(function (a, b) { return a.time - b.time; });
  var tasks = new Map([[0, { id: 0, kind: 'script', name: 'main script', cause: null, queued: 0, begin: 0, end: null }]]);

  function task(id, record) {
    var known = tasks.get(id);
    if (!known) {
      known = { id: id, kind: taskKinds[record.what] || 'io', name: '', cause: record.cause, queued: null, begin: null, end: null,
        delay: 0 };
      tasks.set(id, known);
    }
    return known;
  }

  // The events of each task, once.
  records.forEach(function (record) {
    if (!/^task\./.test(record.kind || '')) return;
    var one = task(record.id, record);
    if (record.kind === 'task.named') one.name = runtime.names[record.name] || one.name;
    else if (record.kind === 'task.queued') {
      one.queued = record.time;
      one.cause = record.cause;
      one.name = runtime.names[record.name] || one.name || 'promise reaction';
      if (one.kind === 'timer') one.delay = record.payload * 1000;
    } else if (record.kind === 'task.begin') {
      one.begin = record.time;
      one.ready = record.payload;
    } else if (record.kind === 'task.end') one.end = record.time;
    else if (record.kind === 'task.cancelled') one.cancelled = record.time;
  });

  // A step is something a person can see happen.
  var shown = { 'task.queued': 1, 'task.begin': 1, 'task.end': 1, 'task.cancelled': 1, 'phase.begin': 1, 'wait.begin': 1, 'wait.end': 1,
    output: 1, exit: 1 };
  var steps = records.filter(function (record) { return shown[record.kind]; });

  function empty() {
    return { step: 0, time: 0, iteration: 0, phase: 'none', waits: false, ready: 0, stack: [], output: [], exit: null,
      queues: { timers: [], ticks: [], microtasks: [], immediates: [], poll: [] } };
  }

  function drop(list, id) {
    var at = list.indexOf(id);
    if (at >= 0) list.splice(at, 1);
  }

  var iterations = [0];  // by step: found once
  (function () {
    var at = 0, now = 0;
    records.forEach(function (record) {
      if (record.kind === 'iteration') now = record.id;
      if (shown[record.kind]) iterations[++at] = now;
    });
  })();

  function apply(state, record, at) {
    state.step = at;
    state.time = record.time;
    state.iteration = iterations[at];
    var one = tasks.get(record.id), queue = one && state.queues[queueOf[one.kind]];
    switch (record.kind) {
      case 'task.queued': if (queue) queue.push(record.id); break;
      case 'task.begin': if (queue) drop(queue, record.id); state.stack.push(record.id); break;
      case 'task.end': drop(state.stack, record.id); break;
      case 'task.cancelled': if (queue) drop(queue, record.id); break;
      case 'phase.begin': state.phase = record.phase; break;
      case 'wait.begin': state.waits = true; break;
      case 'wait.end': state.waits = false; state.ready = record.payload; break;
      case 'output': state.output.push({ fd: record.id, text: runtime.names[record.name] || '',
        by: state.stack[state.stack.length - 1] || 0 }); break;
      case 'exit': state.exit = record.payload; break;
    }
  }

  function copy(state) {
    var queues = {};
    Object.keys(state.queues).forEach(function (name) { queues[name] = state.queues[name].slice(); });
    return Object.assign({}, state, { stack: state.stack.slice(), output: state.output.slice(), queues: queues });
  }

  // States of every 512th step are kept, so that any step is near one.
  var kEvery = 512, kept = [empty()];
  function stateAt(step) {
    step = Math.max(0, Math.min(step, steps.length));
    var slot = Math.floor(step / kEvery);
    while (kept.length <= slot) {
      var next = copy(kept[kept.length - 1]);
      for (var i = (kept.length - 1) * kEvery; i < kept.length * kEvery; i++) apply(next, steps[i], i + 1);
      kept.push(next);
    }
    var state = copy(kept[slot]);
    for (var at = slot * kEvery; at < step; at++) apply(state, steps[at], at + 1);
    return state;
  }

  // Calls on the stack, innermost last: [{ name, arguments }].
  function callFrames(step) {
    return stateAt(step).stack.map(function (id) { return tasks.get(id); }).filter(function (one) { return one && one.kind === 'call'; })
      .map(function (one) {
        var found = /^([^(]*)\((.*)\)$/.exec(one.name) || [0, one.name, ''];
        return { name: found[1], arguments: found[2] };
      });
  }

  function label(id) {
    var one = tasks.get(id);
    return one ? { id: id, kind: one.kind, name: one.name } : { id: id, kind: 'io', name: '' };
  }
  function queues(state) {
    var all = {};
    Object.keys(state.queues).forEach(function (name) {
      all[name] = { length: state.queues[name].length, next: state.queues[name].slice(0, 3).map(label) };
    });
    return all;
  }

  // ---- the four pictures ----

  // Stack, heap, queue: what runs, and what waits.
  function stackPicture(step) {
    var state = stateAt(step);
    return { picture: 'stack', stack: state.stack.map(label).reverse(), depth: state.stack.length, heap: { tasks: tasks.size },
      queues: queues(state) };
  }
  // The phases as a wheel, with the events that come into poll.
  function phasesPicture(step) {
    var state = stateAt(step), now = state.stack.length ? label(state.stack[0]) : null;
    return { picture: 'phases', iteration: state.iteration, waits: state.waits, incoming: state.queues.poll.length,
      phases: phases.slice(1).map(function (name) { return { name: name, isNow: state.phase === name && state.iteration > 0,
        task: state.phase === name ? now : null }; }) };
  }
  // One iteration: its phases, and what ran in each.
  function iterationPicture(number) {
    var found = [], now = null, at = 0;
    records.forEach(function (record) {
      if (record.kind === 'iteration') at = record.id;
      if (at !== number) return;
      if (record.kind === 'phase.begin') found.push(now = { phase: record.phase, tasks: [] });
      if (record.kind === 'task.begin' && (now || number === 0)) {
        if (!now) found.push(now = { phase: 'script', tasks: [] });
        now.tasks.push(Object.assign(label(record.id), { depth: record.depth }));
      }
    });
    return { picture: 'iteration', number: number, phases: found };
  }
  // Node's workflow: phases around, ticks and microtasks in the middle, drained after each callback.
  function workflowPicture(step) {
    var state = stateAt(step), top = tasks.get(state.stack[state.stack.length - 1]);
    var isInner = top && (top.kind === 'tick' || top.kind === 'microtask');
    return { picture: 'workflow', around: phases.slice(1), at: state.iteration ? state.phase : 'script',
      middle: { isNow: !!isInner, kind: isInner ? top.kind : null, ticks: state.queues.ticks.length,
        microtasks: state.queues.microtasks.length } };
  }

  // ---- sentences ----

  function ms(ns) { return Math.round(ns / 1e4) / 100 + ' ms'; }
  function causes(id) {
    var chain = [], one = tasks.get(id);
    while (one && one.id !== 0 && chain.length < 50) {
      one = tasks.get(one.cause);
      if (one) chain.push(label(one.id));
    }
    return chain;
  }
  // Tasks that ran between the moment it was ready and its turn.
  function behind(id) {
    var one = tasks.get(id);
    if (!one || one.begin === null || one.queued === null) return [];
    var ready = Math.min(one.queued + one.delay, one.begin), found = [];
    tasks.forEach(function (other) {
      if (other.id === id || other.begin === null || other.begin > one.begin) return;
      var end = other.end === null ? one.begin : Math.min(other.end, one.begin), from = Math.max(other.begin, ready);
      if (end > from && (other.end === null || other.end <= one.begin || other.id === 0)) found.push({ id: other.id, name: other.name,
        ns: end - from });
    });
    return found.sort(function (a, b) { return b.ns - a.ns; }).slice(0, 5);
  }
  var rule = { script: 'is the program itself', tick: 'ran before promises and before the loop went on, as all nextTick callbacks do',
    microtask: 'ran before the loop went on, because all microtasks do', timer: 'ran in the timers phase, when it was due',
    immediate: 'ran in the check phase, after poll', io: 'ran in poll, when its event had come',
      event: 'ran because nothing else was left to do',
    call: 'was called', rendering: 'ran when the page was rendered', idle: 'ran while the page had nothing to do' };
  function whyNow(id) {
    var one = tasks.get(id);
    if (!one) return '';
    var text = (one.name || 'It') + ' ' + rule[one.kind];
    if (one.id !== 0 && tasks.get(one.cause)) text += '; queued by ' + tasks.get(one.cause).name;
    if (one.begin !== null && one.queued !== null) {
      var waited = Math.max(one.begin - one.queued - one.delay, one.ready || 0), list = behind(id);
      if (waited > 0) text += '; waited ' + ms(waited);
      if (list.length) text += ' behind ' + list.map(function (other) { return other.name + ' (' + ms(other.ns) + ')'; }).join(', ');
    }
    if (one.cancelled) text += '; it was cancelled';
    return text + '.';
  }

  function slowest(count) {
    var all = [];
    tasks.forEach(function (one) { if (one.begin !== null && one.end !== null) all.push(one); });
    return all.sort(function (a, b) { return (b.end - b.begin) - (a.end - a.begin); }).slice(0, count);
  }

  return { script: recording.script, records: records, steps: steps, tasks: tasks, phases: phases, stateAt: stateAt,
    stackPicture: stackPicture,
    phasesPicture: phasesPicture, iterationPicture: iterationPicture, workflowPicture: workflowPicture,
    callFrames: callFrames, whyNow: whyNow, causes: causes,
    behind: behind, slowest: slowest, label: label, ms: ms };
}
`;
