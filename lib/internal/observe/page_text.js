// natives: observe
// The page of rondo see and of rondo trace -o run.html as one text: no network, light and dark, from 360 pixels on. Its scripts are the
// files of page/, as they stand in lib/; all text of the program is set as text there, never as markup.
'use strict';

const { libraryText } = native('observe');
const style = require('internal/observe/page_style');

const kFiles = [
  'records',
  'spans',
  'html_loop',
  'sentences',
  'lines',
  'overview',
  'resources',
  'model',
  'dom',
  'source',
  'pictures',
  'timeline',
  'tables',
  'peers',
  'predict',
  'control',
  'glance',
  'main',
];
const kViews = [
  ['phases', 'Now'],
  ['stack', 'Stack and queues'],
  ['iteration', 'Iteration'],
  ['workflow', 'Workflow'],
  ['timeline', 'Timeline'],
  ['source', 'Source'],
  ['alive', 'Alive'],
  ['findings', 'Findings'],
  ['heap', 'Heap'],
  ['slowest', 'Slowest'],
  ['predict', 'Predict'],
  ['peers', 'Peers'],
];
const kPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";

function tab({ 0: view, 1: title }) {
  const count = view === 'findings' ? '<span id="count"></span>' : '';
  return `<button role="tab" id="tab-${view}" aria-controls="view" data-view="${view}">${title}${count}</button>`;
}

// The loop, as a ring with an arrow.
const kMark = '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M20 12a8 8 0 1 1-3-6.2"/><path d="M17.5 1.5v5h-5"/></svg>';

const body = () => `
<div class="bar"><header><h1>${kMark}<span>Rondo</span> <b id="title"></b></h1>
<span class="group"><button id="back" aria-label="One step back">&#9664;</button><button id="play">Play</button>
<button id="next" aria-label="One step on">&#9654;</button><button id="large" aria-pressed="false">Large</button>
<button id="keys" aria-label="Keys">?</button></span>
<label class="group">Find <input id="find" type="search" size="12"></label><span id="found" role="status"></span>
<label id="runtimes" class="group" hidden>Thread <select id="runtime"></select></label>
<span id="ended" class="dim" hidden>The program has ended.</span></header>
<div id="control" role="group" aria-label="Control of the program" hidden></div>
<nav role="tablist" aria-label="Views">${arrayJoin.call(arrayMap.call(kViews, tab), '\n')}</nav></div>
<main><canvas id="strip" aria-hidden="true"></canvas>
<input id="slider" type="range" min="0" value="0" aria-label="Step"><p id="where" class="dim" aria-live="polite"></p>
<section id="about" class="card" aria-label="Why now"><p id="why"></p></section><div id="view" role="tabpanel" aria-label="View"></div>
<section class="card"><h2>Output of the program</h2><pre id="output" tabindex="0"></pre></section></main>
<dialog id="keylist" aria-labelledby="keyshead"><h2 id="keyshead">Keys</h2><dl id="keyrows"></dl>
<button id="closekeys">Close</button></dialog>`;

// A loader for files of lib/ in a browser: each is a function, run when it is first required.
const kLoader = String.raw`
const loaded = {};
function load(id) {
  if (loaded[id] === undefined) {
    loaded[id] = { exports: {} };
    files[id](loaded[id].exports, load, loaded[id]);
  }
  return loaded[id].exports;
}`;

// Text inside of a script element: nothing in it ends the element.
const inScript = (text) => stringReplaceAll.call(text, '</', '<\\/');

function scripts() {
  const files = arrayMap.call(kFiles, (name) => {
    const id = `internal/observe/page/${name}`;
    return `${JSON.stringify(id)}: ${libraryText(id)}`;
  });
  return inScript(`'use strict';\nconst files = {\n${arrayJoin.call(files, ',\n')}\n};${kLoader}`);
}

// A recording as text inside of a page.
const embed = (recording) => stringReplaceAll.call(JSON.stringify(recording), '<', '\\u003c');

function pageOf(recording) {
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta http-equiv="Content-Security-Policy" content="${kPolicy}">` +
    `<title>Rondo</title><style>${style}</style></head><body>${body()}` +
    `<script type="application/json" id="recording">${embed(recording)}</script>` +
    `<script id="model">${scripts()}</script><script>load('internal/observe/page/main').start();</script></body></html>\n`
  );
}

module.exports = { pageOf };
