// natives: none
// Tasks and pool jobs over time, on a canvas: a lane for each kind, arrows from a task to what caused it, marks of what was searched for.
// One mark for each pixel at most, so that a million tasks draw as quickly as a thousand.
'use strict';

const { make, box } = require('internal/observe/page/dom');
const { ms, short } = require('internal/observe/page/sentences');

const kLanes = [
  'script',
  'timer',
  'io',
  'immediate',
  'tick',
  'microtask',
  'event',
  'rendering',
  'idle',
  'call',
  'dom',
  'interaction',
  'networking',
  'history',
  'message',
  'scheduler',
  'database',
];
const kAlways = 6; // lanes that are there without a task
const kLeft = 84;
const kRow = 34;
const kFoot = 22;
const kMostJobs = 5000;
const kLeastSpan = 1000; // ns

class Timeline {
  constructor(page) {
    this.page = page;
    this.span = null;
    this.model = null;
    this.found = '';
    this.canvas = make('canvas', {
      id: 'timeline',
      tabindex: '0',
      role: 'img',
      onwheel: (event) => this.onWheel(event),
      onclick: (event) => this.onClick(event),
      onmousemove: (event) => this.onHover(event),
      onkeydown: (event) => this.onKey(event),
    });
    this.about = make('p', { class: 'dim', id: 'timeline-about' }, 'Click a task to go to it. Wheel zooms, shift and wheel moves.');
    this.element = box('Tasks over time', this.controls(), this.canvas, this.about, (this.details = make('div', { id: 'details' })));
    this.followPointer();
  }

  controls() {
    const button = (id, label, text, act) => make('button', { id, 'aria-label': label, onclick: act }, text);
    const now = () => this.model.stateAt(this.page.step).time;
    return make(
      'p',
      { class: 'buttons' },
      button('zoomin', 'Zoom in', '+', () => this.zoom(0.5, now())),
      button('zoomout', 'Zoom out', '−', () => this.zoom(2, now())),
      button('earlier', 'Move to earlier times', '←', () => this.pan(-0.5)),
      button('later', 'Move to later times', '→', () => this.pan(0.5)),
      button('whole', 'Whole run', 'Whole run', () => this.setSpan(null)),
      button('zoomtask', 'This task', 'This task', () => this.zoomToTask()),
    );
  }

  // Dragging moves the picture.
  followPointer() {
    let from = null;
    this.canvas.onpointerdown = (event) => {
      from = { x: event.offsetX, span: { ...this.span }, hasMoved: false };
      this.canvas.setPointerCapture(event.pointerId);
    };
    this.canvas.onpointermove = (event) => {
      if (from === null) return;
      const by = ((from.x - event.offsetX) / this.width()) * (from.span.to - from.span.from);
      if (Math.abs(event.offsetX - from.x) > 3) from.hasMoved = true;
      if (from.hasMoved) this.setSpan({ from: from.span.from + by, to: from.span.to + by });
    };
    this.canvas.onpointerup = () => {
      this.wasDragged = from?.hasMoved ?? false;
      from = null;
    };
  }

  width() {
    return Math.max(1, this.canvas.clientWidth - kLeft);
  }
  timeAt(x) {
    return this.span.from + ((x - kLeft) / this.width()) * (this.span.to - this.span.from);
  }
  lanes() {
    const kinds = kLanes.filter((name, i) => i < kAlways || this.model.kindCounts[name] > 0);
    return this.jobs.length > 0 ? [...kinds, 'pool'] : kinds;
  }

  setSpan(span) {
    const last = Math.max(1, this.model.lastTime);
    const wanted = span ?? { from: 0, to: last };
    const width = Math.min(last, Math.max(kLeastSpan, wanted.to - wanted.from));
    const from = Math.max(0, Math.min(last - width, wanted.from));
    this.span = { from, to: from + width };
    this.isWhole = span === null;
    this.draw();
  }
  zoom(factor, time) {
    this.setSpan({ from: time - (time - this.span.from) * factor, to: time + (this.span.to - time) * factor });
  }
  pan(share) {
    const by = (this.span.to - this.span.from) * share;
    this.setSpan({ from: this.span.from + by, to: this.span.to + by });
  }
  zoomToTask() {
    const task = this.selected();
    if (task?.begin === null || task === undefined) return;
    const end = task.end ?? this.model.lastTime;
    const margin = Math.max(kLeastSpan, (end - task.begin) * 2);
    this.setSpan({ from: task.begin - margin, to: end + margin });
  }

  onWheel(event) {
    event.preventDefault();
    const isPan = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isPan) this.pan((event.deltaX || event.deltaY) / this.width());
    else this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.timeAt(event.offsetX));
  }
  onKey(event) {
    const now = this.model.stateAt(this.page.step).time;
    const acts = {
      '+': () => this.zoom(0.5, now),
      '=': () => this.zoom(0.5, now),
      '-': () => this.zoom(2, now),
      0: () => this.setSpan(null),
      a: () => this.pan(-0.25),
      d: () => this.pan(0.25),
    };
    if (acts[event.key] === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  }
  taskAt(event) {
    const time = this.timeAt(event.offsetX);
    const lane = this.lanes()[Math.floor(event.offsetY / kRow)];
    const near = ((this.span.to - this.span.from) * 4) / this.width();
    const isNear = (task) => task.begin <= time + near && (task.end ?? this.model.lastTime) >= time - near;
    const distance = (task) => Math.max(task.begin - time, time - (task.end ?? this.model.lastTime), 0);
    const list = this.model.spans.between(time - near, time + near, 4000).filter((task) => task.kind === lane && isNear(task));
    if (lane === 'script') list.push(...[this.model.tasks.get(0)].filter(isNear));
    return list.sort((a, b) => distance(a) - distance(b))[0];
  }
  onHover(event) {
    const task = event.offsetX < kLeft ? undefined : this.taskAt(event);
    this.canvas.title = task === undefined ? '' : `${short(task.name)}, ${task.end === null ? 'not ended' : ms(task.end - task.begin)}`;
  }
  onClick(event) {
    if (this.wasDragged) return;
    const task = this.taskAt(event);
    if (task !== undefined) this.page.goToTask(task.id);
  }

  // ---- drawing ----

  selected() {
    return this.model.tasks.get(this.page.taskOfStep());
  }
  show() {
    const { model } = this.page;
    if (model !== this.model) {
      const hadAll = this.model === null || this.isWhole;
      this.model = model;
      this.jobs = model.resources.jobRuns(0, Infinity, kMostJobs);
      if (hadAll || this.span === null) this.span = { from: 0, to: Math.max(1, model.lastTime) };
      if (this.model !== null && hadAll) this.isWhole = true;
    }
    this.canvas.setAttribute('aria-label', `Tasks over time: plus and minus zoom, a and d move. ${model.inWords(this.page.step)}`);
    requestAnimationFrame(() => this.draw());
    this.showDetails();
    return this.element;
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    return {
      ink: of('--ink-now'),
      dim: of('--dim-now'),
      line: of('--line-now'),
      now: of('--now-now'),
      warm: of('--warm-now'),
      kind: (name) => of(`--k-${name}`) || of('--dim-now'),
    };
  }

  draw() {
    const { canvas, model } = this;
    if (model === null || !canvas.isConnected) return;
    const ratio = devicePixelRatio;
    const lanes = this.lanes();
    const height = lanes.length * kRow + kFoot;
    canvas.style.height = `${height}px`;
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = height * ratio;
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    const colours = this.colours();
    const scale = this.width() / (this.span.to - this.span.from);
    const x = (time) => kLeft + (time - this.span.from) * scale;
    this.drawFrame(g, lanes, colours, height);
    lanes.forEach((lane, row) => this.drawLane(g, lane, row, x, colours));
    this.drawFound(g, lanes, x, colours);
    this.drawCauses(g, lanes, x, colours);
    const now = x(model.stateAt(this.page.step).time);
    g.fillStyle = colours.now;
    if (now >= kLeft) g.fillRect(now, 0, 2, lanes.length * kRow);
  }

  drawFrame(g, lanes, colours, height) {
    g.font = '12px system-ui, sans-serif';
    g.textBaseline = 'middle';
    lanes.forEach((lane, row) => {
      g.fillStyle = colours.line;
      g.fillRect(0, (row + 1) * kRow - 1, this.canvas.clientWidth, 1);
      g.fillStyle = colours.ink;
      g.fillText(lane, 2, (row + 0.5) * kRow);
    });
    const kTicks = this.width() < 420 ? 2 : 4;
    const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10((this.span.to - this.span.from) / 1e6)))); // that tell ticks apart
    g.fillStyle = colours.dim;
    for (let i = 0; i <= kTicks; i++) {
      g.textAlign = i === 0 ? 'left' : i === kTicks ? 'right' : 'center';
      const time = this.span.from + ((this.span.to - this.span.from) * i) / kTicks;
      g.fillText(`${(time / 1e6).toFixed(digits)} ms`, kLeft + (this.width() * i) / kTicks, height - kFoot / 2);
    }
    g.textAlign = 'left';
  }

  drawLane(g, lane, row, x, colours) {
    const top = row * kRow + 5;
    const tall = kRow - 11;
    g.fillStyle = colours.kind(lane);
    const right = this.canvas.clientWidth;
    if (lane === 'pool') {
      const threads = Math.max(1, ...this.jobs.map((one) => one.thread + 1));
      const each = Math.max(2, tall / threads);
      for (const job of this.jobs) {
        const from = Math.max(kLeft, x(job.from));
        const to = Math.min(right, x(job.to));
        if (to >= kLeft && from <= right) g.fillRect(from, top + job.thread * each, Math.max(1, to - from), Math.max(1, each - 1));
      }
      return;
    }
    for (const mark of this.model.marks(lane, this.span.from, this.span.to, Math.round(this.width()))) {
      const from = Math.max(kLeft, x(mark.from));
      const wide = Math.max(1, Math.min(right, x(mark.to)) - from);
      g.fillRect(from, top, wide, tall);
      if (wide > 60 && mark.count === 1) this.drawName(g, mark.task, from, top, wide, tall, colours);
    }
  }
  drawName(g, task, from, top, wide, tall, colours) {
    g.save();
    g.beginPath();
    g.rect(from, top, wide - 4, tall);
    g.clip();
    g.fillStyle = '#ffffff';
    g.fillText(short(task.name), from + 4, top + tall / 2);
    g.restore();
    g.fillStyle = colours.kind(task.kind);
  }

  // A task that was searched for has a mark above it.
  drawFound(g, lanes, x, colours) {
    if (this.page.searched === '') return;
    const kMost = 2000;
    let count = 0;
    g.fillStyle = colours.warm;
    for (const task of this.model.spans.between(this.span.from, this.span.to, 200000)) {
      if (!task.name.includes(this.page.searched)) continue;
      g.fillRect(x(task.begin) - 1, lanes.indexOf(task.kind) * kRow, 4, 4);
      if (++count === kMost) break;
    }
  }

  // The chain of causes of the selected task, as arrows from where each was queued to where it ran.
  drawCauses(g, lanes, x, colours) {
    const kMost = 12;
    let task = this.selected();
    g.strokeStyle = colours.now;
    g.lineWidth = 1.5;
    for (let i = 0; task !== undefined && task.id !== 0 && i < kMost; i++) {
      const cause = this.model.tasks.get(task.cause);
      if (cause === undefined || task.begin === null || task.queued === null) break;
      const from = [x(task.queued), (lanes.indexOf(cause.kind) + 0.5) * kRow];
      const to = [x(task.begin), (lanes.indexOf(task.kind) + 0.5) * kRow];
      g.beginPath();
      g.moveTo(...from);
      g.bezierCurveTo(from[0], (from[1] + to[1]) / 2, to[0], (from[1] + to[1]) / 2, ...to);
      g.stroke();
      g.beginPath();
      g.arc(to[0], to[1], 3, 0, 7);
      g.stroke();
      task = cause;
    }
  }

  // The selected task in words: its causes, what it waited behind, what it queued.
  showDetails() {
    const task = this.selected();
    if (task === undefined) return this.details.replaceChildren();
    const link = (one, more) =>
      make(
        'li',
        {},
        make('button', { class: 'link', onclick: () => this.page.goToTask(one.id) }, `#${one.id} ${short(one.name)}`),
        more ?? '',
      );
    const part = (title, items) =>
      items.length === 0 ? null : make('div', {}, make('h3', {}, title), make('ul', { class: 'tasks' }, ...items));
    const chain = this.model.causes(task.id).map((one) => link(one));
    const before = this.model.behind(task.id).map((one) => link(one, ` ${ms(one.ns)}`));
    const queued = this.model.queuedBy(task.id, 20).map((one) => link(one));
    return this.details.replaceChildren(
      make(
        'div',
        { class: 'columns' },
        ...[part('Caused by', chain), part('Waited behind', before), part('Queued', queued)].filter(Boolean),
      ),
    );
  }
}

module.exports = { Timeline };
