// natives: none
// The page of rondo see and of rondo trace -o run.html: which step, which view, keys; of a running program, new records twice a second.
'use strict';

const { byId, make } = require('internal/observe/page/dom');
const { makeModel } = require('internal/observe/page/model');
const { decodeBase64 } = require('internal/observe/page/records');
const { ms } = require('internal/observe/page/sentences');
const pictures = require('internal/observe/page/pictures');
const { source } = require('internal/observe/page/source');
const { peers } = require('internal/observe/page/peers');
const { alive, findings, heap } = require('internal/observe/page/tables');
const { Timeline } = require('internal/observe/page/timeline');
const { Predict } = require('internal/observe/page/predict');
const { Control } = require('internal/observe/page/control');
const { facts, Strip, bindKeyList } = require('internal/observe/page/glance');

const kPlayEvery = 400; // ms
const kAskEvery = 500;
const kAskSoon = 60;
const kMostLiveBytes = 200_000 * 32;
const kMostOutput = 500;
const kKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'p', 'm'];

// Records may be deflated: a file of a long run is small enough for a mail.
async function inflate(runtime) {
  if (runtime.deflated === undefined) return;
  const stream = new Blob([decodeBase64(runtime.deflated)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  runtime.bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  delete runtime.deflated;
}

class Page {
  constructor(recording) {
    this.recording = recording;
    this.thread = 0;
    this.step = Number(/t=(\d+)/.exec(location.hash)?.[1] ?? 0);
    this.view = /v=(\w+)/.exec(location.hash)?.[1] ?? (recording.quizzes ? 'predict' : 'phases');
    this.sources = new Map(Object.entries(recording.sources ?? {}));
    this.searched = '';
    this.live = recording.live ? {} : null;
    this.timer = null;
    this.isShowing = false;
    this.timeline = new Timeline(this);
    this.predict = new Predict(this);
    this.strip = new Strip(this);
    this.hasEnded = false;
    this.views = {
      phases: () => make('div', {}, facts(this), pictures.phases(this)),
      stack: () => pictures.stack(this),
      iteration: () => pictures.iteration(this),
      workflow: () => pictures.workflow(this),
      timeline: () => this.timeline.show(),
      source: () => source(this),
      alive: () => alive(this),
      findings: () => findings(this),
      heap: () => heap(this),
      slowest: () => pictures.slowest(this),
      predict: () => this.predict.show(),
      peers: () => peers(this),
    };
    if (this.views[this.view] === undefined) this.view = 'phases';
    this.control = recording.live ? new Control(this) : null;
    this.bind();
    this.rebuild();
    if (this.live !== null) this.keepAsking();
  }

  // ---- steps ----

  rebuild() {
    const isFollowing = this.model === undefined ? this.live !== null : this.step >= this.model.stepCount;
    const time = this.model?.stateAt(this.step).time;
    this.model = makeModel(this.recording, this.thread);
    this.listThreads();
    if (isFollowing && this.live !== null) this.step = this.model.stepCount;
    else if (time !== undefined && this.live !== null) this.step = this.model.stepAtTime(time);
    this.step = Math.min(this.step, this.model.stepCount);
    this.show();
  }

  // Once a frame, however fast the slider moves.
  go(to) {
    this.step = Math.max(0, Math.min(this.model.stepCount, to));
    if (this.isShowing) return;
    this.isShowing = true;
    requestAnimationFrame(() => {
      this.isShowing = false;
      this.show();
    });
  }
  goToTask(id) {
    const found = this.model.stepOfTask(id);
    if (found > 0) this.go(found);
  }
  // A finding was told at a time; the task that runs the function began before.
  goToTime(time, name) {
    const near = this.model.stepAtTime(time);
    const named = this.model.findTask(name, Math.max(0, near - 200));
    this.view = 'timeline';
    this.go(named > 0 && named <= near ? named : near);
  }
  find(text) {
    this.searched = text;
    const found = text === '' ? 0 : this.model.findTask(text, this.step);
    byId('found').textContent = text === '' || found > 0 ? '' : 'not found';
    this.go(found > 0 ? found : this.step);
  }
  // The task that the step is about.
  taskOfStep() {
    const record = this.model.stepRecord(this.step);
    if (record?.kind.startsWith('task')) return record.id;
    const { stack } = this.model.stateAt(this.step);
    return stack[stack.length - 1];
  }
  play() {
    if (this.timer !== null) {
      clearInterval(this.timer);
      this.timer = null;
    } else {
      this.timer = setInterval(() => (this.step >= this.model.stepCount ? this.play() : this.go(this.step + 1)), kPlayEvery);
    }
    byId('play').textContent = this.timer === null ? 'Play' : 'Stop';
  }
  playFromStart() {
    this.view = 'phases';
    this.go(0);
    if (this.timer === null) this.play();
  }

  // ---- what is shown ----

  show() {
    const { model, step } = this;
    const state = model.stateAt(step);
    byId('slider').max = model.stepCount;
    byId('slider').value = step;
    byId('slider').setAttribute('aria-valuetext', `step ${step}, ${ms(state.time)}`);
    const lost = model.lost > 0 ? `, ${model.lost} earlier records are not kept` : '';
    const words = model.stepWords(step);
    byId('where').textContent = `Step ${step} of ${model.stepCount}, at ${ms(state.time)}${words === '' ? '' : `: ${words}`}${lost}`;
    const about = this.taskOfStep();
    byId('why').textContent = about === undefined ? this.idleWords(state, step) : model.whyNow(about);
    byId('output').textContent = model
      .outputAt(step, kMostOutput)
      .map(({ text }) => text)
      .join('\n');
    byId('view').replaceChildren(this.views[this.view]());
    this.strip.draw();
    for (const tab of document.querySelectorAll('[role=tab]')) {
      const isChosen = tab.dataset.view === this.view;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
    byId('count').textContent = (this.recording.findings ?? []).length > 0 ? ` ${this.recording.findings.length}` : '';
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(() => this.setAddress(), 200);
  }
  idleWords(state, step) {
    if (state.exit !== null) return `The program has ended with code ${state.exit}.`;
    if (state.waits) return 'The loop waits in poll: nothing is ready.';
    if (step > 0) return this.model.inWords(step);
    return this.model.stepCount === 0
      ? 'Nothing has run yet.'
      : 'Before the first step. Go through the run with the arrow keys, with Play, or by a click on the strip above.';
  }
  setAddress() {
    const at = this.live === null ? `t=${this.step}` : '';
    history.replaceState(null, '', `#${at}${this.view === 'phases' ? '' : `${at === '' ? '' : '&'}v=${this.view}`}`);
  }
  choose(view) {
    this.view = view;
    if (view === 'alive') this.askAlive();
    this.show();
    byId(`tab-${view}`).scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  listThreads() {
    const select = byId('runtime');
    const numbers = this.recording.runtimes.map((one) => one.number);
    byId('runtimes').hidden = numbers.length < 2;
    if (select.options.length === numbers.length) return;
    select.replaceChildren(...numbers.map((number) => make('option', { value: number }, this.threadName(number))));
    select.value = this.thread;
  }
  threadName(number) {
    const child = this.recording.runtimes.find((one) => one.number === number)?.label;
    return child ?? (number === 0 ? 'main' : `worker ${number}`);
  }

  // ---- sources: inside the file, or from the watcher ----

  async askForSource(file) {
    if (this.live === null) return null;
    const answer = await fetch(this.address('source', { file }));
    return answer.ok ? answer.text() : null;
  }
  sourceText(file) {
    if (file === undefined) return '';
    if (!this.sources.has(file)) {
      this.sources.set(file, undefined);
      this.askForSource(file).then((text) => {
        this.sources.set(file, text);
        this.show();
      });
    }
    return this.sources.get(file);
  }

  // ---- a running program ----

  address(path, parameters = {}) {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(parameters)) query.set(name, value);
    return `${path}?${query}`;
  }
  post(path, body) {
    return fetch(this.address(path), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  }
  keepAsking() {
    clearTimeout(this.askTimer);
    this.askTimer = setTimeout(() => this.ask(), kAskEvery);
  }
  askSoon() {
    clearTimeout(this.askTimer);
    this.askTimer = setTimeout(() => this.ask(), kAskSoon);
  }
  async ask() {
    const have = this.recording.runtimes.map((one) => `${one.number}:${one.next}:${one.nextName}`).join(',');
    try {
      const answer = await fetch(this.address('recording', { have }));
      await this.merge(await answer.json());
      if (this.view === 'alive') await this.askAlive();
      this.keepAsking();
    } catch {
      byId('ended').hidden = false;
    }
  }
  async askAlive() {
    if (this.live === null) return;
    try {
      const answer = await fetch(this.address('alive', { runtime: this.thread }));
      this.live.alive = (await answer.json()).alive;
    } catch {
      this.live.alive = undefined; // the program has ended
    }
    if (this.view === 'alive') this.show();
  }
  async merge(newer) {
    await Promise.all(newer.runtimes.map(inflate));
    let hasMore = false;
    for (const one of newer.runtimes) hasMore = this.mergeRuntime(one) || hasMore;
    const before = (this.recording.findings ?? []).length;
    Object.assign(this.recording, { heap: newer.heap, findings: newer.findings });
    const isStopped = this.control.take(newer.held);
    if (isStopped) this.step = Infinity;
    this.hasEnded = newer.ended;
    byId('ended').hidden = !newer.ended;
    if (hasMore || isStopped) this.rebuild();
    else if (before !== newer.findings.length) this.show();
  }
  mergeRuntime(one) {
    let known = this.recording.runtimes.find((other) => other.number === one.number);
    if (known === undefined) {
      known = { number: one.number, label: one.label, names: {}, bytes: new Uint8Array(0) };
      this.recording.runtimes.push(known);
    }
    const added = one.bytes ?? decodeBase64(one.records);
    const before = known.bytes ?? decodeBase64(known.records);
    Object.assign(known.names, one.names);
    Object.assign(known, { next: one.next, nextName: one.nextName, lost: one.lost });
    if (added.length === 0) return false;
    const kept = Math.min(before.length, Math.max(0, kMostLiveBytes - added.length));
    const bytes = new Uint8Array(kept + added.length);
    bytes.set(before.subarray(before.length - kept));
    bytes.set(added, kept);
    known.bytes = bytes;
    return true;
  }
  async openQuiz(number) {
    const answer = await fetch(this.address('quiz', { number }));
    const recording = await answer.json();
    await Promise.all(recording.runtimes.map(inflate));
    this.recording = { ...recording, quizzes: this.recording.quizzes, quiz: number };
    this.sources = new Map(Object.entries(recording.sources));
    this.step = 0;
    this.model = undefined;
    this.lastPlace = this.chosenFile = undefined;
    this.rebuild();
  }

  // ---- controls ----

  bind() {
    byId('title').textContent = this.recording.script.replace(/^(?:-\S+ )*(?:\S*\/)?/, '');
    byId('title').title = this.recording.script;
    document.title = `Rondo: ${this.recording.script}`;
    byId('back').onclick = () => this.go(this.step - 1);
    byId('next').onclick = () => this.go(this.step + 1);
    byId('play').onclick = () => this.play();
    byId('large').onclick = () => byId('large').setAttribute('aria-pressed', String(document.body.classList.toggle('large')));
    byId('slider').oninput = () => this.go(Number(byId('slider').value));
    byId('find').onkeydown = ({ key }) => {
      if (key === 'Enter') this.find(byId('find').value);
    };
    byId('find').oninput = () => {
      if (byId('find').value === '') this.find('');
    };
    byId('runtime').onchange = () => {
      this.thread = Number(byId('runtime').value);
      this.model = undefined;
      this.step = 0;
      this.rebuild();
    };
    const tabs = [...document.querySelectorAll('[role=tab]')];
    tabs.forEach((tab, i) => {
      tab.onclick = () => this.choose(tab.dataset.view);
      tab.onkeydown = (event) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (by === undefined) return;
        event.stopPropagation();
        const next = tabs[(i + by + tabs.length) % tabs.length];
        next.click();
        next.focus();
      };
    });
    document.addEventListener('keydown', (event) => this.onKey(event));
    bindKeyList();
    addEventListener('resize', () => {
      this.strip.draw();
      if (this.view === 'timeline') this.timeline.draw();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.show());
  }
  onKey(event) {
    const { target, key } = event;
    const isField = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== 'range';
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      ArrowRight: () => this.go(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1),
      Home: () => this.go(0),
      End: () => this.go(this.model.stepCount),
      '/': () => byId('find').focus(),
      '?': () => byId('keys').click(),
      k: () => this.control?.toggle(),
      n: () => this.control?.step(),
    };
    if (target.tagName !== 'BUTTON') acts[' '] = () => this.play();
    const view = kKeys.indexOf(key);
    if (view >= 0) acts[key] = () => this.choose(Object.keys(this.views)[view]);
    if (acts[key] === undefined) return;
    event.preventDefault();
    acts[key]();
  }
}

async function start() {
  const recording = JSON.parse(byId('recording').textContent);
  await Promise.all(recording.runtimes.map(inflate));
  window.page = new Page(recording);
}

module.exports = { start };
