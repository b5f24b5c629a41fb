// natives: none
// Commands of the prompt: names in the prompt's context, most of them getters, so that `next` alone is a command. Names are those of
// `node inspect`.
'use strict';

const fs = require('internal/fs/fs');
const path = require('internal/path/path');
const { inspect } = require('internal/util/inspect');
const { validateNumber, validateString } = require('internal/util/validators');

const kHelp = `run, restart, r       Run the application or reconnect
kill                  Kill a running application or disconnect

cont, c               Go on
next, n               Go on to the next line of this function
step, s               Go on to the next line, also of a function that is called
out, o                Go on until this function returns
pause                 Stop the program where it runs
backtrace, bt         Print the stack
list                  Print the source around the line where the program is stopped
setContextLineNumber  Set how many lines are printed around that line at each stop
setBreakpoint, sb     Set a breakpoint: here, sb(line), sb('function()'), sb('file.js', line, 'condition')
clearBreakpoint, cb   Clear a breakpoint: cb('file.js', line)
breakpoints           List all breakpoints
breakOnException      Stop at every exception
breakOnUncaught       Stop at exceptions that nothing catches
breakOnNone           Do not stop at exceptions (as at the start)

watch(expr)           Print an expression at each stop
unwatch(expr)         Print it no more; unwatch(index) takes its number in the list
watchers              Print all watched expressions and their values

exec(expr), p(expr), exec expr, p expr
                      Evaluate an expression in the program and print its value
repl                  A prompt in the program, which works as exec does

scripts               List the program's scripts
scripts(true)         List all scripts, those of the runtime too
version               Print the version of the engine

profile               Start a CPU profile
profileEnd            End it
profiles              The CPU profiles that were taken
profiles[n].save(filepath = 'node.cpuprofile')
                      Write one of them as JSON
takeHeapSnapshot(filepath = 'node.heapsnapshot')
                      Write a snapshot of the heap as JSON`;

const kShortNames = {
  __proto__: null,
  cont: 'c',
  next: 'n',
  step: 's',
  out: 'o',
  backtrace: 'bt',
  setBreakpoint: 'sb',
  clearBreakpoint: 'cb',
  run: 'r',
  exec: 'p',
};

class Profile {
  constructor(data, print) {
    Object.defineProperty(this, 'print', { __proto__: null, value: print, enumerable: false });
    this.data = data;
  }

  [inspect.custom](_depth, { stylize }) {
    return stylize(`[Profile ${this.data.endTime - this.data.startTime}\u03bcs]`, 'special');
  }

  save(filename = 'node.cpuprofile') {
    const file = path.resolve(filename);
    fs.writeFileSync(file, JSON.stringify(this.data));
    this.print(`Saved profile to ${file}`);
  }
}

class Commands {
  profiles = [];
  linesAround = 2; // of the line where the program stops
  #snapshot; // under way
  #target;
  #state;
  #restart;

  // restart(): starts the program anew and prepares the connection.
  constructor(target, state, restart) {
    this.#target = target;
    this.#state = state;
    this.#restart = restart;
    target.Profiler.on('consoleProfileFinished', ({ profile }) => {
      this.#addProfile(profile);
      target.print(`Captured new CPU profile.\nAccess it with profiles[${this.profiles.length - 1}]`);
    });
  }

  #addProfile(data) {
    const profile = new Profile(data, (text) => this.#target.print(text));
    arrayPush.call(this.profiles, profile);
    return profile;
  }

  async #goOn(command) {
    this.#state.goesOn();
    await this.#target.Debugger[command]();
  }

  async #stopAtExceptions(state) {
    await this.#target.Debugger.setPauseOnExceptions({ state });
    this.#state.exceptions = state;
  }

  #list(around = 5) {
    return this.#state.excerpt(this.#state.place, around);
  }

  #setLinesAround(delta = 2) {
    this.#state.place; // throws while the program runs
    validateNumber(delta, 'delta', 1);
    this.linesAround = delta;
    this.#target.print(`The contextLine has been changed to ${delta}.`);
  }

  async #takeHeapSnapshot(filename = 'node.heapsnapshot') {
    const { HeapProfiler } = this.#target;
    const print = (text, endsLine) => this.#target.print(text, endsLine);
    if (this.#snapshot !== undefined) {
      print('Cannot take heap snapshot because another snapshot is in progress.');
      return this.#snapshot;
    }
    const file = path.resolve(filename);
    const descriptor = fs.openSync(file, 'w');
    let size = 0;
    const onChunk = ({ chunk }) => {
      size += chunk.length;
      fs.writeSync(descriptor, chunk);
      print(`Writing snapshot: ${size}`, false);
    };
    const onProgress = ({ done, total, finished }) => {
      if (finished) print('Heap snapshot prepared.');
      else print(`Heap snapshot: ${done}/${total}`, false);
    };
    const ready = Promise.withResolvers();
    this.#snapshot = ready.promise;
    print('Heap snapshot: 0/0', false);
    HeapProfiler.on('addHeapSnapshotChunk', onChunk);
    HeapProfiler.on('reportHeapSnapshotProgress', onProgress);
    try {
      await HeapProfiler.takeHeapSnapshot({ reportProgress: true });
      print(`Wrote snapshot: ${file}`);
    } finally {
      HeapProfiler.removeListener('addHeapSnapshotChunk', onChunk);
      HeapProfiler.removeListener('reportHeapSnapshotProgress', onProgress);
      fs.closeSync(descriptor);
      this.#snapshot = undefined;
      ready.resolve();
    }
    return undefined;
  }

  #unwatch(which) {
    const { watched } = this.#state;
    const index = arrayIndexOf.call(watched, which);
    arraySplice.call(watched, index < 0 ? Number(which) : index, 1);
  }

  async evaluate(text) {
    return text === '.scope' ? this.#state.scopeNames() : this.#state.evaluate(text);
  }

  // Called by their names alone.
  #actions(openRepl) {
    const target = this.#target;
    const state = this.#state;
    return {
      __proto__: null,
      help: () => target.print(kHelp),
      run: this.#restart,
      restart: this.#restart,
      kill: () => target.kill(),
      cont: () => this.#goOn('resume'),
      next: () => this.#goOn('stepOver'),
      step: () => this.#goOn('stepInto'),
      out: () => this.#goOn('stepOut'),
      pause: async () => {
        await target.Debugger.pause();
      },
      backtrace: () => state.backtrace,
      breakpoints: () => target.print(state.breakpointList()),
      watchers: async () => target.print(await state.watchedText()),
      profile: async () => {
        await target.Profiler.start();
      },
      profileEnd: async () => this.#addProfile((await target.Profiler.stop()).profile),
      profiles: () => this.profiles,
      repl: openRepl,
      version: async () => {
        const { result } = await target.Runtime.evaluate({ expression: 'process.versions.v8', returnByValue: true });
        target.print(result.value);
      },
      breakOnException: () => this.#stopAtExceptions('all'),
      breakOnUncaught: () => this.#stopAtExceptions('uncaught'),
      breakOnNone: () => this.#stopAtExceptions('none'),
    };
  }

  #functions() {
    const state = this.#state;
    const scripts = (withLibrary = false) => this.#target.print(state.scriptList(withLibrary));
    scripts[inspect.custom] = () => state.scriptList(false);
    return {
      __proto__: null,
      exec: (text) => this.evaluate(text),
      watch: (text) => {
        validateString(text, 'expression');
        arrayPush.call(state.watched, text);
      },
      unwatch: (which) => this.#unwatch(which),
      takeHeapSnapshot: (filename) => this.#takeHeapSnapshot(filename),
      scripts,
      setBreakpoint: (script, line, condition) => state.setBreakpoint(script, line, condition),
      clearBreakpoint: (name, line) => state.clearBreakpoint(name, line),
      setPauseOnExceptions: (which) => this.#stopAtExceptions(which),
      list: (around) => this.#list(around),
      setContextLineNumber: (delta) => this.#setLinesAround(delta),
    };
  }

  // Defines all of them in a context; openRepl() opens the prompt in the program.
  define(context, openRepl) {
    for (const name of each(this.#target.domainNames)) defineIn(context, name, { value: this.#target[name], enumerable: true });
    const actions = this.#actions(openRepl);
    const functions = this.#functions();
    const add = (name, descriptor) => {
      defineIn(context, name, descriptor);
      if (kShortNames[name] !== undefined) defineIn(context, kShortNames[name], descriptor);
    };
    for (const name of each(Object.keys(actions))) add(name, { get: actions[name], enumerable: true });
    for (const name of each(Object.keys(functions))) add(name, { value: functions[name], writable: true, enumerable: true });
  }
}

function defineIn(context, name, descriptor) {
  Object.defineProperty(context, name, { __proto__: null, configurable: true, ...descriptor });
}

module.exports = { Commands };
