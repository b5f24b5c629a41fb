// Yarn 4 with Plug'n'Play: installs packages of this folder without a network, and runs a program whose requires and imports go through .pnp.cjs and its loader.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const yarn = path.join(__dirname, '../node_modules/@yarnpkg/cli-dist/bin/yarn.js');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'yarn-pnp-'));
const files = {
  'package.json': '{"name":"top","private":true,"dependencies":{"left":"file:./left","right":"portal:./right"},"scripts":{"go":"node main.cjs"}}',
  '.yarnrc.yml': `nodeLinker: pnp\npnpEnableEsmLoader: true\nenableNetwork: false\nenableTelemetry: false\nenableGlobalCache: false\ncacheFolder: ./cache\nglobalFolder: ./global\nenableScripts: false\n`,
  'yarn.lock': '',
  'left/package.json': '{"name":"left","version":"1.0.0","main":"index.js"}',
  'left/index.js': 'exports.left = __filename; exports.own = () => { try { require("nothing"); } catch (error) { return error.code; } };',
  'right/package.json': '{"name":"right","version":"1.0.0","exports":{"import":"./index.mjs","require":"./index.cjs"}}',
  'right/index.mjs': 'export const right = import.meta.url;',
  'right/index.cjs': 'exports.right = "cjs";',
  'main.cjs': `
    const { left, own } = require('left');
    const { right } = require('right');
    import('right').then((module) => {
      const text = require('fs').readFileSync(left, 'utf8').length;
      console.log(JSON.stringify([left.includes('.zip'), right, module.right.endsWith('/right/index.mjs'), own(), text > 10, require.resolve('left') === left, !!process.versions.pnp]));
    });
  `,
};
const run = (...parameters) => spawnSync(process.execPath, parameters, { encoding: 'utf8', cwd: folder, env: { ...process.env, HOME: folder, YARN_IGNORE_PATH: '1' } });
try {
  for (const name of Object.keys(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), files[name]);
  }
  const installed = run(yarn, 'install', '--no-immutable');
  assert.strictEqual(installed.status, 0, installed.stdout + installed.stderr);
  assert.ok(fs.existsSync(path.join(folder, '.pnp.cjs')));
  const expected = [true, 'cjs', true, 'MODULE_NOT_FOUND', true, true, true];
  const direct = run('-r', './.pnp.cjs', '--experimental-loader', './.pnp.loader.mjs', 'main.cjs');
  assert.deepStrictEqual(JSON.parse(direct.stdout || 'null'), expected, direct.stderr);
  const byYarn = run(yarn, 'run', 'go');
  assert.deepStrictEqual(JSON.parse(byYarn.stdout || 'null'), expected, byYarn.stderr);
} finally {
  fs.rmSync(folder, { recursive: true });
}
