// natives: ledger
// rondo trace --calls: every call of a function of the program's own files is a task inside the task that runs, named with its arguments.
// Done by rewriting CommonJS text before it is compiled; lines stay as they are. Async functions and generators, whose frames come and
// go, are left alone, and so are packages.
'use strict';

const programState = require('internal/process/program_state');
const ledger = native('ledger');
const acorn = require('acorn');
const walk = require('acorn-walk');

const kName = '__rondoCalls';

function shown(value) {
  if (typeof value === 'string') return value.length > 20 ? `'${stringSlice.call(value, 0, 20)}…'` : `'${value}'`;
  if (typeof value === 'function') return 'function';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'array' : 'object';
  return typeof value === 'symbol' ? 'symbol' : `${value}`;
}

const open = [];

function enter(name, names, values) {
  const given = arrayJoin.call(
    arrayMap.call(names, (one, i) => `${one}: ${shown(values[i])}`),
    ', ',
  );
  const id = ledger.queuedAs(ledger.kCall, `${name}(${given})`);
  arrayPush.call(open, id);
  ledger.begin(ledger.kCall, id);
}

function leave() {
  ledger.end(ledger.kCall, arrayPop.call(open));
}

// Name of a function: its own, or that of the variable it is assigned to.
function nameOf(node, parent) {
  if (node.id) return node.id.name;
  const key = parent?.id ?? parent?.key ?? parent?.left;
  return key?.name ?? key?.property?.name ?? '(anonymous)';
}

function argumentsOf(node) {
  return arrayMap.call(
    arrayFilter.call(node.params, ({ type }) => type === 'Identifier'),
    ({ name }) => name,
  );
}

// [offset, text] to insert around a function's body.
function around(node, parent) {
  const names = argumentsOf(node);
  const first = `${kName}.enter(${JSON.stringify(nameOf(node, parent))},${JSON.stringify(names)},[${arrayJoin.call(names, ',')}]);try{`;
  const last = `}finally{${kName}.leave()}`;
  const { body } = node;
  if (body.type !== 'BlockStatement') {
    return [
      [body.start, `{${first}return (`],
      [body.end, `);${last}}`],
    ];
  }
  const directives = arrayFilter.call(body.body, ({ directive }) => directive !== undefined);
  const from = directives.length > 0 ? directives[directives.length - 1].end : body.start + 1;
  return [
    [from, `${directives.length > 0 ? ';' : ''}${first}`],
    [body.end - 1, last],
  ];
}

function rewrite(text) {
  let tree;
  try {
    tree = acorn.parse(text, { ecmaVersion: 'latest', allowReturnOutsideFunction: true, allowHashBang: true });
  } catch {
    return text; // the engine says what is wrong with it
  }
  const inserts = [];
  walk.fullAncestor(tree, (node, ancestors) => {
    const isFunction = node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
    if (!isFunction || node.async || node.generator) return;
    arrayPush.call(inserts, ...each(around(node, ancestors[ancestors.length - 2])));
  });
  // Those at one place in the order in which they were found, inner functions first: an inner end comes before an outer one.
  const ordered = arraySort.call(
    arrayMap.call(inserts, ({ 0: at, 1: what }, i) => ({ at, what, i })),
    (a, b) => a.at - b.at || a.i - b.i,
  );
  let out = '';
  let from = 0;
  for (let i = 0; i < ordered.length; i++) {
    out += stringSlice.call(text, from, ordered[i].at) + ordered[i].what;
    from = ordered[i].at;
  }
  return out + stringSlice.call(text, from);
}

function enable() {
  if (globalThis[kName] !== undefined) return;
  Object.defineProperty(globalThis, kName, { __proto__: null, value: { __proto__: null, enter, leave } });
  programState.rewriteSource = (text, filename) =>
    stringIncludes.call(filename, '/node_modules/') || !ledger.enabled ? text : rewrite(text);
}

module.exports = { enable };
