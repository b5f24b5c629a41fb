// H1 to H11: the report of a page's loop. Tasks have the kind of their source and the name of the page's function, renderings a cause, steps
// their names; the library's own steps are folded; intervals are queued by the run before; a long task is named.
import assert from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-trace-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
fs.writeFileSync(
  path.join(folder, 'page.html'),
  `<!doctype html>
<p id=text>hello</p><button id=button>b</button>
<script>
setTimeout(function timer() { text.textContent = 'changed'; }, 5);
let runs = 0;
const interval = setInterval(function every() { if (++runs === 3) clearInterval(interval); }, 10);
clearTimeout(setTimeout(function cleared() {}, 1000));
requestAnimationFrame(function frame() { document.body.append('f'); });
requestIdleCallback(function idle() {});
queueMicrotask(function micro() {});
new MutationObserver(function mutated() {}).observe(document.body, { childList: true });
document.body.append('y');
addEventListener('load', function loaded() {});
document.addEventListener('DOMContentLoaded', function ready() {});
button.addEventListener('click', function onClick() {});
rondo.input.click(button);
onmessage = function posted() {};
postMessage(1, '*');
addEventListener('resize', function resized() {});
rondo.input.resize(500, 500);
setTimeout(function busy() { const begun = performance.now(); while (performance.now() - begun < 70); }, 60);
scheduler.postTask(function prioritized() {});
const opening = indexedDB.open('x', 1);
opening.onupgradeneeded = () => opening.result.createObjectStore('s');
opening.onsuccess = function opened() { opening.result.transaction('s', 'readwrite').objectStore('s').put(1, 'a').onsuccess = function put() {}; };
fetch(URL.createObjectURL(new Blob(['abc']))).then(function got(answer) { return answer.text(); }).then(function read() {});
</script>
<script type="module">export default 1;</script>
`,
);

const run = (...options) =>
  spawnSync(process.execPath, ['trace', ...options, '--loop=html', 'page.html'], { cwd: folder, encoding: 'utf8', timeout: 120_000 });

const { stdout, stderr } = run('--json');
const records = stdout
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line));
assert.ok(records.length > 100, stderr);
const tasks = new Map();
for (const { kind, id, what, name, cause, time } of records) {
  if (kind === 'task.queued') tasks.set(id, { id, what, name: name ?? '', cause, runs: 0 });
  if (kind === 'task.named') tasks.get(id).name = name;
  if (kind === 'task.begin' && id > 0) Object.assign(tasks.get(id), { begun: time, runs: tasks.get(id).runs + 1 });
}
const all = [...tasks.values()];
const named = (name) => all.filter((task) => new RegExp(`→ ${name} \\(.*page\\.html:\\d+:\\d+\\)$`).test(task.name));
const one = (name) => {
  const found = named(name);
  assert.strictEqual(found.length, 1, `${name}: ${found.map((task) => task.name).join(', ')}`);
  return found[0];
};

// H1, H3: kinds and names.
for (const [name, what, begins] of [
  ['timer', 'timer', 'timer task'],
  ['frame', 'rendering', 'animation frame'],
  ['idle', 'idle', 'idle callback'],
  ['onClick', 'interaction', 'user interaction task click event'],
  ['posted', 'message', 'posted message task message event'],
  ['prioritized', 'scheduler', 'scheduler task'],
  ['resized', 'rendering', 'resize steps resize event'],
  ['busy', 'timer', 'timer task'],
  ['loaded', 'dom', 'DOM manipulation task load event'], // H8
]) {
  const task = one(name);
  assert.strictEqual(task.what, what, task.name);
  assert.ok(task.name.startsWith(begins), task.name);
  assert.strictEqual(task.runs, 1, task.name);
}
assert.ok(all.some((task) => task.what === 'microtask' && /^micro \(/.test(task.name)));
assert.ok(named('mutated').every((task) => task.what === 'microtask' && task.name.startsWith('mutation observer')));
assert.ok(named('mutated').length >= 1);
assert.ok(named('opened').length === 0 || one('opened').what === 'database');
assert.ok(records.some(({ kind, id }) => kind === 'task.cancelled' && named('cleared').some((task) => task.id === id)));

// H4: the page's scripts are tasks inside of the one that parses it.
const parsing = all.find((task) => task.name.includes('parses file:'));
assert.strictEqual(parsing.what, 'networking');
const script = all.find((task) => task.what === 'script' && /^script file:.*page\.html:3$/.test(task.name));
assert.strictEqual(script.cause, parsing.id);
assert.ok(all.some((task) => task.what === 'script' && /^module file:.*page\.html$/.test(task.name)));
assert.strictEqual(one('timer').cause, script.id);

// H5: what led to a frame, and its steps by name.
const frames = all.filter((task) => task.name === 'update the rendering');
assert.ok(frames.length >= 2 && frames.every((task) => task.cause > 0 && task.what === 'rendering'));
assert.ok(frames.some((task) => task.cause === one('timer').id) || frames.some((task) => task.cause === one('frame').id) || frames.length > 2);
for (const step of ['scroll steps', 'media queries', 'animations', 'resize observers', 'intersection observers', 'paint'])
  assert.ok(all.some((task) => task.name === step && frames.some(({ id }) => id === task.cause)), step);

// H6: no row for databases that nobody waits for.
assert.ok(!all.some((task) => /transactions/.test(task.name)));

// H7: each run of an interval is queued by the one before it.
const every = named('every').filter((task) => task.runs > 0);
assert.strictEqual(every.length, 3);
assert.strictEqual(every[0].cause, script.id);
assert.deepStrictEqual([every[1].cause, every[2].cause], [every[0].id, every[1].id]);
const delays = records.filter(({ kind, id }) => kind === 'task.queued' && every.some((task) => task.id === id)).map(({ payload }) => payload);
assert.deepStrictEqual(delays, [10_000, 10_000, 10_000]);

// H9: which task was long.
assert.ok(all.some((task) => /^long task of [\d.]+ ms$/.test(task.name) && task.cause === one('busy').id));

// The text: turns, no phases of Node's loop (H1, H2), the library's steps folded (H10), idle periods without a length (H11).
const text = run().stderr;
assert.match(text, /Loop report of page\.html: \d+ turns, /);
assert.match(text, /^turn 1$/m);
assert.doesNotMatch(text, /^ {2}(timers|poll|check)$|^iteration/m);
assert.match(text, / networking {3}parses .*page\.html ← start of the agent$/m);
assert.match(text, / timer {8}timer \(page\.html:4:\d+\) ← #\d+ script page\.html:3$/m);
assert.match(text, / interaction {2}click event → onClick \(page\.html:\d+:\d+\)/);
assert.match(text, / dom {10}load event → loaded \(page\.html:\d+:\d+\)/);
assert.match(text, / idle {9}idle period of [\d.]+ ms$/m);
assert.match(text, /#\d+ {2}idle {9}idle callback → idle/);
assert.match(text, / event {8}long task of [\d.]+ ms ← #\d+ busy$/m);
const shown = text.split('\n');
assert.ok(!shown.some((line) => [...line].length > 122), shown.find((line) => [...line].length > 122));
assert.ok(shown.filter((line) => /^ .*node:/.test(line)).length < 12, text);
assert.ok(run('--all').stderr.split('\n').length > shown.length + 10);
