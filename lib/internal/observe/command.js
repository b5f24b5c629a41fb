// natives: none
// rondo doctor, why, top, see, and trace of a running process: options, the watched program, the end. The watcher is this process; the
// program is another, started here or attached to.
'use strict';

const { Watcher, WatchError, attach } = require('internal/observe/wire');

const kUsage = 2;

class UsageError extends Error {
  constructor(message) {
    super(message);
  }
}

// "250", "250ms", "5s", "1m" in milliseconds.
function duration(text, option) {
  const found = regexpExec.call(/^(\d+(?:\.\d+)?)(ms|s|m)?$/, text);
  if (found === null) throw new UsageError(`${option} is a time such as 250ms or 5s, not '${text}'`);
  return Number(found[1]) * { ms: 1, s: 1000, m: 60_000 }[found[2] ?? 'ms'];
}

// Options before the program: { name: handler(value) }. Those that end with = take a value.
function parse(args, known) {
  const options = { __proto__: null };
  let at = 0;
  for (; at < args.length && stringStartsWith.call(args[at], '-') && args[at] !== '-'; at++) {
    const arg = args[at];
    if (arg === '--') {
      at++;
      break;
    }
    const equals = stringIndexOf.call(arg, '=');
    const name = equals < 0 ? arg : stringSlice.call(arg, 0, equals);
    if (known[name] === undefined) break; // an option of the program's own runtime
    if (known[name] === 'flag') {
      options[name] = true;
    } else {
      const value = equals < 0 ? args[++at] : stringSlice.call(arg, equals + 1);
      if (value === undefined) throw new UsageError(`${name} requires a value`);
      options[name] = known[name] === 'time' ? duration(value, name) : value;
    }
  }
  return { options, rest: arraySlice.call(args, at) };
}

// The same, with a script and its arguments, or with the number of a process, behind which options may stand, too.
function parseTarget(args, known) {
  const { options, rest } = parse(args, known);
  if (rest.length < 2 || !isPid([rest[0]])) return { options, rest };
  const behind = parse(arraySlice.call(rest, 1), known);
  if (behind.rest.length > 0) {
    const wrong = behind.rest[0];
    throw new UsageError(stringStartsWith.call(wrong, '-') ? `bad option: ${wrong}` : `'${wrong}' behind the number of a process`);
  }
  return { options: { ...options, ...behind.options }, rest: [rest[0]] };
}

const isPid = (args) => args.length === 1 && regexpTest.call(/^\d+$/, args[0]) && !require('internal/fs/fs').existsSync(args[0]);

// The program as a child that connects to the watcher. Its standard streams are this process's own.
function startProgram(watcher, args, output) {
  const { spawn } = require('internal/child_process/child_process');
  const child = spawn(process.execPath, args, {
    stdio: ['inherit', output, output],
    env: { ...process.env, RONDO_WATCHED_BY: watcher.path },
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const forward = (signal) => child.kill(signal);
  for (let i = 0; i < signals.length; i++) process.on(signals[i], forward);
  return new Promise((resolve) => {
    // Signals are this process's own again when there is no program to get them.
    const end = (how) => {
      for (let i = 0; i < signals.length; i++) process.off(signals[i], forward);
      resolve(how);
    };
    child.on('error', (error) => end({ child, code: 1, error }));
    child.on('exit', (code, signal) => end({ child, code: code ?? 128 + require('internal/os/os').constants.signals[signal] }));
    watcher.child = child;
  });
}

// The last words of a program that has ended may still be on their way.
async function hearOut(watcher, pid) {
  const kPatience = 2000;
  const end = Date.now() + kPatience;
  const isHeard = () => arrayEvery.call(watcher.peers, (peer) => peer.pid !== pid || peer.isGone);
  while (!isHeard() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
}

// Runs until the program ends, or, attached, until `time` has passed or the process has gone.
async function watch(watcher, args, time, output = 'inherit') {
  await watcher.listen();
  if (!isPid(args)) {
    if (args.length === 0) throw new UsageError('a script or the number of a process is wanted');
    const { child, code } = await startProgram(watcher, args, output);
    await hearOut(watcher, child.pid);
    return code;
  }
  await attach(watcher, Number(args[0]));
  watcher.server.close();
  await new Promise((resolve) => {
    watcher.onGone = resolve;
    if (time > 0) setTimeout(resolve, time);
    process.once('SIGINT', resolve);
  });
  return 0;
}

const commands = {
  __proto__: null,
  doctor: () => require('internal/observe/doctor_command').run,
  why: () => require('internal/observe/why_command').run,
  top: () => require('internal/observe/top_command').run,
  see: () => require('internal/observe/see_command').see,
  trace: () => require('internal/observe/see_command').trace,
};

async function run(name, args) {
  try {
    process.exitCode = await commands[name]()(args);
  } catch (error) {
    if (!(error instanceof WatchError) && !(error instanceof UsageError)) throw error;
    process.stderr.write(`rondo ${name}: ${error.message}\n`);
    process.exitCode = kUsage;
  }
  process.exit();
}

module.exports = { run, parse, parseTarget, watch, isPid, Watcher, UsageError };
