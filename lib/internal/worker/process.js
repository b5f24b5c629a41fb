// natives: none
// The process object of a worker: what belongs to the whole process is refused, standard streams lead to the owner.
'use strict';

const state = require('internal/worker/state');
const { codes: { ERR_WORKER_UNSUPPORTED_OPERATION } } = require('internal/errors/coded');

const kRefused = [
  'abort', 'chdir', 'execve', 'initgroups', 'setgroups', 'setegid', 'seteuid', 'setgid', 'setuid',
];

function refused(name) {
  function unavailable() { throw new ERR_WORKER_UNSUPPORTED_OPERATION(name); }
  unavailable.disabled = true;
  return unavailable;
}

// Written, not defined: what these stand for has not been loaded and need not be.
function restrict() {
  for (const name of each(kRefused)) process[name] = refused(`process.${name}()`);
  process.umask = (mask) => {
    if (mask !== undefined) throw new ERR_WORKER_UNSUPPORTED_OPERATION('Setting process.umask()');
    return require('internal/process/methods').umask();
  };
  for (const name of each(['stdin', 'stdout', 'stderr'])) {
    Object.defineProperty(process, name, {
      __proto__: null, configurable: true, enumerable: true, get: () => state.streams()[name],
    });
  }
  require('bootstrap/20_process').output.flush = state.flush;
  if (process.env.NODE_CHANNEL_FD) refuseChannel();
}

// The channel to the parent process is the main thread's.
function refuseChannel() {
  for (const name of each(['channel', 'connected'])) {
    Object.defineProperty(process, name, { __proto__: null, enumerable: false, configurable: true, get: refused(`process.${name}`) });
  }
  process.send = refused('process.send()');
  process.disconnect = refused('process.disconnect()');
}

module.exports = { restrict };
