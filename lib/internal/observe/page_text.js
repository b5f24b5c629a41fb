// natives: none
// The page of rondo see and of rondo trace -o run.html: one file, no network, light and dark, from 360 pixels on. It shows what the model
// computes (model_text.js) and computes nothing of its own. All text of the program is set as text, never as markup.
'use strict';

const kStyle = String.raw`
:root { color-scheme: light dark; --ink: light-dark(#1b1f24, #e6e6e6); --dim: light-dark(#57606a, #9aa4af); --page: light-dark(#ffffff,
  #14171a);
  --box: light-dark(#f3f4f6, #20252a); --line: light-dark(#c9ced6, #3b434b); --now: light-dark(#0b57d0, #8ab4f8);
    --warm: light-dark(#b3261e, #f2b8b5); }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--page); }
body.large { font-size: 21px; }
header, main { max-width: 1800px; margin: 0 auto; padding: 8px 12px; }
header { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.1em; margin: 0; } h2 { font-size: 1em; margin: 0 0 6px; }
nav { display: flex; flex-wrap: wrap; gap: 4px; }
button, input, select { font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: 6px;
  padding: 4px 10px; min-height: 32px; }
button[aria-selected=true] { border-color: var(--now); color: var(--now); font-weight: 600; }
button:focus-visible, input:focus-visible, select:focus-visible, canvas:focus-visible, pre:focus-visible {
  outline: 2px solid var(--now); outline-offset: 1px; }
.row { display: flex; flex-wrap: wrap; gap: 10px; } .row > section, .side { flex: 1 1 260px; min-width: 0; }
section { background: var(--box); border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; margin: 0 0 10px; min-width: 0;
  overflow-wrap: anywhere; }
p { margin: 4px 0; } ol, ul { margin: 0; padding-left: 20px; } .plain { list-style: none; padding-left: 0; }
.now { color: var(--now); font-weight: 600; } .dim { color: var(--dim); } .warm { color: var(--warm); }
#why { min-height: 3em; } #slider { width: 100%; padding: 0; }
svg { width: 100%; height: auto; max-height: 62vh; } svg text { fill: currentColor; font-size: 13px; }
canvas { width: 100%; height: 260px; display: block; touch-action: none; }
.row-button { border: 0; background: none; padding: 2px 4px; text-align: left; min-height: 28px; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; font: 0.92em/1.4 ui-monospace, monospace; }
@media (prefers-reduced-motion: no-preference) { .now { transition: color .15s; } }`;

const kBody = String.raw`
<header><h1 id="title">Rondo</h1>
<nav role="tablist" aria-label="Views"><button role="tab" data-view="phases">Phases</button>
  <button role="tab" data-view="stack">Stack and queues</button>
<button role="tab" data-view="iteration">Iteration</button><button role="tab" data-view="workflow">Workflow</button>
<button role="tab" data-view="timeline">Timeline</button><button role="tab" data-view="slowest">Slowest</button></nav>
<span><button id="back" aria-label="One step back">&#9664;</button> <button id="play">Play</button>
  <button id="next" aria-label="One step on">&#9654;</button>
<button id="large" aria-pressed="false">Large</button></span>
<label>Find <input id="find" type="search" size="12"></label>
<label id="runtimes" hidden>Thread <select id="runtime"></select></label></header>
<main><input id="slider" type="range" min="0" value="0" aria-label="Step"><p id="where" class="dim" aria-live="polite"></p>
<section aria-label="What happens now"><p id="why"></p></section><div id="view" role="tabpanel"></div>
<section><h2>Output</h2><pre id="output" tabindex="0"></pre></section></main>`;

const kScript = String.raw`
'use strict';
(function () {
  var recording = JSON.parse(document.getElementById('recording').textContent), model, step = 0, view = 'phases', timer = null,
    thread = 0, span = null, picture = null;
  var at = function (id) { return document.getElementById(id); };
  function make(tag, text, name) {
    var element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    if (name) element.className = name;
    return element;
  }
  function add(parent) {
    for (var i = 1; i < arguments.length; i++) if (arguments[i]) parent.appendChild(arguments[i]);
    return parent;
  }
  function svg(tag, attributes, text) {
    var element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    Object.keys(attributes).forEach(function (name) { element.setAttribute(name, attributes[name]); });
    if (text) element.textContent = text;
    return element;
  }
  function listOf(items, name) {
    var list = make('ul', null, 'plain');
    items.forEach(function (item) {
      add(list, make('li', (item.id ? '#' + item.id + ' ' : '') + item.kind + ': ' + model.short(item.name), name));
    });
    if (!items.length) add(list, make('li', 'empty', 'dim'));
    return list;
  }
  function box(title, content) { return add(make('section'), make('h2', title), content); }
  function queueBoxes(queues) {
    var row = make('div', null, 'row');
    Object.keys(queues).forEach(function (name) { add(row, box(name + ' (' + queues[name].length + ')', listOf(queues[name].next))); });
    return row;
  }

  function edge(isNow) { return { fill: 'none', stroke: isNow ? 'var(--now)' : 'var(--line)', 'stroke-width': isNow ? 3 : 1 }; }
  function wheel(names, nowName, middle) {
    var picture = svg('svg', { viewBox: '0 0 460 330', role: 'img', 'aria-label': 'Phases of the loop; now ' + nowName });
    names.forEach(function (name, i) {
      var angle = -Math.PI / 2 + i * 2 * Math.PI / names.length, x = 230 + 170 * Math.cos(angle), y = 165 + 130 * Math.sin(angle),
        isNow = name === nowName;
      picture.appendChild(svg('rect', Object.assign({ x: x - 48, y: y - 17, width: 96, height: 34, rx: 8 }, edge(isNow))));
      picture.appendChild(svg('text', { x: x, y: y + 5, 'text-anchor': 'middle',
        style: isNow ? 'fill:var(--now);font-weight:700' : '' }, name));
    });
    picture.appendChild(svg('ellipse', Object.assign({ cx: 230, cy: 165, rx: 92, ry: 48 }, edge(middle.isNow))));
    middle.lines.forEach(function (line, i) { picture.appendChild(svg('text', { x: 230, y: 152 + i * 19, 'text-anchor': 'middle' },
      line)); });
    return picture;
  }

  var views = {
    phases: function () {
      var it = model.phasesPicture(step), now = it.phases.filter(function (one) { return one.isNow; })[0];
      var task = now && now.task ? now.task.name : it.waits ? 'waiting for events' : '';
      var names = it.phases.map(function (one) { return one.name; });
      var picture = wheel(names, now ? now.name : '', { isNow: it.waits, lines: ['incoming events', String(it.incoming),
        it.waits ? 'waiting' : ''] });
      var running = box('Running', make('p', model.short(task) || 'nothing', 'now'));
      var side = add(make('div', null, 'side'), running, queueBoxes(model.stackPicture(step).queues));
      return add(make('div', null, 'row'), box('Iteration ' + it.iteration, picture), side);
    },
    stack: function () {
      var it = model.stackPicture(step);
      var stack = box('Call stack, depth ' + it.depth, listOf(it.stack, 'now')), heap = box('Heap', make('p',
        it.heap.tasks + ' tasks known'));
      return add(make('div'), add(make('div', null, 'row'), stack, heap), queueBoxes(it.queues));
    },
    iteration: function () {
      var it = model.iterationPicture(model.stateAt(step).iteration), list = make('ol');
      it.phases.forEach(function (one) { add(list, add(make('li', one.phase), listOf(one.tasks))); });
      return box('Iteration ' + it.number, it.phases.length ? list : make('p', 'nothing ran', 'dim'));
    },
    workflow: function () {
      var it = model.workflowPicture(step), middle = it.middle;
      var lines = ['nextTick: ' + middle.ticks, 'microtasks: ' + middle.microtasks, middle.isNow ? middle.kind + ' runs' : ''];
      return box('Ticks and microtasks run in the middle, after every callback', wheel(it.around, it.at, { isNow: middle.isNow,
        lines: lines }));
    },
    timeline: function () {
      if (!picture) picture = timelineBox();
      requestAnimationFrame(draw);
      return picture.box;
    },
    slowest: function () {
      var list = make('ol');
      model.slowest(20).forEach(function (one) {
        var button = make('button', model.ms(one.end - one.begin) + '  ' + one.kind + ': ' + model.short(one.name), 'row-button');
        button.onclick = function () { goToTask(one.id); };
        add(list, add(make('li'), button));
      });
      return box('Slowest tasks', list);
    }
  };

  // ---- the timeline ----

  var rows = ['script', 'timer', 'io', 'immediate', 'tick', 'microtask', 'event', 'rendering', 'idle', 'call'];
  var colours = ['#8a8f98', '#2e7d32', '#1a73e8', '#8e44ad', '#b26a00', '#c5221f', '#00838f', '#ad1457', '#6d4c41', '#546e7a'];
  var kLeft = 96, kRow = 40, kMostDrawn = 60000;

  function timelineBox() {
    var canvas = make('canvas'), about = make('p', 'Click a task to go to it.', 'dim'), controls = make('p');
    canvas.id = 'timeline';
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'Tasks over time; plus and minus zoom, the arrow keys move');
    [['zoomin', 'Zoom in', '+', 0.5], ['zoomout', 'Zoom out', '\u2212', 2]].forEach(function (one) {
      var button = make('button', one[2]);
      button.id = one[0];
      button.setAttribute('aria-label', one[1]);
      button.onclick = function () { zoom(one[3], model.stateAt(step).time); };
      add(controls, button, document.createTextNode(' '));
    });
    var all = make('button', 'Whole run');
    all.id = 'whole';
    all.onclick = function () { span = null; draw(); };
    add(controls, all);
    canvas.onwheel = function (event) {
      event.preventDefault();
      var time = timeAt(event.offsetX);
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) pan((event.deltaX || event.deltaY) / canvas.clientWidth);
      else zoom(event.deltaY > 0 ? 1.25 : 0.8, time);
    };
    canvas.onclick = function (event) {
      var time = timeAt(event.offsetX), row = kinds()[Math.floor(event.offsetY / kRow)];
      var near = (span.to - span.from) * 4 / canvas.clientWidth, best = null;
      model.tasksBetween(time - near, time + near, 2000).forEach(function (one) { if (one.kind === row) best = one; });
      if (best) goToTask(best.id);
    };
    canvas.onkeydown = function (event) {
      var key = event.key;
      if (key === '+' || key === '=') zoom(0.5, model.stateAt(step).time);
      else if (key === '-') zoom(2, model.stateAt(step).time);
      else return;
      event.preventDefault();
    };
    return { box: add(make('section'), make('h2', 'Tasks over time; the line is now'), controls, canvas, about), canvas: canvas };
  }
  function kinds() { return rows.filter(function (name, i) { return i < 6 || model.kindCounts[name]; }); }
  function clampSpan() {
    var last = Math.max(1, model.lastTime), width = Math.min(last, Math.max(1000, span.to - span.from));
    span.from = Math.max(0, Math.min(last - width, span.from));
    span.to = span.from + width;
  }
  function zoom(factor, time) {
    span = { from: time - (time - span.from) * factor, to: time + (span.to - time) * factor };
    clampSpan();
    draw();
  }
  function pan(share) {
    var by = (span.to - span.from) * share;
    span = { from: span.from + by, to: span.to + by };
    clampSpan();
    draw();
  }
  function timeAt(x) { return span.from + (x - kLeft) / (picture.canvas.clientWidth - kLeft) * (span.to - span.from); }

  // One mark for each pixel at most: a million tasks take no longer than a thousand.
  function draw() {
    if (!picture) return;
    if (!span) { span = { from: 0, to: Math.max(1, model.lastTime) }; clampSpan(); }
    var canvas = picture.canvas, ratio = devicePixelRatio, shownRows = kinds(), g = canvas.getContext('2d');
    canvas.style.height = shownRows.length * kRow + 20 + 'px';
    var width = canvas.width = canvas.clientWidth * ratio, height = canvas.height = (shownRows.length * kRow + 20) * ratio;
    var style = getComputedStyle(document.body), ink = style.color, left = kLeft * ratio, row = kRow * ratio;
    var scale = (width - left) / (span.to - span.from);
    g.font = 12 * ratio + 'px system-ui';
    g.fillStyle = ink;
    shownRows.forEach(function (name, i) { g.fillText(name, 4 * ratio, (i + 0.6) * row); });
    for (var i = 0; i <= 4; i++) {
      g.textAlign = ['left', 'center', 'center', 'center', 'right'][i];
      g.fillText(model.ms(span.from + (span.to - span.from) * i / 4), left + (width - left) * i / 4, height - 5 * ratio);
    }
    g.textAlign = 'left';
    shownRows.forEach(function (name, at) {
      g.fillStyle = colours[rows.indexOf(name)];
      model.marks(name, span.from, span.to, Math.max(1, Math.round(width - left))).forEach(function (mark) {
        var x = Math.max(left, left + (mark.from - span.from) * scale), end = Math.min(width, left + (mark.to - span.from) * scale);
        g.fillRect(x, at * row + 4 * ratio, Math.max(1, end - x), row - 8 * ratio);
      });
    });
    g.fillStyle = ink;
    var now = left + (model.stateAt(step).time - span.from) * scale;
    if (now >= left) g.fillRect(now, 0, 1.5 * ratio, row * shownRows.length);
  }
  function goToTask(id) {
    var found = model.stepOfTask(id);
    if (found) go(found);
  }

  function show() {
    var state = model.stateAt(step), record = model.stepRecord(step);
    at('slider').max = model.stepCount;
    at('slider').value = step;
    at('where').textContent = 'Step ' + step + ' of ' + model.stepCount + ', ' + model.ms(state.time) + (record ? ', '
      + record.kind : '');
    var about = record && /^task/.test(record.kind) ? record.id : state.stack[state.stack.length - 1];
    at('why').textContent = about === undefined ? (state.waits ? 'The loop waits in poll: nothing is ready.' : '') : model.whyNow(about);
    at('output').textContent = model.outputAt(step, 500).map(function (one) { return one.text; }).join('\n');
    at('view').replaceChildren(views[view]());
    document.querySelectorAll('[role=tab]').forEach(function (tab) { tab.setAttribute('aria-selected',
      String(tab.dataset.view === view)); });
    clearTimeout(addressTimer);
    if (!recording.live) addressTimer = setTimeout(function () { history.replaceState(null, '', '#t=' + step); }, 200);
  }
  // Once a frame, however fast the slider moves.
  var isShowing = false, addressTimer = 0;
  function go(to) {
    step = Math.max(0, Math.min(model.stepCount, to));
    if (isShowing) return;
    isShowing = true;
    requestAnimationFrame(function () { isShowing = false; show(); });
  }
  function play() {
    if (timer) { clearInterval(timer); timer = null; at('play').textContent = 'Play'; return; }
    at('play').textContent = 'Pause';
    timer = setInterval(function () { if (step >= model.stepCount) play(); else go(step + 1); }, 400);
  }
  function find(text) {
    var found = model.findTask(text, step);
    if (found) go(found);
  }
  function rebuild() {
    var atEnd = !model || step >= model.stepCount;
    model = makeModel(recording, thread);
    span = null;
    listThreads();
    step = atEnd && recording.live ? model.stepCount : Math.min(step, model.stepCount);
    show();
  }

  function listThreads() {
    var select = at('runtime'), numbers = recording.runtimes.map(function (one) { return one.number; });
    at('runtimes').hidden = numbers.length < 2;
    if (select.options.length === numbers.length) return;
    select.replaceChildren.apply(select, numbers.map(function (number) {
      var option = make('option', number === 0 ? 'main' : 'worker ' + number);
      option.value = number;
      return option;
    }));
    select.value = thread;
  }

  at('runtime').onchange = function () { thread = Number(at('runtime').value); step = 0; rebuild(); };
  at('title').textContent = 'Rondo: ' + recording.script;
  document.title = at('title').textContent;
  at('back').onclick = function () { go(step - 1); };
  at('next').onclick = function () { go(step + 1); };
  at('play').onclick = play;
  at('large').onclick = function () { at('large').setAttribute('aria-pressed', String(document.body.classList.toggle('large'))); };
  at('slider').oninput = function () { go(Number(at('slider').value)); };
  at('find').onchange = function () { find(at('find').value); };
  document.querySelectorAll('[role=tab]').forEach(function (tab) { tab.onclick = function () { view = tab.dataset.view; show(); }; });
  document.addEventListener('keydown', function (event) {
    if (/^(INPUT|SELECT)$/.test(event.target.tagName) && event.target.type !== 'range') return;
    if (event.key === 'ArrowRight') go(step + 1);
    else if (event.key === 'ArrowLeft') go(step - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(model.stepCount);
    else if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); play(); }
    else if (/^[1-6]$/.test(event.key)) { view = Object.keys(views)[event.key - 1]; show(); }
  });
  step = Number((/t=(\d+)/.exec(location.hash) || [0, 0])[1]);
  rebuild();

  // ---- live: once a second the records that are new ----

  var kMostLive = 200000 * 32;
  function merge(newer) {
    var hasMore = false;
    newer.runtimes.forEach(function (one) {
      var known = recording.runtimes.filter(function (other) { return other.number === one.number; })[0];
      if (!known) {
        known = { number: one.number, names: {}, bytes: new Uint8Array(0), next: one.from, nextName: 0, lost: 0 };
        recording.runtimes.push(known);
      }
      var added = model.decode(one.records), before = known.bytes || model.decode(known.records);
      Object.assign(known.names, one.names);
      known.next = one.next;
      known.nextName = one.nextName;
      known.lost = one.lost;
      if (!added.length) return;
      hasMore = true;
      var kept = Math.min(before.length, Math.max(0, kMostLive - added.length)), bytes = new Uint8Array(kept + added.length);
      bytes.set(before.subarray(before.length - kept));
      bytes.set(added, kept);
      known.bytes = bytes;
    });
    if (hasMore) rebuild();
  }
  function askForMore() {
    var have = recording.runtimes.map(function (one) { return one.number + ':' + one.next + ':' + one.nextName; }).join(',');
    return fetch('recording' + location.search + '&have=' + have).then(function (answer) { return answer.json(); }).then(merge);
  }
  function again() { setTimeout(function () { askForMore().then(again, function () { at('where').textContent += ' (ended)'; }); }, 1000); }
  if (recording.live) again();
})();`;

const kPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";

// A recording as text inside of a page: nothing in it ends the element it is in.
function embed(recording) {
  return stringReplaceAll.call(JSON.stringify(recording), '<', '\\u003c');
}

function pageOf(recording) {
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta http-equiv="Content-Security-Policy" content="${kPolicy}">` +
    `<title>Rondo</title><style>${kStyle}</style></head><body>${kBody}` +
    `<script type="application/json" id="recording">${embed(recording)}</script>` +
    `<script id="model">${require('internal/observe/model_text')}</script><script>${kScript}</script></body></html>\n`
  );
}

module.exports = { pageOf };
