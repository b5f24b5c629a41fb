// natives: none
// The history of a REPL in a file: read at the start, written a moment after each line, so that pasted lines are written once.
// replServer.setupHistory() starts it. Without a file the first step back in an empty history says how to get one.
'use strict';

const { History } = require('internal/readline/history');

const kWriteDelay = 15;
const kMode = 0o600;
const kNotKept = 'REPL session history will not be persisted.\n';
const kDisabled =
  '\nPersistent history support disabled. Set the NODE_REPL_HISTORY environment\n' + 'variable to a valid, user-writable path to enable.\n';

const logTo = () => require('internal/util/debuglog').debuglog('repl');

function say(repl, text) {
  repl._writeToOutput(text);
  repl._refreshLine();
}

// Once, with the first step back.
function explainOnFirstUse(repl) {
  const step = repl._historyPrev;
  repl._historyPrev = () => {
    if (repl.history.length === 0) say(repl, kDisabled);
    repl._historyPrev = step;
    return repl._historyPrev();
  };
}

function homeFile() {
  try {
    return require('internal/path/path').join(require('internal/os/os').homedir(), '.node_repl_history');
  } catch (error) {
    logTo()(error.stack);
    return undefined;
  }
}

const mayWrite = (path) => process.permission === undefined || process.permission.has('fs.write', path);

class HistoryFile {
  #repl;
  #path;
  #file = null;
  #timer = null;
  #isWriting = false;
  #isAgain = false;
  #onLine = () => {
    this.#writeSoon();
  };

  constructor(repl, path) {
    this.#repl = repl;
    this.#path = path;
  }

  async open() {
    const { open, readFile } = require('internal/fs/promises').exports;
    const repl = this.#repl;
    const manager = repl.historyManager;
    const made = await open(this.#path, 'a+', kMode); // so that there is one
    await made.close();
    const text = await readFile(this.#path, 'utf8');
    manager.lines = text ? regexpSplit.call(/\r?\n+/, text, manager.size) : [];
    this.#file = await open(this.#path, 'r+');
    if ((await this.#file.stat()).isFile()) await this.#file.truncate(0); // not /dev/null
    repl.on('line', this.#onLine);
    repl.once('exit', () => {
      this.#leave();
    });
    await this.#write();
  }

  #writeSoon() {
    this.#repl.historyManager.isFlushing = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#write();
    }, kWriteDelay);
  }

  async #write() {
    this.#timer = null;
    if (this.#isWriting) {
      this.#isAgain = true;
      return;
    }
    const manager = this.#repl.historyManager;
    this.#isWriting = true;
    try {
      await this.#file?.write(arrayJoin.call(manager.lines, '\n'), 0, 'utf8');
    } catch (error) {
      logTo()('Error writing history file:', error);
    }
    this.#isWriting = false;
    if (this.#isAgain) {
      this.#isAgain = false;
      this.#writeSoon();
    } else if (this.#timer === null) {
      manager.isFlushing = false;
      this.#repl.emit('flushHistory');
    }
  }

  #leave() {
    if (this.#repl.historyManager.isFlushing) {
      this.#repl.once('flushHistory', () => {
        this.#leave();
      });
      return;
    }
    this.#repl.removeListener('line', this.#onLine);
    this.close();
  }

  async close() {
    const file = this.#file;
    this.#file = null;
    try {
      await file?.close();
    } catch (error) {
      logTo()('Error closing history file:', error);
    }
  }
}

async function load(repl, path, onLoaded) {
  const kept = new HistoryFile(repl, path);
  repl._historyFile = kept;
  repl.pause();
  try {
    await kept.open();
  } catch (error) {
    await kept.close();
    repl._historyFile = undefined;
    logTo()(error.stack);
    say(repl, `\nError: Could not open history file.\n${kNotKept}`);
    explainOnFirstUse(repl);
  }
  if (repl.closed) return;
  repl.resume();
  onLoaded?.(null, repl);
}

// config: { filePath, size, removeHistoryDuplicates, onHistoryFileLoaded }
function setUpHistory(repl, config) {
  const { filePath, size, history, removeHistoryDuplicates, onHistoryFileLoaded } = config;
  repl.historyManager = new History(history ?? repl.history, size ?? repl.historySize, removeHistoryDuplicates);
  if (onHistoryFileLoaded === undefined) return;
  const path = typeof filePath === 'string' ? stringTrim.call(filePath) : filePath;
  if (path === '') {
    explainOnFirstUse(repl);
    onHistoryFileLoaded(null, repl);
    return;
  }
  const resolved = path || homeFile();
  if (resolved === undefined) {
    say(repl, `\nError: Could not get the home directory.\n${kNotKept}`);
    explainOnFirstUse(repl);
    onHistoryFileLoaded(null, repl);
  } else if (!mayWrite(resolved)) {
    say(repl, `\nAccess to FileSystemWrite is restricted.\n${kNotKept}`);
    onHistoryFileLoaded(null, repl);
  } else {
    load(repl, resolved, onHistoryFileLoaded);
  }
}

module.exports = { setUpHistory };
