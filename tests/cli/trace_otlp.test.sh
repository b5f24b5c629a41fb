#!/usr/bin/env bash
# rondo trace --otlp sends the callbacks of a run as spans in OpenTelemetry's JSON form: ids of their sizes, times in nanoseconds since 1970, the
# cause as parent.
# skip-asan
source tests/cli/help.bash
RONDO=$(realpath "$RONDO")
cd "$work" || exit 1
cat >collector.js <<'JS'
const http = require('http');
const assert = require('assert');
const server = http.createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => (body += text)).on('end', () => {
    assert.strictEqual(`${request.method} ${request.url} ${request.headers['content-type']}`, 'POST /v1/traces application/json');
    const [{ resource, scopeSpans }] = JSON.parse(body).resourceSpans;
    assert.strictEqual(resource.attributes[0].key, 'service.name');
    const { spans } = scopeSpans[0];
    for (const span of spans) {
      assert.match(span.traceId, /^[0-9a-f]{32}$/);
      assert.match(span.spanId, /^[0-9a-f]{16}$/);
      assert.match(span.startTimeUnixNano, /^\d{19}$/);
      assert(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano));
    }
    const script = spans.find((span) => span.name === 'main script');
    const timer = spans.find((span) => span.name.startsWith('onTimer ('));
    assert.strictEqual(timer.parentSpanId, script.spanId);
    response.end('{}', () => server.close());
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
echo 'setTimeout(function onTimer() {}, 1);' >app.js
"$RONDO" collector.js >port &
collector=$!
for _ in $(seq 1200); do [ -s port ] && break; sleep 0.05; done
run trace "--otlp=http://127.0.0.1:$(cat port)" app.js
expect "exit" "$code" 0
has "told" "$err" "spans to"
wait "$collector" || { echo "the collector refuses the spans" >&2; exit 1; }
