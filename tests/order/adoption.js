// Where promises, await and async generators settle (P1–P6 of src/engine/patches/promise_functions.h), in the program and in a context.
'use strict';

const vm = require('vm');

const program = `
const turns = (name, count) => { let p = Promise.resolve(); for (let i = 1; i <= count; i++) p = p.then(() => log(name + ' turn ' + i)); };
class Sub extends Promise {}

const cases = [
  // A promise returned by a reaction or an async function, or given to resolve(): three turns.
  () => { Promise.resolve().then(() => Promise.resolve()).then(() => log('returned')); turns('a', 4); },
  () => { (async () => Promise.resolve())().then(() => log('returned by async')); turns('b', 4); },
  () => { new Promise((resolve) => resolve(Promise.resolve())).then(() => log('resolved')); turns('c', 4); },
  // Its own then() is called, also a patched one.
  () => {
    const p = Promise.resolve('own');
    p.then = function (...args) { log('own then'); return Promise.prototype.then.apply(this, args); };
    Promise.resolve().then(() => p).then((value) => log(value));
    turns('d', 5);
  },
  // A species that throws rejects what adopts.
  () => {
    const p = Promise.resolve();
    p.constructor = { get [Symbol.species]() { throw new Error('species'); } };
    new Promise((resolve) => resolve(p)).catch((error) => log(error.message));
  },
  // Awaiting a promise of a subclass or a thenable.
  () => { (async () => { await Sub.resolve(); log('awaited sub'); })(); turns('e', 4); },
  () => { (async () => { await { then(resolve) { resolve(Promise.resolve()); } }; log('awaited thenable'); })(); turns('f', 5); },
  // A constructor that throws is thrown at the await, in functions and generators.
  () => {
    const bad = () => Object.defineProperty(Promise.resolve(), 'constructor', { get() { throw new Error('constructor'); } });
    (async () => { try { await bad(); } catch (error) { log('function ' + error.message); } })();
    (async function* () { try { await bad(); } catch (error) { log('generator ' + error.message); } })().next();
    (async function* () { yield 1; })().return(bad()).catch((error) => log('return ' + error.message));
    log('thrown at once');
  },
  // yield* hands on without awaiting, yield awaits.
  () => {
    const inner = { [Symbol.asyncIterator]() { return this; }, next: () => ({ value: 'inner', done: false }) };
    (async function* () { yield* inner; })().next().then(() => log('yield*'));
    (async function* () { yield 1; })().next().then(() => log('yield'));
    turns('g', 4);
  },
  () => {
    async function* deep(level) { if (level === 0) yield Promise.resolve('deep'); else yield* deep(level - 1); }
    deep(3).next().then(({ value }) => log(value));
    turns('h', 9);
  },
  // A rejected value closes the iterator below for await; a throw() that is not there, too.
  () => {
    const it = {
      [Symbol.iterator]() { return this; },
      next: () => ({ value: Promise.reject(new Error('value')), done: false }),
      return() { log('closed'); return {}; },
    };
    (async () => { try { for await (const item of it); } catch (error) { log(error.message); } })();
  },
  async () => {
    const it = { [Symbol.iterator]() { return this; }, next: () => ({ value: 1, done: false }), return() { log('closed for throw'); return {}; } };
    const g = (async function* () { yield* it; })();
    await g.next();
    await g.throw(new Error('thrown')).catch((error) => log(error.name));
  },
];
next(cases);
`;

function run(compile, done) {
  const next = (cases) => {
    const step = (index) => {
      if (index === cases.length) return done();
      console.log(`-- ${index}`);
      cases[index]();
      setImmediate(step, index + 1);
    };
    step(0);
  };
  compile(`(function (log, next) { ${program} })`)(console.log, next);
}

run(vm.runInThisContext, () => run((code) => vm.runInNewContext(code), () => console.log('end')));
