// natives: none
//
// The text of /json/protocol: the domains and methods that there are, by name.

'use strict';

const kFiles = ['runtime_domain', 'debugger_domain', 'console_domain', 'node_domains', 'profiler_domain', 'tracing_domain'];

const kEvents = {
  __proto__: null,
  Console: ['messageAdded'],
  Debugger: ['breakpointResolved', 'paused', 'resumed', 'scriptFailedToParse', 'scriptParsed'],
  NodeTracing: ['dataCollected', 'tracingComplete'],
  NodeRuntime: ['waitingForDebugger', 'waitingForDisconnect'],
  Profiler: ['consoleProfileFinished', 'consoleProfileStarted'],
  Runtime: ['bindingCalled', 'consoleAPICalled', 'executionContextCreated', 'executionContextDestroyed'],
};

function text() {
  const domains = new Map();
  for (const file of each(kFiles)) {
    for (const method of each(Object.keys(require(`internal/inspector/${file}`).methods))) {
      const dot = stringIndexOf.call(method, '.');
      const domain = stringSlice.call(method, 0, dot);
      if (!domains.has(domain)) domains.set(domain, []);
      arrayPush.call(domains.get(domain), { name: stringSlice.call(method, dot + 1) });
    }
  }
  const list = arrayMap.call(Array.from(domains), (entry) => ({
    domain: entry[0],
    commands: entry[1],
    events: arrayMap.call(kEvents[entry[0]] ?? [], (name) => ({ name })),
  }));
  return JSON.stringify({ version: { major: '1', minor: '3' }, domains: list });
}

module.exports = { text };
