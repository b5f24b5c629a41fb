// Runs generated pages in headless Chromium and prints what they log: `ORDER seed: …`, a line a page.
//
//   node tests/browser/chromium.js PLAYWRIGHT CHROMIUM FIRST_SEED COUNT [SCREENSHOT.png]
//
// PLAYWRIGHT is the folder of the package playwright-core. Pages come from a server on loopback: a browser takes no modules from files.
// The screenshot is of the last page.
'use strict';

const http = require('node:http');
const path = require('node:path');
const { generate } = require('./pages.js');

const [playwright, executablePath, first, count, screenshot] = process.argv.slice(2);
const { chromium } = require(path.resolve(playwright));

const pages = new Map();
const server = http.createServer((request, response) => {
  const [, seed, name] = request.url.split('/');
  const text = pages.get(Number(seed))?.files[name];
  response.writeHead(text === undefined ? 404 : 200, { 'content-type': name?.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8' });
  response.end(text);
});

async function run(context, seed) {
  pages.set(seed, generate(seed));
  const page = await context.newPage();
  const line = new Promise((resolve) => page.on('console', (message) => {
    if (/^(ORDER|UNFINISHED) /.test(message.text())) resolve(message.text());
  }));
  await page.goto(`http://127.0.0.1:${server.address().port}/${seed}/page.html`);
  console.log(await line);
  if (screenshot && seed === Number(first) + Number(count) - 1) await page.screenshot({ path: screenshot });
  await page.close();
}

async function main() {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const context = await browser.newContext();
  let next = Number(first);
  const worker = async () => { while (next < Number(first) + Number(count)) await run(context, next++); };
  await Promise.all(Array.from({ length: 6 }, worker));
  await browser.close();
  server.close();
}

main();
