// Called by tools/check_lib: refuses what lib/ must not rest on, because a program may replace or delete it.
//
//   - a name that is neither declared in the file nor one of the wrapper's or lib's own (src/runtime/primordials.h);
//   - a for-of, spread, array pattern or yield* over a value that did not pass through each() or eachEntry();
//   - a call of then, catch or finally as a method: promiseThen() does it, or `await`;
//   - a call of one of the language's methods on a value (`list.push(item)`): arrayPush.call(list, item) does it
//     (kPrimordialMethods), call0 to call4 and Reflect.apply instead of call and apply, replaceMatches for a regular expression;
//     not where the receiver is an object of lib/'s own (kOwnReceivers);
//   - a method taken from one of the language's prototypes (`Array.prototype.push`);
//   - in a file of every start (kStartFiles in src/runtime/embedded.h), a method whose copy is made later (not in kStartMethods).
//
// A line that means the program's own says so at its end, or in the line above it: "// the program's: why".
'use strict';

const fs = require('fs');
const path = require('path');
const acorn = require('acorn');

const root = path.dirname(__dirname);
const lib = path.join(root, 'lib');
// The language's functions (internal/language) do what programs see; the first file has nothing of its own yet; the page of rondo see runs
// in browsers and in commands that run no program.
const isExempt = (file) =>
  file.startsWith('internal/language/') || file.startsWith('internal/observe/page/') || file === 'bootstrap/00_primordials.js';
// The part that makes pages runs in a realm that pages do not see; bootstrap runs before any program.
const isOutside = (file) => file.startsWith('html/') || file.startsWith('bootstrap/');
const kAlways = ['undefined', 'NaN', 'Infinity', 'arguments']; // no program can replace them
const kWalkers = ['each', 'eachEntry'];
const kPromiseMethods = ['then', 'catch', 'finally'];
// Methods that lib/'s own classes and Buffer have, too, so that a name says nothing about whose they are.
const kAnyones = ['entries', 'fill', 'keys', 'set', 'subarray', 'toString', 'valueOf', 'values'];
// Receivers that are lib/'s own: streams, queues, handles, natives, modules. The name before the call, without what is before it.
const kOwnReceivers = {
  __proto__: null,
  bind: ['AsyncLocalStorage', 'AsyncResource', 'asyncContext', 'binding', 'handle', 'listener', 'server', 'this', 'tracker', '_handle'],
  concat: ['Buffer', 'binding'],
  filter: ['options'],
  find: ['headers', 'this'],
  join: ['DuplexSide', 'path', 'this'],
  normalize: ['path', 'posix', 'win32'],
  push: [
    'binding',
    'controller',
    'duplex',
    'events',
    'incoming',
    'other',
    'queue',
    'readable',
    'requests',
    'response',
    'sizes',
    'socket',
    'stdin',
    'stream',
    'this',
    'transform',
    'values',
    'waiting',
    'writeRequests',
    '#other',
  ],
  reverse: ['binding'],
  shift: ['events', 'queue', 'requests', 'sizes', 'values', 'waiting', 'writeRequests'],
  // Buffers, ArrayBuffers and Blobs, whose slice is their own.
  slice: ['buffer', 'chunk', 'encodingNamed', 'first', 'out', 'part'],
};
const kPrototypes = ['Array', 'BigInt', 'Boolean', 'Date', 'Function', 'Number', 'Object', 'RegExp', 'String', 'Symbol'];

// The names that stand around every file; as parameters here, which comes to the same.
const namesOf = (text, list) => new RegExp(`${list}\\[\\] = \\{([^}]*)\\}`).exec(text)[1].match(/\w+/g);
const namesFile = fs.readFileSync(path.join(root, 'src/runtime/primordials.h'), 'utf8');
const ownMethods = namesOf(namesFile, 'kPrimordialMethods');
const startMethods = namesOf(fs.readFileSync(path.join(root, 'src/runtime/start_methods.h'), 'utf8'), 'kStartMethods');
const lateMethods = ownMethods.filter((name) => !startMethods.includes(name));
const methodNames = new Set(ownMethods.map((name) => name.replace(/^[a-z]+/, '')).map((name) => name[0].toLowerCase() + name.slice(1)));
const ownNames = [...namesOf(namesFile, 'kPrimordials'), ...ownMethods];
const head = `(function (exports,require,module,native,requireLater,${ownNames.join(',')}) {`;

function* children(node) {
  for (const key of Object.keys(node)) {
    for (const value of Array.isArray(node[key]) ? node[key] : [node[key]]) {
      if (typeof value?.type === 'string') yield [key, value];
    }
  }
}

function* boundNames(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      yield pattern.name;
      break;
    case 'ObjectPattern':
      for (const part of pattern.properties) yield* boundNames(part.value ?? part.argument);
      break;
    case 'ArrayPattern':
      for (const part of pattern.elements) yield* boundNames(part);
      break;
    case 'AssignmentPattern':
      yield* boundNames(pattern.left);
      break;
    case 'RestElement':
      yield* boundNames(pattern.argument);
      break;
  }
}

const isFunction = (node) => node.type.includes('Function');

// The names declared in a function's own body; blocks count as the function's, which is enough to find what nobody declares.
function declare(node, names, isOuter = true) {
  if (!isOuter && isFunction(node)) {
    if (node.type === 'FunctionDeclaration') names.add(node.id.name);
    return;
  }
  if (node.type === 'VariableDeclarator') for (const name of boundNames(node.id)) names.add(name);
  if (node.type === 'ClassDeclaration') names.add(node.id.name);
  if (node.type === 'CatchClause') for (const name of boundNames(node.param)) names.add(name);
  for (const [, child] of children(node)) declare(child, names, false);
}

const isLabel = (parent) => ['BreakStatement', 'ContinueStatement', 'LabeledStatement', 'MetaProperty'].includes(parent.type);
function isReference(node, parent, key) {
  if (node.type !== 'Identifier' || isLabel(parent)) return false;
  if (parent.type === 'MemberExpression') return key !== 'property' || parent.computed;
  if (['Property', 'MethodDefinition', 'PropertyDefinition'].includes(parent.type)) return key !== 'key' || parent.computed;
  return true;
}

// A derived class without a constructor passes its arguments on by a spread that the engine does with the program's iterators.
function isBareSubclass(node) {
  return (
    (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') &&
    node.superClass !== null &&
    !node.body.body.some((member) => member.type === 'MethodDefinition' && member.kind === 'constructor')
  );
}

const kPatternLoop = 'for-of with an array pattern';
const isWalked = (node) => node?.type === 'CallExpression' && (kWalkers.includes(node.callee.name) || node.callee.name === undefined);
const passes = (node) => node?.type === 'CallExpression' && kWalkers.includes(node.callee.name);

// The sentence about a breach at this node, if it is one.
function iterationBreach(node, parent) {
  switch (node.type) {
    case 'ForOfStatement':
      if (!node.await && node.left.declarations?.[0].id.type === 'ArrayPattern' && node.right.callee?.name !== 'eachEntry')
        return kPatternLoop;
      return node.await || passes(node.right) ? undefined : 'for-of';
    case 'SpreadElement':
      return parent.type === 'ObjectExpression' || passes(node.argument) ? undefined : 'spread';
    case 'VariableDeclarator':
      return node.id.type !== 'ArrayPattern' || node.init === null || passes(node.init) ? undefined : 'array pattern';
    case 'AssignmentExpression':
      return node.left.type !== 'ArrayPattern' || passes(node.right) ? undefined : 'array pattern';
    case 'YieldExpression':
      // A generator of ours, called on the spot, is walked by the language's own means.
      return !node.delegate || isWalked(node.argument) || node.argument.type === 'CallExpression' ? undefined : 'yield*';
    case 'ArrayPattern':
      return ['ArrayPattern', 'Property', 'AssignmentPattern'].includes(parent.type) || isFunction(parent)
        ? 'array pattern inside a pattern or parameter'
        : undefined;
  }
}

function isPromiseCall(node) {
  return (
    node.type === 'CallExpression' &&
    node.callee.type === 'MemberExpression' &&
    !node.callee.computed &&
    kPromiseMethods.includes(node.callee.property.name)
  );
}

// The last name of what a method is called on: `requests` of stream.reader.requests.push(), `path` of require('path').join().
function receiverName(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'ThisExpression':
      return 'this';
    case 'MemberExpression':
      return node.property.type === 'PrivateIdentifier' ? `#${node.property.name}` : node.property.name;
    case 'NewExpression':
      return receiverName(node.callee);
    case 'CallExpression':
      return /^require(Later)?$/.test(node.callee.name) ? path.basename(node.arguments[0].value) : receiverName(node.callee);
    default:
      return '';
  }
}

const isStatic = (name) => /^[A-Z]/.test(name) && ownNames.includes(name);

// The name of the language's method that this calls as a method of a value.
function languageMethod(node) {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.callee.computed) return undefined;
  const { object, property } = node.callee;
  if (property.type !== 'Identifier' || !methodNames.has(property.name) || kAnyones.includes(property.name) || object.type === 'Super')
    return undefined;
  const receiver = receiverName(object);
  if (object.type === 'Identifier' && (isStatic(receiver) || (ownMethods.includes(receiver) && property.name === 'call'))) return undefined;
  return kOwnReceivers[property.name]?.includes(receiver) ? undefined : property.name;
}

const isPrototype = (node) =>
  node?.type === 'MemberExpression' && node.property.name === 'prototype' && kPrototypes.includes(node.object.name);
// Array.prototype.push, const { push } = Array.prototype
const takesMethod = (node) =>
  (node.type === 'MemberExpression' && isPrototype(node.object) && methodNames.has(node.property.name)) ||
  (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern' && isPrototype(node.init));

let breaches = 0;

function checkFile(file) {
  const lines = fs.readFileSync(path.join(lib, file), 'utf8').split('\n');
  const tree = acorn.parse(`${head}\n${lines.join('\n')}\n})`, { ecmaVersion: 'latest', locations: true });
  const say = (node, text) => {
    const line = node.loc.start.line - 1;
    if (lines[line - 1].includes("// the program's: ") || lines[line - 2]?.trim().startsWith("// the program's: ")) return;
    breaches++;
    console.log(`lib: lib/${file}:${line}: ${text}`);
  };
  const visit = (node, scopes, parent, key) => {
    if (isFunction(node) || node.type === 'ClassExpression') {
      const names = new Set(node.id ? [node.id.name] : []);
      for (const parameter of node.params ?? []) for (const name of boundNames(parameter)) names.add(name);
      if (isFunction(node)) declare(node, names);
      scopes = [...scopes, names];
    }
    if (isReference(node, parent, key) && !kAlways.includes(node.name) && !scopes.some((names) => names.has(node.name))) {
      say(node, `${node.name} is a global that a program may replace; ask the module that makes it`);
    }
    if (isBareSubclass(node)) say(node, "a derived class without a constructor spreads its arguments with the program's iterators");
    const how = iterationBreach(node, parent);
    if (how && !(isOutside(file) && how === kPatternLoop)) say(node, `${how} without each(): a program may replace the iterators`);
    if (isPromiseCall(node)) say(node, `.${node.callee.property.name}() of a promise: use promiseThen or await`);
    const method = languageMethod(node);
    if (method && !isOutside(file)) say(node, `.${method}() of a value: a program may replace it; call lib/'s copy (primordials.h)`);
    if (takesMethod(node) && !isOutside(file)) say(node, 'a prototype has what the program put there; use the copies (primordials.h)');
    for (const [name, child] of children(node)) visit(child, scopes, node, name);
  };
  visit(tree, [], { type: '' }, '');
}

for (const entry of fs.readdirSync(lib, { recursive: true }).sort()) {
  if (entry.endsWith('.js') && !isExempt(entry)) checkFile(entry);
}

const startFiles = /kStartFiles\[\] = \{([^}]*)\}/.exec(fs.readFileSync(path.join(root, 'src/runtime/embedded.h'), 'utf8'))[1];
for (const [, id] of startFiles.matchAll(/"([^"]+)"/g)) {
  const file = [`${id}.js`, `node/${id}.js`].find((name) => fs.existsSync(path.join(lib, name)));
  const words = new Set(fs.readFileSync(path.join(lib, file), 'utf8').match(/\w+/g));
  for (const name of lateMethods.filter((method) => words.has(method))) {
    breaches++;
    console.log(`lib: lib/${file}: ${name} is not copied at the start; add it to kStartMethods (start_methods.h)`);
  }
}
if (breaches > 0) {
  console.log(`lib: ${breaches} breaches`);
  process.exit(1);
}
