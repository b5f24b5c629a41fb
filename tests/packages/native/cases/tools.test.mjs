// Tools over native addons, each as a program: vite 8 (build, and a server with a change told to its page), vitest 4, jest 30.
import assert from 'node:assert';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createServer } from 'vite';

const run = promisify(execFile);
const folder = fs.mkdtempSync(path.join(import.meta.dirname, 'tools-')); // below node_modules of the packages
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);
const modules = path.join(import.meta.dirname, '../node_modules');
const tool = (name, ...args) => run(process.execPath, [path.join(modules, name), ...args], { cwd: folder, env: { ...process.env, CI: '1', NO_COLOR: '1' } });

write('package.json', '{ "type": "module" }');
write('index.html', '<html><body><script type="module" src="/main.js"></script></body></html>');
write('main.js', 'import { a } from "./other.js"; import "./look.css"; document.body.append(a)');
write('other.js', 'export const a = import.meta.env.MODE, unused = 2');
write('look.css', 'body { color : red }');

await tool('vite/bin/vite.js', 'build', '--logLevel', 'error');
const [script] = fs.readdirSync(path.join(folder, 'dist/assets')).filter((name) => name.endsWith('.js'));
assert.match(fs.readFileSync(path.join(folder, 'dist/assets', script), 'utf8'), /document\.body\.append\([`"']production[`"']\)/);

const server = await createServer({ root: folder, configFile: false, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } });
await server.listen();
const { port } = server.httpServer.address();
const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
assert.match(page, /\/@vite\/client/);
assert.match(await (await fetch(`http://127.0.0.1:${port}/main.js`)).text(), /from "\/other\.js/);
assert.match(await (await fetch(`http://127.0.0.1:${port}/other.js`)).text(), /export const a/);
const socket = new WebSocket(`ws://127.0.0.1:${port}/?token=${server.config.webSocketToken}`, 'vite-hmr');
const told = new Promise((resolve, reject) => {
  socket.onerror = () => reject(new Error('no socket'));
  socket.onmessage = ({ data }) => {
    const { type } = JSON.parse(data);
    if (type === 'connected') write('other.js', 'export const a = 3');
    else resolve(type);
  };
});
assert.match(await told, /update|full-reload/);
socket.close();
await server.close();

write('sum.test.js', `import { expect, test, vi } from 'vitest';
test('adds', () => expect(1 + 2).toBe(3));
test('mocks', () => { const f = vi.fn(() => 4); expect(f()).toBe(4); expect(f).toHaveBeenCalledTimes(1); });
test.fails('fails', () => expect(1).toBe(2));`);
assert.match((await tool('vitest/vitest.mjs', 'run', 'sum.test.js')).stdout, /Tests +2 passed \| 1 expected fail \(3\)/);

write('jest.config.cjs', 'module.exports = { testMatch: ["**/*.spec.cjs"], transform: {} }');
write('sum.spec.cjs', `test('adds', () => expect(1 + 2).toBe(3));
test('rejects', async () => { await expect(Promise.reject(new Error('no'))).rejects.toThrow('no'); });`);
assert.match((await tool('jest/bin/jest.js', '--rootDir', folder)).stderr, /Tests: +2 passed, 2 total/);
process.exit();
