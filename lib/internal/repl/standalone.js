// natives: process
// `rondo` at a terminal, and -i: a REPL over the standard streams in the global scope, with its history in a file. NODE_REPL_MODE,
// NODE_REPL_HISTORY, NODE_REPL_HISTORY_SIZE, NODE_NO_READLINE and NODE_REPL_EXTERNAL_MODULE change it.
'use strict';

const kDefaultHistory = 1000;

function modeOf(env) {
  const { REPL_MODE_SLOPPY, REPL_MODE_STRICT } = require('internal/repl/symbols');
  const name = stringToLowerCase.call(stringTrim.call(env.NODE_REPL_MODE ?? ''));
  return name === 'strict' ? REPL_MODE_STRICT : REPL_MODE_SLOPPY;
}

function createRepl(env, onReady) {
  const { kStandalone } = require('internal/repl/symbols');
  const options = { [kStandalone]: true, useGlobal: true, breakEvalOnSigint: true, replMode: modeOf(env) };
  if (parseInt(env.NODE_NO_READLINE)) options.terminal = false;
  const size = Number(env.NODE_REPL_HISTORY_SIZE);
  const hasTerminal = options.terminal ?? process.stdout.isTTY;
  const repl = require('internal/repl/repl').start(options);
  repl.setupHistory({
    filePath: hasTerminal ? env.NODE_REPL_HISTORY : '',
    size: size > 0 ? size : kDefaultHistory,
    onHistoryFileLoaded: onReady,
  });
  return repl;
}

function exitWith(repl) {
  repl.on('exit', () => {
    if (repl.historyManager.isFlushing)
      repl.once('flushHistory', () => {
        process.exit();
      });
    else process.exit();
  });
}

// `text`: of -e or -p, evaluated in the same scope.
function start(text, prints) {
  const { env } = process;
  const { getOptionValue } = require('internal/process/options');
  const { preloadImports, preloadRequires } = require('internal/modules/run_main');
  preloadRequires();
  if (env.NODE_REPL_EXTERNAL_MODULE) {
    require('internal/modules/cjs_loader').load(env.NODE_REPL_EXTERNAL_MODULE, null, true);
    return;
  }
  if (getOptionValue('--input-type')) {
    process.stderr.write('Cannot specify --input-type for REPL\n');
    process.exit(native('process').kExitBadOption);
  }
  preloadImports(() => {
    process.stdout.write(`Welcome to Rondo v${process.versions.rondo} (Node.js ${process.version}).\nType ".help" for more information.\n`);
    createRepl(env, (error, repl) => {
      exitWith(repl);
    });
    if (text === undefined) return;
    const { module } = globalThis; // the prompt's own
    require('internal/modules/run_text').evalScript('[eval]', text, { print: prints });
    if (module !== undefined) globalThis.module = module;
  });
}

module.exports = { start };
