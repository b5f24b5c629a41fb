// The tracing channel 'module.import' tells of each import(), with its specifier, the importer and the result.
'use strict';

const assert = require('assert');
const { tracingChannel } = require('diagnostics_channel');
const { pathToFileURL } = require('url');

const told = [];
const on = (name) => (message) => told.push([name, message]);
tracingChannel('module.import').subscribe({
  start: on('start'), end: on('end'), asyncStart: on('asyncStart'), asyncEnd: on('asyncEnd'), error: on('error'),
});
const parentURL = pathToFileURL(__filename).href;

(async () => {
  const result = await import('http');
  assert.deepStrictEqual(told.map(([name]) => name), ['start', 'end', 'asyncStart', 'asyncEnd']);
  assert.deepStrictEqual({ ...told[0][1] }, { parentURL, url: 'http', result });
  told.length = 0;
  const error = await import('no-such-module').catch((thrown) => thrown);
  assert.deepStrictEqual(told.map(([name]) => name), ['start', 'end', 'error', 'asyncStart', 'asyncEnd']);
  assert.deepStrictEqual({ ...told[0][1] }, { parentURL, url: 'no-such-module', error });
})();
