// archiver: a zip and a gzipped tar from texts, streams and files; python3's own readers check what came out, where there is one.
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { TarArchive, ZipArchive } from 'archiver';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'archiver-'));
const long = 'line\n'.repeat(50_000);
try {
  fs.writeFileSync(path.join(folder, 'file.txt'), 'from a file');
  for (const [name, archive] of [['a.zip', new ZipArchive({ zlib: { level: 9 } })], ['a.tar.gz', new TarArchive({ gzip: true })]]) {
    archive.append('a text', { name: 'text.txt' });
    archive.append(Readable.from([long]), { name: 'dir/long.txt' });
    archive.file(path.join(folder, 'file.txt'), { name: 'file.txt' });
    const written = pipeline(archive, fs.createWriteStream(path.join(folder, name)));
    await archive.finalize();
    await written;
  }
  const list = (file) => spawnSync('python3', ['-c', `
import sys, tarfile, zipfile
names = {}
if sys.argv[1].endswith('zip'):
    z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
    names = {n: len(z.read(n)) for n in z.namelist() if not n.endswith('/')}
else:
    t = tarfile.open(sys.argv[1]); names = {m.name: len(t.extractfile(m).read()) for m in t.getmembers() if m.isfile()}
print(sorted(names.items()))`, file], { encoding: 'utf8' });
  for (const name of ['a.zip', 'a.tar.gz']) {
    const { stdout, stderr } = list(path.join(folder, name));
    assert.strictEqual(stdout.trim(), `[('dir/long.txt', ${long.length}), ('file.txt', 11), ('text.txt', 6)]`, stderr);
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}
