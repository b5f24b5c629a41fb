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
    if (typeof Buffer === 'function') return new Uint8Array(Buffer.from(text, 'base64'));
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    var binary = atob(text), bytes = new Uint8Array(binary.length);
    for (var i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  }

  // Fields of all records, in columns: a recording may have a million of them.
  var bytes = runtime.bytes || decode(runtime.records), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  var count = Math.floor(bytes.length / 32), times = new Float64Array(count), order = new Uint32Array(count);
  function wide(at) { return view.getInt32(at + 4, true) * 4294967296 + view.getUint32(at, true); }
  (function () {
    var isSorted = true;
    for (var i = 0; i < count; i++) {
      order[i] = i;
      times[i] = wide(i * 32);
      if (i > 0 && times[i] < times[i - 1]) isSorted = false;
    }
    if (isSorted) return;
    // Records of pool jobs come when the loop hears of them.
    order.sort(function (a, b) { return times[a] - times[b] || a - b; });
    times = times.map(function (_, i) { return wide(order[i] * 32); });
  })();

  function kindAt(i) { return bytes[order[i] * 32 + 28]; }
  function idAt(i) { return view.getUint32(order[i] * 32 + 16, true); }
  function causeAt(i) { return view.getUint32(order[i] * 32 + 20, true); }
  function nameAt(i) { return runtime.names[view.getUint32(order[i] * 32 + 24, true)]; }
  function payloadAt(i) { return wide(order[i] * 32 + 8); }
  function record(i) {
    var at = order[i] * 32;
    return { time: times[i], payload: wide(at + 8), id: view.getUint32(at + 16, true), cause: view.getUint32(at + 20, true),
      name: view.getUint32(at + 24, true), kind: kinds[bytes[at + 28]], phase: phases[bytes[at + 29]], what: bytes[at + 30],
      depth: bytes[at + 31] };
  }

  var tasks = new Map([[0, { id: 0, kind: 'script', name: 'main script', cause: null, queued: 0, begin: 0, end: null, delay: 0 }]]);
  function kind(name) { return kinds.indexOf(name); }
  var kIteration = kind('iteration'), kPhaseBegin = kind('phase.begin'), kWaitBegin = kind('wait.begin'), kWaitEnd = kind('wait.end'),
    kQueued = kind('task.queued'), kBegin = kind('task.begin'), kEnd = kind('task.end'),
    kExit = kind('exit'), kCancelled = kind('task.cancelled'), kNamed = kind('task.named'), kOutput = kind('output');

  // A step is something a person can see happen.
  var shown = new Uint8Array(256);
  [kPhaseBegin, kWaitBegin, kWaitEnd, kQueued, kBegin, kEnd, kExit, kCancelled, kOutput].forEach(function (kind) { shown[kind] = 1; });
  var steps = new Uint32Array(count), stepCount = 0, iterations = new Uint32Array(count + 1), outputs = [], iterationStarts = new Map();

  // The events of each task, and the steps, once.
  (function () {
    var iteration = 0;
    for (var i = 0; i < count; i++) {
      var kind = kindAt(i);
      if (kind === kIteration) iterationStarts.set(iteration = idAt(i), i);
      if (shown[kind]) {
        steps[stepCount++] = i;
        iterations[stepCount] = iteration;
        if (kind === kOutput) outputs.push({ step: stepCount, fd: idAt(i), text: nameAt(i) || '', by: causeAt(i) });
      }
      if (kind < kQueued || kind > kNamed || (kind > kEnd && kind < kCancelled)) continue;
      var id = idAt(i), one = tasks.get(id);
      if (!one) {
        one = { id: id, kind: taskKinds[bytes[order[i] * 32 + 30]] || 'io', name: '', cause: causeAt(i), queued: null, begin: null,
          end: null, delay: 0 };
        tasks.set(id, one);
      }
      if (kind === kNamed) one.name = nameAt(i) || one.name;
      else if (kind === kQueued) {
        one.queued = times[i];
        one.cause = causeAt(i);
        one.name = nameAt(i) || one.name || 'promise reaction';
        if (one.kind === 'timer') one.delay = payloadAt(i) * 1000;
      } else if (kind === kBegin) {
        one.begin = times[i];
        one.ready = payloadAt(i);
      } else if (kind === kEnd) one.end = times[i];
      else one.cancelled = times[i];
    }
  })();

  function empty() {
    return { step: 0, time: 0, iteration: 0, phase: 'none', waits: false, ready: 0, stack: [], exit: null,
      queues: { timers: new Set(), ticks: new Set(), microtasks: new Set(), immediates: new Set(), poll: new Set() } };
  }

  function apply(state, at) {
    var i = steps[at - 1], id = idAt(i), kind = kindAt(i);
    state.step = at;
    state.time = times[i];
    state.iteration = iterations[at];
    var one = kind >= kQueued && kind !== kOutput ? tasks.get(id) : undefined, queue = one && state.queues[queueOf[one.kind]];
    if (kind === kQueued) { if (queue) queue.add(id); }
    else if (kind === kBegin) { if (queue) queue.delete(id); state.stack.push(id); }
    else if (kind === kEnd) { var top = state.stack.lastIndexOf(id); if (top >= 0) state.stack.splice(top, 1); }
    else if (kind === kCancelled) { if (queue) queue.delete(id); }
    else if (kind === kPhaseBegin) state.phase = phases[bytes[order[i] * 32 + 29]];
    else if (kind === kWaitBegin) state.waits = true;
    else if (kind === kWaitEnd) { state.waits = false; state.ready = payloadAt(i); }
    else if (kind === kExit) state.exit = payloadAt(i);
  }

  function copy(state) {
    var queues = {};
    Object.keys(state.queues).forEach(function (name) { queues[name] = new Set(state.queues[name]); });
    return Object.assign({}, state, { stack: state.stack.slice(), queues: queues });
  }

  // States of some steps are kept, so that any step is near one.
  var kEvery = Math.max(512, Math.ceil(stepCount / 256)), kept = [empty()];
  function stateAt(step) {
    step = Math.max(0, Math.min(step, stepCount));
    var slot = Math.floor(step / kEvery);
    while (kept.length <= slot) {
      var next = copy(kept[kept.length - 1]);
      for (var i = (kept.length - 1) * kEvery; i < kept.length * kEvery; i++) apply(next, i + 1);
      kept.push(next);
    }
    var state = copy(kept[slot]);
    for (var at = slot * kEvery; at < step; at++) apply(state, at + 1);
    return state;
  }
  // The last lines that the program has printed up to a step.
  function outputAt(step, most) {
    var low = 0, high = outputs.length;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (outputs[middle].step <= step) low = middle + 1;
      else high = middle;
    }
    return outputs.slice(Math.max(0, low - (most || 1e9)), low);
  }
  function stepRecord(step) { return step > 0 && step <= stepCount ? record(steps[step - 1]) : undefined; }

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
      var next = [], queue = state.queues[name].values();
      for (var one = queue.next(); next.length < 3 && !one.done; one = queue.next()) next.push(label(one.value));
      all[name] = { length: state.queues[name].size, next: next };
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
    return { picture: 'phases', iteration: state.iteration, waits: state.waits, incoming: state.queues.poll.size,
      phases: phases.slice(1).map(function (name) { return { name: name, isNow: state.phase === name && state.iteration > 0,
        task: state.phase === name ? now : null }; }) };
  }
  // One iteration: its phases, and what ran in each.
  var kMostShown = 200;
  function iterationPicture(number) {
    var found = [], now = null;
    for (var i = number === 0 ? 0 : iterationStarts.has(number) ? iterationStarts.get(number) : count; i < count; i++) {
      var kind = kindAt(i);
      if (kind === kIteration && idAt(i) !== number) break;
      if (kind === kPhaseBegin) found.push(now = { phase: phases[bytes[order[i] * 32 + 29]], tasks: [], count: 0 });
      if (kind !== kBegin || (!now && number !== 0)) continue;
      if (!now) found.push(now = { phase: 'script', tasks: [], count: 0 });
      now.count++;
      if (now.tasks.length < kMostShown) now.tasks.push(Object.assign(label(idAt(i)), { depth: bytes[order[i] * 32 + 31] }));
    }
    return { picture: 'iteration', number: number, phases: found };
  }
  // Node's workflow: phases around, ticks and microtasks in the middle, drained after each callback.
  function workflowPicture(step) {
    var state = stateAt(step), top = tasks.get(state.stack[state.stack.length - 1]);
    var isInner = top && (top.kind === 'tick' || top.kind === 'microtask');
    return { picture: 'workflow', around: phases.slice(1), at: state.iteration ? state.phase : 'script',
      middle: { isNow: !!isInner, kind: isInner ? top.kind : null, ticks: state.queues.ticks.size,
        microtasks: state.queues.microtasks.size } };
  }

  // ---- sentences ----

  // A name for people: files without their folders, and without who asked for a step of the library.
  function short(name) {
    return String(name).replace(/, (?:queued in|for) .*$/, '').replace(/(?:file:\/\/)?\/(?:[^\s():]*\/)([^\s():\/]+:\d+)/g, '$1');
  }
  function ms(ns) { return Math.round(ns / 1e4) / 100 + ' ms'; }
  function causes(id) {
    var chain = [], one = tasks.get(id);
    while (one && one.id !== 0 && chain.length < 50) {
      one = tasks.get(one.cause);
      if (one) chain.push(label(one.id));
    }
    return chain;
  }
  // Tasks that have begun, in that order: made when first asked for.
  var begun = null;
  function begunTasks() {
    if (begun) return begun;
    begun = [];
    tasks.forEach(function (one) { if (one.begin !== null) begun.push(one); });
    return begun.sort(function (a, b) { return a.begin - b.begin; });
  }
  function firstAfter(list, time) {
    var low = 0, high = list.length;
    while (low < high) {
      var middle = (low + high) >> 1;
      if (list[middle].begin <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  // Tasks that ran between the moment it was ready and its turn.
  function behind(id) {
    var one = tasks.get(id), kFar = 5000;
    if (!one || one.begin === null || one.queued === null) return [];
    var ready = Math.min(one.queued + one.delay, one.begin), found = [], list = begunTasks(), last = firstAfter(list, one.begin);
    function look(other) {
      if (other.id === id) return;
      var end = other.end === null ? one.begin : Math.min(other.end, one.begin), from = Math.max(other.begin, ready);
      if (end > from && (other.end === null || other.end <= one.begin || other.id === 0)) found.push({ id: other.id, name: other.name,
        ns: end - from });
    }
    for (var i = last - 1; i >= Math.max(1, last - kFar); i--) look(list[i]);
    if (list.length) look(list[0]);
    return found.sort(function (a, b) { return b.ns - a.ns; }).slice(0, 3);
  }
  // Tasks that ran in a stretch of time, at most so many.
  function tasksBetween(from, to, most) {
    var list = begunTasks(), found = [], kBefore = 64;
    for (var i = Math.max(0, firstAfter(list, from) - kBefore); i < list.length && list[i].begin <= to && found.length < most; i++) {
      if (list[i].end === null || list[i].end >= from) found.push(list[i]);
    }
    return found;
  }
  var rule = { script: 'is the program itself', tick: 'ran before promises and before the loop went on, as all nextTick callbacks do',
    microtask: 'ran before the loop went on, because all microtasks do', timer: 'ran in the timers phase, when it was due',
    immediate: 'ran in the check phase, after poll', io: 'ran in poll, when its event had come',
      event: 'ran because nothing else was left to do',
    call: 'was called', rendering: 'ran when the page was rendered', idle: 'ran while the page had nothing to do' };
  function whyNow(id) {
    var one = tasks.get(id);
    if (!one) return '';
    var text = (short(one.name) || 'It') + ' ' + rule[one.kind];
    if (one.id !== 0 && tasks.get(one.cause)) text += '; queued by ' + short(tasks.get(one.cause).name);
    if (one.begin !== null && one.queued !== null) {
      var waited = Math.max(one.begin - one.queued - one.delay, one.ready || 0), list = behind(id);
      if (waited > 0) text += '; waited ' + ms(waited);
      if (list.length) text += ' behind ' + list.map(function (other) { return short(other.name) + ' (' + ms(other.ns) + ')'; }).join(', ');
    }
    if (one.cancelled) text += '; it was cancelled';
    return text + '.';
  }

  var bySlowness = null;
  function slowest(count) {
    bySlowness = bySlowness || begunTasks().filter(function (one) { return one.end !== null; })
      .sort(function (a, b) { return (b.end - b.begin) - (a.end - a.begin); });
    return bySlowness.slice(0, count);
  }

  // ---- the timeline and the search ----

  var byKind = null, kindCounts = {};
  tasks.forEach(function (one) { kindCounts[one.kind] = (kindCounts[one.kind] || 0) + 1; });
  // Stretches in which tasks of a kind ran, one for each of so many equal parts of the time at most: { from, to }.
  function marks(kind, from, to, parts) {
    if (!byKind) {
      byKind = {};
      begunTasks().forEach(function (one) { (byKind[one.kind] = byKind[one.kind] || []).push(one); });
    }
    var list = byKind[kind] || [], part = (to - from) / parts, found = [], last = null, kBefore = 32;
    for (var i = Math.max(0, firstAfter(list, from) - kBefore); i < list.length && list[i].begin <= to;) {
      var one = list[i], end = one.end === null ? times[count - 1] : one.end;
      if (end >= from) {
        if (last && one.begin - last.to < part) last.to = Math.max(last.to, end);
        else found.push(last = { from: one.begin, to: end });
      }
      // Within one part nothing more can be told apart.
      var next = i + 1;
      if (next < list.length && list[next].begin < one.begin + part) next = Math.max(next, firstAfter(list, one.begin + part));
      if (last && next - 1 > i) last.to = Math.max(last.to, list[next - 1].end === null ? end : list[next - 1].end);
      i = next;
    }
    return found;
  }
  

  function stepOfTask(id) {
    for (var i = 0; i < stepCount; i++) if (kindAt(steps[i]) === kBegin && idAt(steps[i]) === id) return i + 1;
    return 0;
  }
  // The next step at which a task whose name has the text begins.
  function findTask(text, step) {
    for (var i = 1; i <= stepCount; i++) {
      var to = (step + i) % (stepCount + 1);
      if (to === 0 || kindAt(steps[to - 1]) !== kBegin) continue;
      var one = tasks.get(idAt(steps[to - 1]));
      if (one && one.name.indexOf(text) >= 0) return to;
    }
    return 0;
  }

  function all(length, one) {
    var list = [];
    for (var i = 0; i < length; i++) list.push(one(i));
    return list;
  }
  return { script: recording.script, get records() { return all(count, record); },
    get steps() { return all(stepCount, function (i) { return record(steps[i]); }); },
    stepCount: stepCount, stepRecord: stepRecord, recordCount: count, lastTime: count ? times[count - 1] : 0, outputAt: outputAt,
    tasks: tasks, phases: phases, stateAt: stateAt,
    stackPicture: stackPicture,
    phasesPicture: phasesPicture, iterationPicture: iterationPicture, workflowPicture: workflowPicture,
    callFrames: callFrames, whyNow: whyNow, causes: causes,
    behind: behind, tasksBetween: tasksBetween, begunTasks: begunTasks, marks: marks, kindCounts: kindCounts,
    stepOfTask: stepOfTask, findTask: findTask, slowest: slowest, label: label, ms: ms, short: short, decode: decode };
}
`;
