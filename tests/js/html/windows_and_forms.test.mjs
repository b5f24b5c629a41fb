// Windows, forms and images of a page beyond the table of the same-origin policy (same_origin_*.test.mjs): names of windows, encodings of forms, a frame of another
// origin that goes on, prototypes of the page's own realm.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import http from 'node:http';
import { test } from 'node:test';

// Serves `pages` on two ports; runs the first page's `/`; gives what it printed and the requests.
async function run(pages) {
  const seen = [];
  const listen = (server) => new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(server.address().port)); });
  const ports = [];
  const servers = [0, 1].map((index) => http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => { chunks.push(chunk); });
    request.on('end', () => {
      const { pathname } = new URL(request.url, 'http://x');
      seen.push({ at: index, url: request.url, method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.setHeader('content-type', pathname.endsWith('.png') ? 'image/png' : 'text/html');
      const body = pages[pathname];
      response.statusCode = body === undefined ? 404 : 200;
      response.end(typeof body === 'string' ? body.replaceAll('OTHER', `http://127.0.0.1:${ports[1]}`) : body);
    });
  }));
  for (const server of servers) ports.push(await listen(server));
  const page = spawn(process.execPath, ['--loop=html', `http://127.0.0.1:${ports[0]}/`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  page.stdout.on('data', (chunk) => { out += chunk; });
  page.stderr.on('data', (chunk) => { errors += chunk; });
  await new Promise((resolve) => { page.on('close', resolve); });
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  return { lines: out.trimEnd().split('\n'), errors, seen };
}
const say = (text) => `<script>console.log(${text})</script>`;

test('forms are sent as their method and encoding say', async () => {
  const form = (attributes) => `<form ${attributes} target=f><input name="a b" value="1&\u00e9'"><input name=c value="x\ny"><input type=checkbox name=n><button name=s value=t></button></form>`;
  const { seen, errors } = await run({
    '/': `<body>${form('id=get action=/get?lost')}${form('id=url method=post action=/url?kept')}${form('id=plain method=post enctype=text/plain action=/plain')}${form('id=multi method=post enctype=multipart/form-data action=/multi')}
      <iframe name=f></iframe><script>
      const next = () => new Promise((resolve) => { document.querySelector('iframe').addEventListener('load', resolve, { once: true }); });
      (async () => {
        for (const id of ['get', 'url', 'plain', 'multi']) {
          const loaded = next();
          const form = document.getElementById(id);
          if (id === 'url') form.querySelector('button').click(); else form.submit();
          await loaded;
        }
        window.close();
      })();
      </script>`,
    '/get': 'got', '/url': 'got', '/plain': 'got', '/multi': 'got',
  });
  assert.strictEqual(errors, '');
  const [, get, url, plain, multi] = seen;
  assert.strictEqual(get.url, '/get?a+b=1%26%C3%A9%27&c=xy');
  assert.deepStrictEqual([url.method, url.url, url.headers['content-type'], url.body], ['POST', '/url?kept', 'application/x-www-form-urlencoded', 'a+b=1%26%C3%A9%27&c=xy&s=t']);
  assert.deepStrictEqual([plain.headers['content-type'], plain.body], ['text/plain', "a b=1&\u00e9'\r\nc=xy\r\n"]);
  assert.match(multi.headers['content-type'], /^multipart\/form-data; boundary=/);
  assert.match(multi.body, /name="a b"\r\n\r\n1&\u00e9'\r\n/);
});

test('a form that nobody catches takes its page along; a listener can keep it', async () => {
  const { lines, seen } = await run({
    '/': `<body><form id=f action=/next><input name=q value=1></form><script>
      let count = 0;
      f.addEventListener('submit', (event) => { if (count++ === 0) event.preventDefault(); });
      f.requestSubmit();
      setTimeout(() => { console.log('kept'); f.requestSubmit(); });
      </script>`,
    '/next': say("'next', location.search, document.referrer !== ''"),
  });
  assert.deepStrictEqual(lines, ['kept', 'next ?q=1 true']);
  assert.deepStrictEqual(seen.map(({ url }) => url), ['/', '/next?q=1']);
});

test('windows and frames are found by their names', async () => {
  const { lines } = await run({
    '/': `<body><iframe name=inner></iframe><a id=link href=/linked target=inner></a><script>
      const frame = document.querySelector('iframe');
      (async () => {
        const loaded = () => new Promise((resolve) => { frame.addEventListener('load', resolve, { once: true }); });
        let wait = loaded();
        open('/opened', 'inner');
        await wait;
        console.log(frame.contentWindow.location.pathname);
        wait = loaded();
        link.click();
        await wait;
        console.log(frame.contentWindow.location.pathname);
        const first = open('', 'own');
        console.log(open('', 'own') === first, open('', '_self') === window, open('about:blank', 'x', 'noopener'));
        window.close();
      })();
      </script>`,
    '/opened': 'a', '/linked': 'b',
  });
  assert.deepStrictEqual(lines, ['/opened', '/linked', 'true true null']);
});

test('a frame of another origin that goes on keeps its parent, and hears messages', async () => {
  const { lines } = await run({
    '/': `<body><iframe src=OTHER/first></iframe><script>
      const frame = document.querySelector('iframe');
      onmessage = ({ data }) => {
        console.log(data);
        if (data === 'second true') frame.contentWindow.postMessage('hello', '*');
        if (data === 'heard hello') window.close();
      };
      </script>`,
    '/first': "<script>parent.postMessage('first', '*'); location.href = '/second';</script>",
    '/second': "<script>parent.postMessage(`second ${parent !== window}`, '*'); onmessage = ({ data }) => parent.postMessage(`heard ${data}`, '*');</script>",
  });
  assert.deepStrictEqual(lines, ['first', 'second true', 'heard hello']);
});

test('an address brings no code to a window of another origin', async () => {
  const { lines } = await run({
    '/': `<body><iframe src=OTHER/victim></iframe><form id=f target=t action="javascript:parent.postMessage('form', '*')"></form><a id=a target=t href="javascript:parent.postMessage('link', '*')"></a><script>
      const frame = document.querySelector('iframe');
      frame.name = 't';
      onmessage = ({ data }) => console.log('ran', data);
      frame.addEventListener('load', () => {
        const code = 'javascript:parent.postMessage(document.cookie, "*")';
        const ways = { assign() { frame.contentWindow.location = code; }, href() { frame.contentWindow.location.href = code; }, replace() { frame.contentWindow.location.replace(code); }, spaces() { frame.contentWindow.location = ' java\\tscript:parent.postMessage(1, "*")'; } };
        for (const name of Object.keys(ways)) {
          try {
            ways[name]();
            console.log(name, 'done');
          } catch (error) {
            console.log(name, error.name, error instanceof DOMException);
          }
        }
        f.submit();
        a.click();
        frame.contentWindow.postMessage('end', '*');
        onmessage = ({ data }) => { console.log(data); window.close(); };
      }, { once: true });
      </script>`,
    '/victim': "<script>document.cookie = 'victim=1'; onmessage = () => setTimeout(() => parent.postMessage('nothing ran', '*'));</script>",
  });
  assert.deepStrictEqual(lines, ['assign SecurityError true', 'href SecurityError true', 'replace SecurityError true', 'spaces SecurityError true', 'nothing ran']);
});

test('images load with their size, and fire their events', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAFUlEQVR4nGP438DwH4QZYABDgCAAACWqCfloR9hqAAAAAElFTkSuQmCC', 'base64');
  const { lines } = await run({
    '/': `<body><img id=good src=/good.png><img id=bad src=/none.png><img id=broken src=/broken.png><script>
      for (const image of document.images) image.onload = image.onerror = ({ type }) => console.log(image.id, type, image.naturalWidth, image.complete);
      onload = () => {
        const canvas = document.createElement('canvas');
        const context = canvas.getContext('2d');
        context.drawImage(good, 0, 0, 8, 8);
        const { data } = context.getImageData(3, 3, 2, 1);
        console.log('load', data.join());
        const again = new Image();
        again.onload = () => { console.log('again', again.naturalHeight); window.close(); };
        again.src = canvas.toDataURL();
      };
      </script>`,
    '/good.png': png, '/broken.png': png.subarray(0, 50),
  });
  assert.deepStrictEqual(lines.slice(0, 3).toSorted(), ['bad error 0 true', 'broken error 0 true', 'good load 4 true']);
  assert.deepStrictEqual(lines.slice(3), ['load 255,128,0,255,0,0,0,0', 'again 150']);
});

test('constructors, prototypes and errors are the page\'s own', async () => {
  const { lines } = await run({
    '/': `<body><script>
      const foreign = [];
      for (const name of Object.getOwnPropertyNames(window)) {
        const value = window[name];
        if (typeof value !== 'function') continue;
        if (!(value instanceof Function)) foreign.push(name);
        let last = value.prototype;
        while (last && Object.getPrototypeOf(last)) last = Object.getPrototypeOf(last);
        if (last && last !== Object.prototype) foreign.push(name + '.prototype');
      }
      console.log('foreign:', foreign.join());
      const thrown = (steps) => { try { steps(); } catch (error) { return error; } };
      console.log([() => new Headers({ 'a b': '1' }), () => new Request('x', { method: 'CONNECT' }), () => Headers.prototype.get.call({}, 'x')].every((steps) => thrown(steps) instanceof TypeError),
        [() => new Response('', { status: 99 }), () => Response.redirect('x', 99)].every((steps) => thrown(steps) instanceof RangeError));
      console.log(new Request('x').headers instanceof Headers, new Response('x') instanceof Object, document.createElement instanceof Function, alert.constructor === Function);
      window.close();
      </script>`,
  });
  assert.deepStrictEqual(lines, ['foreign: ', 'true true', 'true true true true']);
});

test('a window of another origin has the properties that the Standard names, and no others', async () => {
  const { lines } = await run({
    '/': `<body><iframe src=OTHER/other></iframe><script>
      onload = () => {
        const target = document.querySelector('iframe').contentWindow;
        const shape = (object) => Reflect.ownKeys(object).map((key) => {
          const { value, get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(object, key);
          for (const made of [value, get, set]) if (typeof made === 'function' && !(made instanceof Function)) console.log('foreign', key);
          return String(key) + [value, get, set].map((made) => (typeof made === 'function' ? ' ' + made.name + '/' + made.length : '')).join('') + (enumerable ? ' enumerable' : '') + (configurable ? '' : ' fixed');
        }).join(', ');
        console.log(shape(target));
        console.log(shape(target.location));
        const name = (steps) => { try { return String(steps()); } catch (error) { return error.name; } };
        console.log(name(() => 'document' in target), name(() => Object.getOwnPropertyDescriptor(target, 'document')), name(() => { target.x = 1; }), name(() => delete target.close),
          name(() => Object.defineProperty(target, 'x', {})), name(() => Object.preventExtensions(target)), name(() => Object.setPrototypeOf(target, {})), name(() => target.location.href), name(() => target[0]));
        console.log(Object.getPrototypeOf(target), Object.isExtensible(target), target.close === target.close, target.then, Object.keys(target).length, 'location' in target);
        Promise.resolve(target).then((value) => { console.log(value === target); window.close(); });
      };
      </script>`,
    '/other': 'other',
  });
  const absent = 'then, Symbol(Symbol.toStringTag), Symbol(Symbol.hasInstance), Symbol(Symbol.isConcatSpreadable)';
  const getters = (...names) => names.map((name) => `${name} get ${name}/0`).join(', ');
  assert.deepStrictEqual(lines, [
    `${getters('window', 'self')}, location get location/0 set location/1, close close/0, ${getters('closed')}, focus focus/0, blur blur/0, ${getters('frames', 'length', 'top', 'opener', 'parent')}, postMessage postMessage/1, ${absent}`,
    `href set href/1, replace replace/1, ${absent}`,
    'SecurityError SecurityError SecurityError SecurityError SecurityError TypeError TypeError SecurityError SecurityError',
    'null true true undefined 0 true',
    'true',
  ]);
});
