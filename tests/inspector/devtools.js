// Chrome DevTools attached for real: the front end that Chromium brings, in a headless page, debugs a program of this binary. It stops at the first
// statement, shows the source, steps, stops at `debugger` with variables and an asynchronous stack, and goes on.
//
//   RONDO tests/inspector/devtools.js CHROMIUM
//
// Chromium serves its front end over http, and the program's server lets no page of the web in: a proxy takes the Origin away.
'use strict';

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const { on, once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const kPatience = 40_000; // ms for a state of the page
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'devtools-'));
const children = [];
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
const file = path.join(folder, 'program.js');
fs.writeFileSync(
  file,
  `const first = 40;
const second = first + 2;
setTimeout(function later() {
  debugger;
  console.log('answer', second);
}, 10);
`,
);

// Starts a program and waits for a text on its standard error.
async function start(command, args, pattern) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  child.output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (child.output += text));
  let errors = '';
  child.stderr.setEncoding('utf8');
  for await (const [text] of on(child.stderr, 'data', { close: ['end'] })) {
    errors += text;
    const found = pattern.exec(errors);
    if (found !== null) {
      child.stderr.resume();
      return { child, found };
    }
  }
  throw new Error(`${command} ended: ${errors}`);
}

async function proxyTo(port) {
  const server = net.createServer((from) => {
    const to = net.connect(port, '127.0.0.1');
    from.once('data', (head) => {
      to.write(Buffer.from(head.toString('latin1').replace(/^Origin: .*\r\n/m, ''), 'latin1'));
      from.pipe(to);
    });
    to.pipe(from);
    for (const socket of [from, to]) socket.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server.address().port;
}

class Page {
  #last = 0;
  #answers = new Map();

  static async open(address) {
    const page = new Page();
    page.socket = new WebSocket(address);
    page.socket.onmessage = ({ data }) => {
      const { id, result } = JSON.parse(data);
      page.#answers.get(id)?.(result);
    };
    await once(page.socket, 'open');
    return page;
  }
  send(method, params) {
    const id = ++this.#last;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }
  // All text of the page, of shadow trees too.
  async text() {
    const expression = `(() => { let text = ''; const walk = (node) => {
      if (node.nodeType === 3) text += node.data + ' ';
      if (node.shadowRoot) walk(node.shadowRoot);
      for (const child of node.childNodes) if (!/^(STYLE|SCRIPT)$/.test(child.nodeName)) walk(child); };
      walk(document.body); return text.replace(/\\s+/g, ' '); })()`;
    const { result } = await this.send('Runtime.evaluate', { expression });
    return result.value ?? '';
  }
  async until(...patterns) {
    let text;
    for (const end = Date.now() + kPatience; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 200))) {
      text = await this.text();
      if (patterns.every((pattern) => pattern.test(text))) return text;
    }
    throw new Error(`the page never showed ${patterns}: …${text.slice(-1200)}`);
  }
  async press(key, windowsVirtualKeyCode) {
    for (const type of ['rawKeyDown', 'keyUp']) await this.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode });
  }
}

async function main(chromium) {
  const { child: program, found } = await start(process.execPath, ['--inspect-brk=0', file], /ws:\/\/127\.0\.0\.1:(\d+)\/(\S+)/);
  const proxy = await proxyTo(Number(found[1]));
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', '--remote-allow-origins=*'];
  const { found: listening } = await start(
    chromium,
    [...options, `--user-data-dir=${folder}/profile`, 'about:blank'],
    /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/,
  );
  const base = `http://127.0.0.1:${listening[1]}`;
  const frontEnd = `${base}/devtools/js_app.html?experiments=true&v8only=true&ws=127.0.0.1:${proxy}/${found[2]}`;
  const target = await (await fetch(`${base}/json/new?${encodeURIComponent(frontEnd)}`, { method: 'PUT' })).json();
  const page = await Page.open(target.webSocketDebuggerUrl);
  await page.until(/Debugger paused/, /const first = 40/, /program\.js:1/);
  await page.press('F10', 121);
  await page.until(/Debugger paused/, /program\.js:2/, /first ?: ?40/);
  await page.press('F8', 119);
  await page.until(/Debugger paused/, /later program\.js:4/, /setTimeout/, /program\.js:3/);
  await page.press('F8', 119);
  await page.until(/Not paused/);
  while (!program.output.includes('answer 42')) await once(program.stdout, 'data');
}

main(process.argv[2] ?? 'chromium').then(
  () => {
    console.log('ok');
    process.exit();
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
