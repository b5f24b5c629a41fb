// natives: none
// Control of a running program: pause, step, run to a condition, slow motion. The program's thread is held between two tasks, or in the
// middle of the JavaScript that runs.
'use strict';

const { byId, make } = require('internal/observe/page/dom');

const kUnits = [
  ['any', 'callback'],
  ['task', 'task'],
  ['tick', 'tick'],
  ['microtask', 'microtask'],
  ['call', 'call'],
  ['phase', 'phase'],
  ['iteration', 'iteration'],
];
const kConditions = [
  ['phase', 'phase begins', 'check'],
  ['queue', 'callbacks queued, at least', '10'],
  ['ready', 'events ready in poll, at least', '5'],
  ['pool', 'pool jobs not done, at least', '4'],
  ['late', 'a timer is late by ms', '50'],
  ['function', 'a callback is called with the name', ''],
];
const kPhaseNames = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing'];

class Control {
  constructor(page) {
    this.page = page;
    this.held = null; // { reason, value } of the chosen runtime
    this.rules = [];
    this.lastRule = 0;
    this.isSlow = false;
    this.element = byId('control');
    this.element.hidden = false;
    this.make();
  }

  async send(words) {
    await this.page.post('control', { runtime: this.page.thread, words });
    this.page.askSoon();
  }

  option = ([value, text]) => make('option', { value }, text);

  make() {
    this.pauseButton = make('button', { id: 'pause', onclick: () => this.toggle() }, 'Pause');
    this.stepButton = make('button', { id: 'step', onclick: () => this.step() }, 'Step');
    this.unit = make('select', { id: 'unit', 'aria-label': 'Unit of a step' }, ...kUnits.map(this.option));
    this.slowButton = make('button', { id: 'slow', 'aria-pressed': 'false', onclick: () => this.slow() }, 'Slow: 1 a second');
    this.condition = make(
      'select',
      { id: 'condition', 'aria-label': 'Condition', onchange: () => this.offerValue() },
      ...kConditions.map(this.option),
    );
    this.valueBox = make('span', {});
    const runTo = make('button', { id: 'runto', onclick: () => this.runTo() }, 'Run to it');
    const clear = make('button', { id: 'norules', onclick: () => this.clear() }, 'Forget conditions');
    this.state = make('span', { id: 'held', role: 'status', class: 'dim' }, 'runs');
    this.list = make('span', { id: 'rules', class: 'dim' });
    const group = (...content) => make('span', { class: 'group' }, ...content);
    this.element.replaceChildren(
      group(this.pauseButton, this.stepButton, this.unit, this.slowButton, this.state),
      group(make('span', { class: 'dim' }, 'Stop when '), this.condition, this.valueBox, runTo, clear, this.list),
    );
    this.offerValue();
  }

  offerValue() {
    const [kind, label, value] = kConditions.find(([name]) => name === this.condition.value);
    const isPhase = kind === 'phase';
    this.value = isPhase
      ? make(
          'select',
          { id: 'value', 'aria-label': label },
          ...kPhaseNames.map((name) => make('option', { selected: name === value }, name)),
        )
      : make('input', { id: 'value', 'aria-label': label, value, size: '8' });
    this.valueBox.replaceChildren(this.value);
  }

  toggle() {
    return this.send(this.held === null ? ['pause'] : ['go']);
  }
  step() {
    return this.send([`step:${this.unit.value}`]);
  }
  slow() {
    this.isSlow = !this.isSlow;
    this.slowButton.setAttribute('aria-pressed', String(this.isSlow));
    return this.send([`slow:${this.isSlow ? 1000 : 0}`]);
  }
  runTo() {
    const text = this.value.value.trim();
    if (text === '') return undefined;
    const label = kConditions.find(([name]) => name === this.condition.value)[1];
    this.rules.push({ number: ++this.lastRule, text: `${label} ${text}` });
    this.showRules();
    return this.send([`rule:${this.lastRule}:${this.condition.value}:${text}`, 'go']);
  }
  clear() {
    this.rules = [];
    this.showRules();
    return this.send(['norules']);
  }
  showRules() {
    this.list.textContent = this.rules.map(({ number, text }) => `${number}: ${text}`).join('; ');
  }

  // The server's answer for each runtime: { number: { reason, value } }
  take(held) {
    const before = this.held;
    this.held = held?.[this.page.thread] ?? null;
    const isStopped = this.held !== null && this.held.reason !== 'slow';
    this.pauseButton.textContent = isStopped ? 'Continue' : 'Pause';
    this.pauseButton.setAttribute('aria-pressed', String(isStopped));
    if (!isStopped) this.held = null;
    document.body.classList.toggle('held', isStopped);
    this.state.textContent = isStopped ? this.reason(this.held) : this.isSlow ? 'runs slowly' : 'runs';
    return before === null && this.held !== null;
  }
  reason({ reason, value }) {
    const number = /^rule (\d+)$/.exec(reason)?.[1];
    const rule = this.rules.find((one) => String(one.number) === number);
    if (rule !== undefined) return `stopped: ${rule.text}${value > 0 ? ` (${Math.round(value * 10) / 10})` : ''}`;
    return reason === 'pause' ? 'paused' : 'stopped at a step';
  }
}

module.exports = { Control };
