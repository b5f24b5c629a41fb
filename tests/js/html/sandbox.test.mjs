// Sandboxing (https://html.spec.whatwg.org/#sandboxing) by the attribute of frames: what each flag refuses and what each keyword allows.
import assert from 'node:assert';
import { test } from 'node:test';
import { attempts, serve, tell, tools } from '../../fixtures/sandbox.mjs';

test('what a frame may do is what its keywords allow, whatever it presents', async () => {
  const home = 'http://127.0.0.1';
  const inner = `<title>inner</title><script>${tell} tell(${attempts});</script>`;
  const { lines } = await serve({
    '/inner': inner, '/empty.js': '',
    '/': `<title>outer</title><body><script>${tools}
      const kinds = { address: (frame) => { frame.src = '/inner'; }, text: (frame) => { frame.srcdoc = ${JSON.stringify(inner).replaceAll('</script', '<\\/script')}; } };
      (async () => {
        for (const kind of Object.keys(kinds)) {
          for (const tokens of [null, '', 'allow-scripts', 'ALLOW-SCRIPTS\\tallow-modals allow-popups', 'allow-scripts allow-same-origin', 'allow-same-origin', 'allow-scripts allow-same-origin allow-top-navigation allow-popups allow-modals']) {
            const { frame, result } = await show(tokens, kinds[kind]);
            console.log(JSON.stringify([kind, tokens, ...result]));
            frame.remove();
          }
        }
        window.close();
      })();
    </script>`,
  });
  const opaque = { origin: 'null', storage: 'SecurityError', cookie: 'SecurityError', database: 'SecurityError', around: 'SecurityError', dialog: 'null', popup: 'none', top: 'SecurityError', domain: 'SecurityError', worker: 'SecurityError' };
  const own = { storage: 'object', cookie: '', database: 'object', around: 'outer', dialog: 'null', popup: 'opened', top: 'went', domain: 'set', worker: 'object' };
  const boxed = { ...own, popup: 'none', top: 'SecurityError', domain: 'SecurityError' };
  const rows = lines.filter((line) => line.startsWith('["')).map((line) => JSON.parse(line)).map(([kind, tokens, words, seen, origin]) => {
    if (typeof words === 'object' && words.origin?.startsWith(home)) delete words.origin;
    return [kind, tokens, words, seen, origin?.startsWith(home) ? 'home' : origin];
  });
  for (const kind of ['address', 'text']) {
    assert.deepStrictEqual(rows.filter((row) => row[0] === kind).map((row) => row.slice(2)), [
      [own, 'reached', 'home'],
      ['silent', 'apart', undefined],
      [opaque, 'apart', 'null'],
      [{ ...opaque, popup: 'opened' }, 'apart', 'null'],
      [boxed, 'reached', 'home'],
      ['silent', 'reached', undefined],
      [{ ...own, domain: 'SecurityError' }, 'reached', 'home'],
    ], kind);
  }
  // A dialog is shown where it is allowed: by the frame without the attribute, and by two others, of each kind.
  assert.strictEqual(lines.filter((line) => line === '[prompt] x').length, 6);
});

test('scripts that are refused are refused in every form', async () => {
  const { lines, asked } = await serve({
    '/never.js': 'top.ran.push("script");', '/frame': { text: '<script>parent.postMessage("nested", "*")</script>' },
    '/inner': `<body onload="top.ran.push('handler')"><script>top.ran.push('inline')</script><script src="/never.js"></script><script type="module">top.ran.push('module')</script>
      <img src="/none.png" onerror="top.ran.push('error')"><a id=a href="javascript:top.ran.push('link')"></a><iframe src="javascript:top.ran.push('frame')"></iframe><iframe src="/frame"></iframe>
      <form id=f action="javascript:top.ran.push('form')"></form><button id=b onclick="top.ran.push('click')"></button><noscript><p id=n></p></noscript><svg onload="top.ran.push('svg')"></svg>`,
    '/': `<body><script>${tools}
      globalThis.ran = [];
      (async () => {
        const { frame } = await show('allow-same-origin allow-forms', (frame) => { frame.src = '/inner'; });
        const { contentDocument: inner, contentWindow: view } = frame;
        inner.getElementById('a').click();
        inner.getElementById('b').click();
        inner.getElementById('f').submit();
        inner.body.setAttribute('onclick', 'top.ran.push("set")');
        inner.body.click();
        view.location = 'javascript:top.ran.push("location")';
        const script = inner.createElement('script');
        script.textContent = 'top.ran.push("made")';
        inner.body.append(script);
        inner.body.addEventListener('x', () => ran.push('of the page outside'));
        inner.body.dispatchEvent(new Event('x'));
        await soon(200);
        console.log(JSON.stringify([ran, inner.getElementById('n') !== null, heard.length]));
        const { result } = await show('allow-scripts', (frame) => { frame.src = 'javascript:void parent.postMessage("runs", "*")'; }, false);
        console.log(JSON.stringify(result));
        window.close();
      })();
    </script>`,
  });
  assert.deepStrictEqual(JSON.parse(lines[0]), [['of the page outside'], true, 0]);
  assert.deepStrictEqual(JSON.parse(lines[1]), ['silent', 'apart']);
  assert.ok(!asked.includes('GET /never.js'));
});
