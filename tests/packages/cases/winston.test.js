// winston: formats, levels, child loggers, files, a stream of one's own, and an HTTP transport to a real server.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');
const { Writable } = require('node:stream');
const winston = require('winston');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-winston-'));
const { combine, errors, json, printf, splat } = winston.format;

async function toFileAndStream() {
  const lines = [];
  const sink = new Writable({ write(chunk, encoding, done) { lines.push(`${chunk}`.trim()); done(); } });
  const filename = path.join(folder, 'app.log');
  const file = new winston.transports.File({ filename, format: combine(errors({ stack: true }), json()) });
  const logger = winston.createLogger({
    level: 'info',
    format: combine(splat(), errors({ stack: true })),
    transports: [file, new winston.transports.Stream({ stream: sink, format: printf(({ level, message }) => `${level}: ${message}`) })],
  });
  logger.info('number %d', 7);
  logger.debug('not this one');
  logger.child({ id: 'x' }).warn('child');
  logger.error(new Error('broken'));
  const finished = once(file, 'finish');
  logger.end();
  await finished;
  assert.deepStrictEqual(lines, ['info: number 7', 'warn: child', 'error: broken']);
  const written = fs.readFileSync(filename, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.deepStrictEqual(written.map(({ level, message, id }) => [level, message, id]), [
    ['info', 'number 7', undefined], ['warn', 'child', 'x'], ['error', 'broken', undefined],
  ]);
  assert.match(written[2].stack, /^Error: broken\n +at /);
}

async function toServer() {
  const server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const logger = winston.createLogger({
    transports: [new winston.transports.Http({ host: '127.0.0.1', port: server.address().port, path: '/log' })],
  });
  logger.info('over a socket');
  const [request, response] = await once(server, 'request');
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  response.end();
  assert.deepStrictEqual([request.method, request.url, JSON.parse(text).message], ['POST', '/log', 'over a socket']);
  logger.close();
  server.closeAllConnections();
  server.close();
}

(async () => {
  await toFileAndStream();
  await toServer();
  fs.rmSync(folder, { recursive: true });
})();
