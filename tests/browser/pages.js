// Random pages for the HTML profile: generate(seed) makes one page, its scripts, and what is known of it (the tree of its callbacks), the same
// for the same seed everywhere. A page logs the order in which its callbacks ran (interpreter.js); judge.js compares two such orders.
//
//   node tests/browser/pages.js FOLDER FIRST_SEED COUNT      writes FOLDER/SEED/page.html and its scripts, and FOLDER/all.html, which presents
//                                                            them one after the other in a frame, so that a hundred need one process
//
// A callback is a node of the tree. Kinds of `SYNCHRONOUS` and `MICRO` run in the task of the node above; each of the others is a task of
// its own. Nothing here depends on how long something takes: delays that matter for the order are 30 ms apart.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const { randomOf } = require('../fixtures/seeded_random.js');

const MICRO = ['microtask', 'then', 'await', 'awaitPromise', 'awaitThenable', 'awaitAsync', 'catch', 'finally', 'all', 'race', 'thenable',
  'cleared', 'unanimated', 'abort', 'observer'];
const SYNCHRONOUS = ['click', 'event', 'listener', 'observers', 'inline', 'throw'];
// How often each kind is taken, in the page itself and in a frame of it.
const WEIGHTS = {
  timer: 6, interval: 1, cleared: 1, animation: 3, unanimated: 1, idle: 2, message: 4, port: 3, broadcast: 2, task: 4, delayed: 1, abort: 1,
  yield: 2, reject: 2, hash: 1, click: 3, event: 2, observers: 3, inline: 2, ordered: 1, fetched: 1, frame: 1, throw: 2,
  microtask: 3, then: 3, await: 2, awaitPromise: 1, awaitThenable: 1, awaitAsync: 1, catch: 1, finally: 1, all: 1, race: 1, thenable: 1,
};
const IN_FRAMES = ['timer', 'interval', 'animation', 'idle', 'message', 'report', 'task', 'microtask', 'then', 'await', 'thenable', 'click', 'observers'];
// What one of these throws becomes a rejection.
const PROMISES = ['then', 'await', 'awaitPromise', 'awaitThenable', 'awaitAsync', 'catch', 'finally', 'all', 'race', 'thenable', 'task', 'delayed', 'abort', 'yield'];
const PRIORITIES = ['user-blocking', 'user-visible', 'background'];

class Generator {
  constructor(seed) {
    this.random = randomOf(seed);
    this.count = 0;
    this.limit = 10 + this.random(22);
    const spread = (kinds) => kinds.flatMap((kind) => Array(WEIGHTS[kind] ?? 1).fill(kind));
    this.usual = spread(Object.keys(WEIGHTS));
    this.framed = spread(IN_FRAMES);
  }

  pick(list) { return list[this.random(list.length)]; }

  node(kind, more = {}) { return { name: `${kind}${this.count++}`, kind, steps: [], ...more }; }

  // Fills a callback with what it queues.
  fill(node, depth, view) {
    const width = depth >= 5 ? 0 : this.random(depth === 0 ? 5 : 4) + (depth === 0 ? 1 : 0);
    for (let i = 0; i < width && this.count < this.limit; i++) {
      const kind = this.pick(view === 'page' ? this.usual : this.framed);
      if (kind === 'throw' && !this.mayThrow(node)) continue;
      node.steps.push(this.step(kind, depth + 1, view, node));
    }
    return node;
  }

  // Once, if nobody makes a rejection of it, and not while an exception is being reported, when no other is.
  mayThrow(node) {
    return !PROMISES.includes(node.kind) && !node.isReporting && !node.steps.some((step) => step.kind === 'throw');
  }

  step(kind, depth, view, above) {
    const isReporting = kind === 'throw' || (above.isReporting && SYNCHRONOUS.includes(kind)) || undefined;
    const node = this.node(kind, { view, isReporting });
    switch (kind) {
      case 'timer': case 'interval': node.delay = this.pick([0, 0, 0, 0, 30, 60]); break;
      case 'delayed': node.delay = this.pick([30, 60]); break;
      case 'task': node.priority = this.pick([undefined, ...PRIORITIES]); break;
      case 'report': return this.fill(node, depth, node.view = 'page');
      case 'click': case 'event': return this.dispatch(node, depth);
      case 'observers': return this.observers(node, depth);
      case 'frame': return this.frame(node, depth);
    }
    return this.fill(node, depth, view);
  }

  dispatch(node, depth) {
    node.type = node.kind === 'click' ? 'click' : this.pick(['click', 'input', 'rondo']);
    node.bubbles = node.kind === 'click' || this.random(3) > 0;
    node.on = this.pick(['div', 'button', 'a', 'input']);
    for (let i = 1 + this.random(3); i > 0; i--) {
      const at = this.pick(['capture', 'target', 'target', 'bubble']);
      // A listener that another may keep from running would leave the page waiting: only the last one of the way stops it.
      if (at === 'bubble' && !node.bubbles) continue;
      node.steps.push(this.fill(this.node('listener', { at, view: node.view, isReporting: node.isReporting }), depth, node.view));
    }
    const last = node.steps.findLast((step) => step.at === 'bubble');
    if (last) last.stops = this.random(2) === 0;
    return node;
  }

  observers(node, depth) {
    const count = 1 + this.random(3);
    for (let i = 0; i < count; i++) node.steps.push(this.fill(this.node('observer', { view: node.view }), depth, node.view));
    node.changes = [];
    for (let i = 0; i < count; i++) node.changes.splice(this.random(i + 1), 0, [i, this.pick(['attribute', 'child', 'text'])]);
    for (let i = this.random(3); i > 0; i--) node.changes.push([this.random(count), this.pick(['attribute', 'child'])]);
    return node;
  }

  frame(node, depth) {
    node.inner = node.name;
    const inside = this.fill(node, depth, node.name);
    inside.steps.push(this.fill({ name: `${node.name}.load`, kind: 'loaded', steps: [], view: 'page' }, depth + 1, 'page'));
    return inside;
  }

  // The scripts of the document in their order, and its two events.
  roots() {
    const roots = [];
    const kinds = ['script', 'script', 'script', 'blocking', 'defer', 'defer', 'module', 'module', 'async'];
    for (let i = 1 + this.random(4); i > 0; i--) {
      const kind = this.pick(kinds);
      roots.push(this.fill(this.node(kind, { isExternal: kind === 'module' && this.random(2) === 0 }), 0, 'page'));
    }
    roots.push(this.fill(this.node('ready'), 1, 'page'), this.fill(this.node('load'), 0, 'page'));
    for (const root of roots) root.view = 'page';
    return roots;
  }
}

function visit(node, call, above) {
  call(node, above);
  for (const step of node.steps) visit(step, call, node);
}

function element(root) {
  const call = `enter('${root.name}')`;
  switch (root.kind) {
    case 'script': return `<script>${call}</script>`;
    case 'module': return root.isExternal ? `<script type=module src=${root.name}.js></script>` : `<script type=module>${call}</script>`;
    case 'blocking': return `<script src=${root.name}.js></script>`;
    case 'defer': case 'async': return `<script ${root.kind} src=${root.name}.js></script>`;
    case 'ready': return `<script>document.addEventListener('DOMContentLoaded', () => ${call})</script>`;
    case 'load': return `<script>window.addEventListener('load', () => ${call})</script>`;
  }
}

const interpreter = fs.readFileSync(path.join(__dirname, 'interpreter.js'), 'utf8').replace(/^\/\/.*\n/gm, '');

// { seed, roots, files }: files by name, `page.html` among them.
function generate(seed) {
  const roots = new Generator(seed).roots();
  const files = {};
  for (const root of roots) {
    visit(root, (node) => {
      if (['blocking', 'defer', 'async', 'ordered', 'fetched'].includes(node.kind) || node.isExternal) files[`${node.name}.js`] = `enter('${node.name}');\n`;
    });
  }
  const events = roots.filter((root) => root.kind === 'ready' || root.kind === 'load');
  const scripts = roots.filter((root) => !events.includes(root));
  const program = JSON.stringify({ seed, roots }).replaceAll('<', '\\u003c');
  files['page.html'] = `<!doctype html><meta charset=utf-8><title>page ${seed}</title>
<script>const program = ${program};
${interpreter}</script>
<body><h1>Page ${seed}</h1>
${[...events, ...scripts].map(element).join('\n<p>text</p>\n')}
`;
  return { seed, roots, files };
}

function write(folder, seed) {
  const { files } = generate(seed);
  fs.mkdirSync(path.join(folder, String(seed)), { recursive: true });
  for (const name of Object.keys(files)) fs.writeFileSync(path.join(folder, String(seed), name), files[name]);
}

// The next page comes when one has said its order.
function writeAll(folder, first, count) {
  for (let seed = first; seed < first + count; seed++) write(folder, seed);
  fs.writeFileSync(path.join(folder, 'all.html'), `<!doctype html><meta charset=utf-8><title>all</title><body>
<script>
let seed = ${first};
let frame;
function next() {
  frame?.remove();
  if (seed === ${first + count}) return;
  frame = document.createElement('iframe');
  frame.src = \`\${seed++}/page.html\`;
  document.body.append(frame);
}
function pageEnded() { setTimeout(next); }
next();
</script>
`);
}

module.exports = { generate, writeAll, visit, MICRO, SYNCHRONOUS, PRIORITIES };

if (require.main === module) {
  const [folder, first, count] = process.argv.slice(2);
  writeAll(folder, Number(first), Number(count));
}
