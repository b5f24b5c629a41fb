// natives: none
// Functions of process that a worker has other ones of (process/object): what belongs to the whole process is refused.
'use strict';

const kRefused = ['abort', 'chdir', 'initgroups', 'setgroups', 'setegid', 'seteuid', 'setgid', 'setuid'];

function unsupported(name) {
  return new (require('internal/errors/coded').codes.ERR_WORKER_UNSUPPORTED_OPERATION)(name);
}

function refused(name) {
  function unavailable() {
    throw unsupported(name);
  }
  unavailable.disabled = true;
  return unavailable;
}

function umask(mask) {
  if (mask !== undefined) throw unsupported('Setting process.umask()');
  return require('internal/process/methods').umask();
}

function execve() {
  throw unsupported('Calling process.execve');
}

// The channel to the parent process is the main thread's.
function refuseChannel() {
  for (const name of each(['channel', 'connected'])) {
    Object.defineProperty(process, name, { __proto__: null, enumerable: false, configurable: true, get: refused(`process.${name}`) });
  }
  process.send = refused('process.send()');
  process.disconnect = refused('process.disconnect()');
}

module.exports = { umask, execve, refuseChannel };
for (const name of each(kRefused)) module.exports[name] = refused(`process.${name}()`);
