// natives: none
//
// inspector.console: messages for debuggers alone, which nothing prints.

'use strict';

const messages = () => require('internal/inspector/console_messages');

const kTypes = {
  __proto__: null,
  debug: 'debug',
  error: 'error',
  info: 'info',
  log: 'log',
  warn: 'warning',
  dir: 'dir',
  dirxml: 'dirxml',
  table: 'table',
  trace: 'trace',
  group: 'startGroup',
  groupCollapsed: 'startGroupCollapsed',
  groupEnd: 'endGroup',
  clear: 'clear',
  count: 'count',
  countReset: 'log',
  assert: 'assert',
  profile: 'profile',
  profileEnd: 'profileEnd',
  time: 'log',
  timeLog: 'log',
  timeEnd: 'timeEnd',
  timeStamp: 'log',
};

const console = {};
for (const name of each(Object.keys(kTypes))) {
  console[name] = {
    [name](...args) {
      if (name === 'assert' && args[0]) return;
      messages().note(kTypes[name], name === 'assert' ? arraySlice.call(args, 1) : args, console[name]);
    },
  }[name];
}
console.context = (name) => {
  const made = {};
  for (const method of each(Object.keys(kTypes))) {
    made[method] = {
      [method](...args) {
        messages().note(kTypes[method], args, made[method], `${name}#1`);
      },
    }[method];
  }
  return made;
};

module.exports = { console };
