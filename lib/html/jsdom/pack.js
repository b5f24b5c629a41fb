// natives: html_pack
// The document is jsdom's. Its files and those it needs lie in one file beside the binary (share/rondo/html.pack; in a build tree in the
// binary's own folder), made by tools/html_pack.js. They are loaded in the library's own realm, never the page's, each when it is first
// asked for; what of jsdom loads resources, keeps time or reports errors is ours.
'use strict';

const files = native('html_pack');
const { loop, sources, queueTask, requireRoom } = require('html/agents/agent');

const modules = new Map(); // id, a path below node_modules → { exports }

// Globals of jsdom's files; its timers are tasks. Missing ones (setInterval) serve functions that html/window/window replaces.
const names = () => ({
  __proto__: null,
  process: { __proto__: null, nextTick: process.nextTick, versions: {} },
  Buffer: require('internal/buffer/buffer').Buffer,
  global: { $parseDefaultStyles: (text, global) => require('html/document/default_styles').parseDefault(text, global) },
  console: require('internal/console/program'),
  setImmediate: (callback, ...args) =>
    queueTask(sources.dom, () => {
      callback(...each(args));
    }),
  setTimeout: (callback, delay, ...args) =>
    loop.setTimer(+delay || 0, false, () => {
      callback(...each(args));
    }),
  clearTimeout: (id) => {
    if (id !== undefined) loop.clearTimer(id | 0);
  },
  setInterval: undefined,
  clearInterval() {},
  $hidden: require('html/jsdom/hidden'),
});

let isOpen = false;
function open() {
  if (isOpen) return;
  const path = require('internal/path/path');
  const home = path.dirname(process.execPath);
  const places = [path.join(home, 'html.pack'), path.join(home, '../share/rondo/html.pack')];
  const wrong = places.map((place) => files.open(place));
  isOpen = wrong.includes(undefined);
  if (isOpen) return void files.setNames(names());
  const at = wrong.findIndex((reason) => reason !== wrong[1]); // a file that is there and cannot be had says more than one that is not
  if (at >= 0) throw new Error(`what documents are made of cannot be had (${places[at]}): ${wrong[at]}`);
  throw new Error(`what documents are made of is not where it was installed (${places[1]}): ${wrong[1]}`);
}

// Why no page can be made in so little address space, or undefined.
const lacking = () => files.lacking();

let loading = 0; // files that are being loaded

function load(id) {
  const known = modules.get(id);
  if (known !== undefined) return known.exports;
  const body = id.includes('/') ? files.load(id) : undefined;
  if (body === undefined) return require(id);
  // Files need one another, some in a circle: where the stack may not suffice for all of them, none is begun.
  if (loading === 0) requireRoom();
  const module = { exports: {} };
  modules.set(id, module);
  loading++;
  try {
    Reflect.apply(body, module.exports, [module.exports, load, module]);
  } catch (error) {
    modules.delete(id); // the next use loads it again
    throw error;
  } finally {
    loading--;
  }
  return module.exports;
}

// Puts `exports` in the place of a file.
function replace(id, exports) {
  modules.set(id, { exports });
}

// Loads files in a page's realm, each anew for it: what they throw and make is the page's. `replaced`: exports in the place of files.
function loaderIn(window, replaced) {
  const exports = new Map(Object.entries(replaced));
  const { runInContext } = require('vm');
  return function load(id) {
    if (exports.has(id)) return exports.get(id);
    const module = { exports: {} };
    exports.set(id, module.exports);
    const body = runInContext(`(${Function.prototype.toString.call(files.load(id))})`, window, { filename: `node:${id}` });
    Reflect.apply(body, module.exports, [module.exports, load, module]);
    exports.set(id, module.exports);
    return module.exports;
  };
}

module.exports = { open, lacking, replace, load, loaderIn };
