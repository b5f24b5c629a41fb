// Heads with every byte in every place: what is accepted arrives as it was sent, what is refused gets 400 and a closed connection, and
// no field is ever made of another's bytes. Both servers.
'use strict';
const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');
const { serve } = require('rondo:serve');

const kTarget = Array.from({ length: 256 }, (_, i) => i).filter((i) => i > 0x20 && i < 0x7f);
const kToken = new Set(Buffer.from('!#$%&\'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'));
const isValue = (byte) => byte === 9 || (byte >= 0x20 && byte !== 0x7f);

function talk(port, bytes) {
  return new Promise((resolve) => {
    let got = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (piece) => { got += piece; }).on('error', () => {}).on('close', () => resolve(got));
  });
}
const head = (target, lines) => Buffer.concat([
  Buffer.from('GET '), target, Buffer.from(' HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'), lines, Buffer.from('\r\n\r\n')]);

// Where a byte may stand, the handler says what it got as JSON of Latin-1; elsewhere it is not called.
async function check(port, seen, sees) {
  for (let byte = 0; byte < 256; byte++) {
    const one = Buffer.from([byte]);
    seen.length = 0;
    const asTarget = await talk(port, head(Buffer.concat([Buffer.from('/a'), one, Buffer.from('b')]), Buffer.from('X: y')));
    if (kTarget.includes(byte)) {
      assert.match(asTarget, /^HTTP\/1\.1 200 /, `target ${byte}`);
      if (sees === 'raw') assert.deepStrictEqual(seen.map((one) => one.url), [`/a${String.fromCharCode(byte)}b`]);
    } else if (byte !== 0x20) {
      assert.match(asTarget, /^HTTP\/1\.1 400 /, `target ${byte}`);
      assert.deepStrictEqual(seen, [], `target ${byte}`);
    }
    seen.length = 0;
    const asName = await talk(port, head(Buffer.from('/'), Buffer.concat([Buffer.from('X-'), one, Buffer.from('Y: z')])));
    const name = `x-${String.fromCharCode(byte)}y`.toLowerCase();
    if (kToken.has(byte)) assert.strictEqual(seen[0].fields[name], 'z', `name ${byte}`);
    else if (byte === 0x3a) assert.strictEqual(seen[0].fields['x-'], 'Y: z');
    else assert.match(asName, /^HTTP\/1\.1 400 /, `name ${byte}`);
    seen.length = 0;
    const asValue = await talk(port, head(Buffer.from('/'), Buffer.concat([Buffer.from('X: a'), one, Buffer.from('b')])));
    if (isValue(byte)) assert.strictEqual(seen[0].fields.x, `a${String.fromCharCode(byte)}b`, `value ${byte}`);
    else assert.match(asValue, /^HTTP\/1\.1 400 /, `value ${byte}`);
  }
}

// Targets that are no addresses: the handler gets a string, whatever it is, or the client a 400.
const odd = ['*', '//', '///', '/../../..', '/%', '/%zz', '/%00', '/%ff%fe', `/${'a/'.repeat(3000)}`, '/?', '/?#', '/a?b?c#d', 'http://', 'http://[', 'http://a:99999/',
             'http://\u00e4/', 'x:y', '@', '/\\..\\', `/?${'a=b&'.repeat(3000)}`, '/\u00ff\u00fe', 'http://a b/'];

(async () => {
  const seen = [];
  const server = http.createServer((req, res) => { seen.push({ url: req.url, fields: { ...req.headers } }); res.end('fine'); });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await check(server.address().port, seen, 'raw');
  const own = serve({ port: 0, hostname: '127.0.0.1', fetch(request) {
    seen.push({ url: request.url, fields: Object.fromEntries(request.headers) });
    return new Response('fine');
  } });
  await check(own.port, seen, 'parsed');
  for (const target of odd) {
    for (const port of [server.address().port, own.port]) {
      seen.length = 0;
      const answer = await talk(port, head(Buffer.from(target, 'latin1'), Buffer.from('X: y')));
      assert.match(answer, /^HTTP\/1\.1 (200|400) /, target);
      if (answer.startsWith('HTTP/1.1 200')) assert.strictEqual(typeof seen[0].url, 'string');
    }
  }
  server.close();
  await own.stop(true);
})();
