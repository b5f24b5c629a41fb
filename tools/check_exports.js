'use strict';
// Called by check_layers: a file of lib/ exports only names that another file takes. A file whose exports are handed on whole (a public
// module's body, `...require(…)`, a variable that is used by itself, a file that C++ or an embedded package asks for) is not looked at.
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const acorn = require('acorn');

const root = path.dirname(__dirname);
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'lib', 'src'], { cwd: root, encoding: 'utf8' }).split('\n');
const idOf = (file) => file.replace(/^lib\/(node\/)?/, '').slice(0, -3);
const whole = new Set();
const prefixes = []; // of ids that are made of parts
const taken = new Map(); // id → name → whether code takes it, not only a name in a table
const exported = new Map(); // id → [{ name, line }]
const addsLater = new Set(); // ids with `module.exports.name = …`, Object.defineProperty(module.exports, …) or the like

function take(id, name, isByCode = true) {
  if (!taken.has(id)) taken.set(id, new Map());
  taken.get(id).set(name, isByCode || taken.get(id).get(name) === true);
}

const keyOf = (property) => (property.type === 'Property' && !property.computed ? (property.key.name ?? property.key.value) : undefined);
const idRequired = (node) =>
  node?.type === 'CallExpression' && /^require(Later)?$/.test(node.callee.name) && node.arguments[0]?.type === 'Literal'
    ? `${node.arguments[0].value}`.replace(/^node:/, '')
    : undefined;

// `visit(node, parent)` for every node.
function walk(node, parent, visit) {
  if (Array.isArray(node)) {
    for (const item of node) walk(item, parent, visit);
    return;
  }
  if (typeof node?.type !== 'string') return;
  visit(node, parent);
  for (const key of Object.keys(node)) if (key !== 'loc') walk(node[key], node, visit);
}

function takePattern(id, pattern) {
  for (const property of pattern.properties) {
    const name = keyOf(property);
    if (name === undefined) whole.add(id);
    else take(id, name);
  }
}

const isName = (node, parent) =>
  !(parent.type === 'MemberExpression' && parent.property === node && !parent.computed) &&
  !(parent.type === 'Property' && parent.key === node && !parent.computed && !parent.shorthand) &&
  !(parent.type === 'VariableDeclarator' && parent.id === node);

function read(file) {
  const tree = acorn.parse(fs.readFileSync(path.join(root, file), 'utf8'), {
    ecmaVersion: 'latest',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    locations: true,
  });
  const variables = new Map(); // name → id
  walk(tree, undefined, (node, parent) => {
    const id = idRequired(node);
    if (id !== undefined) {
      if (parent.type === 'MemberExpression' && parent.object === node && !parent.computed) take(id, parent.property.name);
      else if (parent.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern') takePattern(id, parent.id);
      else if (parent.type === 'VariableDeclarator' && !variables.has(parent.id.name)) variables.set(parent.id.name, id);
      else whole.add(id);
    }
    // require(`internal/mesh/${file}`)
    if (node.type === 'TemplateLiteral' && /^(?:internal|html)\//.test(node.quasis[0].value.raw)) prefixes.push(node.quasis[0].value.raw);
    // Names in tables: 'internal/fs/file_handle:ReceivedFileHandle', 'internal/crypto/kdf'.
    const named =
      node.type === 'Literal' && idRequired(parent) === undefined ? /^((?:internal|html)\/[\w/]+)(?::(\w+))?$/.exec(node.value) : null;
    if (named?.[2] !== undefined) take(named[1], named[2], false);
    else if (named) whole.add(named[1]);
    if (node.type === 'MemberExpression' && node.object.name === 'module' && node.property.name === 'exports' && parent.left !== node)
      addsLater.add(idOf(file));
    const isExports = node.type === 'AssignmentExpression' && node.left.object?.name === 'module' && node.left.property?.name === 'exports';
    if (isExports && node.right.type === 'ObjectExpression')
      exported.set(
        idOf(file),
        node.right.properties.map((property) => ({ name: keyOf(property), file, line: property.loc.start.line })),
      );
  });
  walk(tree, undefined, (node, parent) => {
    const id = node.type === 'Identifier' ? variables.get(node.name) : undefined;
    if (id === undefined || !isName(node, parent)) return;
    if (parent.type === 'MemberExpression' && parent.object === node && !parent.computed) take(id, parent.property.name);
    else if (parent.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern') takePattern(id, parent.id);
    else whole.add(id);
  });
}

for (const file of sources) {
  if (!fs.existsSync(path.join(root, file))) continue;
  if (/^lib\/.*\.js$/.test(file)) read(file);
  else if (/\.(cpp|h)$/.test(file))
    for (const [, id] of fs.readFileSync(path.join(root, file), 'utf8').matchAll(/"((?:internal|html|bootstrap)\/[\w/]+)"/g)) whole.add(id);
}
// Files that embedded packages and tools ask for, and modules that programs may.
whole.add('html/jsdom/patch_table'); // tools/html_pack.js
for (const id of exported.keys()) if (!id.startsWith('internal/') && !id.startsWith('html/')) whole.add(id);
for (const [, id] of fs.readFileSync(path.join(__dirname, 'undici_seams.h'), 'utf8').matchAll(/((?:internal|html)\/[\w/]+)/g))
  whole.add(id);

let breaches = 0;
for (const [id, names] of exported) {
  if (whole.has(id) || prefixes.some((prefix) => id.startsWith(prefix))) continue;
  for (const { name, file, line } of names) {
    if (name === undefined || taken.get(id)?.has(name)) continue;
    console.log(`layers: ${file}:${line}: nothing takes the export ${name}`);
    breaches++;
  }
}
// The other way round: a name that a file takes is there. Exports that are not written as one list of names are not looked at.
for (const [id, names] of taken) {
  const listed = exported.get(id);
  if (!/^(?:internal|html)\//.test(id) || listed === undefined || listed.some(({ name }) => name === undefined) || addsLater.has(id))
    continue;
  for (const [name, isByCode] of names) {
    if (!isByCode || listed.some((item) => item.name === name)) continue;
    console.log(`layers: lib/${id}.js does not export ${name}, which another file takes`);
    breaches++;
  }
}
process.exitCode = breaches > 0 ? 1 : 0;
