// nodemailer: a message with an attachment to an SMTP server over node:net, and a refusal.
'use strict';
const assert = require('node:assert');
const net = require('node:net');
const nodemailer = require('nodemailer');

const messages = [];
const server = net.createServer((socket) => {
  let isData = false;
  let pending = '';
  const say = (line) => socket.write(`${line}\r\n`);
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    pending += chunk;
    for (;;) {
      if (isData) {
        const end = pending.indexOf('\r\n.\r\n');
        if (end === -1) return;
        messages.push(pending.slice(0, end));
        pending = pending.slice(end + 5);
        isData = false;
        say('250 queued');
        continue;
      }
      const end = pending.indexOf('\r\n');
      if (end === -1) return;
      const line = pending.slice(0, end);
      pending = pending.slice(end + 2);
      if (/^EHLO/i.test(line)) say('250-test\r\n250 8BITMIME');
      else if (/^RCPT TO:<nobody@/i.test(line)) say('550 no such user');
      else if (/^DATA/i.test(line)) { isData = true; say('354 go on'); }
      else if (/^QUIT/i.test(line)) { say('221 bye'); socket.end(); }
      else say('250 ok');
    }
  });
  say('220 test');
});
server.listen(0, '127.0.0.1', async () => {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: server.address().port, secure: false, ignoreTLS: true });
  assert.strictEqual(await transport.verify(), true);
  const info = await transport.sendMail({
    from: 'a@example.org', to: 'b@example.org', subject: 'Grüße', text: 'Hello', html: '<b>Hello</b>',
    attachments: [{ filename: 'a.txt', content: 'attached' }],
  });
  assert.deepStrictEqual([info.accepted, info.response], [['b@example.org'], '250 queued']);
  assert.match(messages[0], /Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=/);
  assert.match(messages[0], new RegExp(Buffer.from('attached').toString('base64')));
  await assert.rejects(transport.sendMail({ from: 'a@example.org', to: 'nobody@example.org', text: 'x' }), { code: 'EENVELOPE', responseCode: 550 });
  transport.close();
  server.close();
});
