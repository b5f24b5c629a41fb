// A program that never names Buffer gets Buffers all the same: each case runs alone in a fresh process.
'use strict';
const { execFileSync } = require('node:child_process');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'rondo-bytes-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
fs.writeFileSync(path.join(folder, 'f.json'), '{"a":1}');
const cases = {
  sync: 'console.log(JSON.parse(require("fs").readFileSync("f.json")).a)',
  callback: 'require("fs").readFile("f.json", (error, data) => console.log(JSON.parse(data).a))',
  promise: 'require("fs").promises.readFile("f.json").then((data) => console.log(JSON.parse(data).a))',
  module: 'require("fs/promises").readFile("f.json").then((data) => console.log(JSON.parse(data).a))',
  handle: 'require("fs").promises.open("f.json").then(async (h) => { console.log(JSON.parse(await h.readFile()).a); await h.close(); })',
  stream: 'require("fs").createReadStream("f.json").on("data", (data) => console.log(JSON.parse(data).a))',
  child: 'console.log(JSON.parse(require("child_process").execFileSync("cat", ["f.json"])).a)',
  random: 'console.log(require("crypto").randomBytes(1).toString("hex").length - 1)',
  digest: 'console.log(require("crypto").createHash("sha1").update("x").digest().toString("hex").length - 39)',
  readlink: 'fs = require("fs"); fs.symlinkSync("1", "l"); console.log(fs.readlinkSync("l", "buffer").toString()); fs.unlinkSync("l")',
  stdin: 'process.stdin.on("data", (data) => console.log(JSON.parse(data).a))',
};
for (const name of Object.keys(cases)) {
  fs.writeFileSync(path.join(folder, 'x.js'), cases[name]);
  assert.strictEqual(execFileSync(process.execPath, ['x.js'], { cwd: folder, encoding: 'utf8', input: '{"a":1}' }), '1\n', name);
}
