// Files that a library opens for the program: SQLite's databases by computed names, its temporary files and super-journals, and sockets by paths. Under
// --permission each is held to the program's rights; without it the same program does most of it, so that the list means something.
'use strict';

const assert = require('assert');
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'others')));
process.on('exit', () => fs.rmSync(root, { recursive: true, force: true }));

// Each row answers with what it did, or throws.
const program = path.join(root, 'program.js');
fs.writeFileSync(program, `'use strict';
const fs = require('fs');
const { DatabaseSync, backup } = require('node:sqlite');
const [, , own, other] = process.argv;
const memory = () => new DatabaseSync(':memory:');
const kMagic = 'd9d505f920a163d7';

// A database with a journal that says: its changes are part of a transaction that is listed in \`victim\`.
function forge(victim, system = '', use = (place) => new DatabaseSync(place).prepare('SELECT count(*) FROM t').all()) {
  const file = own + '/forged.db';
  const made = new DatabaseSync(file);
  made.exec('CREATE TABLE t (a)');
  made.close();
  const head = Buffer.alloc(512);
  head.write(kMagic, 'hex');
  [0, 1, 2, 512, 4096].forEach((number, index) => head.writeUInt32BE(number, 8 + index * 4));
  const name = Buffer.from(victim);
  const tail = Buffer.alloc(name.length + 20);
  tail.writeUInt32BE(0x40000000 / 4096 + 1);
  name.copy(tail, 4);
  tail.writeUInt32BE(name.length, name.length + 4);
  tail.writeInt32BE(name.reduce((sum, byte) => (sum + byte) | 0, 0), name.length + 8);
  tail.write(kMagic, name.length + 12, 'hex');
  fs.writeFileSync(file + '-journal', Buffer.concat([head, tail]));
  return use('file:' + file + system);
}
// Is there a file of this process in the folder, however short it lives?
const opened = (folder) => fs.readdirSync('/proc/self/fd').some((fd) => {
  try { return fs.readlinkSync('/proc/self/fd/' + fd).startsWith(folder); } catch { return false; }
});
function spill(database, steps = '') {
  database.exec(steps + 'PRAGMA cache_size = 1; CREATE TEMP TABLE t (a)');
  for (let i = 0; i < 3000; i++) database.exec('INSERT INTO t VALUES (randomblob(1000))');
  return opened(other);
}
const rows = {
  'ATTACH by a parameter': () => memory().prepare('ATTACH ? AS x').run(other + '/data.db'),
  'ATTACH by an expression': () => memory().exec(\`ATTACH '\${other}' || '/data.db' AS x\`),
  'ATTACH that makes a file': () => memory().exec(\`ATTACH '\${other}' || '/made.db' AS x; CREATE TABLE x.t (a)\`),
  'ATTACH with another system': () => memory().exec(\`ATTACH 'file:\${other}/data.db?vfs=unix-none' AS x\`),
  'ATTACH with an authorizer': () => { const used = memory(); used.setAuthorizer(() => 0); used.prepare('ATTACH ? AS x').run(other + '/data.db'); },
  'VACUUM INTO an expression': () => memory().exec(\`CREATE TABLE t (a); VACUUM INTO '\${other}' || '/vacuumed.db'\`),
  'folder of temporary files': () => spill(memory(), \`PRAGMA temp_store_directory = '\${other}'; PRAGMA temp_store = 1;\`),
  'a forged super-journal': () => forge(other + '/victim'),
  'a forged super-journal by another system': () => forge(other + '/victim', '?vfs=unix-none'),
  'a forged super-journal and an escaped system': () => forge(other + '/victim', '?mode=rw&%76f%73%00x=unix-none#x'),
  'a forged super-journal of an attached database': () => forge(other + '/victim', '', (place) => { const used = memory(); used.exec(\`ATTACH '\${place}' AS x\`); used.prepare('SELECT * FROM x.t').all(); }),
  'a forged super-journal of a backup': () => forge(other + '/victim', '', async (place) => { const used = memory(); used.exec('CREATE TABLE t (a)'); await backup(used, place); }),
  'a backup by another system': () => forge(other + '/victim', '?vfs=unix-none', async (place) => { const used = memory(); used.exec('CREATE TABLE t (a)'); await backup(used, place); }),
  'listening on a path': () => new Promise((resolve, reject) => { const server = require('net').createServer().listen(other + '/socket', () => server.close(resolve)).on('error', reject); }),
  'served on a path': () => new Promise((resolve, reject) => { const server = require('http').createServer().listen({ path: other + '/socket' }, () => server.close(resolve)).on('error', reject); }),
  // These are within the rights.
  'own: temporary tables': () => { if (spill(memory()) && process.permission) throw new Error('a temporary file'); },
  'own: a database without a name': () => { const used = new DatabaseSync(''); used.exec('CREATE TABLE main.t (a); INSERT INTO t VALUES (1)'); return used.prepare('SELECT a FROM t').get().a === 1; },
  'own: ATTACH': () => { const used = memory(); used.exec(\`ATTACH '\${own}/a.db' AS x; ATTACH '' AS y; ATTACH ':memory:' AS z; CREATE TABLE x.t (a); CREATE TABLE y.t (a)\`); return 'done'; },
  'own: a transaction over two files': () => {
    const used = new DatabaseSync(own + '/b.db');
    used.exec(\`ATTACH '\${own}/c.db' AS c; CREATE TABLE main.t (a); CREATE TABLE c.t (a); BEGIN; INSERT INTO main.t VALUES (1); INSERT INTO c.t VALUES (2); COMMIT\`);
    return used.prepare('SELECT (SELECT a FROM main.t) + (SELECT a FROM c.t) AS sum').get().sum === 3;
  },
  'own: backup and VACUUM': async () => { const used = new DatabaseSync(own + '/d.db'); used.exec('CREATE TABLE t (a); VACUUM'); await backup(used, own + '/e.db'); return fs.existsSync(own + '/e.db'); },
  'own: a write-ahead log': () => { const used = new DatabaseSync(own + '/f.db'); used.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)'); used.close(); return 'done'; },
  'own: listening on a path': () => new Promise((resolve, reject) => { const server = require('net').createServer().listen(own + '/socket', () => server.close(resolve)).on('error', reject); }),
};
(async () => {
  for (const name of Object.keys(rows)) {
    for (const file of fs.readdirSync(own)) if (file.startsWith('forged')) fs.rmSync(own + '/' + file);
    if (!process.permission) fs.writeFileSync(other + '/victim', 'x');
    try { await rows[name](); console.log(name + (process.permission || fs.existsSync(other + '/victim') ? ': done' : ': deleted')); } catch (error) { console.log(name + ': ' + error.code); }
  }
})();
`);

function run(options) {
  const folders = ['own', 'other'].map((name) => path.join(root, name));
  for (const folder of folders) {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder);
  }
  const [own, other] = folders;
  spawnSync(process.execPath, ['-e', `new (require('node:sqlite').DatabaseSync)('${other}/data.db').exec('CREATE TABLE t (a)')`]);
  fs.writeFileSync(path.join(other, 'victim'), 'x');
  const env = { ...process.env, SQLITE_TMPDIR: other };
  delete env.NODE_OPTIONS;
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', ...options(own), program, own, other], { encoding: 'utf8', env });
  const results = stdout.trim().split('\n').map((line) => line.split(': '));
  assert.ok(results.length === 22, stderr);
  const [within, beyond] = [true, false].map((isOwn) => results.filter(([first]) => (first === 'own') === isOwn).map((parts) => parts.at(-1)));
  return { within, beyond, left: fs.readdirSync(other).sort() };
}

{
  const { within, beyond, left } = run((own) => ['--permission', '--allow-net', '--allow-fs-read=/proc/self', `--allow-fs-read=${own}`, `--allow-fs-write=${own}`]);
  assert.deepStrictEqual(within, Array(7).fill('done'));
  assert.deepStrictEqual(beyond, [
    ...Array(6).fill('ERR_ACCESS_DENIED'), ...Array(2).fill('ERR_SQLITE_ERROR'), ...Array(2).fill('ERR_ACCESS_DENIED'), ...Array(2).fill('ERR_SQLITE_ERROR'), ...Array(3).fill('ERR_ACCESS_DENIED'),
  ]);
  assert.deepStrictEqual(left, ['data.db', 'victim']);
}
{
  const { within, beyond, left } = run(() => []);
  assert.deepStrictEqual([...within, ...beyond].filter((result) => result !== 'done'), Array(6).fill('deleted'));
  assert.deepStrictEqual(left, ['data.db', 'made.db', 'vacuumed.db', 'victim']);
}
