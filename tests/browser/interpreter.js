// What every generated page runs by: it walks the page's program (`program`, a tree of callbacks written by pages.js) and notes the order
// in which they ran. The generator puts this text into each page as its first script; browsers and Rondo run the same.
// The line `ORDER seed: …` goes to the console when everything that was to run has run and a grace has passed in which nothing more
// may; `UNFINISHED seed: …` when something never came.
'use strict';

const nodes = new Map();
const order = [];
let left = 0;

function learn(node) {
  nodes.set(node.name, node);
  left++;
  for (const step of node.steps) learn(step);
}
for (const root of program.roots) learn(root);

function say(word) {
  console.log(`${word} ${program.seed}: ${order.join(' ')}`);
  parent.pageEnded?.();  // a page of many: all.html
}
const patience = setTimeout(() => say('UNFINISHED'), 12000);

// A callback of the program: notes itself, queues what it is to queue, and may throw at its end.
function enter(name, view = window, note = '') {
  const node = nodes.get(name);
  order.push(name + note);
  for (const step of node.steps) if (step.kind !== 'throw') queue(step, view, node);
  if (--left === 0) {
    clearTimeout(patience);
    setTimeout(() => requestAnimationFrame(() => setTimeout(say, 60, 'ORDER')), 60);
  }
  const thrown = node.steps.find((step) => step.kind === 'throw');
  if (thrown) throw new Error(thrown.name);
}

window.onerror = (message, source, line, column, error) => { enter(error.message); return true; };
window.onunhandledrejection = (event) => { event.preventDefault(); enter(event.reason.message); };
window.onmessage = (event) => enter(event.data, window);
window.onhashchange = (event) => enter(new URL(event.newURL).hash.slice(1));
const { port1, port2 } = new MessageChannel();
port1.onmessage = (event) => enter(event.data);
const broadcastName = `pages ${program.seed} ${Math.random()}`;
const speaker = new BroadcastChannel(broadcastName);
const hearer = new BroadcastChannel(broadcastName);
hearer.onmessage = (event) => enter(event.data);
const never = (what) => () => order.push(`${what}!`);

const element = (name) => document.createElement(name);
const place = () => document.body ?? document.documentElement;

function addScript(step, prepare) {
  const script = element('script');
  prepare(script);
  place().append(script);
}

// An element in another, listeners on both, and one event that goes through them.
function dispatch(step, view, fire) {
  order.push(step.name);
  left--;
  const outer = element('div');
  const inner = element(step.on);
  outer.append(inner);
  place().append(outer);
  for (const listener of step.steps) {
    const target = listener.at === 'target' ? inner : outer;
    target.addEventListener(step.type, (event) => {
      if (listener.stops) event.stopPropagation();
      enter(listener.name, view);
    }, { capture: listener.at === 'capture', once: true });
  }
  fire(inner);
  order.push(`${step.name}.`);
}

// Observers made in one order; what they observe changes in another.
function observe(step, view) {
  order.push(step.name);
  left--;
  const watched = step.steps.map((observer) => {
    const target = element('p');
    new view.MutationObserver((records, self) => {
      self.disconnect();
      enter(observer.name, view, `(${records.length})`);
    }).observe(target, { attributes: true, childList: true, characterData: true, subtree: true });
    return target;
  });
  for (const [index, change] of step.changes) {
    if (change === 'attribute') watched[index].setAttribute('title', 'x');
    else if (change === 'child') watched[index].append(element('i'));
    else watched[index].textContent = change;
  }
}

const asynchronous = {
  await: async (call) => { await undefined; call(); },
  awaitPromise: async (call) => { await Promise.resolve(); call(); },
  awaitThenable: async (call) => { await { then: (done) => done() }; call(); },
  awaitAsync: async (call) => { await (async () => Promise.resolve())(); call(); },
};

function queueMicro(step, view, call) {
  switch (step.kind) {
    case 'microtask': view.queueMicrotask(call); break;
    case 'then': Promise.resolve().then(call); break;
    case 'catch': Promise.reject(0).catch(call); break;
    case 'finally': Promise.resolve().then(() => {}).finally(call); break;
    case 'all': Promise.all([Promise.resolve(), 1]).then(call); break;
    case 'race': Promise.race([new Promise(() => {}), Promise.resolve()]).then(call); break;
    case 'thenable': new Promise((resolve) => resolve({ then: (done) => done() })).then(call); break;
    default: asynchronous[step.kind](call);
  }
}

function queueFrame(step, view) {
  const frame = element('iframe');
  frame.onload = () => enter(`${step.name}.load`);
  frame.srcdoc = `<!doctype html><p>${step.name}</p><script>onmessage = (event) => parent.enter(event.data, window); parent.enter('${step.name}', window)<\/script>`;
  place().append(frame);
}

function queue(step, view, parent) {
  const call = () => enter(step.name, view);
  switch (step.kind) {
    case 'timer': view.setTimeout(call, step.delay); break;
    case 'interval': {
      const id = view.setInterval(() => { view.clearInterval(id); call(); }, step.delay);
      break;
    }
    case 'cleared': {
      const id = view.setTimeout(never(step.name), 0);
      view.queueMicrotask(() => { view.clearTimeout(id); call(); });
      break;
    }
    case 'animation': view.requestAnimationFrame(call); break;
    case 'unanimated': {
      const id = view.requestAnimationFrame(never(step.name));
      view.queueMicrotask(() => { view.cancelAnimationFrame(id); call(); });
      break;
    }
    case 'idle': view.requestIdleCallback(call); break;
    case 'message': view.postMessage(step.name, '*'); break;
    case 'report': view.parent.postMessage(step.name, '*'); break;
    case 'port': port2.postMessage(step.name); break;
    case 'broadcast': speaker.postMessage(step.name); break;
    case 'task': view.scheduler.postTask(call, step.priority ? { priority: step.priority } : {}); break;
    case 'delayed': view.scheduler.postTask(call, { delay: step.delay }); break;
    case 'abort': {
      const controller = new AbortController();
      scheduler.postTask(never(step.name), { signal: controller.signal }).catch(call);
      controller.abort();
      break;
    }
    case 'yield': scheduler.yield().then(call); break;
    case 'reject': Promise.reject(new Error(step.name)); break;
    case 'hash': location.hash = step.name; break;
    case 'click': dispatch(step, view, (target) => target.click()); break;
    case 'event': dispatch(step, view, (target) => target.dispatchEvent(new Event(step.type, { bubbles: step.bubbles }))); break;
    case 'observers': observe(step, view); break;
    case 'inline': addScript(step, (script) => { script.textContent = `enter('${step.name}')`; }); break;
    case 'ordered': addScript(step, (script) => { script.async = false; script.src = `${step.name}.js`; }); break;
    case 'fetched': addScript(step, (script) => { script.src = `${step.name}.js`; }); break;
    case 'frame': queueFrame(step, view); break;
    case 'loaded': break;
    default: queueMicro(step, view, call);
  }
}
