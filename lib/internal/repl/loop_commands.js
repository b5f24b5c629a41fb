// natives: ledger
// Commands of `rondo` at a terminal that show its event loop: .loop (what is queued and alive now, with places), .trace on|off (each
// task under the line that caused it), .phase on|off (the console's output with phase and iteration before it).
'use strict';

const ledger = native('ledger');
const { watchAdded, refed, kResourceName } = require('internal/async_hooks/active_resources');
const { waitingTasks } = require('internal/timers/timers');
const { clearScreenDown, cursorTo, moveCursor } = require('internal/readline/screen');

const kDrainEvery = 50; // milliseconds between two looks at the tasks that have run
const kMostLines = 1000; // inputs whose tasks are told apart
const kMostFrames = 50;
const kConsole = ['debug', 'dir', 'dirxml', 'error', 'info', 'log', 'table', 'trace', 'warn'];

const rounded = (milliseconds) => numberToFixed.call(milliseconds, milliseconds < 10 ? 1 : 0);

// The first place of the program in the stack of this call.
function programPlace() {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = kMostFrames;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  for (const line of each(arraySlice.call(stringSplit.call(stack, '\n'), 1))) {
    const place = regexpExec.call(/\(?([^\s()]+:\d+:\d+)\)?$/, line)?.[1];
    if (place !== undefined && !stringStartsWith.call(place, 'node:')) return place;
  }
  return undefined;
}

// Tasks of the prompt itself, and inner steps of promises and of the library, which have no place in the program.
const isOwn = (name) => name === 'promise reaction' || regexpTest.call(/node:(?:internal\/(?:repl|readline)\/|[^,]*$)/, name);

// Writes above the line that is being typed.
function writeAbove(repl, text) {
  if (!repl.terminal) {
    repl.output.write(text);
    return;
  }
  if (repl.prevRows > 0) moveCursor(repl.output, 0, -repl.prevRows);
  cursorTo(repl.output, 0);
  clearScreenDown(repl.output);
  repl.output.write(text);
  repl.prevRows = 0;
  repl._refreshLine();
}

class LoopCommands {
  #repl;
  #places = new WeakMap(); // handle -> where the program made it
  #lines = new Map(); // task -> the input it belongs to
  #trace;
  #plain; // the console's own functions while .phase is on

  constructor(repl) {
    this.#repl = repl;
    watchAdded((handle) => {
      this.#places.set(handle, programPlace());
    });
    const evaluate = repl.eval;
    repl.eval = (code, context, file, callback) => {
      this.#mark(file, code);
      evaluate(code, context, file, callback);
    };
  }

  // Tasks queued from now on, until the next input, are this one's.
  #mark(file, code) {
    this.#drain();
    if (this.#lines.size >= kMostLines) this.#lines.clear();
    this.#lines.set(ledger.runningTask(), `${file}: ${stringTrim.call(regexpSplit.call(/[\n\r]/, stringTrim.call(code), 1)[0])}`);
  }

  // .loop
  show() {
    const { output } = this.#repl;
    const [phase, iteration] = each(ledger.position());
    output.write(`iteration ${iteration}, phase ${phase}\n`);
    const waiting = waitingTasks();
    const isWaiting = (task) => (task[0] === 'timer' || task[0] === 'immediate' ? waiting.has(task[1]) : true);
    const tasks = arrayFilter.call(ledger.liveTasks(), (task) => isWaiting(task) && !isOwn(task[3]));
    output.write(tasks.length === 0 ? 'nothing is queued\n' : 'queued:\n');
    for (const [kind, id, cause, name, delay, waited] of eachEntry(tasks)) {
      const when = kind === 'timer' ? ` in ${rounded(Math.max(0, delay - waited))} ms` : '';
      output.write(`  ${kind} #${id}${when}: ${name || '(unknown)'}${cause > 0 ? `, queued by #${cause}` : ''}\n`);
    }
    const alive = refed();
    output.write(alive.length === 0 ? 'no handle keeps the loop alive\n' : 'alive:\n');
    for (const handle of each(alive)) {
      const place = this.#places.get(handle);
      output.write(`  ${handle[kResourceName]()}${place === undefined ? '' : ` (${place})`}\n`);
    }
    this.#repl.displayPrompt();
  }

  // .trace on | off
  trace(word) {
    const isOn = this.#switch('.trace', word, this.#trace !== undefined);
    if (isOn === (this.#trace !== undefined)) return;
    ledger.recordRuns(isOn);
    if (isOn) {
      this.#trace = setInterval(() => {
        this.#drain();
      }, kDrainEvery);
      this.#trace.unref();
    } else {
      clearInterval(this.#trace);
      this.#trace = undefined;
    }
  }

  // Tells what has run since the last look.
  #drain() {
    if (this.#trace === undefined) return;
    const runs = ledger.takeRuns();
    const causes = new Map(arrayMap.call(runs, (run) => [run[1], run[2]]));
    const lineOf = (id) => {
      for (let at = id, i = 0; at !== undefined && i < kMostLines; at = causes.get(at), i++) {
        const line = this.#lines.get(at);
        if (line !== undefined) return line;
      }
      return undefined;
    };
    let text = '';
    let last;
    for (const [kind, id, cause, name, phase, iteration, waited, ran] of eachEntry(runs)) {
      const line = lineOf(cause);
      if (line === undefined || isOwn(name)) continue;
      this.#lines.set(id, line);
      if (line !== last) text += `${line}\n`;
      last = line;
      const times = `waited ${rounded(waited)} ms, ran ${rounded(ran)} ms`;
      text += `  ${kind} #${id} ${name || '(unknown)'}: ${phase}, iteration ${iteration}, ${times}\n`;
    }
    if (text !== '') writeAbove(this.#repl, text);
  }

  // .phase on | off
  phase(word) {
    const { console } = this.#repl.context;
    const isOn = this.#switch('.phase', word, this.#plain !== undefined);
    if (isOn === (this.#plain !== undefined)) return;
    if (!isOn) {
      Object.assign(console, this.#plain);
      this.#plain = undefined;
      return;
    }
    this.#plain = {};
    for (const name of each(kConsole)) {
      const plain = (this.#plain[name] = console[name]);
      console[name] = (...args) => {
        const [phase, iteration] = each(ledger.position());
        this.#withPrefix(`[${phase} ${iteration}] `, () => Reflect.apply(plain, console, args));
      };
    }
  }

  // Each line that `call` writes to the standard streams gets the prefix.
  #withPrefix(prefix, call) {
    const streams = [process.stdout, process.stderr];
    const writes = arrayMap.call(streams, (stream) => stream.write);
    const restore = () => {
      arrayForEach.call(streams, (stream, i) => {
        stream.write = writes[i];
      });
    };
    arrayForEach.call(streams, (stream, i) => {
      stream.write = (text, ...rest) => {
        const shown = typeof text === 'string' ? replaceMatches(text, /^(?=[^])/gm, prefix) : text;
        return Reflect.apply(writes[i], stream, [shown, ...each(rest)]);
      };
    });
    try {
      call();
    } finally {
      restore();
    }
  }

  #switch(command, word, is) {
    const isOn = word === 'on' || (word !== 'off' && is);
    this.#repl.output.write(
      word === 'on' || word === 'off' ? '' : `${command} is ${is ? 'on' : 'off'}; say ${command} on or ${command} off\n`,
    );
    this.#repl.displayPrompt();
    return isOn;
  }
}

function defineLoopCommands(repl) {
  const commands = new LoopCommands(repl);
  repl.defineCommand('loop', {
    help: 'Show what is queued in the event loop, and what keeps it alive',
    action() {
      commands.show();
    },
  });
  repl.defineCommand('trace', {
    help: 'on: print each task under the line that caused it; off',
    action(word) {
      commands.trace(word);
    },
  });
  repl.defineCommand('phase', {
    help: 'on: console output begins with phase and iteration; off',
    action(word) {
      commands.phase(word);
    },
  });
}

module.exports = { defineLoopCommands };
