// natives: none
// Watching test files: each file's process tells which files it loads (as with --watch); when one of them changes, the test files that
// loaded it run again. Without isolation one process runs all test files, again and again.
'use strict';

const { isAbsolute, resolve } = require('internal/path/path');
const { kSend } = require('internal/test_runner/event_stream');
const { runFile } = require('internal/test_runner/file_test');

const kSettleTime = 200; // editors write a file in several steps

class FileWatch {
  #files;
  #options;
  #findFiles;
  #watchers = new Map(); // by path
  #owners = new Map(); // file -> Set of test files that loaded it
  #children = new Map(); // test file -> process
  #running = new Map(); // test file -> promise
  #changed = new Set(); // test files to run again
  #timer = null;

  constructor(files, options, findFiles) {
    this.#files = files;
    this.#options = options;
    this.#findFiles = findFiles;
    options.root.harness.isWatching = true;
    if (!options.hasFiles) this.#watch(options.cwd, true);
    options.signal?.addEventListener('abort', () => this.#close(), { __proto__: null, once: true });
  }

  get #isInOneProcess() {
    return this.#options.isolation === 'none';
  }

  async runAll() {
    this.#options.root.harness.skipBuilding();
    const files = this.#isInOneProcess ? [null] : this.#files;
    await Promise.allSettled(arrayMap.call(files, (file) => this.#run(file)));
  }

  #run(file) {
    const done = runFile(file, this.#options, this);
    this.#running.set(file, done);
    return done;
  }

  // A process began: it tells the names of the files that it loads.
  started(file, child) {
    this.#children.set(file, child);
    this.#addDependency(file ?? '', file);
    let text = '';
    const pipe = child.stdio[3];
    pipe.setEncoding('utf8');
    pipe.on('error', () => {});
    pipe.on('data', (piece) => {
      const names = stringSplit.call(text + piece, '\0');
      text = arrayPop.call(names);
      for (const name of each(names)) this.#addDependency(name, file);
    });
  }

  async ended(file, done) {
    this.#children.delete(file);
    if (this.#running.get(file) === done) this.#running.delete(file);
    try {
      await done;
    } finally {
      if (this.#running.size === 0) {
        const { root } = this.#options;
        root.reporter[kSend]('test:watch:drained');
        root.postRun();
      }
    }
  }

  #addDependency(name, owner) {
    if (name === '') return;
    const path = isAbsolute(name) ? name : resolve(this.#options.cwd, name);
    if (!this.#owners.has(path)) this.#owners.set(path, new Set());
    this.#owners.get(path).add(owner);
    this.#watch(path, false);
  }

  #watch(path, isTree) {
    if (this.#watchers.has(path) || this.#isInTree(path)) return;
    try {
      const watcher = require('internal/fs/fs').watch(path, { recursive: isTree });
      watcher.on('change', (kind, name) => this.#onChange(isTree ? resolve(path, name ?? '') : path, kind));
      watcher.on('error', () => {});
      this.#watchers.set(path, { watcher, isTree });
    } catch {
      // The file is gone again.
    }
  }

  #isInTree(path) {
    const { cwd, hasFiles } = this.#options;
    return !hasFiles && stringStartsWith.call(path, `${cwd}/`);
  }

  #onChange(path) {
    const owners = this.#owners.get(path);
    if (owners === undefined && this.#options.hasFiles) return;
    for (const owner of each(owners ?? [])) this.#changed.add(owner);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settled(), kSettleTime);
    this.#timer.unref();
  }

  #settled() {
    const { hasFiles, globPatterns, cwd, root } = this.#options;
    let changed = this.#changed;
    this.#changed = new Set();
    if (!hasFiles) {
      const files = this.#findFiles(globPatterns, cwd);
      const added = arrayFind.call(files, (file) => !arrayIncludes.call(this.#files, file));
      const removed = arrayFind.call(this.#files, (file) => !arrayIncludes.call(files, file));
      this.#files = files;
      if (added !== undefined) changed = new Set([added]);
      else if (removed !== undefined) return;
    }
    root.clearTimes();
    root.reporter[kSend]('test:watch:restarted');
    const again = this.#isInOneProcess ? [null] : arrayFilter.call(this.#files, (file) => changed.has(file));
    for (const owners of each(this.#owners.values())) {
      for (const file of each(again)) owners.delete(file);
    }
    for (const file of each(again)) this.#restart(file);
  }

  async #restart(file) {
    const child = this.#children.get(file);
    if (child !== undefined) {
      const gone = new Promise((done) => {
        child.once('exit', done);
      });
      child.kill();
      await gone;
    }
    const { harness } = this.#options.root;
    if (this.#running.size === 0) harness.counters.topLevel = 0;
    await this.#running.get(file);
    this.#run(file);
  }

  #close() {
    clearTimeout(this.#timer);
    for (const { watcher } of each(this.#watchers.values())) watcher.close();
    this.#watchers.clear();
    const { root } = this.#options;
    root.harness.isWatching = false;
    root.postRun();
  }
}

module.exports = { FileWatch };
