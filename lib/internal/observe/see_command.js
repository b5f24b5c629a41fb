// natives: none
// rondo see script.js | PID: the loop in a page, live, served to this machine alone. rondo trace -o run.html script.js, rondo trace PID:
// the same recording as one file, or as lines for a terminal.
'use strict';

const { parse, watch, isPid, Watcher, UsageError } = require('internal/observe/command');
const { pageOf } = require('internal/observe/page_text');
const { Buffer } = require('internal/buffer/buffer');
const { URL } = require('internal/url/url');

const kSeeOptions = { __proto__: null, '--calls': 'flag', '--port': 'text', '--for': 'time' };
const kTraceOptions = { __proto__: null, '--calls': 'flag', '-o': 'text', '--for': 'time', '--otlp': 'text' };
const kRecord = 32;
const kMostRecords = 1 << 20;
const kTraceFor = 5000;

// Records of a watched program so far: the newest million of each runtime.
class Recorder {
  constructor(script, hasCalls) {
    this.script = script;
    this.runtimes = new Map();
    this.watcher = new Watcher(hasCalls ? ['records', 'ask start 0 calls'] : ['records']);
    this.watcher.onNames = (peer, bytes) => this.takeNames(bytes);
    this.watcher.onRecords = (peer, bytes) => this.takeRecords(bytes);
    this.watcher.onMessage = () => {};
  }

  runtime(number) {
    let known = this.runtimes.get(number);
    if (known === undefined) this.runtimes.set(number, (known = { number, names: {}, pieces: [], count: 0, lost: 0 }));
    return known;
  }

  takeNames(bytes) {
    const { names } = this.runtime(bytes.readUInt32LE(0));
    for (let at = 4; at < bytes.length; ) {
      const length = bytes.readUInt16LE(at + 4);
      names[bytes.readUInt32LE(at)] = bytes.utf8Slice(at + 6, at + 6 + length);
      at += 6 + length;
    }
  }

  takeRecords(bytes) {
    const runtime = this.runtime(bytes.readUInt32LE(0));
    runtime.lost += Number(bytes.readBigUInt64LE(4));
    const records = Buffer.from(bytes.subarray(12));
    arrayPush.call(runtime.pieces, records);
    runtime.count += records.length / kRecord;
    while (runtime.count - runtime.pieces[0].length / kRecord > kMostRecords) {
      const dropped = arrayShift.call(runtime.pieces).length / kRecord;
      runtime.count -= dropped;
      runtime.lost += dropped;
    }
  }

  recording(isLive) {
    const runtimes = arrayMap.call([...each(this.runtimes.values())], ({ number, names, pieces, lost }) => ({
      number,
      names,
      lost,
      records: Buffer.concat(pieces).toString('base64'),
    }));
    return { version: 1, script: this.script, live: isLive, runtimes };
  }
}

// Whom the page is for: who has the address with its token, on this machine, from a page of this server or from none.
class PageServer {
  constructor(recorder) {
    this.recorder = recorder;
    this.token = require('internal/crypto/crypto').randomBytes(16).toString('hex');
    this.server = require('internal/http/http').createServer((request, response) => this.answer(request, response));
  }

  listen(port) {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', () => resolve(this.server.address().port));
    });
  }

  // Another name for this machine is how a foreign page would come here (DNS rebinding).
  isAllowed({ headers, url }) {
    const { port } = this.server.address();
    const names = [`127.0.0.1:${port}`, `localhost:${port}`];
    if (!arrayIncludes.call(names, headers.host)) return false;
    const origins = arrayMap.call(names, (name) => `http://${name}`);
    if (headers.origin !== undefined && !arrayIncludes.call(origins, headers.origin)) return false;
    const given = Buffer.from(new URL(url, 'http://localhost').searchParams.get('token') ?? '');
    const wanted = Buffer.from(this.token);
    return given.length === wanted.length && require('internal/crypto/crypto').timingSafeEqual(given, wanted);
  }

  answer(request, response) {
    if (!this.isAllowed(request)) {
      response.writeHead(403, { 'content-type': 'text/plain' });
      response.end('no\n');
      return;
    }
    const { pathname } = new URL(request.url, 'http://localhost');
    const isPage = pathname === '/';
    if (request.method !== 'GET' || (!isPage && pathname !== '/recording')) {
      response.writeHead(404);
      response.end();
      return;
    }
    response.writeHead(200, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    const recording = this.recorder.recording(true);
    response.end(isPage ? pageOf(recording) : JSON.stringify(recording));
  }
}

async function see(args) {
  const { options, rest } = parse(args, kSeeOptions);
  const recorder = new Recorder(arrayJoin.call(rest, ' '), options['--calls'] === true);
  const page = new PageServer(recorder);
  const port = await page.listen(Number(options['--port'] ?? 0));
  process.stderr.write(`rondo see: http://127.0.0.1:${port}/?token=${page.token}\n`);
  const code = await watch(recorder.watcher, rest, options['--for'] ?? 0);
  recorder.watcher.close();
  if (!isPid(rest) && options['--for'] === undefined && process.stderr.isTTY) {
    process.stderr.write('rondo see: the program has ended; the page stays until Ctrl-C\n');
    await new Promise((resolve) => process.once('SIGINT', resolve));
  }
  page.server.close();
  return code;
}

// rondo trace -o run.html script.js; rondo trace [-o run.html] PID [--for 5s]
async function trace(args) {
  if (arrayIncludes.call(args, '--join')) return require('internal/observe/join_command').run(args);
  const { options, rest } = parse(args, kTraceOptions);
  // Options may follow the number of a process; behind a script they are the script's.
  if (isPid(arraySlice.call(rest, 0, 1))) {
    const behind = parse(arraySplice.call(rest, 1, rest.length), kTraceOptions);
    if (behind.rest.length > 0) throw new UsageError(`bad option: ${behind.rest[0]}`);
    Object.assign(options, behind.options);
  }
  const recorder = new Recorder(arrayJoin.call(rest, ' '), options['--calls'] === true);
  const code = await watch(recorder.watcher, rest, options['--for'] ?? kTraceFor);
  recorder.watcher.close();
  const recording = recorder.recording(false);
  const file = options['-o'];
  if (options['--otlp'] !== undefined) {
    try {
      const count = await require('internal/observe/otlp').send(recording, options['--otlp']);
      process.stderr.write(`rondo trace: sent ${count} spans to ${options['--otlp']}\n`);
    } catch (error) {
      throw new UsageError(`the collector does not take the spans: ${error.message}`);
    }
  } else if (file === undefined) {
    process.stderr.write(`${require('internal/observe/trace_rows').rowsOf(recording)}\n`);
  } else if (!stringEndsWith.call(file, '.html')) {
    throw new UsageError('of a running process -o writes a page: name it .html');
  } else {
    require('internal/fs/fs').writeFileSync(file, pageOf(recording));
    process.stderr.write(`rondo trace: wrote ${file}\n`);
  }
  return code;
}

module.exports = { see, trace };
