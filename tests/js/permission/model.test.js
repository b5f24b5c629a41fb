// --permission: process.permission.has and drop, wildcards, errors, audit mode, diagnostics channels, what children and workers inherit.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'model')));
process.on('exit', () => fs.rmSync(root, { recursive: true, force: true }));
fs.mkdirSync(path.join(root, 'a b'));
fs.writeFileSync(path.join(root, 'file'), 'text');
fs.writeFileSync(path.join(root, 'app.js'), 'console.log("app", process.permission.has("fs.read", __filename))');
fs.symlinkSync(path.join(root, 'app.js'), path.join(root, 'link.js'));

const env = { ...process.env };
delete env.NODE_OPTIONS;
function rondo(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: root, env });
  return { status, out: stdout.trim(), err: stderr };
}
const evaluated = (options, code) => {
  const { status, out, err } = rondo('--no-warnings', ...options, '-e', code);
  assert.strictEqual(status, 0, err);
  return out;
};

// Without the option there is nothing.
assert.strictEqual(process.permission, undefined);
assert.strictEqual(rondo('-p', 'Object.isFrozen(require("path"))').out, 'false');

// What has() says of scopes and paths.
{
  const options = [
    '--permission', '--allow-fs-read=/tmp/*', '--allow-fs-read=/example/foo*', '--allow-fs-read', '/slown', '--allow-fs-read=/home/*.js',
    `--allow-fs-write=${root}`, '--allow-child-process',
  ];
  const asked = {
    '/tmp': true, '/tmp/': true, '/tmp/x/y': true, '/tmpx': false, '/example/foo': true, '/example/foo2/x': true, '/example/for': false,
    '/slown': true, '/slow': false, '/slown/x': false, '/home/other.md': true, '/tmp/../etc': false, '/tmp/../tmp/x': true, '': false,
  };
  const said = evaluated(options, `console.log(JSON.stringify(${JSON.stringify(Object.keys(asked))}.map((p) => process.permission.has('fs.read', p))))`);
  assert.deepStrictEqual(JSON.parse(said), Object.values(asked));
  const scopes = ['fs', 'fs.read', 'fs.write', 'child', 'worker', 'net', 'addon', 'wasi', 'inspector', 'ffi', 'openssl.store', 'FileSystemRead', 'x'];
  const held = evaluated(options, `console.log(${JSON.stringify(scopes)}.filter((s) => process.permission.has(s)).join())`);
  assert.strictEqual(held, 'child');
  assert.strictEqual(evaluated(options, 'console.log(process.permission.has("fs.write", "new"), process.permission.has("fs.write", Buffer.from("/x")))'), 'true false');
  assert.match(evaluated(options, 'try { process.permission.has(1) } catch (e) { console.log(e.code) }'), /ERR_INVALID_ARG_TYPE/);
}

// The file that runs may be read, by a link too; what it needs must be granted.
assert.strictEqual(rondo('--permission', 'app.js').out, 'app true');
assert.strictEqual(rondo('--permission', 'link.js').out, 'app true');
assert.match(rondo('--permission', '-e', 'require("./app.js")').err, /^Error: Access to this API has been restricted\. Use --allow-fs-read/m);

// The error.
{
  const error = JSON.parse(evaluated(['--permission'], `
    try { require('fs').readFileSync('file') } catch (e) { console.log(JSON.stringify({ ...e, message: e.message, isError: e instanceof Error })) }`));
  assert.deepStrictEqual(error, {
    code: 'ERR_ACCESS_DENIED', permission: 'FileSystemRead', resource: 'file', isError: true,
    message: 'Access to this API has been restricted. Use --allow-fs-read to manage permissions.',
  });
}

// drop(): of all, of one, and not of a part.
assert.strictEqual(evaluated(['--permission', '--allow-fs-read=/a', '--allow-fs-read=/b', '--allow-net'], `
  const { has, drop } = process.permission;
  drop('fs.read', '/b/part');
  const before = [has('fs.read', '/a'), has('fs.read', '/b')];
  drop('fs.read', '/a');
  const after = [has('fs.read', '/a'), has('fs.read', '/b')];
  drop('fs.read');
  drop('net');
  drop('unknown');
  console.log([...before, ...after, has('fs.read', '/b'), has('net')].join());
`), 'true,true,false,true,false,false');
assert.strictEqual(evaluated(['--permission', '--allow-fs-read=*'], `
  process.permission.drop('fs.read', '/a');
  console.log(process.permission.has('fs.read', '/a'));
  process.permission.drop('fs');
  console.log(process.permission.has('fs.read', '/a'));
`), 'true\nfalse');

// Audit: told, and done. Memory that a listener takes away meanwhile is not used.
assert.strictEqual(evaluated(['--permission-audit'], `
  const dc = require('diagnostics_channel');
  const fs = require('fs');
  const told = [];
  dc.subscribe('node:permission-model:fs', ({ permission, resource, drop }) => told.push([permission, require('path').basename(resource), drop]));
  dc.subscribe('node:permission-model:net', ({ permission }) => told.push([permission]));
  fs.readFileSync('file');
  const data = new Uint8Array(1 << 16).fill(97);
  dc.subscribe('node:permission-model:fs', () => { if (data.byteLength) structuredClone(data.buffer, { transfer: [data.buffer] }); });
  fs.writeFileSync('written', data);
  process.permission.drop('fs.read', '/x');
  require('net').createServer().listen(0, '127.0.0.1', function() {
    this.close();
    console.log(JSON.stringify(told), fs.statSync('written').size);
  });
`), '[["FileSystemRead","file",null],["FileSystemWrite","written",null],["FileSystemRead","x",true],["Net"],["Net"]] 0');

// Children: the rights that are left, in NODE_OPTIONS, with names that have blanks; a child that has its own keeps them.
{
  const script = `
    const { execFileSync } = require('child_process');
    process.permission.drop('net');
    const says = 'console.log(["fs.read", "net", "child"].map((s) => process.permission.has(s, "${root}/a b/x")).join())';
    const run = (args, options) => execFileSync(process.execPath, [...args, '-e', says], { encoding: 'utf8', ...options }).trim();
    console.log(run(['--no-warnings']), run(['--no-warnings', '--permission']),
                run([], { env: { NODE_OPTIONS: '--no-warnings --title=--permission' } }), process.env.NODE_OPTIONS);`;
  const options = ['--permission', `--allow-fs-read=${root}/a b`, '--allow-child-process', '--allow-net'];
  const lib = env.RONDO_LIB ? [`--allow-fs-read=${env.RONDO_LIB}`] : [];
  assert.strictEqual(evaluated([...options, ...lib], script), 'true,false,true false,false,false true,false,true undefined');
}

// Workers have their owner's rights, without options of their own too, and cannot get more.
assert.strictEqual(evaluated(['--permission', '--allow-worker', `--allow-fs-read=${root}`], `
  const { Worker } = require('worker_threads');
  const code = 'require("worker_threads").parentPort.postMessage([process.permission.has("fs.read", "${root}/file"), process.permission.has("fs.write")])';
  const ask = (options) => new Promise((resolve) => new Worker(code, { eval: true, ...options }).on('message', resolve));
  (async () => {
    console.log(JSON.stringify([await ask(), await ask({ execArgv: [] }), await ask({ env: {} })]));
    try { new Worker(code, { eval: true, execArgv: ['--allow-fs-write=*'] }) } catch (e) { console.log(e.code) }
    process.permission.drop('fs.read');
    console.log(JSON.stringify(await ask()));
  })();
`), '[[true,false],[true,false],[true,false]]\nERR_WORKER_INVALID_EXEC_ARGV\n[false,false]');

// A worker drops for itself alone.
assert.strictEqual(evaluated(['--permission', '--allow-worker', `--allow-fs-read=${root}`], `
  const { Worker } = require('worker_threads');
  const code = 'process.permission.drop("fs.read"); require("worker_threads").parentPort.postMessage(process.permission.has("fs.read", "${root}/file"))';
  new Worker(code, { eval: true }).on('message', (has) => console.log(has, process.permission.has('fs.read', '${root}/file')));
`), 'false true');

// A link that is granted by its own name is followed; what it leads to is not granted by another name.
assert.strictEqual(evaluated(['--permission', `--allow-fs-read=${root}/link.js`], `
  const fs = require('fs');
  console.log(fs.readFileSync('link.js', 'utf8').length > 0, (() => { try { fs.readFileSync('app.js') } catch (e) { return e.code } })());
`), 'true ERR_ACCESS_DENIED');

// fsync and its like are refused altogether, but not by an audit.
{
  const sync = `const fs = require('fs'); const fd = fs.openSync('file');
    console.log(['fsyncSync', 'fdatasyncSync', 'fchmodSync'].map((name) => { try { fs[name](fd, 0o644); return 'done' } catch (e) { return e.code } }).join())`;
  assert.strictEqual(evaluated(['--permission-audit'], sync), 'done,done,done');
  assert.strictEqual(evaluated(['--permission', `--allow-fs-read=${root}`], sync), Array(3).fill('ERR_ACCESS_DENIED').join());
}

// What belongs together, and what is warned of.
assert.match(rondo('--allow-net', '-e', '1').err, /ERR_MISSING_OPTION.*--permission is required/s);
assert.match(rondo('--permission', '--allow-worker', '-e', '1').err, /\[PERM0006\] SecurityWarning: The flag --allow-worker must be used with extreme caution/);
assert.match(rondo('--permission', '--allow-fs-read=a,b', '-e', '1').err, /comma-separated list of paths is no longer valid/);
