// natives: none
// Twelve programs for rondo see --quiz: their output is put in order before they are watched. Each prints one line a callback.
'use strict';

const kQuizzes = [
  [
    'Timer, promise, tick',
    `
setTimeout(() => console.log('timeout'), 0);
Promise.resolve().then(() => console.log('promise'));
process.nextTick(() => console.log('tick'));
console.log('script');
`,
  ],
  [
    'A tick inside a promise',
    `
Promise.resolve()
  .then(() => {
    console.log('first then');
    process.nextTick(() => console.log('tick'));
  })
  .then(() => console.log('second then'));
queueMicrotask(() => console.log('microtask'));
`,
  ],
  [
    'Immediate and timeout after a file is read',
    `
const fs = require('node:fs');
fs.readFile(__filename, () => {
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
  console.log('file');
});
console.log('script');
`,
  ],
  [
    'await',
    `
async function load() {
  console.log('load begins');
  await null;
  console.log('load goes on');
}
console.log('script begins');
load().then(() => console.log('load is over'));
console.log('script ends');
`,
  ],
  [
    'Two chains',
    `
const chain = (name) =>
  Promise.resolve()
    .then(() => console.log(name, 1))
    .then(() => console.log(name, 2))
    .then(() => console.log(name, 3));
chain('a');
chain('b');
`,
  ],
  [
    'Ticks between two timers',
    `
setTimeout(() => {
  console.log('timer 1');
  process.nextTick(() => console.log('tick of 1'));
  Promise.resolve().then(() => console.log('promise of 1'));
}, 5);
setTimeout(() => console.log('timer 2'), 5);
`,
  ],
  [
    'Immediates made by immediates',
    `
setImmediate(() => {
  console.log('first');
  setImmediate(() => console.log('made by first'));
});
setImmediate(() => console.log('second'));
`,
  ],
  [
    'A promise that returns a promise',
    `
Promise.resolve()
  .then(() => Promise.resolve('inner'))
  .then((text) => console.log(text));
Promise.resolve()
  .then(() => console.log(1))
  .then(() => console.log(2))
  .then(() => console.log(3))
  .then(() => console.log(4));
`,
  ],
  [
    'The executor runs at once',
    `
console.log('begin');
new Promise((resolve) => {
  console.log('executor');
  resolve();
  console.log('after resolve');
}).then(() => console.log('then'));
console.log('end');
`,
  ],
  [
    'Closing comes last',
    `
const { Readable } = require('node:stream');
const stream = new Readable({ read() {} });
stream.on('close', () => console.log('close'));
setImmediate(() => console.log('immediate'));
process.nextTick(() => console.log('tick'));
stream.destroy();
console.log('destroyed');
`,
  ],
  [
    'A block makes timers late',
    `
setTimeout(() => console.log('after 1 ms'), 1);
setTimeout(() => console.log('after 10 ms'), 10);
setImmediate(() => console.log('immediate'));
const end = Date.now() + 30;
while (Date.now() < end);
console.log('blocked');
`,
  ],
  [
    'try, await, finally',
    `
async function work() {
  try {
    console.log('try');
    await Promise.reject(new Error('no'));
  } catch {
    console.log('catch');
  } finally {
    console.log('finally');
  }
}
work().then(() => console.log('over'));
process.nextTick(() => console.log('tick'));
console.log('script');
`,
  ],
];

const titles = arrayMap.call(kQuizzes, ({ 0: title }) => title);

// → the recording of a quiz's run; undefined for a number that is none's
async function record(number) {
  const fs = require('internal/fs/fs');
  const path = require('internal/path/path');
  if (kQuizzes[number] === undefined) return undefined;
  const text = stringSlice.call(kQuizzes[number][1], 1); // behind the first line's end
  const { Recorder } = require('internal/observe/recorder');
  const { watch } = require('internal/observe/command');
  const folder = fs.mkdtempSync(path.join(require('internal/os/os').tmpdir(), 'rondo-quiz-'));
  const file = path.join(folder, 'quiz.js');
  fs.writeFileSync(file, text);
  try {
    const recorder = new Recorder(titles[number], {});
    await watch(recorder.watcher, [file], 0, 'ignore');
    recorder.watcher.close();
    return { ...recorder.recording(), sources: { [file]: text } };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

module.exports = { titles, record };
