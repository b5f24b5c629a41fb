// natives: none
//
// The Console domain, which is older than Runtime.consoleAPICalled: the console's messages as text.

'use strict';

const users = new Set();

const levelOf = (type) =>
  ({ __proto__: null, warning: 'warning', error: 'error', assert: 'error', debug: 'debug', info: 'info' })[type] ?? 'log';

function describe({ type, args, stackTrace }) {
  const top = stackTrace.callFrames[0];
  const text = args.length === 0 ? '' : typeof args[0] === 'string' ? args[0] : require('internal/util/inspect').inspect(args[0]);
  return {
    source: 'console-api',
    level: levelOf(type),
    text,
    ...(top !== undefined && { url: top.url, line: top.lineNumber + 1, column: top.columnNumber + 1 }),
  };
}

function tell(message) {
  if (users.size === 0) return;
  for (const session of each(Array.from(users))) session.event('Console.messageAdded', { message: describe(message) });
}

function enable(session) {
  if (users.has(session)) return;
  users.add(session);
  session.state('Console', () => ({ close: () => users.delete(session) }));
  const messages = require('internal/inspector/console_messages');
  messages.wrap();
  for (const message of each(arraySlice.call(messages.kept))) session.event('Console.messageAdded', { message: describe(message) });
}

const methods = {
  __proto__: null,
  'Console.enable': enable,
  'Console.disable': (session) => {
    users.delete(session);
  },
  'Console.clearMessages': () => {},
};

module.exports = { methods, tell };
