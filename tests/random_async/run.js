// Runs random programs (program.js) one after the other in one process, on this or another runtime, and prints for each a line with its
// seed and a digest of its order.
//
//   run.js [--context] [--show] FIRST COUNT
//
// --context runs each in a vm context, --show prints the programs and their order in full.
'use strict';

const fs = require('fs');
const net = require('net');
const vm = require('vm');
const { generate } = require('./program.js');

const kUnwanted = 2000;  // lines; no program says as much
const kProgramsPerContext = 100;

const kPrelude = `
class Sub extends Promise {}
function handled(promise) { promise.catch(() => {}); return promise; }
function watched(promise, label) {
  promise.then = function (...handlers) { log(label + '.then'); return Promise.prototype.then.apply(this, handlers); };
  return promise;
}
function ownConstructor(promise, label) {
  Object.defineProperty(promise, 'constructor', { get() { log(label + '.constructor'); return Promise; } });
  return promise;
}
// An iterator written by hand over functions that give its values.
function iterator(isAsync, values, { hasReturn, hasThrow }, label) {
  const step = (value, done) => (isAsync ? Promise.resolve({ value, done }) : { value, done });
  const it = {
    next(sent) {
      // What is sent may throw when it is looked at. A next() that throws is left out: below a yield* Node closes such an iterator,
      // the language does not.
      try { log(label + '.next', sent); } catch { log(label + '.next'); }
      return values.length === 0 ? step('end', true) : step(values.shift()(), false);
    },
    [isAsync ? Symbol.asyncIterator : Symbol.iterator]() { return this; },
  };
  if (hasReturn) it.return = (value) => { log(label + '.return', value); return step(value, true); };
  if (hasThrow) it.throw = (error) => { log(label + '.throw', error); return step('caught', true); };
  return it;
}
`;

let lines = [];
let pending = 0;

function show(value) {
  if (value instanceof Error || Object.prototype.toString.call(value) === '[object Error]') {
    return value.errors ? `${value.name}(${value.errors.map(show)})` : /^e\d+$/.test(value.message) ? value.message : value.name;
  }
  if (Object.prototype.toString.call(value) === '[object Promise]') return 'Promise';
  if (Array.isArray(value)) return `[${value.map(show)}]`;
  if (value !== null && typeof value === 'object') {
    return `{${Object.keys(value).map((key) => `${key}:${typeof value[key] === 'function' ? 'f' : key === 'then' ? 't' : show(value[key])}`)}}`;
  }
  return String(value);
}

function log(label, ...values) {
  lines.push(values.length === 0 ? label : `${label} ${show(values[0])}`);
  if (lines.length > kUnwanted) throw new Error('this program does not end');
}

// What a program may use. Immediates are counted: a program is over when none is left.
const tools = {
  log,
  tick: process.nextTick,
  micro: queueMicrotask,
  immediate(callback) {
    pending++;
    setImmediate(() => {
      pending--;
      callback();
    });
  },
};

process.on('unhandledRejection', (reason) => log('unhandled', reason));
process.on('rejectionHandled', () => log('rejectionHandled'));

const server = net.createServer((socket) => socket.on('data', (byte) => socket.write(byte)));
let connection;

const phases = {
  immediate: (callback) => setImmediate(callback),
  tick: (callback) => setImmediate(() => process.nextTick(callback)),
  microtask: (callback) => setImmediate(() => queueMicrotask(callback)),
  timer: (callback) => setTimeout(callback, 1),
  file: (callback) => fs.stat(__filename, callback),
  socket(callback) {
    connection.once('data', () => callback());
    connection.write('x');
  },
};

// Ends when the stage has nothing left to run: no immediate of its own, and one turn of the loop passed.
function runStage({ phase, body }, compile, done) {
  const code = compile(body);
  phases[phase](() => {
    code();
    const look = () => (pending === 0 ? done() : setImmediate(look));
    setImmediate(look);
  });
}

function compiler(isInContext) {
  const names = Object.keys(tools);
  const wrap = (body) => `(function (${names}) { ${kPrelude} return function () { ${body} }; })`;
  const context = isInContext ? vm.createContext({}) : undefined;
  return (body) => {
    const text = wrap(body);
    const make = context ? vm.runInContext(text, context) : vm.runInThisContext(text);
    return make(...Object.values(tools));
  };
}

function digest(list) {
  let hash = 0x811C9DC5;
  const text = list.join('\n');
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

// Calls onProgram(seed, lines, stages) for each, then onEnd().
function runPrograms(first, count, { isInContext = false, onProgram, onEnd }) {
  let compile;
  function runProgram(seed) {
    if (seed === first + count) {
      connection.destroy();
      server.close();
      onEnd?.();
      return;
    }
    if ((seed - first) % kProgramsPerContext === 0) compile = compiler(isInContext);
    lines = [];
    const stages = generate(seed);
    const next = (index) => {
      if (index < stages.length) {
        log(`-- ${stages[index].phase}`);
        runStage(stages[index], compile, () => next(index + 1));
        return;
      }
      onProgram(seed, lines, stages);
      setImmediate(runProgram, seed + 1);
    };
    next(0);
  }
  server.listen(0, '127.0.0.1', () => {
    connection = net.connect(server.address().port, '127.0.0.1', () => setImmediate(runProgram, first));
    connection.setNoDelay();
  });
}

module.exports = { runPrograms, digest };

if (require.main === module) {
  const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const isShown = process.argv.includes('--show');
  runPrograms(Number(words[0]), Number(words[1]), {
    isInContext: process.argv.includes('--context'),
    onProgram(seed, order, stages) {
      if (isShown) console.log(stages.map(({ phase, body }) => `// ${phase}\n${body}`).join('\n'));
      console.log(isShown ? order.join('\n') : `${seed} ${digest(order)}`);
    },
  });
}
