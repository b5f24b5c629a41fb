'use strict';
// Holds lib/ to the table tools/lib_layers. Called by check_layers; with --write it renames the calls that point up to requireLater.
const fs = require('node:fs');
const path = require('node:path');
const acorn = require('acorn');

const root = path.dirname(__dirname);
const lib = path.join(root, 'lib');
const rank = new Map();
for (const line of fs.readFileSync(path.join(__dirname, 'lib_layers'), 'utf8').split('\n')) {
  if (line === '' || line.startsWith('#')) continue;
  for (const folder of line.split(/\s+/).slice(1)) rank.set(folder, rank.size);
}
const isEmbeddedPackage = (id) => fs.existsSync(path.join(root, 'node_modules', id.split('/')[0]));

function folderOf(id) {
  const parts = id.split('/');
  if (parts[0] === 'internal') return parts[1];
  return parts[0] === 'bootstrap' || parts[0] === 'html' ? parts[0] : 'public';
}

// Each require and requireLater of a literal in `tree`: visit(name node, id, whether it is inside a function).
function eachRequire(node, isInside, visit) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const item of node) eachRequire(item, isInside, visit);
    return;
  }
  if (typeof node.type !== 'string') return;
  const isCall = node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.arguments[0]?.type === 'Literal';
  if (isCall && /^require(Later)?$/.test(node.callee.name)) visit(node.callee, node.arguments[0].value.replace(/^node:/, ''), isInside);
  const isDeferred = isInside || /Function/.test(node.type) || (node.type === 'PropertyDefinition' && !node.static);
  for (const key of Object.keys(node)) if (key !== 'loc') eachRequire(node[key], isDeferred, visit);
}

function check(file) {
  const id = path
    .relative(lib, file)
    .replace(/^node\//, '')
    .slice(0, -3);
  const from = folderOf(id);
  const source = fs.readFileSync(file, 'utf8');
  const faults = [];
  const upward = [];
  if (!rank.has(from)) return { faults: [`lib/${id}.js: the folder ${from} is not in tools/lib_layers`], upward };
  const tree = acorn.parse(source, { ecmaVersion: 'latest', locations: true, allowReturnOutsideFunction: true });
  eachRequire(tree, false, (callee, target, isInside) => {
    const to = folderOf(target);
    if (to === 'public' && isEmbeddedPackage(target) && !fs.existsSync(path.join(lib, 'node', `${target}.js`))) return;
    const say = (text) => faults.push(`${path.relative(root, file)}:${callee.loc.start.line}: ${text}`);
    const isUp = rank.get(to) > rank.get(from);
    const isLater = callee.name === 'requireLater';
    if (to === 'public' && id.startsWith('internal/')) return say(`lib/internal may not name the public module ${target}`);
    if (isLater && !isUp) return say(`${target} is not above: require`);
    if (isLater && !isInside) return say('requireLater belongs inside a function');
    if (!isUp || isLater) return undefined;
    if (isInside) upward.push(callee.end);
    return say(`${target} is above ${from}: ${isInside ? 'requireLater' : 'it cannot be loaded with this file'}`);
  });
  return { faults, upward, source };
}

const files = fs
  .readdirSync(lib, { recursive: true })
  .filter((name) => name.endsWith('.js'))
  .map((name) => path.join(lib, name));
let count = 0;
for (const file of files) {
  const { faults, upward, source } = check(file);
  if (process.argv[2] === '--write' && upward.length > 0) {
    let text = source;
    for (const end of upward.reverse()) text = `${text.slice(0, end)}Later${text.slice(end)}`;
    fs.writeFileSync(file, text);
    continue;
  }
  for (const fault of faults) console.log(`layers: ${fault}`);
  count += faults.length;
}
process.exitCode = count > 0 ? 1 : 0;
