// natives: none
// rondo inspect: the debugger at the terminal. Here: its options, its usage, and the choice between the prompt and probes (probe.js).
'use strict';

const kWrongOption = 9;
const kUsage = `Usage: rondo inspect [--port=<port>] [<option> ...]
                     [<script> [<script-args>] | <host>:<port> | -p <pid>]
       rondo inspect --probe <file>:<line>[:<col>] --expr <expr> [--cond <expr>] [--max-hit <n>]
                     [--probe <file>:<line>[:<col>] --expr <expr> ...]
                     [--json] [--preview] [--timeout=<ms>] [--port=<port>]
                     [--] [<option> ...] <script> [<script-args> ...]

At a prompt: starts a script, or attaches to a program, and takes commands (help lists them).

  --port=<port>         port of the debugged program (default: 9229)
  <script>              the script to start and debug
  <host>:<port>         a program that was started with --inspect
  -p <pid>              a running process

Without a prompt: evaluates expressions whenever the program comes to a line, and prints their values at its end.

  --probe <file>:<line>[:<col>]
                        the place, counted from 1; <file> is the end of a script's path. One --expr follows
  --expr <expr>         the expression, in the scope of the place
  --cond <expr>         only where this is true
  --max-hit <n>         so often; then the program goes on alone
  --json                one JSON object instead of text
  --preview             with the properties of objects
  --timeout <ms>        of the whole session (default: 30000)
  --port <port>         of the debugged program (default: 0, any)

Options of the runtime for the program stand behind --.
Node's documentation of this command: https://nodejs.org/api/debugger.html
`;

function printUsage(message, code) {
  const stream = code === 0 ? process.stdout : process.stderr;
  stream.write(message === undefined ? kUsage : `${message}\n${kUsage}`);
  process.exit(code);
}

function attachTo(pid) {
  try {
    process._debugProcess(pid);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
    process.stderr.write(`Target process: ${pid} doesn't exist.\n`);
    process.exit(1);
  }
}

// { host, port, script, args }
function readTarget(given) {
  const first = given[0];
  const rest = arraySlice.call(given, 1);
  const host = '127.0.0.1';
  const port = 9229;
  const remote = regexpExec.call(/^([^:]+):(\d+)$/, first);
  if (remote !== null) return { host: remote[1], port: Number(remote[2]) };
  const ownPort = regexpExec.call(/^--port=(\d+)$/, first);
  if (ownPort !== null) return { host, port: Number(ownPort[1]), script: rest[0], args: arraySlice.call(rest, 1) };
  if (first === '-p' && rest.length === 1 && regexpTest.call(/^\d+$/, rest[0])) {
    attachTo(Number(rest[0]));
    return { host, port };
  }
  return { host, port, script: first, args: rest };
}

function failWith(target, error) {
  if (error.code === 'ERR_DEBUGGER_STARTUP_ERROR') process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`The debugger failed: ${error.message}\n${error.stack}\n`);
  target.kill();
  process.exit(1);
}

function startPrompt(given) {
  const { Target } = require('internal/debugger/target');
  const { Prompt } = require('internal/debugger/prompt');
  const options = readTarget(given);
  if (options.script === undefined && options.args !== undefined) printUsage(undefined, kWrongOption);
  const target = new Target(options, process.stdin, process.stdout);
  process.on('exit', () => target.kill());
  const leave = () => process.exit(0);
  process.once('SIGTERM', leave);
  process.once('SIGHUP', leave);
  process.on('uncaughtException', (error) => failWith(target, error));
  process.stdin.resume();
  promiseThen(new Prompt(target).start(), undefined, (error) => failWith(target, error));
}

// args: what follows the word `inspect`.
function run(args) {
  if (args.length === 0) return printUsage(undefined, kWrongOption);
  const { chooseMode, readProbes } = require('internal/debugger/probe_options');
  const mode = chooseMode(args);
  if (mode === 'help') return printUsage(undefined, 0);
  if (mode === 'prompt') return startPrompt(args);
  let options;
  try {
    options = readProbes(args);
  } catch (error) {
    return printUsage(error.message, kWrongOption);
  }
  return require('internal/debugger/probe').run(options);
}

module.exports = { run };
