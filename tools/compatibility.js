// Lists what a runtime exports (`list`), and compares two such lists (`table`). tools/compatibility calls it.
'use strict';

const names = [
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'child_process',
  'cluster',
  'console',
  'constants',
  'crypto',
  'dgram',
  'diagnostics_channel',
  'dns',
  'dns/promises',
  'domain',
  'events',
  'fs',
  'fs/promises',
  'http',
  'http2',
  'https',
  'inspector',
  'module',
  'net',
  'os',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'process',
  'punycode',
  'querystring',
  'readline',
  'readline/promises',
  'repl',
  'sqlite',
  'stream',
  'stream/consumers',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'test',
  'timers',
  'timers/promises',
  'tls',
  'trace_events',
  'tty',
  'url',
  'util',
  'util/types',
  'v8',
  'vm',
  'wasi',
  'worker_threads',
  'zlib',
];

function keysOf(value) {
  return Object.getOwnPropertyNames(value)
    .filter((key) => !/^_|^(length|name|prototype|arguments|caller)$/.test(key))
    .sort();
}

function list() {
  const modules = {};
  for (const name of names) {
    let value;
    try {
      value = require('node:' + name);
    } catch {
      continue;
    }
    modules[name] = keysOf(value);
  }
  const globals = Object.getOwnPropertyNames(globalThis).sort();
  console.log(JSON.stringify({ modules, globals }));
}

function row(label, wanted, have) {
  const missing = wanted.filter((key) => !have.includes(key));
  const share = Math.round((100 * (wanted.length - missing.length)) / Math.max(wanted.length, 1));
  const shown = missing.length > 40 ? `${missing.slice(0, 40).join(', ')} and ${missing.length - 40} more` : missing.join(', ');
  return `| \`${label}\` | ${wanted.length - missing.length} of ${wanted.length} | ${share} % | ${shown} |`;
}

function table(nodeFile, ownFile) {
  const read = (file) => JSON.parse(require('node:fs').readFileSync(file, 'utf8'));
  const node = read(nodeFile);
  const own = read(ownFile);
  const lines = [
    '# Compatibility',
    '',
    'Exported names of each `node:` module beside those of Node 26, made by `tools/compatibility`. A name that is there may still',
    'differ in behaviour; a name that is not there is absent, never a stub.',
    '',
    '| module | names | share | missing |',
    '|---|--:|--:|---|',
  ];
  const absent = [];
  for (const name of names) {
    if (node.modules[name] === undefined) continue;
    if (own.modules[name] === undefined) absent.push(name);
    else lines.push(row(`node:${name}`, node.modules[name], own.modules[name]));
  }
  lines.push(row('globalThis', node.globals, own.globals));
  lines.push('', `Not there at all: ${absent.map((name) => `\`node:${name}\``).join(', ')}.`);
  console.log(lines.join('\n'));
}

if (process.argv[2] === 'list') list();
else table(process.argv[3], process.argv[4]);
