// natives: none
// Tasks of a recording as spans of OpenTelemetry, sent in its JSON form over HTTP (https://opentelemetry.io/docs/specs/otlp/): a span for
// each callback that ran, with the span of its cause as parent.
'use strict';

const { Buffer } = require('internal/buffer/buffer');
const { makeModel } = require('internal/observe/page/model');
const { URL } = require('internal/url/url');

const kBatch = 1000;
const kInternal = 1; // SPAN_KIND_INTERNAL

const text = (key, value) => ({ key, value: { stringValue: value } });
const idOf = (runtime, task) => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(runtime + 1, 0);
  bytes.writeUInt32BE(task, 4);
  return bytes.toString('hex');
};

function spansOf(recording, traceId, endOfRun) {
  const spans = [];
  for (let i = 0; i < recording.runtimes.length; i++) {
    const { number } = recording.runtimes[i];
    const model = makeModel(recording, number);
    const last = model.lastTime;
    const start = endOfRun - BigInt(last);
    const tasks = [...each(model.tasks.values())];
    for (let j = 0; j < tasks.length; j++) {
      const one = tasks[j];
      if (one.begin === null || one.end === null) continue;
      arrayPush.call(spans, {
        traceId,
        spanId: idOf(number, one.id),
        parentSpanId: one.id === 0 || one.cause === null ? '' : idOf(number, one.cause),
        name: one.name || one.kind,
        kind: kInternal,
        startTimeUnixNano: `${start + BigInt(one.begin)}`,
        endTimeUnixNano: `${start + BigInt(one.end)}`,
        attributes: [text('rondo.task.kind', one.kind), text('rondo.runtime', `${number}`)],
      });
    }
  }
  return spans;
}

function post(address, body) {
  return new Promise((resolve, reject) => {
    const url = new URL(address);
    if (url.pathname === '/') url.pathname = '/v1/traces';
    const { request } = require(url.protocol === 'https:' ? 'https' : 'http');
    const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

// → how many spans the collector took.
async function send(recording, address) {
  const traceId = require('internal/crypto/crypto').randomBytes(16).toString('hex');
  const spans = spansOf(recording, traceId, BigInt(Date.now()) * 1_000_000n);
  for (let at = 0; at < spans.length; at += kBatch) {
    const scopeSpans = [{ scope: { name: 'rondo' }, spans: arraySlice.call(spans, at, at + kBatch) }];
    const resource = { attributes: [text('service.name', recording.script)] };
    const status = await post(address, JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }));
    if (status >= 300) throw new Error(`${address} answers ${status}`);
  }
  return spans.length;
}

module.exports = { send };
