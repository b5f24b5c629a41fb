// Sandboxing of what sandboxed documents open and contain, and by the header of an answer; the attribute's list of tokens.
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { run, serve, tell, tools } from '../../fixtures/sandbox.mjs';

test('forms, popups, and windows beside: refused, or inherited', async () => {
  const { lines, asked } = await serve({
    '/sent': 'sent', '/sent2': "<script>opener?.postMessage('posted', '*')</script>", '/elsewhere': 'elsewhere',
    '/popup': `<script>${tell} tell({ popup: origin, form: 'x' });</script><form id=f method=post action="/sent2"></form><script>f.submit()</script>`,
    '/form': `<form id=f method=post action="/sent"></form><script>${tell} f.submit(); f.requestSubmit(); tell('submitted');</script>`,
    '/link': `<a id=a target=_blank href="/elsewhere"></a><a id=t target=_top href="/elsewhere"></a><a id=s target=sibling href="/elsewhere"></a>
      <script>${tell} a.click(); t.click(); s.click(); tell([attempt(() => window.open('/elsewhere', '_top')), attempt(() => window.open('/elsewhere', 'sibling')), attempt(() => parent.frames.sibling.location = '/elsewhere')]);</script>`,
    '/opens': `<script>${tell} onmessage = ({ data }) => parent.postMessage({ passed: data }, '*'); const made = window.open('/popup'); tell(made === null ? 'none' : 'opened');</script>`,
    '/nested': `<body><iframe src="/deep"></iframe><script>onmessage = ({ data }) => parent.postMessage(data, '*')</script>`,
    '/deep': `<script>${tell} tell([origin, attempt(() => window.open('about:blank')), attempt(() => document.cookie)]);</script>`,
    '/': `<body><iframe name=sibling src="/empty"></iframe><script>${tools}
      (async () => {
        const at = (address) => (frame) => { frame.src = address; };
        const say = async (tokens, address, count = 1) => {
          const { frame } = await show(tokens, at(address));
          await until(() => heard.length >= count);
          await soon(150);
          console.log(JSON.stringify(heard.map(({ data }) => data)));
          frame.remove();
        };
        await say('allow-scripts', '/form');
        await say('allow-scripts allow-forms', '/form');
        await say('allow-scripts allow-same-origin', '/link');
        await say('allow-scripts allow-same-origin', '/opens');
        await say('allow-scripts allow-same-origin allow-popups', '/opens', 2);
        await say('allow-scripts allow-popups', '/opens', 2);
        await say('allow-scripts allow-popups allow-popups-to-escape-sandbox', '/opens', 3);
        await say('allow-scripts', '/nested');
        window.close();
      })();
    </script>`,
  });
  const rows = lines.map((line) => JSON.parse(line.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'home')));
  assert.deepStrictEqual(rows.slice(0, 4), [['submitted'], ['submitted'], [['null', 'null', 'SecurityError']], ['none']]);
  assert.deepStrictEqual(rows[4].toSorted(), ['opened', { passed: { popup: 'home', form: 'x' } }].toSorted());
  assert.deepStrictEqual(rows[5].map((row) => row.passed?.popup ?? row).toSorted(), ['null', 'opened']);
  assert.deepStrictEqual(rows[6].map((row) => row.passed?.popup ?? row.passed ?? row).toSorted(), ['home', 'opened', 'posted']);
  assert.deepStrictEqual(rows[7], [['null', 'null', 'SecurityError']]);
  assert.ok(asked.includes('POST /sent') && !asked.includes('GET /elsewhere'), asked.join());
  assert.strictEqual(asked.filter((request) => request === 'POST /sent2').length, 1); // of the popup that escapes
});

test('the header sandboxes a frame, a window and a page', async () => {
  const header = (value) => ({ 'content-security-policy': value });
  const words = `<script>${tell} tell([origin, attempt(() => document.cookie)]);</script>`;
  const { lines } = await serve({
    '/boxed': { text: words, headers: header("default-src *; sandbox allow-scripts; sandbox allow-same-origin") },
    '/mute': { text: words, headers: header('sandbox allow-same-origin') },
    '/report': { text: words, headers: { 'content-security-policy-report-only': 'sandbox' } },
    '/page': { text: `<script>console.log('page', origin, (() => { try { return document.cookie; } catch (error) { return error.name; } })()); window.close();</script>`, headers: header('sandbox allow-scripts, default-src *') },
    '/': `<body><script>${tools}
      (async () => {
        for (const address of ['/boxed', '/report']) console.log(JSON.stringify((await show(null, (frame) => { frame.src = address; })).result));
        const { frame, result } = await show('allow-same-origin', (frame) => { frame.src = '/mute'; });
        console.log(JSON.stringify(result));
        heard.length = 0;
        const made = window.open('/boxed');
        await until(() => heard.length > 0);
        let seen;
        try { seen = typeof made.document; } catch (error) { seen = error.name; }
        console.log(JSON.stringify([heard[0].data, seen, made.window === made]));
        made.close();
        location.href = '/page';
      })();
    </script>`,
  });
  const rows = lines.slice(0, 4).map((line) => JSON.parse(line.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'home')));
  assert.deepStrictEqual(rows, [
    [['null', 'SecurityError'], 'apart', 'null'], [['home', ''], 'reached', 'home'], ['silent', 'reached'], [['null', 'SecurityError'], 'SecurityError', true],
  ]);
  assert.strictEqual(lines[4], 'page null SecurityError');
});

test('iframe.sandbox is a list of tokens; a sandboxed page of a file is shown, and reads none', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-sandbox-'));
  fs.writeFileSync(path.join(folder, 'inner.html'), "<script>fetch('inner.html').then(() => 'read', () => 'refused').then((word) => parent.postMessage([origin, word], '*'))</script>");
  fs.writeFileSync(path.join(folder, 'page.html'), `<body><script>
    const frame = document.createElement('iframe');
    frame.sandbox = 'allow-scripts  x';
    frame.sandbox.add('allow-forms');
    console.log(frame.getAttribute('sandbox'), frame.sandbox.length, frame.sandbox.supports('allow-popups'), frame.sandbox.supports('x'), frame.sandbox === frame.sandbox);
    frame.setAttribute('sandbox', 'allow-scripts');
    console.log(frame.sandbox.value, frame.sandbox instanceof DOMTokenList);
    onmessage = ({ data }) => { console.log(...data, frame.contentDocument); window.close(); };
    frame.src = 'inner.html';
    document.body.append(frame);
  </script>`);
  const { lines } = await run(path.join(folder, 'page.html'));
  fs.rmSync(folder, { recursive: true });
  assert.deepStrictEqual(lines, ['allow-scripts x allow-forms 3 true false true', 'allow-scripts true', 'null refused null']);
});
