// natives: util, vm
// Tab completion of a REPL: commands, names and members, modules in require() and import(), files in calls of fs. Members are those
// of the value of the expression before the dot; where that cannot be had without running a getter or a proxy there are none.
'use strict';

const path = require('internal/path/path');
const { getOwnNonIndexProperties, kSkipSymbols } = native('util');
const { lexicalNames } = native('vm');
const { isProxy } = require('internal/util/types');
const { namesOfLanguage } = require('internal/repl/context');
const { nextResourceName } = require('internal/repl/evaluate');
const { completeTarget } = require('internal/repl/complete_target');

const kImport = /\bimport\s*\(\s*['"`](([\w@./:-]+\/)?(?:[\w@./:-]*))(?![^'"`])$/;
const kRequire = /\brequire\s*\(\s*['"`](([\w@./:-]+\/)?(?:[\w@./:-]*))(?![^'"`])$/;
const kFsCall = /fs(?:\.promises)?\.\s*[a-z][a-zA-Z]+\(\s*["'](.*)/;
const kVersioned = /-\d+\.\d+/; // as npm names what it has installed twice
const kMostPrototypes = 5;

const kImportable = ['.cjs', '.js', '.json', '.mjs', '.node', '.wasm', '.ts', '.mts', '.cts'];
const kWords = [
  'async',
  'await',
  'break',
  'case',
  'catch',
  'const',
  'continue',
  'debugger',
  'default',
  'delete',
  'do',
  'else',
  'export',
  'false',
  'finally',
  'for',
  'function',
  'if',
  'import',
  'in',
  'instanceof',
  'let',
  'new',
  'null',
  'return',
  'switch',
  'this',
  'throw',
  'true',
  'try',
  'typeof',
  'var',
  'void',
  'while',
  'with',
  'yield',
];
const kLegacy = new Set(['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__']);

let builtinNames;
function getBuiltinNames() {
  builtinNames ??= arrayFilter.call(
    require('internal/modules/builtins').builtinModules(),
    (name) => name[0] !== '_' && !stringStartsWith.call(name, 'node:'),
  );
  return builtinNames;
}
function setBuiltinNames(names) {
  builtinNames = names;
}

// Names with the scheme are fixed with the first question.
let withScheme;
function schemeNames() {
  withScheme ??= listWithScheme();
  return withScheme;
}

function listWithScheme() {
  const onlyWithScheme = arrayFilter.call(require('internal/modules/builtins').builtinModules(), (name) =>
    stringStartsWith.call(name, 'node:'),
  );
  return [...each(arrayMap.call(getBuiltinNames(), (name) => `node:${name}`)), ...each(onlyWithScheme)];
}

const isIdentifier = (text) => regexpTest.call(/^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u, text);

// Object.prototype is known by having no prototype and being that of its constructor's.
function isObjectPrototype(object) {
  if (Object.getPrototypeOf(object) !== null) return false;
  const own = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
  const above = own ? Object.getPrototypeOf(own) : null;
  return above !== null && above !== undefined && Object.getPrototypeOf(above) === object;
}

// A million elements of an array are no names.
function ownNames(object) {
  if (!Array.isArray(object) && !ArrayBuffer.isView(object)) return Object.getOwnPropertyNames(object);
  return getOwnNonIndexProperties(object, kSkipSymbols);
}

function memberNames(object) {
  if (!object) return [];
  const names = arrayFilter.call(ownNames(object), isIdentifier);
  return isObjectPrototype(object) ? arrayFilter.call(names, (name) => !kLegacy.has(name)) : names;
}

function entriesOf(folder) {
  try {
    return require('internal/fs/fs').readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

const hasIndex = (folder, indexes) => arraySome.call(entriesOf(folder) ?? [], (entry) => arrayIncludes.call(indexes, entry.name));

function folderList() {
  const { Module } = require('internal/modules/cjs_loader');
  let folder;
  try {
    folder = process.cwd();
  } catch {
    folder = path.dirname(process.execPath);
  }
  return { local: Module._nodeModulePaths(folder), global: Module.globalPaths ?? [], Module };
}

function foldersFor(request, isImport) {
  if (regexpTest.call(/^\.\.?\//, request)) return [process.cwd()];
  const { local, global } = folderList();
  return isImport ? local : [...each(local), ...each(global)];
}

// Files and folders that complete the specifier of a require() or import().
function moduleFiles(request, subfolder, isImport) {
  if (request === '.') return ['./', '../'];
  if (request === '..') return ['../'];
  const extensions = isImport ? kImportable : Object.keys(folderList().Module._extensions);
  const indexes = [
    ...each(arrayMap.call(extensions, (extension) => `index${extension}`)),
    'package.json',
    ...each(isImport ? [] : ['index']),
  ];
  const found = [];
  for (const base of each(foldersFor(request, isImport))) {
    const folder = path.resolve(base, subfolder);
    for (const entry of each(entriesOf(folder) ?? [])) addModuleFile(found, entry, { folder, subfolder, isImport, extensions, indexes });
  }
  return found;
}

function addModuleFile(found, entry, { folder, subfolder, isImport, extensions, indexes }) {
  const { name } = entry;
  if (regexpTest.call(kVersioned, name) || name === '.npm') return;
  if (!entry.isDirectory()) {
    const extension = path.extname(name);
    if (!arrayIncludes.call(extensions, extension)) return;
    const base = stringSlice.call(name, 0, -extension.length);
    if (isImport) arrayPush.call(found, subfolder + name);
    else if (!subfolder || base !== 'index') arrayPush.call(found, subfolder + base);
    return;
  }
  arrayPush.call(found, `${subfolder}${name}/`);
  const isPackage = isImport ? !subfolder && path.basename(folder) === 'node_modules' : true;
  if (isPackage && hasIndex(path.resolve(folder, name), indexes)) arrayPush.call(found, subfolder + name);
}

function fsFiles(text) {
  let base = '';
  let entries = entriesOf(text);
  if (entries === undefined) {
    base = path.basename(text);
    entries = entriesOf(path.dirname(text)) ?? [];
  }
  const names = arrayMap.call(entries, (entry) => entry.name);
  return { groups: [arrayFilter.call(names, (name) => stringStartsWith.call(name, base))], completed: base, filter: '' };
}

function globalGroups(repl, filter) {
  const groups = [lexicalNames(repl.context)];
  for (let at = Object.getPrototypeOf(repl.context); at !== null; at = Object.getPrototypeOf(at)) arrayPush.call(groups, memberNames(at));
  const own = memberNames(repl.context);
  arrayPush.call(groups, repl.useGlobal ? own : [...each(own), ...each(namesOfLanguage())]);
  if (filter !== '') arrayPush.call(groups, kWords);
  return groups;
}

// Names of a value and of its prototypes, one list each.
function memberGroups(value) {
  const groups = [];
  try {
    let at;
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
      arrayPush.call(groups, memberNames(value));
      at = Object.getPrototypeOf(value);
    } else {
      at = value.constructor ? value.constructor.prototype : null;
    }
    for (let i = 0; at !== null && i < kMostPrototypes; i++) {
      arrayPush.call(groups, memberNames(at));
      at = Object.getPrototypeOf(at);
    }
  } catch {
    // undefined, or a proxy.
  }
  return groups;
}

// The longest lists last, each sorted, without what an earlier one has; '' between two.
function merge(groups, filter) {
  const lower = stringToLowerCase.call(filter);
  const matches = (name) => stringStartsWith.call(stringToLowerCase.call(name), lower);
  const seen = new Set(['']);
  let all = [];
  for (const group of each(groups)) {
    const fresh = [];
    for (const name of each(arrayToSorted.call(filter === '' ? group : arrayFilter.call(group, matches)))) {
      if (seen.has(name)) continue;
      seen.add(name);
      arrayPush.call(fresh, name);
    }
    if (fresh.length > 0) all = all.length > 0 ? [...each(fresh), '', ...each(all)] : fresh;
  }
  return all;
}

// { groups, completed, filter } without evaluating anything; undefined where a value is needed.
function known(repl, line) {
  let match = regexpExec.call(/^\s*\.(\w*)$/, line);
  if (match !== null) return { groups: [Object.keys(repl.commands)], completed: match[1], filter: match[1] };
  match = regexpExec.call(kRequire, line);
  const isImport = match === null;
  match ??= regexpExec.call(kImport, line);
  if (match !== null) {
    const files = repl.allowBlockingCompletions ? moduleFiles(match[1], match[2] ?? '', isImport) : [];
    return { groups: [files, getBuiltinNames(), schemeNames()], completed: match[1], filter: match[1] };
  }
  match = regexpExec.call(kFsCall, line);
  if (match !== null && repl.allowBlockingCompletions) return fsFiles(match[1]);
  const isName = line.length === 0 || regexpTest.call(/[\w.$]/, line[line.length - 1]);
  return isName ? undefined : { groups: [], completed: undefined, filter: '' };
}

function complete(line, callback) {
  line = stringTrimStart.call(line);
  const finish = ({ groups, completed, filter }) => {
    callback(null, [merge(groups, filter), completed]);
  };
  const found = known(this, line);
  if (found !== undefined) {
    finish(found);
    return;
  }
  const target = line.length === 0 ? '' : completeTarget(line);
  if (line.length !== 0 && !target) {
    finish({ groups: [], completed: undefined, filter: '' });
    return;
  }
  const dot = stringLastIndexOf.call(target, '.');
  const expression = dot === -1 ? '' : stringSlice.call(target, 0, dot);
  const filter = stringSlice.call(target, dot + 1);
  if (!expression) finish({ groups: globalGroups(this, filter), completed: target, filter });
  else completeMembers(this, target, expression, filter, finish);
}

function completeMembers(repl, target, expression, filter, finish) {
  const nothing = { groups: [], completed: target, filter };
  const isOptional = stringEndsWith.call(expression, '?');
  const object = isOptional ? stringSlice.call(expression, 0, -1) : expression;
  const parsable = stringEndsWith.call(target, '.') ? `${target}x` : target;
  let tree;
  try {
    tree = require('acorn').parse(parsable, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch {
    finish(nothing);
    return;
  }
  const evaluate = (text, then) => {
    repl.eval(`try { ${text} } catch {}`, repl.context, nextResourceName(), then);
  };
  runsNothing(tree.body[0].expression, parsable, evaluate, (isSafe) => {
    if (!isSafe) {
      finish(nothing);
      return;
    }
    evaluate(object, (error, value) => {
      const before = `${object}${isOptional ? '?.' : '.'}`;
      const groups = arrayMap.call(memberGroups(value), (group) => arrayMap.call(group, (name) => before + name));
      finish({ groups, completed: target, filter: filter && before + filter });
    });
  });
}

// Whether the value of a member expression can be had without a getter or a proxy: then(isSafe, value).
function runsNothing(node, text, evaluate, then) {
  if (node?.type === 'ChainExpression') node = node.expression;
  if (node?.type !== 'MemberExpression') {
    then(true);
    return;
  }
  const { object } = node;
  const check = (isSafe, value) => {
    if (!isSafe || isProxy(value)) then(false);
    else checkProperty(value, node, text, evaluate, then);
  };
  if (object.type === 'MemberExpression') {
    runsNothing(object, stringSlice.call(text, 0, object.end), evaluate, check);
  } else if (object.type === 'Identifier') {
    evaluate(object.name, (error, value) => {
      check(true, value);
    });
  } else {
    then(true);
  }
}

function checkProperty(object, node, text, evaluate, then) {
  const { property } = node;
  const decide = (key) => {
    if (object === undefined || object === null) then(true);
    else if (Object.getOwnPropertyDescriptor(object, key)?.get !== undefined || isProxy(object[key])) then(false);
    else
      evaluate(stringSlice.call(text, 0, node.end), (error, value) => {
        then(true, value);
      });
  };
  if (!node.computed) decide(property.name);
  else if (property.type === 'Literal') decide(property.value);
  else
    evaluate(stringSlice.call(text, property.start, property.end), (error, key) => {
      if (typeof key === 'string') decide(key);
      else then(true);
    });
}

module.exports = { complete, getBuiltinNames, setBuiltinNames };
