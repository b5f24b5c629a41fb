// natives: none
// The processes that run schedules for `rondo explore`: each gets a line with a schedule and answers with what came of it
// (src/cli/run_server.cpp has the other half).
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { scheduleText } = require('internal/explore/search');

const kEntrySize = 6; // a letter, a byte of padding, two numbers of 16 bits
const kNewline = 10;

// [letter, count, choice] of each choice, packed: 6 bytes as the server writes them.
class Choices {
  constructor(bytes) {
    this.bytes = bytes;
    this.length = bytes.length / kEntrySize;
  }
  letter(index) {
    return String.fromCharCode(this.bytes[index * kEntrySize]);
  }
  count(index) {
    return this.bytes.readUInt16LE(index * kEntrySize + 2);
  }
  choice(index) {
    return this.bytes.readUInt16LE(index * kEntrySize + 4);
  }
}

// The process that runs schedules has ended; if it could not start the program, it has said why.
class ServerGone extends Error {
  constructor(exitCode) {
    super(`the process that runs schedules has ended (${exitCode})`);
    this.exitCode = exitCode;
  }
}

class Server {
  constructor(args) {
    const { spawn } = require('internal/child_process/child_process');
    this.waiting = null; // { resolve, reject } of the run under way
    this.failure = null; // why there will be no more runs
    this.buffer = null;
    this.child = spawn(process.execPath, ['explore-server', ...each(args)], {
      stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
      env: process.env,
    });
    this.child.stdin.on('error', () => {});
    this.child.stdio[3].on('data', (piece) => this.take(piece));
    this.child.on('error', (error) => this.fail(error));
    this.child.on('exit', (code) => this.fail(new ServerGone(code)));
  }

  run(schedule) {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) return reject(this.failure);
      this.waiting = { resolve, reject };
      this.child.stdin.write(`${schedule}\n`);
    });
  }

  fail(error) {
    this.failure = error;
    this.waiting?.reject(error);
    this.waiting = null;
  }

  close() {
    this.child.stdin.end();
    this.child.kill('SIGKILL');
  }

  take(piece) {
    this.buffer = this.buffer === null ? piece : Buffer.concat([this.buffer, piece]);
    let end = 0;
    while (end < this.buffer.length && this.buffer[end] !== kNewline) end++;
    if (end === this.buffer.length) return;
    const words = stringSplit.call(this.buffer.latin1Slice(0, end), ' ');
    const head = arrayMap.call(words, Number);
    const size = end + 1 + head[3] * kEntrySize + head[4] + head[5] + head[6];
    if (this.buffer.length < size) return;
    const answer = this.parse(head, words[2], end + 1);
    this.buffer = this.buffer.length > size ? this.buffer.subarray(size) : null;
    const { resolve } = this.waiting;
    this.waiting = null;
    resolve(answer);
  }

  parse(head, letters, begin) {
    const { 0: code, 1: signal, 3: count, 4: outSize, 5: errSize, 6: notesSize } = head;
    const outAt = begin + count * kEntrySize;
    const errAt = outAt + outSize;
    const notesAt = errAt + errSize;
    const isLate = signal === -1;
    return {
      exitCode: signal > 0 ? 128 + signal : code,
      isEndless: isLate,
      isStuck: stringIncludes.call(letters, 's'),
      isLimited: stringIncludes.call(letters, 'l') || isLate,
      isOutside: stringIncludes.call(letters, 'o'),
      isMisfit: stringIncludes.call(letters, 'm'),
      choices: new Choices(Buffer.from(this.buffer.subarray(begin, outAt))),
      stdout: this.buffer.utf8Slice(outAt, errAt),
      stderr: this.buffer.utf8Slice(errAt, notesAt),
      notes: this.buffer.utf8Slice(notesAt, notesAt + notesSize),
    };
  }
}

// Runs the search on so many processes; resolves when it is over. The others are started when the first has run a schedule: what is wrong
// with the command line is told once.
function explore(search, args, jobs) {
  return new Promise((resolve, reject) => {
    const servers = [];
    const idle = [];
    const end = (failure) => {
      for (const server of each(servers)) server.close();
      if (failure === undefined) resolve();
      else reject(failure);
    };
    const start = () => {
      const server = new Server(args);
      arrayPush.call(servers, server);
      arrayPush.call(idle, server);
    };
    const run = async (server, schedule, finish) => {
      try {
        finish(await server.run(schedule));
      } catch (error) {
        return end(error);
      }
      arrayPush.call(idle, server);
      while (servers.length < jobs) start();
      feed();
    };
    const feed = () => {
      while (idle.length > 0) {
        const sample = search.nextSample();
        if (sample !== undefined) {
          run(arrayPop.call(idle), `${search.prefix}?${sample}`, (answer) => search.finishSample(answer));
          continue;
        }
        const last = search.next();
        if (last === undefined) {
          if (search.underWay === 0) end();
          return;
        }
        run(arrayPop.call(idle), scheduleText(last, search.prefix), (answer) => search.finish(last, answer));
      }
    };
    start();
    feed();
  });
}

module.exports = { explore, Server, ServerGone };
