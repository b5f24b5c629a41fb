// node:wasi: the functions that a module imports, called on a memory: files and folders, links that must not leave the folder, clocks, waiting.
'use strict';

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
process.removeAllListeners('warning');
const { WASI } = require('node:wasi');

const kBadf = 8, kExist = 20, kInval = 28, kLoop = 32, kNoent = 44, kNotdir = 54, kNotempty = 55, kOverflow = 61, kNotcapable = 76;
const kAll = (1n << 29n) - 1n;
const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'rondo-wasi-'));
const inside = path.join(folder, 'inside');
fs.mkdirSync(inside);
fs.writeFileSync(path.join(folder, 'secret'), 'outside');
fs.writeFileSync(path.join(inside, 'input'), 'hello');
fs.symlinkSync('../secret', path.join(inside, 'escape'));
fs.symlinkSync('/etc/passwd', path.join(inside, 'absolute'));
fs.symlinkSync('input', path.join(inside, 'good'));
fs.symlinkSync('two', path.join(inside, 'one'));
fs.symlinkSync('one', path.join(inside, 'two'));
const output = fs.openSync(path.join(folder, 'output'), 'w+');

const wasi = new WASI({ version: 'preview1', args: ['a', 'bé'], env: { X: '1', Y: undefined }, preopens: { '/data': inside }, stdout: output });
const { wasiImport: f } = wasi;
assert.throws(() => f.fd_close(9), { code: 'ERR_WASI_NOT_STARTED' });
const memory = new WebAssembly.Memory({ initial: 1 });
wasi.finalizeBindings({ exports: { memory } });
assert.throws(() => wasi.finalizeBindings({ exports: { memory } }), { code: 'ERR_WASI_ALREADY_STARTED' });
let view = new DataView(memory.buffer);
const bytes = () => Buffer.from(memory.buffer);
const kText = 1000, kText2 = 2000, kOut = 3000;
const write = (text, at = kText) => bytes().write(text, at);
const u32 = (at = kOut) => view.getUint32(at, true);
const ok = (result) => assert.strictEqual(result, 0);
const is = (result, expected) => assert.strictEqual(result, expected);

ok(f.args_sizes_get(kOut, kOut + 4));
assert.deepStrictEqual([u32(), u32(kOut + 4)], [2, 6]);
ok(f.args_get(kOut, kText));
assert.strictEqual(bytes().toString('utf8', u32(kOut + 4), u32(kOut + 4) + 3), 'bé');
ok(f.environ_sizes_get(kOut, kOut + 4));
assert.deepStrictEqual([u32(), u32(kOut + 4)], [1, 4]);

ok(f.fd_prestat_get(3, kOut));
assert.deepStrictEqual([u32(), u32(kOut + 4)], [0, 5]);
ok(f.fd_prestat_dir_name(3, kText, 5));
assert.strictEqual(bytes().toString('utf8', kText, kText + 5), '/data');
is(f.fd_prestat_get(4, kOut), kBadf);
is(f.fd_prestat_get(0, kOut), kInval);

function open(name, { flags = 0, rights = kAll, lookup = 1, dir = 3, fdFlags = 0 } = {}) {
  const error = f.path_open(dir, lookup, kText, write(name), flags, rights, kAll, fdFlags, kOut);
  return error === 0 ? { fd: u32() } : { error };
}
function vectors(...lengths) {
  lengths.forEach((length, i) => {
    view.setUint32(100 + 8 * i, kText2 + 100 * i, true);
    view.setUint32(104 + 8 * i, length, true);
  });
  return [100, lengths.length];
}

// Reading, in two parts, from a place, behind a link; writing, appending, seeking.
const { fd } = open('good', { rights: 0x200006n });
ok(f.fd_read(fd, ...vectors(2, 10), kOut));
assert.strictEqual(u32(), 5);
assert.strictEqual(bytes().toString('utf8', kText2, kText2 + 2) + bytes().toString('utf8', kText2 + 100, kText2 + 103), 'hello');
ok(f.fd_pread(fd, ...vectors(3), 1n, kOut));
assert.strictEqual(bytes().toString('utf8', kText2, kText2 + 3), 'ell');
is(f.fd_write(fd, ...vectors(1), kOut), kNotcapable);
ok(f.fd_close(fd));
is(f.fd_close(fd), kBadf);
const made = open('new', { flags: 1 | 4 }).fd;
is(open('new', { flags: 1 | 4 }).error, kExist);
write('abcdef', kText2);
ok(f.fd_write(made, ...vectors(6), kOut));
ok(f.fd_seek(made, -2n, 1, kOut));
assert.strictEqual(view.getBigUint64(kOut, true), 4n);
ok(f.fd_pwrite(made, ...vectors(1), 8n, kOut));
ok(f.fd_tell(made, kOut));
assert.strictEqual(view.getBigUint64(kOut, true), 4n);
ok(f.fd_allocate(made, 0n, 20n));
ok(f.fd_filestat_get(made, kOut));
assert.deepStrictEqual([view.getUint8(kOut + 16), view.getBigUint64(kOut + 32, true)], [4, 20n]);
ok(f.fd_filestat_set_size(made, 6n));
ok(f.fd_filestat_set_times(made, 4_000_000_000n, 9_000_000_000n, 1 | 4));
is(f.fd_filestat_set_times(made, 0n, 0n, 1 | 2), kInval);
assert.strictEqual(fs.statSync(path.join(inside, 'new')).mtimeMs, 9000);
assert.strictEqual(fs.readFileSync(path.join(inside, 'new'), 'utf8'), 'abcdef');
ok(f.fd_fdstat_set_flags(made, 1));
ok(f.fd_fdstat_get(made, kOut));
assert.deepStrictEqual([view.getUint8(kOut), view.getUint16(kOut + 2, true)], [4, 1]);
ok(f.fd_fdstat_set_rights(made, 2n, 0n));
is(f.fd_fdstat_set_rights(made, 6n, 0n), kNotcapable);
is(f.fd_sync(made), kNotcapable);
ok(f.fd_renumber(made, 3 + 1));
is(f.fd_datasync(99), kBadf);

// Nothing outside of the folder, by no way.
for (const name of ['../secret', '/etc/passwd', 'escape', 'absolute', 'sub/../../secret', 'escape/x']) {
  is(open(name).error, kNotcapable);
  is(f.path_filestat_get(3, 1, kText, write(name), kOut), kNotcapable);
  is(f.path_unlink_file(3, kText, write(`../${name}`)), kNotcapable);
}
is(open('one').error, kLoop);
is(open('escape', { lookup: 0 }).error, kLoop);
is(open('none').error, kNoent);
is(open('').error, kNoent);
is(open('input/x').error, kNotdir);
is(f.path_symlink(kText, write('/etc/passwd'), 3, kText2, write('l', kText2)), kNotcapable);
is(f.path_rename(3, kText, write('input'), 3, kText2, write('../moved', kText2)), kNotcapable);
is(f.path_link(3, 0, kText, write('../secret'), 3, kText2, write('taken', kText2)), kNotcapable);

// Folders.
ok(f.path_create_directory(3, kText, write('sub')));
const sub = open('sub', { flags: 2 }).fd;
is(open('input', { flags: 2 }).error, kNotdir);
const child = open('child', { dir: sub, flags: 1 }).fd;
assert.ok(fs.existsSync(path.join(inside, 'sub/child')));
ok(f.fd_close(open('../input', { dir: sub, rights: 2n }).fd));
is(open('../../secret', { dir: sub, rights: 2n }).error, kNotcapable);
is(f.path_remove_directory(3, kText, write('sub')), kNotempty);
ok(f.fd_close(child));
ok(f.path_rename(sub, kText, write('child'), 3, kText2, write('moved', kText2)));
ok(f.path_link(3, 0, kText, write('moved'), 3, kText2, write('again', kText2)));
ok(f.path_symlink(kText, write('moved'), 3, kText2, write('link', kText2)));
ok(f.path_readlink(3, kText, write('link'), kText2, 3, kOut));
assert.deepStrictEqual([u32(), bytes().toString('utf8', kText2, kText2 + 3)], [3, 'mov']);
for (const name of ['moved', 'again', 'link']) ok(f.path_unlink_file(3, kText, write(name)));
ok(f.path_remove_directory(3, kText, write('sub')));
function names() {
  const found = [];
  for (let cookie = 0n; ; ) {
    ok(f.fd_readdir(3, kText2, 60, cookie, kOut));
    if (u32() === 0) return found.sort();
    const used = u32(), length = u32(kText2 + 16);
    if (24 + length > used) assert.fail('room for one entry');
    cookie = view.getBigUint64(kText2, true);
    found.push(`${bytes().toString('utf8', kText2 + 24, kText2 + 24 + length)}:${view.getUint8(kText2 + 20)}`);
  }
}
assert.deepStrictEqual(names(), ['absolute:7', 'escape:7', 'good:7', 'input:4', 'new:4', 'one:7', 'two:7']);

// Clocks, random bytes, waiting.
ok(f.clock_time_get(0, 0n, kOut));
const seconds = Number(view.getBigUint64(kOut, true) / 1_000_000_000n);
assert(Math.abs(seconds - Date.now() / 1000) < 100);
ok(f.clock_res_get(1, kOut));
is(f.clock_time_get(9, 0n, kOut), kInval);
ok(f.random_get(kText2, 32));
assert(bytes().subarray(kText2, kText2 + 32).some((byte) => byte !== 0));
ok(f.sched_yield());
const kIn = 4096, kEvents = 8192;
bytes().fill(0, kIn, kEvents + 200);
view.setBigUint64(kIn, 7n, true);
view.setUint32(kIn + 16, 1, true);
view.setBigUint64(kIn + 24, 20_000_000n, true);
const before = performance.now();
ok(f.poll_oneoff(kIn, kEvents, 1, kOut));
assert(performance.now() - before >= 19);
assert.deepStrictEqual([u32(), view.getBigUint64(kEvents, true), view.getUint8(kEvents + 10)], [1, 7n, 0]);
view.setUint8(kIn + 8, 2);
view.setUint32(kIn + 16, 1, true);
view.setUint8(kIn + 48 + 8, 1);
view.setUint32(kIn + 48 + 16, 77, true);
ok(f.poll_oneoff(kIn, kEvents, 2, kOut));
assert.deepStrictEqual([u32(), view.getUint8(kEvents + 10), view.getUint16(kEvents + 32 + 8, true)], [2, 2, kBadf]);
is(f.poll_oneoff(kIn, kEvents, 0, kOut), kInval);
// The other end of standard input writes no more: readable, with the hangup flag.
const polls = `const { WASI } = require('node:wasi');
const memory = new WebAssembly.Memory({ initial: 1 });
const wasi = new WASI({ version: 'preview1' });
wasi.finalizeBindings({ exports: { memory } });
const view = new DataView(memory.buffer);
view.setUint8(8, 1);
const error = wasi.wasiImport.poll_oneoff(0, 100, 1, 200);
console.log(error, view.getUint32(200, true), view.getUint16(108, true), view.getUint16(124, true));`;
assert.strictEqual(spawnSync(process.execPath, ['--no-warnings', '-e', polls], { encoding: 'utf8' }).stdout, '0 1 0 1\n');

// Arguments of wrong types, places outside of the memory, memory that grew.
is(f.fd_close(), kInval);
is(f.fd_close('3'), kInval);
is(f.fd_seek(3, 0, 0, 0), kInval);
is(f.fd_read(4, 0xfffffff0, 1, kOut), kOverflow);
is(f.args_get(0xffffffff, 0), kOverflow);
is(f.fd_filestat_get(3, 65536 - 10), kOverflow);
is(f.sock_accept(50, 0, kOut), kBadf);
memory.grow(1);
view = new DataView(memory.buffer);
ok(f.fd_filestat_get(3, 65536 + 8));
assert.strictEqual(view.getUint8(65536 + 24), 3);
write('out', kText2);
ok(f.fd_write(1, ...vectors(3), kOut));
assert.strictEqual(fs.readFileSync(path.join(folder, 'output'), 'utf8'), 'out');

// Options; the end; what --permission says.
for (const options of [{ version: 'preview2' }, { version: 'preview1', args: 5 }, { version: 'preview1', stdin: -1 }, {}]) {
  assert.throws(() => new WASI(options), /ERR_INVALID_ARG|ERR_OUT_OF_RANGE/);
}
assert.throws(() => new WASI({ version: 'preview1', preopens: { '/': path.join(folder, 'none') } }), { code: 'UVWASI_ENOENT' });
const exits = new WASI({ version: 'preview1' });
assert.strictEqual(exits.start({ exports: { memory, _start: () => exits.wasiImport.proc_exit(42) } }), 42);
const text = `new (require('wasi').WASI)({ version: 'preview1' })`;
const run = (...args) => spawnSync(process.execPath, [...args, '-e', text], { encoding: 'utf8' });
assert.match(run('--permission').stderr, /ERR_ACCESS_DENIED/);
assert.strictEqual(run('--permission', '--allow-wasi').status, 0);
fs.closeSync(output);
fs.rmSync(folder, { recursive: true });
