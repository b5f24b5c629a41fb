// natives: none
// --perf-basic-prof: /tmp/perf-PID.map, from which `perf report` names compiled functions. The engine writes a log of its code
// (jit-PID.dump, the form of --perf-prof); the map is made of it when the program ends.
'use strict';

const kFileHeader = 40,
  kRecordHeader = 16,
  kCodeLoad = 0;

// Lines "address size name" of a log. https://github.com/torvalds/linux/blob/master/tools/perf/Documentation/jitdump-specification.txt
function mapOf(bytes) {
  let text = '';
  for (let at = bytes.readUInt32LE(8) || kFileHeader; at + kRecordHeader <= bytes.length; ) {
    const kind = bytes.readUInt32LE(at);
    const size = bytes.readUInt32LE(at + 4);
    if (size < kRecordHeader || at + size > bytes.length) break;
    if (kind === kCodeLoad) {
      const body = at + kRecordHeader; // pid, tid, address, address of the code, size, number, name
      const address = bytes.readBigUInt64LE(body + 16);
      const length = bytes.readBigUInt64LE(body + 24);
      let end = body + 40;
      while (end < bytes.length && bytes[end] !== 0) end++;
      text += `${bigintToString.call(address, 16)} ${bigintToString.call(length, 16)} ${bytes.toString('utf8', body + 40, end)}\n`;
    }
    at += size;
  }
  return text;
}

function start() {
  const folder = process.cwd();
  require('internal/process/before_end').add(() => {
    const fs = require('internal/fs/fs');
    const dump = `${folder}/jit-${process.pid}.dump`;
    if (!fs.existsSync(dump)) return;
    fs.writeFileSync(`/tmp/perf-${process.pid}.map`, mapOf(fs.readFileSync(dump)));
    fs.unlinkSync(dump);
  });
}

module.exports = { start };
