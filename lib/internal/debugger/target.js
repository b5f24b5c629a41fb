// natives: none
// The debugged program as the prompt's commands see it: its process if it was started here, the connection, the protocol's domains as
// objects with methods, and where text for the user goes.
'use strict';

const { Client } = require('internal/debugger/client');
const { EventEmitter } = require('internal/events/events');
const { inspect } = require('internal/util/inspect');
const { launch } = require('internal/debugger/launch');

const kTries = 5;
const kBetweenTries = 1000; // ms
const kDomains = ['Debugger', 'HeapProfiler', 'Profiler', 'Runtime'];

// Debugger.getScriptSource({…}) and Debugger.on('paused', …). `label` is what a prompt shows for it.
function makeDomain(name, client) {
  const events = new EventEmitter();
  const label = { [inspect.custom]: (_depth, { stylize }) => stylize(`[Agent ${name}]`, 'special') };
  const methods = new Map();
  const domain = new Proxy(events, {
    __proto__: null,
    get(target, key) {
      if (key === 'then' || typeof key === 'symbol' || key in target) return target[key];
      if (!methods.has(key)) methods.set(key, (params) => client.send(`${name}.${key}`, params));
      return methods.get(key);
    },
  });
  return { domain, label };
}

class Target {
  client = new Client();
  repl; // of the prompt, when there is one
  isSuspended = true; // the prompt takes no input
  #child;
  #options;
  #labels = new Map(); // domain → what a prompt shows
  #unfinished = { stdout: '', stderr: '' }; // last lines

  // script, args: started here; otherwise host and port tell where it listens.
  constructor(options, stdin, stdout) {
    this.#options = options;
    this.stdin = stdin;
    this.stdout = stdout;
    this.domainNames = kDomains;
    for (const name of each(kDomains)) {
      const { domain, label } = makeDomain(name, this.client);
      this[name] = domain;
      this.#labels.set(domain, label);
    }
    this.client.on('event', (method, params) => {
      const dot = stringIndexOf.call(method, '.');
      const domain = stringSlice.call(method, 0, dot);
      if (arrayIncludes.call(kDomains, domain)) this[domain].emit(stringSlice.call(method, dot + 1), params);
    });
  }

  get startsScript() {
    return this.#options.script !== undefined;
  }

  labelOf(value) {
    return this.#labels.get(value) ?? value;
  }

  // Starts the program anew, or connects anew.
  async run() {
    this.kill();
    let { host, port, script, args } = this.#options;
    if (script !== undefined) {
      const started = await launch([script, ...each(args)], host, port, (text, which) => this.#onOutput(text, which));
      this.#child = started.child;
      ({ host, port } = started);
    }
    this.print(`connecting to ${host}:${port} ..`, false);
    for (let tries = 0; tries < kTries; tries++) {
      this.stdout.write('.');
      try {
        await this.client.connect(host, port);
        this.stdout.write(' ok\n');
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, kBetweenTries));
      }
    }
    this.stdout.write(' failed to connect, please retry\n');
    process.exit(1);
  }

  kill() {
    this.client.reset();
    this.#child?.kill();
    this.#child = undefined;
  }

  // The prompt's line is taken away first. A pipe's reader gets a backspace, as from Node.
  print(text, endsLine = true) {
    if (this.stdout.isTTY) {
      this.stdout.cursorTo(0);
      this.stdout.clearLine(1);
    } else {
      this.stdout.write('\b');
    }
    this.stdout.write(endsLine ? `${text}\n` : text);
  }

  // No input is taken until `action`, which prints, is done.
  async suspendWhile(action) {
    this.repl?.pause();
    this.stdin.pause();
    this.isSuspended = true;
    await action();
    this.isSuspended = false;
    if (this.repl !== undefined) {
      this.repl.resume();
      this.repl.displayPrompt();
    }
    this.stdin.resume();
  }

  #onOutput(text, which) {
    const lines = stringSplit.call(this.#unfinished[which] + text, /\r\n|\r|\n/);
    this.#unfinished[which] = lines[lines.length - 1] === '' ? '' : arrayPop.call(lines);
    if (lines.length === 0) return;
    const shown = arrayJoin.call(
      arrayMap.call(lines, (line) => `< ${line}`),
      '\n',
    );
    this.print(shown);
    if (!this.isSuspended) this.repl?.displayPrompt(true);
  }
}

module.exports = { Target };
