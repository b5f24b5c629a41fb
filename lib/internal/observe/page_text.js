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
button, input { font: inherit; color: inherit; background: var(--box); border: 1px solid var(--line); border-radius: 6px;
  padding: 4px 10px; min-height: 32px; }
button[aria-selected=true] { border-color: var(--now); color: var(--now); font-weight: 600; }
button:focus-visible, input:focus-visible, li:focus-visible { outline: 2px solid var(--now); outline-offset: 1px; }
.row { display: flex; flex-wrap: wrap; gap: 10px; } .row > section { flex: 1 1 260px; }
section { background: var(--box); border: 1px solid var(--line); border-radius: 8px; padding: 8px 10px; margin: 0 0 10px; min-width: 0;
  overflow-wrap: anywhere; }
ol, ul { margin: 0; padding-left: 20px; } .plain { list-style: none; padding-left: 0; }
.now { color: var(--now); font-weight: 600; } .dim { color: var(--dim); } .warm { color: var(--warm); }
#why { min-height: 3em; } #slider { width: 100%; padding: 0; }
svg { width: 100%; height: auto; max-height: 62vh; } svg text { fill: currentColor; font-size: 13px; }
canvas { width: 100%; height: 260px; display: block; }
pre { margin: 0; white-space: pre-wrap; font: 0.92em/1.4 ui-monospace, monospace; }
@media (prefers-reduced-motion: no-preference) { .now { transition: color .15s; } }`;

const kBody = String.raw`
<header><h1 id="title">Rondo</h1>
<nav role="tablist" aria-label="Views"><button role="tab" data-view="phases">Phases</button>
  <button role="tab" data-view="stack">Stack and queues</button>
<button role="tab" data-view="iteration">Iteration</button><button role="tab" data-view="workflow">Workflow</button>
<button role="tab" data-view="timeline">Timeline</button><button role="tab" data-view="slowest">Slowest</button></nav>
<span><button id="back" aria-label="One step back">&#9664;</button> <button id="play" aria-label="Play">Play</button>
  <button id="next" aria-label="One step on">&#9654;</button>
<button id="large" aria-pressed="false" aria-label="Large type">A+</button></span>
<label>Find <input id="find" type="search" size="12"></label></header>
<main><input id="slider" type="range" min="0" value="0" aria-label="Step"><p id="where" class="dim" aria-live="polite"></p>
<section aria-label="What happens now"><p id="why"></p></section><div id="view" role="tabpanel"></div>
<section><h2>Output</h2><pre id="output" tabindex="0"></pre></section></main>`;

const kScript = String.raw`
'use strict';
(function () {
  var recording = JSON.parse(document.getElementById('recording').textContent), model, step = 0, view = 'phases', timer = null;
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
    items.forEach(function (item) { add(list, make('li', (item.id ? '#' + item.id + ' ' : '') + item.kind + ': ' + item.name, name)); });
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
      var running = box('Running', make('p', task || 'nothing', 'now'));
      return add(make('div', null, 'row'), box('Iteration ' + it.iteration, picture), running,
        queueBoxes(model.stackPicture(step).queues));
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
      var canvas = make('canvas');
      canvas.setAttribute('role', 'img');
      canvas.setAttribute('aria-label', 'Tasks over time');
      requestAnimationFrame(function () { draw(canvas); });
      return box('Tasks over time; the line is now', canvas);
    },
    slowest: function () {
      var list = make('ol');
      model.slowest(20).forEach(function (one) { add(list, make('li',
        model.ms(one.end - one.begin) + '  ' + one.kind + ': ' + one.name)); });
      return box('Slowest tasks', list);
    }
  };

  function draw(canvas) {
    var width = canvas.width = canvas.clientWidth * devicePixelRatio, height = canvas.height = 260 * devicePixelRatio,
      g = canvas.getContext('2d');
    var last = model.records.length ? model.records[model.records.length - 1].time : 1, rows = ['script', 'timer', 'io', 'immediate',
      'tick', 'microtask'];
    var colours = ['#888', '#2e7d32', '#0b57d0', '#6a1b9a', '#b26a00', '#b3261e'], ink = getComputedStyle(document.body).color;
    g.font = 12 * devicePixelRatio + 'px system-ui';
    rows.forEach(function (name, row) { g.fillStyle = ink; g.fillText(name, 4, (row + 0.6) * height / rows.length); });
    var left = 90 * devicePixelRatio, scale = (width - left) / Math.max(1, last), pixel = {};
    model.tasks.forEach(function (one) {
      if (one.begin === null) return;
      var row = Math.max(0, rows.indexOf(one.kind)), x = left + one.begin * scale, key = row + ':' + Math.floor(x);
      var w = Math.max(1, ((one.end === null ? last : one.end) - one.begin) * scale);
      if (w <= 1 && pixel[key]) return;
      pixel[key] = 1;
      g.fillStyle = colours[row];
      g.fillRect(x, row * height / rows.length + 4, w, height / rows.length - 8);
    });
    g.fillStyle = ink;
    g.fillRect(left + model.stateAt(step).time * scale, 0, 1.5 * devicePixelRatio, height);
  }

  function show() {
    var state = model.stateAt(step), record = model.steps[step - 1];
    at('slider').max = model.steps.length;
    at('slider').value = step;
    at('where').textContent = 'Step ' + step + ' of ' + model.steps.length + ', ' + model.ms(state.time) + (record ? ', '
      + record.kind : '');
    var about = record && /^task/.test(record.kind) ? record.id : state.stack[state.stack.length - 1];
    at('why').textContent = about === undefined ? (state.waits ? 'The loop waits in poll: nothing is ready.' : '') : model.whyNow(about);
    at('output').textContent = state.output.map(function (one) { return one.text; }).join('\n');
    at('view').replaceChildren(views[view]());
    document.querySelectorAll('[role=tab]').forEach(function (tab) { tab.setAttribute('aria-selected',
      String(tab.dataset.view === view)); });
    if (!recording.live) history.replaceState(null, '', '#t=' + step);
  }
  function go(to) { step = Math.max(0, Math.min(model.steps.length, to)); show(); }
  function play() {
    if (timer) { clearInterval(timer); timer = null; at('play').textContent = 'Play'; return; }
    at('play').textContent = 'Pause';
    timer = setInterval(function () { if (step >= model.steps.length) play(); else go(step + 1); }, 400);
  }
  function find(text) {
    for (var i = 1; i <= model.steps.length; i++) {
      var to = (step + i) % (model.steps.length + 1), record = model.steps[to - 1], one = record && model.tasks.get(record.id);
      if (record && record.kind === 'task.begin' && one && one.name.indexOf(text) >= 0) return go(to);
    }
  }
  function rebuild() {
    var atEnd = !model || step >= model.steps.length;
    model = makeModel(recording);
    step = atEnd && recording.live ? model.steps.length : Math.min(step, model.steps.length);
    show();
  }

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
    if (event.target.tagName === 'INPUT') return;
    if (event.key === 'ArrowRight') go(step + 1);
    else if (event.key === 'ArrowLeft') go(step - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(model.steps.length);
    else if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); play(); }
    else if (/^[1-6]$/.test(event.key)) { view = Object.keys(views)[event.key - 1]; show(); }
  });
  step = Number((/t=(\d+)/.exec(location.hash) || [0, 0])[1]);
  rebuild();
  function countOf(made) { return made.runtimes.reduce(function (sum, one) { return sum + one.records.length; }, 0); }
  if (recording.live) {
    setInterval(function () {
      fetch('recording' + location.search).then(function (answer) { return answer.json(); }).then(function (newer) {
        if (countOf(newer) !== countOf(recording)) { recording = newer; rebuild(); }
      }, function () {});
    }, 1000);
  }
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
