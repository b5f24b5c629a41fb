// puppeteer-core drives Debian's Chromium over a WebSocket and over pipes: a page of a local server, its console, an evaluation, a click, a PDF.
import assert from 'node:assert';
import fs from 'node:fs';
import http from 'node:http';
import puppeteer from 'puppeteer-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => fs.existsSync(file));
if (executablePath === undefined) {
  console.log('skipped: Chromium is not installed (apt-get install chromium)');
  process.exit(0);
}

const page = `<title>it</title><button onclick="this.textContent = 'clicked'; console.log('from the page')">press</button>`;
const server = http.createServer((request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

for (const pipe of [false, true]) {
  const browser = await puppeteer.launch({ executablePath, pipe, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'], timeout: 60_000 });
  try {
    const tab = await browser.newPage();
    const said = [];
    tab.on('console', (message) => said.push(message.text()));
    await tab.goto(`http://127.0.0.1:${server.address().port}/`);
    assert.strictEqual(await tab.title(), 'it');
    await tab.click('button');
    assert.strictEqual(await tab.$eval('button', (button) => button.textContent), 'clicked');
    assert.deepStrictEqual(await tab.evaluate((a, b) => ({ sum: a + b }), 1, 2), { sum: 3 });
    assert.deepStrictEqual(said, ['from the page']);
    const pdf = await tab.pdf();
    assert.strictEqual(Buffer.from(pdf.subarray(0, 5)).toString(), '%PDF-');
  } finally {
    await browser.close();
  }
}
server.close();
