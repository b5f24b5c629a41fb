// natives: observe
// rondo see script.js | PID: the loop in a page, live, served to this machine alone. rondo trace -o run.html script.js, rondo trace PID:
// the same recording as one file, or as lines for a terminal.
'use strict';

const { kRecordBytes } = native('observe');
const { parseTarget, watch, isPid, Watcher, UsageError } = require('internal/observe/command');
const { pageOf } = require('internal/observe/page_text');
const { Buffer } = require('internal/buffer/buffer');
const { URL } = require('internal/url/url');

const kSeeOptions = { __proto__: null, '--calls': 'flag', '--port': 'text', '--for': 'time' };
const kTraceOptions = { __proto__: null, '--calls': 'flag', '-o': 'text', '--for': 'time', '--otlp': 'text' };
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
    if (known === undefined) this.runtimes.set(number, (known = { number, names: {}, newNames: [], pieces: [], count: 0, lost: 0 }));
    return known;
  }

  takeNames(bytes) {
    const { names, newNames } = this.runtime(bytes.readUInt32LE(0));
    for (let at = 4; at < bytes.length; ) {
      const length = bytes.readUInt16LE(at + 4);
      const number = bytes.readUInt32LE(at);
      names[number] = bytes.utf8Slice(at + 6, at + 6 + length);
      arrayPush.call(newNames, number);
      at += 6 + length;
    }
  }

  takeRecords(bytes) {
    const runtime = this.runtime(bytes.readUInt32LE(0));
    runtime.lost += Number(bytes.readBigUInt64LE(4));
    const records = Buffer.from(bytes.subarray(12));
    arrayPush.call(runtime.pieces, records);
    runtime.count += records.length / kRecordBytes;
    while (runtime.count - runtime.pieces[0].length / kRecordBytes > kMostRecords) {
      const dropped = arrayShift.call(runtime.pieces).length / kRecordBytes;
      runtime.count -= dropped;
      runtime.lost += dropped;
    }
  }

  // The records from a place on, for a page that has those before. Places count from the first record that ever came.
  recordsSince(have) {
    const runtimes = arrayMap.call([...each(this.runtimes.values())], (one) => {
      const next = one.lost + one.count;
      const wanted = Math.max(one.lost, Math.min(next, have.get(one.number)?.next ?? 0));
      const all = Buffer.concat(lastPieces(one.pieces, next - wanted));
      const names = {};
      for (let i = have.get(one.number)?.names ?? 0; i < one.newNames.length; i++) names[one.newNames[i]] = one.names[one.newNames[i]];
      return {
        number: one.number,
        from: wanted,
        next,
        nextName: one.newNames.length,
        lost: one.lost,
        names,
        records: all.toString('base64'),
      };
    });
    return { runtimes };
  }

  recording(isLive) {
    const runtimes = arrayMap.call([...each(this.runtimes.values())], ({ number, names, newNames, pieces, lost, count }) => ({
      number,
      names,
      lost,
      next: lost + count,
      nextName: newNames.length,
      records: Buffer.concat(pieces).toString('base64'),
    }));
    return { version: 1, script: this.script, live: isLive, runtimes };
  }
}

// The last `count` records of some pieces.
function lastPieces(pieces, count) {
  const list = [];
  for (let i = pieces.length - 1; i >= 0 && count > 0; i--) {
    const records = pieces[i].length / kRecordBytes;
    arrayUnshift.call(list, records <= count ? pieces[i] : pieces[i].subarray((records - count) * kRecordBytes));
    count -= records;
  }
  return list;
}

// "0:1200:30,1:17:2": of each runtime the next record and the next name that a page lacks.
function parseHave(text) {
  const have = new Map();
  const parts = stringSplit.call(text, ',');
  for (let i = 0; i < parts.length; i++) {
    const { 0: number, 1: next, 2: names } = arrayMap.call(stringSplit.call(parts[i], ':'), Number);
    if (next >= 0 && names >= 0) have.set(number, { next, names });
  }
  return have;
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
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
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
    if (isPage) response.end(pageOf(this.recorder.recording(true)));
    else response.end(JSON.stringify(this.recorder.recordsSince(parseHave(searchParams.get('have') ?? ''))));
  }
}

async function see(args) {
  const { options, rest } = parseTarget(args, kSeeOptions);
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
  const { options, rest } = parseTarget(args, kTraceOptions);
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
