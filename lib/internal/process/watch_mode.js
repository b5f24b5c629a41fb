// natives: none
//
// rondo --watch FILE: this process only watches. The program runs in a child,
// which tells the names of the files it loads; when one of them changes, or
// anything below --watch-path, the child is ended and started again.

'use strict';

const { resolve, dirname } = require('internal/path/path');
const { getOptionValue } = require('internal/process/options');

const kSettleTime = 200; // editors write a file in several steps
const kSignals = ['SIGTERM', 'SIGINT'];

// The options of the child: ours without those that ask for watching.
function childOptions(given) {
  const kept = [];
  for (let i = 0; i < given.length; i++) {
    const option = given[i];
    if (option === '--watch') continue;
    if (option === '--watch-path') i++;
    else if (!stringStartsWith.call(option, '--watch-path=')) arrayPush.call(kept, option);
  }
  return kept;
}

class FileSet {
  #onChange;
  #watchers = new Map();
  #files = new Set();

  constructor(onChange) {
    this.#onChange = onChange;
  }

  // A file is watched through its directory, so that it may be replaced, or not be there yet.
  add(file) {
    this.#files.add(file);
    const directory = dirname(file);
    if (this.#watchers.has(directory)) return;
    this.#watch(directory, false, (name) => {
      const changed = resolve(directory, name);
      if (this.#files.has(changed)) this.#onChange(changed);
    });
  }

  // Everything there and below.
  addTree(path) {
    const { statSync } = require('internal/fs/fs');
    const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (isDirectory) this.#watch(path, true, (name) => this.#onChange(resolve(path, name)));
    else this.add(path);
  }

  #watch(directory, recursive, onName) {
    const { watch } = require('internal/fs/fs');
    try {
      const watcher = watch(directory, { recursive }, (kind, name) => onName(name));
      watcher.on('error', () => {});
      this.#watchers.set(directory, watcher);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }

  forgetFiles() {
    this.#files.clear();
  }
}

class Watch {
  #script;
  #command;
  #child = null;
  #shown = null; // the child whose end is told: not one that was ended for a restart
  #timer = null;
  #files = new FileSet((file) => this.#changed(file));
  #trees = getOptionValue('--watch-path');
  #signal = getOptionValue('--watch-kill-signal') || 'SIGTERM';

  constructor(script) {
    this.#script = script;
    require('internal/util/validators').validateSignalName(this.#signal, '--watch-kill-signal');
    this.#command = [script, ...each(arraySlice.call(process.argv, 2))];
    for (const path of each(this.#trees)) this.#files.addTree(resolve(path));
    for (const signal of each(kSignals)) process.on(signal, () => this.#end(signal));
  }

  start() {
    const { spawn } = requireLater('internal/child_process/child_process');
    if (this.#trees.length === 0) {
      this.#files.add(resolve(this.#script));
      for (const file of each([...each(getOptionValue('--env-file')), ...each(getOptionValue('--env-file-if-exists'))])) {
        this.#files.add(resolve(file));
      }
    }
    const options = childOptions(process.execArgv);
    const child = spawn(process.execPath, [...each(options), ...each(this.#command)], {
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
      env: { ...process.env, WATCH_REPORT_DEPENDENCIES: '1', RONDO_WATCH_FD: '3' },
    });
    this.#child = this.#shown = child;
    this.#listen(child.stdio[3]);
    child.on('exit', () => {
      this.#child = null;
    });
    child.on('close', (code) => this.#ended(child, code)); // not before all names have come
  }

  #listen(pipe) {
    let text = '';
    pipe.setEncoding('utf8');
    pipe.on('error', () => {});
    pipe.on('data', (piece) => {
      const names = stringSplit.call(text + piece, '\0');
      text = arrayPop.call(names);
      if (this.#trees.length > 0) return;
      for (const name of each(names)) this.#files.add(name);
    });
  }

  #ended(child, code) {
    if (child !== this.#shown) return;
    const { blue, red } = this.#colors();
    const how = code === 0 ? `${blue}Completed` : `${red}Failed`;
    this.#say(`${how} running ${this.#name()}. Waiting for file changes before restarting...`);
  }

  #changed(file) {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#restart(file);
    }, kSettleTime);
  }

  #restart(file) {
    const { blue, green, clear } = this.#colors();
    const preserve = getOptionValue('--watch-preserve-output');
    this.#say(`${preserve ? '' : clear}${blue}Change detected in ${this.#quote(file)}`);
    this.#stop(this.#signal, () => {
      this.#say(`${green}Restarting ${this.#name()}`);
      this.#files.forgetFiles();
      this.start();
    });
  }

  // Ends the child, if it still runs, then goes on with its exit code.
  #stop(signal, then) {
    this.#shown = null;
    const child = this.#child;
    if (child === null) {
      then(0);
      return;
    }
    child.once('exit', (code) => then(code ?? 0));
    child.kill(signal);
  }

  #end(signal) {
    this.#stop(signal, (code) => process.exit(code));
  }

  #colors() {
    const colors = require('internal/util/colors');
    const { shouldColorize } = colors;
    if (!shouldColorize(process.stdout)) return { blue: '', red: '', green: '', white: '', clear: '' };
    return { blue: '\u001b[34m', red: '\u001b[31m', green: '\u001b[32m', white: '\u001b[39m', clear: '\u001bc' };
  }

  #quote(text) {
    return require('internal/util/util').inspect(text);
  }

  #name() {
    return this.#quote(arrayJoin.call(this.#command, ' '));
  }

  #say(text) {
    process.stdout.write(`${text}${this.#colors().white ?? ''}\n`);
  }
}

function watch(script) {
  new Watch(script).start();
}

module.exports = { watch };
