// natives: none
// Peers of rondo:mesh, as the messages of a run tell them: who has sent how many to this thread, and each message's way from the sender's
// task to the task that it has caused. A message's task is called `mesh message ← TAG #TASK`; `mesh peer TAG, TIME ms` says whose a tag is.
'use strict';

const { make, svg, box, table } = require('internal/observe/page/dom');
const { ms } = require('internal/observe/page/sentences');

const kPeer = /^mesh peer ([0-9a-f]{8}), \d+ ms$/;
const kMessage = /^mesh message ← ([0-9a-f]{8}) #(\d+)$/;
const kMostDrawn = 12;
const kMostListed = 100;
const kWide = 800,
  kTall = 360;

// Threads of this recording by their tags.
function tagsOf(recording) {
  const tags = new Map();
  for (const { number, names } of recording.runtimes) {
    for (const name of Object.values(names)) {
      const found = kPeer.exec(name);
      if (found !== null) tags.set(found[1], number);
    }
  }
  return tags;
}

// Messages that came to one thread, in the order of coming: [{ tag, sender: its task there, id: the task here, time }].
function messagesOf(model) {
  const list = [];
  for (const { id, name, begin } of model.tasks.values()) {
    const found = begin === null ? null : kMessage.exec(name);
    if (found !== null) list.push({ tag: found[1], sender: Number(found[2]), id, time: begin });
  }
  return list.sort((a, b) => a.time - b.time);
}

const known = new WeakMap(); // model → its messages

// { peers: [{ tag, runtime: undefined for another process, count, last }], messages }, up to a time; those that sent most come first.
function peersAt(model, time) {
  if (!known.has(model)) known.set(model, messagesOf(model));
  const tags = tagsOf(model.recording);
  const messages = known.get(model).filter((one) => one.time <= time);
  const peers = new Map();
  for (const { tag, time: last } of messages) {
    const peer = peers.get(tag) ?? { tag, runtime: tags.get(tag), count: 0, last };
    peers.set(tag, Object.assign(peer, { count: peer.count + 1, last }));
  }
  return { peers: [...peers.values()].sort((a, b) => b.count - a.count), messages };
}

// An arrow for each peer, as thick as its messages are many.
function picture(page, peers, nameOf) {
  const most = Math.max(...peers.map((one) => one.count), 1);
  const [x, y] = [kWide / 2, kTall / 2];
  const drawn = peers.slice(0, kMostDrawn).flatMap((peer, i, { length }) => {
    const turn = (i / length) * 2 * Math.PI - Math.PI / 2;
    const at = (share) => [x + Math.cos(turn) * x * share, y + Math.sin(turn) * y * share].map((one) => one.toFixed(1));
    const [x1, y1] = at(0.68),
      [x2, y2] = at(0.24),
      [tx, ty] = at(0.82);
    return [
      svg('line', { x1, y1, x2, y2, stroke: 'currentColor', 'stroke-width': 1 + (5 * peer.count) / most, 'marker-end': 'url(#into)' }),
      svg('text', { x: tx, y: ty, 'text-anchor': 'middle', fill: 'currentColor' }, `${nameOf(peer)}: ${peer.count}`),
    ];
  });
  const head = svg('path', { d: 'M0 0 6 3 0 6z', fill: 'currentColor' });
  const marker = svg(
    'marker',
    { id: 'into', viewBox: '0 0 6 6', refX: 3, refY: 3, markerWidth: 14, markerHeight: 14, markerUnits: 'userSpaceOnUse', orient: 'auto' },
    head,
  );
  const label = `Messages to ${page.threadName(page.thread)} from ${peers.length} peers`;
  return svg(
    'svg',
    { viewBox: `0 0 ${kWide} ${kTall}`, role: 'img', 'aria-label': label, class: 'chart' },
    svg('defs', {}, marker),
    ...drawn,
    svg('text', { x, y: y + 5, 'text-anchor': 'middle', fill: 'currentColor' }, page.threadName(page.thread)),
  );
}

function peers(page) {
  const { model, step } = page;
  const { time } = model.stateAt(step);
  const { peers: list, messages } = peersAt(model, time);
  if (list.length === 0) return box('Peers', make('p', { class: 'dim' }, 'No message of rondo:mesh has come to this thread.'));
  const nameOf = ({ tag, runtime }) => (runtime === undefined ? `peer ${tag}` : page.threadName(runtime));
  const byTag = new Map(list.map((peer) => [peer.tag, nameOf(peer)]));
  const rows = list.map((peer) => [nameOf(peer), String(peer.count), ms(peer.last)]);
  const newest = messages.slice(-kMostListed).reverse();
  const show = (id) => make('button', { onclick: () => page.goToTask(id) }, `#${id}`);
  const messageRows = newest.map((one) => [ms(one.time), byTag.get(one.tag), `#${one.sender}`, show(one.id)]);
  return make(
    'div',
    { class: 'columns' },
    box('Messages from peers', picture(page, list, nameOf)),
    box('Peers', table('Peers', ['peer', 'messages', 'last'], rows)),
    box('Last messages', table('Messages', ['at', 'from', 'its task', 'task here'], messageRows)),
  );
}

module.exports = { peers, peersAt };
