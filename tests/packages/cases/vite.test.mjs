// vite with Rollup as WebAssembly: a production build (TypeScript, CSS, JSON, a dynamic import, an asset), and the development server with its transforms.
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build, createServer } from 'vite';

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vite-')));
const files = {
  'index.html': '<!doctype html><html><head></head><body><script type="module" src="/main.ts"></script></body></html>',
  'main.ts': `import './style.css';
    import data from './data.json';
    import logo from './logo.svg?raw';
    const word: string = data.word;
    document.title = \`\${word} \${logo.length} \${import.meta.env.MODE}\`;
    import('./later').then(({ later }) => later(word));`,
  'later.ts': 'export function later(word: string): void { console.log("later", word); }',
  'data.json': '{"word":"Hello","unused":"this text is shaken off"}',
  'style.css': 'body { color: red; & p { margin: 0 } }',
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
for (const name of Object.keys(files)) fs.writeFileSync(path.join(root, name), files[name]);

try {
  await build({ root, logLevel: 'error', configFile: false, build: { sourcemap: true } });
  const built = fs.readdirSync(path.join(root, 'dist/assets')).sort();
  const one = (pattern) => built.find((name) => pattern.test(name));
  const main = fs.readFileSync(path.join(root, 'dist/assets', one(/^index-.*\.js$/)), 'utf8');
  assert.match(main, /Hello/);
  assert.doesNotMatch(main, /shaken off|: string/);
  assert.match(fs.readFileSync(path.join(root, 'dist/assets', one(/^later-.*\.js$/)), 'utf8'), /"later"/);
  assert.match(fs.readFileSync(path.join(root, 'dist/assets', one(/\.css$/)), 'utf8'), /body\{color:red/);
  assert.deepStrictEqual(JSON.parse(fs.readFileSync(path.join(root, 'dist/assets', one(/^index-.*\.js\.map$/)), 'utf8')).version, 3);
  assert.match(fs.readFileSync(path.join(root, 'dist/index.html'), 'utf8'), /<script type="module" crossorigin src="\/assets\/index-/);

  const server = await createServer({ root, logLevel: 'error', configFile: false, cacheDir: path.join(root, 'cache'), server: { host: '127.0.0.1', port: 0, ws: false }, optimizeDeps: { noDiscovery: true } });
  await server.listen();
  const base = `http://127.0.0.1:${server.httpServer.address().port}`;
  const get = async (name) => (await fetch(base + name)).text();
  assert.match(await get('/'), /@vite\/client/);
  assert.doesNotMatch(await get('/main.ts'), /: string/);
  assert.match(await get('/style.css'), /__vite__css/);
  const module = await server.ssrLoadModule('/later.ts');
  assert.strictEqual(typeof module.later, 'function');
  await server.close();
} finally {
  fs.rmSync(root, { recursive: true });
}
