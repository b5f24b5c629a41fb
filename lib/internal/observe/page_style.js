// natives: none
// Looks of the page of rondo see, in light and dark, from 360 pixels to 4K.
'use strict';

const kKinds = ['script', 'timer', 'io', 'immediate', 'tick', 'microtask', 'event', 'rendering', 'idle', 'call', 'dom', 'interaction'];
const kMoreKinds = ['networking', 'history', 'message', 'scheduler', 'database'];
const colourOf = (kind) => `.kind.${kind}, .dot.${kind} { --mark: var(--k-${kind}); }`;
const colours = arrayJoin.call(arrayMap.call([...each(kKinds), ...each(kMoreKinds)], colourOf), '\n');

// Colours a canvas needs are plain ones, set by the scheme; the rest use light-dark().
module.exports = String.raw`
:root { color-scheme: light dark;
  --ink-now: #1b1f24; --dim-now: #57606a; --line-now: #d5dae1; --now-now: #0b57d0; --warm-now: #b3261e;
  --k-script: #5f6773; --k-timer: #2e7d32; --k-io: #1a66c9; --k-immediate: #8540a8; --k-tick: #a15c00; --k-microtask: #c0231f;
  --k-event: #00707a; --k-rendering: #a8124f; --k-idle: #6d4c41; --k-call: #546e7a; --k-pool: #6a6f00;
  --k-dom: #1a66c9; --k-interaction: #b3460e; --k-networking: #00707a; --k-history: #5f6773; --k-message: #8540a8;
  --k-scheduler: #6a6f00; --k-database: #6d4c41;
  --page: #f6f7f9; --box: #ffffff; --soft: #eef1f5; --glow: #dbe7ff; }
@media (prefers-color-scheme: dark) { :root {
  --ink-now: #e8eaed; --dim-now: #a4adb8; --line-now: #3a424b; --now-now: #8ab4f8; --warm-now: #f2b8b5;
  --k-script: #8a929c; --k-timer: #4c9a50; --k-io: #4a90e2; --k-immediate: #a86fc7; --k-tick: #c88528; --k-microtask: #e05a55;
  --k-event: #2b9aa5; --k-rendering: #cf4a80; --k-idle: #9a7b70; --k-call: #7d95a1; --k-pool: #9ba02e;
  --k-dom: #4a90e2; --k-interaction: #e0854a; --k-networking: #2b9aa5; --k-history: #8a929c; --k-message: #a86fc7;
  --k-scheduler: #9ba02e; --k-database: #9a7b70;
  --page: #101317; --box: #191d22; --soft: #242a31; --glow: #1f3155; } }
* { box-sizing: border-box; }
html { color: var(--ink-now); background: var(--page); }
body { margin: 0; font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', sans-serif; }
body.large { font-size: 21px; }
@media (min-width: 2200px) { body { font-size: 18px; } body.large { font-size: 26px; } }
header, main { max-width: 2400px; margin: 0 auto; padding: 10px 16px; }
header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
.bar { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line-now); }
h1 { font-size: 1.1em; margin: 0; overflow-wrap: anywhere; display: flex; gap: 7px; align-items: center; }
h1 span { color: var(--dim-now); font-weight: 400; } .mark { width: 1.35em; height: 1.35em; fill: none; stroke: var(--now-now);
  stroke-width: 2.6; flex: none; }
#strip { height: 34px; width: calc(100% - 16px); margin: 2px 8px 0; cursor: pointer; border-bottom: 1px solid var(--line-now); }
.facts { display: flex; flex-wrap: wrap; gap: 4px 32px; margin: 0 2px 12px; }
.fact { display: flex; flex-direction: column; min-width: 0; max-width: 22em; } .fact > :first-child { font-size: 1.5em; font-weight: 600;
  line-height: 1.25; } .fact .link { padding: 0; min-height: 0; color: var(--now-now); } .fact span { color: var(--dim-now);
  font-size: .86em; overflow-wrap: anywhere; }
dialog { color: inherit; background: var(--box); border: 1px solid var(--line-now); border-radius: 12px; padding: 16px 22px;
  max-width: 92vw; }
dialog::backdrop { background: rgb(0 0 0 / .4); } dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 18px; margin: 0 0 14px; }
dt { font-weight: 600; white-space: nowrap; } dd { margin: 0; }
h2 { font-size: 1em; margin: 0 0 8px; } h3 { font-size: .95em; margin: 6px 0 4px; }
p { margin: 4px 0; } ul, ol { margin: 0; padding-left: 20px; } .dim { color: var(--dim-now); } .big { font-size: 1.7em;
  font-weight: 600; }
[hidden] { display: none !important; }
nav { display: flex; gap: 2px; overflow-x: auto; max-width: 2400px; margin: 0 auto; padding: 0 6px; scrollbar-width: thin; }
button, input, select { font: inherit; color: inherit; background: var(--soft); border: 1px solid var(--line-now); border-radius: 7px;
  padding: 4px 10px; min-height: 34px; }
input[type=range] { width: 100%; padding: 0; accent-color: var(--now-now); min-height: 28px; }
button { cursor: pointer; } button:hover { border-color: var(--now-now); } button:disabled { opacity: .5; cursor: default; }
button[aria-pressed=true] { background: var(--glow); border-color: var(--now-now); }
[role=tab] { background: none; border-color: transparent; white-space: nowrap; border-radius: 7px 7px 0 0; }
[role=tab][aria-selected=true] { color: var(--now-now); font-weight: 600; border-bottom: 3px solid var(--now-now); }
:focus-visible { outline: 2px solid var(--now-now); outline-offset: 1px; }
#count { color: var(--warm-now); font-weight: 700; }
.group { display: inline-flex; flex-wrap: wrap; gap: 6px; align-items: center; }
#control { display: flex; flex-wrap: wrap; gap: 8px 22px; padding: 8px 16px; max-width: 2400px; margin: 0 auto; }
#control select, #control input { max-width: 15em; } body.held #held { color: var(--warm-now); font-weight: 600; }
.card { background: var(--box); border: 1px solid var(--line-now); border-radius: 10px; padding: 10px 12px; margin: 0 0 12px;
  min-width: 0;
  overflow-wrap: anywhere; }
#about { border-left: 4px solid var(--now-now); } #why { min-height: 1.4em; font-size: 1.05em; }
.now, .columns { display: grid; gap: 12px; align-items: start; grid-template-columns: minmax(0, 1fr); }
.now > *, .columns > * { min-width: 0; }
@media (min-width: 760px) { .columns { grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); }
  .now { grid-template-columns: minmax(300px, 1fr) minmax(300px, 1fr); } .now > :last-child { grid-column: 1 / -1; } }
@media (min-width: 1500px) { .now { grid-template-columns: minmax(380px, 1fr) minmax(360px, 1fr) minmax(480px, 1.5fr); }
  .now > :last-child { grid-column: auto; } }
.queues { display: grid; gap: 2px 14px; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); }
.count { display: inline-block; background: var(--soft); border-radius: 9px; padding: 0 8px; font-weight: 400; }
.tasks { list-style: none; padding: 0; } 
.task { padding: 2px 0; display: flex; gap: 2px 5px; align-items: baseline; } .task > :not(.link) { flex: none; }
.task .link { min-width: 0; } 
.task.is-now .link { color: var(--now-now); font-weight: 600; }
.kind { display: inline-block; font-size: .8em; border-left: 4px solid var(--mark, var(--dim-now)); padding: 0 6px; margin-right: 4px;
  color: var(--dim-now); }
.dot { display: inline-block; width: 4px; height: .85em; align-self: center; background: var(--mark, var(--dim-now)); }
${colours}
.link { border: 0; background: none; padding: 1px 2px; min-height: 24px; text-align: left; overflow-wrap: anywhere; }
.link:hover { text-decoration: underline; }
.wheel { display: block; width: 100%; max-width: 420px; max-height: 52vh; margin: 0 auto; }
@media (min-width: 2200px) { .wheel { max-width: 560px; } }
.wheel text { fill: currentColor; font-size: 15px; } .wheel .strong { font-weight: 600; } .wheel .small { font-size: 11.5px; }
.phase path { fill: color-mix(in srgb, var(--now-now) calc(var(--heat) * .5), var(--soft)); stroke: var(--box); }
.phase.is-now path { fill: var(--glow); stroke: var(--now-now); stroke-width: 3; } .phase.is-now text { font-weight: 700; }
.middle { fill: var(--soft); stroke: var(--line-now); } .middle.is-now { fill: var(--glow); stroke: var(--now-now); stroke-width: 3; }
.event { fill: var(--k-io); }
canvas { width: 100%; display: block; touch-action: pan-y; cursor: crosshair; }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
.iteration > li { margin-bottom: 8px; } .iteration > li::marker { color: var(--dim-now); }
table { border-collapse: collapse; width: 100%; } caption { position: absolute; clip-path: inset(50%); }
th { text-align: left; font-weight: 600; color: var(--dim-now); } th, td { padding: 2px 12px 2px 0; vertical-align: top; }
.table th { white-space: nowrap; } .table td { overflow-wrap: break-word; min-width: 4em; }
.table td:nth-child(2), .table td:last-child { white-space: nowrap; }
.slowest .kind { min-width: 7.5em; } .slowest strong { display: inline-block; min-width: 6em; margin-right: .6em; text-align: right; }
.table, .source { overflow: auto; max-height: 60vh; position: relative; }
.source table { font: .9em/1.5 ui-monospace, 'SFMono-Regular', Menlo, monospace; } .source th { font-weight: 400; white-space: nowrap;
  position: sticky; top: 0; background: var(--box); }
.source td { white-space: pre; padding: 0 12px 0 0; } .source .number, .source .counts { text-align: right; color: var(--dim-now);
  user-select: none; } .source .output { color: var(--k-timer); position: sticky; right: 0; background: var(--box); padding: 0 4px 0 12px;
  max-width: 40vw; overflow: hidden; text-overflow: ellipsis; } .source tr.is-now .output { background: var(--glow); }
  .source tr.is-now { background: var(--glow); }
.source tr.is-now .number { color: var(--now-now); font-weight: 700; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: .92em/1.45 ui-monospace, Menlo, monospace; }
#output { max-height: 14em; overflow: auto; } .listing { max-height: 60vh; overflow: auto; white-space: pre; }
.chart { width: 100%; height: 200px; background: var(--soft); border-radius: 6px; } .curve { fill: none; stroke: var(--now-now);
  stroke-width: 2; vector-effect: non-scaling-stroke; } .cursor { stroke: var(--warm-now); vector-effect: non-scaling-stroke; }
.finding { border-left: 4px solid var(--warm-now); } .predict li { padding: 4px 6px; margin: 3px 0; border-radius: 7px;
  background: var(--soft); cursor: grab; } .predict li button { min-height: 28px; padding: 0 8px; margin-right: 5px; }
.predict .right { outline: 2px solid var(--k-timer); } .predict .wrong { outline: 2px solid var(--warm-now); }
@media (prefers-reduced-motion: no-preference) { .phase path, .middle { transition: fill .2s; }
  #running .task { animation: enter .25s ease-out; } @keyframes enter { from { transform: translateX(24px); opacity: .2; } } }
@media (max-width: 760px) { .bar { position: static; } .source .output { position: static; } }
@media (max-width: 480px) { header, main, #control { padding: 8px 10px; } .card { padding: 8px; } .words { font-size: .92em; } }
`;
