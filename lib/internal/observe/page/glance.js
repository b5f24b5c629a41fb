// natives: none
// The first look at a run: its facts as large figures, the strip above the slider with the longest task of each stretch of steps, and the
// list of keys.
'use strict';

const { byId, make } = require('internal/observe/page/dom');
const { ms, seconds, short } = require('internal/observe/page/sentences');

const kTall = 34; // of the strip, in pixels
const kLeast = 1e3; // ns: a bar of one pixel
const kMost = 1e9; // of the whole height

const kKeyRows = [
  ['→  ←', 'one step on, one back'],
  ['Home  End', 'to the first step, to the last'],
  ['space', 'play, stop'],
  ['1 … 9  0  p  m', 'the views, in their order'],
  ['/', 'find a task by a part of its name'],
  ['k', 'pause a running program, or let it go on'],
  ['n', 'one step of a paused program'],
  ['+  −  a  d', 'in the timeline: zoom, move'],
  ['?', 'this list'],
];

// One figure with its name below.
const fact = (value, name, act) =>
  make(
    'div',
    { class: 'fact' },
    act === undefined ? make('strong', {}, value) : make('button', { class: 'link', onclick: act }, value),
    make('span', {}, name),
  );

function share(part, whole) {
  const percent = whole > 0 ? (100 * part) / whole : 0;
  return `${percent >= 10 || percent < 0.05 ? Math.round(percent) : percent.toFixed(1)} %`;
}

// Of the whole run, or of the last seconds of a program that runs.
function facts(page) {
  const { model } = page;
  const isLive = page.live !== null && !page.hasEnded;
  const found = isLive ? model.overview.recentFacts() : model.overview.facts();
  const { longest } = found;
  const rate = (count) => `${Math.round((count * 1e9) / Math.max(1, found.ns))}`;
  const list = [
    fact(seconds(found.ns), isLive ? 'the last seconds' : 'the whole run'),
    isLive ? fact(rate(found.callbacks), 'callbacks a second') : fact(`${found.callbacks}`, 'callbacks'),
    isLive
      ? fact(rate(found.iterations), `${model.isPage ? 'turns' : 'iterations'} a second`)
      : fact(`${found.iterations}`, model.isPage ? 'turns of the loop' : 'iterations of the loop'),
    fact(share(found.asleep, found.ns), 'of the time asleep'),
  ];
  if (longest !== null)
    list.push(fact(ms(longest.end - longest.begin), `longest: ${short(longest.name)}`, () => page.goToTask(longest.id)));
  const count = (page.recording.findings ?? []).length;
  if (count > 0) list.push(fact(`${count}`, count === 1 ? 'finding' : 'findings', () => page.choose('findings')));
  return make('div', { class: 'facts', role: 'group', 'aria-label': isLive ? 'The last seconds' : 'The whole run' }, ...list);
}

// The strip: as wide as the slider, bars as tall as the logarithm of the time.
class Strip {
  constructor(page) {
    this.page = page;
    this.canvas = byId('strip');
    this.canvas.onclick = (event) => this.onClick(event);
    this.canvas.onmousemove = (event) => this.onHover(event);
    this.made = null; // { model, width, list }
  }

  list() {
    const { model } = this.page;
    const width = Math.max(1, Math.min(this.canvas.clientWidth, 1200));
    if (this.made?.model !== model || this.made.width !== width) {
      const parts = Math.max(1, Math.min(Math.floor(width / 3), model.stepCount));
      this.made = { model, width, list: model.overview.strip(parts) };
    }
    return this.made.list;
  }
  at(event) {
    const list = this.list();
    return list[Math.min(list.length - 1, Math.floor((event.offsetX / this.canvas.clientWidth) * list.length))];
  }
  onClick(event) {
    const mark = this.at(event);
    if (mark) this.page.goToTask(mark.id);
    else this.page.go(Math.round((event.offsetX / this.canvas.clientWidth) * this.page.model.stepCount));
  }
  onHover(event) {
    const mark = this.at(event);
    this.canvas.title = mark ? `${short(this.page.model.label(mark.id).name)}, ${ms(mark.ns)}` : '';
  }

  draw() {
    const { canvas, page } = this;
    const { stepCount } = page.model;
    const wide = canvas.clientWidth;
    canvas.width = wide * devicePixelRatio;
    canvas.height = kTall * devicePixelRatio;
    const g = canvas.getContext('2d');
    g.scale(devicePixelRatio, devicePixelRatio);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const list = stepCount === 0 ? [] : this.list();
    const part = wide / Math.max(1, list.length);
    list.forEach((mark, i) => {
      if (mark === null) return;
      const tall = Math.max(2, Math.min(1, Math.log(Math.max(1, mark.ns / kLeast)) / Math.log(kMost / kLeast)) * kTall);
      g.fillStyle = colour(`--k-${mark.kind}`) || colour('--dim-now');
      g.fillRect(i * part, kTall - tall, Math.max(1, part - (part > 2 ? 1 : 0)), tall);
    });
    g.fillStyle = colour('--now-now');
    g.fillRect((page.step / Math.max(1, stepCount)) * (wide - 2), 0, 2, kTall);
  }
}

function bindKeyList() {
  const dialog = byId('keylist');
  byId('keyrows').replaceChildren(...kKeyRows.flatMap(([keys, what]) => [make('dt', {}, keys), make('dd', {}, what)]));
  byId('keys').onclick = () => dialog.showModal();
  byId('closekeys').onclick = () => dialog.close();
}

module.exports = { facts, Strip, bindKeyList };
