// natives: none
//
// console.context and console.createTask speak to an inspector alone. Without
// one, a context's methods show nothing, and a task runs what it is given.

'use strict';

const methods = [
  'dir',
  'dirXml',
  'table',
  'groupEnd',
  'clear',
  'count',
  'countReset',
  'profile',
  'profileEnd',
  'debug',
  'error',
  'info',
  'log',
  'warn',
  'trace',
  'group',
  'groupCollapsed',
  'assert',
  'time',
  'timeLog',
  'timeEnd',
  'timeStamp',
];

function context() {
  const made = {};
  for (const name of each(methods)) Object.assign(made, { [name]() {} });
  return made;
}

function createTask(name) {
  if (typeof name !== 'string' || name === '') throw new Error('First argument must be a non-empty string.');
  return {
    run(work) {
      if (typeof work !== 'function') throw new Error('First argument must be a function.');
      return work();
    },
  };
}

module.exports = { context, createTask };
