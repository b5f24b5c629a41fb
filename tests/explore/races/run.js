// Explores the published races (docs/explore.md, "Published races"): node tests/explore/races/run.js RONDO FOLDER [NAME…]
//
// The packages that a program's first line names are installed below FOLDER, from the registry; so these programs are not among the tests.
'use strict';

const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const [rondo, folder, ...names] = process.argv.slice(2);
for (const file of fs.readdirSync(__dirname)) {
  const name = path.basename(file, '.js');
  if (name === 'run' || (names.length > 0 && !names.includes(name))) continue;
  const text = fs.readFileSync(path.join(__dirname, file), 'utf8');
  const packages = /^\/\/ package: (.*)$/m.exec(text)[1].split(' ');
  const place = path.join(folder, name);
  if (!fs.existsSync(place)) {
    fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(path.join(place, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--ignore-scripts', '--legacy-peer-deps', ...packages], { cwd: place, stdio: 'inherit' });
  }
  fs.writeFileSync(path.join(place, file), text);
  console.log(`\n== ${packages.join(' ')}`);
  spawnSync(path.resolve(rondo), ['explore', file], { cwd: place, stdio: 'inherit' });
}
