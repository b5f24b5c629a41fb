// Runs files of test262, the language's conformance suite (https://github.com/tc39/test262), each in a realm of its own, and prints
// `pass|fail|skip <TAB> file <TAB> reason` lines and a count.
//
//   rondo tests/conformance/test262.js SUITE FOLDER…        (folders below SUITE/test; a file is as good)
//
// Modules are skipped. A file without a mode of its own runs in sloppy and in strict mode.
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');
const { MessageChannel, receiveMessageOnPort, Worker } = require('worker_threads');

const kLoader = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;  // of import()
const kAgentTime = 10000;  // milliseconds
const kTurns = 200;  // of the loop, after which an asynchronous test has failed

const [suite, ...folders] = process.argv.slice(2);

function listFiles(place) {
  const full = path.join(suite, 'test', place);
  if (fs.statSync(full).isFile()) return [place];
  return fs.readdirSync(full, { recursive: true }).filter((name) => name.endsWith('.js') && !name.includes('_FIXTURE'))
    .map((name) => path.join(place, name)).sort();
}

function listOf(header, key) {
  const inline = new RegExp(`^${key}: *\\[(.*)\\]`, 'm').exec(header);
  if (inline) return inline[1].split(',').map((word) => word.trim()).filter(Boolean);
  const block = new RegExp(`^${key}:\\n((?: +- .*\\n?)+)`, 'm').exec(header);
  return block ? block[1].split('\n').map((line) => line.replace(/^ *- /, '').trim()).filter(Boolean) : [];
}

function describe(text) {
  const header = /\/\*---([\s\S]*?)---\*\//.exec(text)?.[1] ?? '';
  return {
    flags: new Set(listOf(header, 'flags')),
    includes: listOf(header, 'includes'),
    negative: /^negative:/m.test(header) ? /^ +type: *(\w+)/m.exec(header)[1] : undefined,
  };
}

const harness = new Map();
function readHarness(name) {
  if (!harness.has(name)) harness.set(name, fs.readFileSync(path.join(suite, 'harness', name), 'utf8'));
  return harness.get(name);
}

// $262.agent: each agent is a thread, which reads its broadcasts and sends its reports over a port.
const kAgent = `
  const { workerData: { reports, broadcasts, script, ready } } = require('worker_threads');
  globalThis.$262 = { agent: {
    receiveBroadcast(callback) {
      broadcasts.once('message', ({ memory, index }) => {
        Atomics.add(ready, 0, 1);
        Atomics.notify(ready, 0);
        callback(memory, index);
      });
    },
    report: (text) => reports.postMessage(String(text)),
    sleep: (time) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time),
    leaving() { broadcasts.close(); reports.close(); },
    monotonicNow: () => performance.now(),
  } };
  require('vm').runInThisContext(script);`;

function makeAgents() {
  const agents = [];
  const ready = new Int32Array(new SharedArrayBuffer(4));
  return {
    start(script) {
      const reports = new MessageChannel();
      const broadcasts = new MessageChannel();
      const transferList = [reports.port2, broadcasts.port2];
      const worker = new Worker(kAgent, {
        eval: true, transferList, workerData: { reports: reports.port2, broadcasts: broadcasts.port2, script, ready },
      });
      worker.unref();
      for (const port of [reports.port1, broadcasts.port1]) port.unref();
      agents.push({ reports: reports.port1, broadcasts: broadcasts.port1 });
    },
    broadcast(memory, index) {
      const before = Atomics.load(ready, 0);
      for (const { broadcasts } of agents) broadcasts.postMessage({ memory, index });
      for (let now; (now = Atomics.load(ready, 0)) < before + agents.length; ) Atomics.wait(ready, 0, now, 1000);
    },
    getReport() {
      for (const { reports } of agents) {
        const found = receiveMessageOnPort(reports);
        if (found !== undefined) return found.message;
      }
      return null;
    },
    sleep: (time) => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time); },
    monotonicNow: () => performance.now(),
  };
}

function makeRealm(print) {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  const global = vm.runInContext('globalThis', context);
  let agents;
  global.print = print;
  global.$262 = {
    global,
    createRealm: () => makeRealm(print).global.$262,
    detachArrayBuffer(buffer) { structuredClone(buffer, { transfer: [buffer] }); return null; },
    evalScript: (text) => vm.runInContext(text, context),
    gc() { (globalThis.gc ?? (() => { throw new Error('no gc(): --expose-gc'); }))(); },
    get agent() {
      agents ??= makeAgents();
      return agents;
    },
    IsHTMLDDA: undefined,
  };
  return { context, global };
}

function runText(text, { flags, includes, negative }, filename) {
  return new Promise((resolve) => {
    let said;
    const { context, global } = makeRealm((line) => { said ??= String(line); });
    if (includes.includes('atomicsHelper.js')) global.setTimeout = (callback, time) => { setTimeout(callback, time); };
    const scripts = flags.has('raw') ? [] : ['assert.js', 'sta.js', ...(flags.has('async') ? ['doneprintHandle.js'] : []), ...includes];
    try {
      for (const name of scripts) vm.runInContext(readHarness(name), context, { filename: name });
      vm.runInContext(text, context, { filename: path.join(suite, 'test', filename), importModuleDynamically: kLoader });
      if (negative) return resolve(`no ${negative}`);
    } catch (error) {
      const name = error?.constructor?.name;
      return resolve(negative ? (name === negative ? undefined : `${name} instead of ${negative}`) : `${name}: ${error?.message}`);
    }
    if (!flags.has('async')) return resolve(undefined);
    let turns = 0;
    // Tests with agents wait for other threads.
    const isOver = includes.includes('atomicsHelper.js') ? () => performance.now() > deadline : () => ++turns > kTurns;
    const deadline = performance.now() + kAgentTime;
    const look = () => {
      if (said !== undefined) resolve(said === 'Test262:AsyncTestComplete' ? undefined : said);
      else if (isOver()) resolve('does not end');
      else setImmediate(look);
    };
    look();
  });
}

async function runFile(file) {
  const text = fs.readFileSync(path.join(suite, 'test', file), 'utf8');
  const description = describe(text);
  const { flags } = description;
  if (flags.has('module') || flags.has('CanBlockIsFalse') || flags.has('CanBlockIsTrue')) return ['skip', file, ''];
  const modes = [];
  if (!flags.has('onlyStrict')) modes.push(text);
  if (!flags.has('noStrict') && !flags.has('raw')) modes.push(`'use strict';\n${text}`);
  for (const mode of modes) {
    const reason = await runText(mode, description, file);
    if (reason !== undefined) return ['fail', file, reason.replaceAll('\n', ' ').slice(0, 200)];
  }
  return ['pass', file, ''];
}

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});

(async () => {
  const counts = { pass: 0, fail: 0, skip: 0 };
  for (const file of folders.flatMap(listFiles)) {
    const row = await runFile(file);
    counts[row[0]]++;
    console.log(row.join('\t'));
  }
  console.log(`# ${counts.pass} passed, ${counts.fail} failed, ${counts.skip} skipped`);
  process.exit(counts.fail > 0 ? 1 : 0);  // agents of failed tests may still wait
})();
