// natives: none
// The prompt of `rondo inspect`: prints each stop, takes commands, and lends itself to expressions of the program (`repl`).
'use strict';

const vm = require('internal/vm/vm');
const { Commands } = require('internal/debugger/commands');
const { ProgramState, shownName } = require('internal/debugger/program_state');

const kPrompt = 'debug> ';
const kProgramPrompt = '> ';
const kSamplingInterval = 100; // microseconds
const resumesOnStart = () => process.env.NODE_INSPECT_RESUME_ON_START === '1';

class Prompt {
  #target;
  #state;
  #commands;
  #repl;
  #lastCommand = '';
  #histories = { commands: [], program: [] };
  #leaveProgram; // while expressions of the program are taken
  #firstStop; // resolved when the stop at the program's first statement is printed

  constructor(target) {
    this.#target = target;
    this.#state = new ProgramState(target);
    this.#commands = new Commands(target, this.#state, () => this.#restart());
    target.Debugger.on('paused', (stop) => this.#onPaused(stop));
    target.client.on('close', () => this.#reset());
  }

  #reset() {
    this.#state.reset();
    this.#leaveProgram?.();
  }

  // After the connection: the program stops at its first statement.
  async #prepare() {
    const { Debugger, Profiler, Runtime } = this.#target;
    const first = Promise.withResolvers();
    this.#firstStop = first;
    await Runtime.enable();
    await Profiler.enable();
    await Profiler.setSamplingInterval({ interval: kSamplingInterval });
    await Debugger.enable();
    await Debugger.setAsyncCallStackDepth({ maxDepth: 0 });
    await Debugger.setBlackboxPatterns({ patterns: [] });
    await Debugger.setPauseOnExceptions({ state: this.#state.exceptions });
    await this.#state.restoreBreakpoints();
    await Runtime.runIfWaitingForDebugger();
    if (this.#target.startsScript && !resumesOnStart()) await first.promise;
    this.#firstStop = undefined;
  }

  async #restart() {
    await this.#target.run();
    await this.#prepare();
  }

  #onPaused({ callFrames, reason }) {
    if (reason === 'Break on start' && resumesOnStart()) {
      this.#target.client.send('Debugger.resume');
      return;
    }
    this.#state.stopsAt(callFrames);
    const printed = this.#target.suspendWhile(() => this.#printStop(reason));
    promiseThen(
      printed,
      () => this.#firstStop?.resolve(),
      () => this.#firstStop?.resolve(), // the program has gone meanwhile
    );
  }

  async #printStop(reason) {
    const { location } = this.#state.frame;
    const url = this.#state.scripts.get(location.scriptId)?.url;
    const name = url === undefined ? '[unknown]' : shownName(url);
    const watched = await this.#state.watchedText();
    const excerpt = this.#state.inspect(await this.#state.excerpt(location, this.#commands.linesAround));
    const header = `${reason === 'other' ? 'break' : reason} in ${name}:${location.lineNumber + 1}\n`;
    this.#target.print(header + (watched === '' ? '' : `Watchers:\n${watched}\n\n`) + excerpt);
  }

  // Each line of the user is JavaScript in the prompt's context, where commands are getters and functions.
  #evaluateCommand(input, context, filename, callback) {
    let value;
    try {
      value = vm.runInContext(this.#commandText(input), context, filename);
    } catch (error) {
      callback(error);
      return;
    }
    if (typeof value?.then === 'function') promiseThen(value, (result) => callback(null, result), callback);
    else callback(null, this.#target.labelOf(value));
  }

  // An empty line is the command before it; "exec 1 + 1" is exec("1 + 1").
  #commandText(input) {
    if (input === '\n') return this.#lastCommand;
    const found = regexpExec.call(/^\s*(?:exec|p)\s+([^\n]*)/, input);
    const given = found === null ? input : found[1];
    const isObject = regexpTest.call(/^\s*\{/, given) && !regexpTest.call(/;\s*$/, given);
    const text = isObject ? `(${stringTrim.call(given)})` : given;
    this.#lastCommand = found === null ? text : `exec(${JSON.stringify(text)})`;
    return this.#lastCommand;
  }

  #evaluateInProgram(input, callback) {
    promiseThen(this.#commands.evaluate(input), (result) => callback(null, result), callback);
  }

  // `repl`: expressions of the program until Ctrl+C.
  #openProgram() {
    const repl = this.#repl;
    const listeners = repl.listeners('SIGINT');
    const { context } = repl;
    repl.removeAllListeners('SIGINT');
    this.#leaveProgram = () => {
      this.#leaveProgram = undefined;
      process.nextTick(() => {
        for (const listener of each(listeners)) repl.on('SIGINT', listener);
      });
      repl.eval = (...args) => this.#evaluateCommand(...each(args));
      this.#swapHistory('program', 'commands');
      repl.context = context;
      repl.setPrompt(kPrompt);
      repl.displayPrompt();
      repl.removeListener('SIGINT', leave);
      repl.removeListener('exit', leave);
    };
    const leave = this.#leaveProgram;
    repl.on('SIGINT', leave);
    repl.on('exit', leave);
    repl.eval = (input, _context, _filename, callback) => this.#evaluateInProgram(input, callback);
    repl.context = {};
    this.#swapHistory('commands', 'program');
    repl.setPrompt(kProgramPrompt);
    this.#target.print('Press Ctrl+C to leave debug repl');
    repl.displayPrompt();
  }

  #swapHistory(from, to) {
    this.#histories[from] = this.#repl.history;
    this.#repl.history = this.#histories[to];
  }

  async start() {
    const target = this.#target;
    await target.run();
    await this.#prepare();
    const repl = require('internal/repl/repl').start({
      prompt: kPrompt,
      input: target.stdin,
      output: target.stdout,
      eval: (...args) => this.#evaluateCommand(...each(args)),
      useGlobal: false,
      ignoreUndefined: true,
    });
    this.#repl = repl;
    const define = (context) => this.#commands.define(context, () => this.#openProgram());
    define(repl.context);
    repl.on('reset', define);
    repl.on('exit', () => process.exit(0));
    // Ctrl+C for those that cannot press it.
    repl.defineCommand('interrupt', () => repl.emit('SIGINT'));
    target.repl = repl;
    target.isSuspended = false;
  }
}

module.exports = { Prompt };
