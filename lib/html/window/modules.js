// natives: modules
// Module scripts of a page: https://html.spec.whatwg.org/#module-script. The engine's own loader serves the library's realm, so a
// page's modules are rewritten into functions of the page's realm: imports are live getters in a scope object, exports are getters
// over the function's own variables. Early errors of modules are found by the parser (acorn), with file, line and column.
'use strict';

const { checkSyntax, syntaxPlace } = native('modules');
const vm = require('vm');
const acorn = require('acorn');
const walk = require('acorn-walk');
const requests = require('html/network/requests');
const { valueOf } = require('html/network/cors');
const { enterScript, sources, queueTask } = require('html/agents/agent');

const kDefault = '__default__';

// Names that a declaration binds.
function namesIn(node) {
  switch (node?.type) {
    case 'Identifier':
      return [node.name];
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => namesIn(id));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return namesIn(node.id);
    case 'ObjectPattern':
      return node.properties.flatMap((property) => namesIn(property.value ?? property.argument));
    case 'ArrayPattern':
      return node.elements.flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(node.left);
    case 'RestElement':
      return namesIn(node.argument);
    default:
      return [];
  }
}

// https://html.spec.whatwg.org/#module-type-from-module-request: the attributes' type, undefined for JavaScript.
function typeIn(attributes) {
  for (const name of each(Object.keys(attributes ?? {})))
    if (name !== 'type') throw new SyntaxError(`Import attribute '${name}' is not known`);
  const { type } = attributes ?? {};
  if (type !== undefined && type !== 'json') throw new TypeError(`'${type}' is not a type of modules`);
  return type;
}

const nameOf = (node) => node.name ?? node.value; // import { 'a string' as b }

class Rewriter {
  constructor(text) {
    this.text = text;
    this.edits = [];
    this.imports = []; // { from, name (null: the namespace), local }
    this.exports = new Map(); // name → expression
    this.indirect = []; // { from, name (null: the namespace), as (null: everything) }
    this.requests = new Map(); // key → { specifier, type }
    this.isAsync = false;
  }

  replace(start, end, by) {
    this.edits.push({ start, end, by });
  }
  erase(start, end) {
    this.replace(start, end, this.text.slice(start, end).replace(/[^\n]/g, ' '));
  }
  // A key for what is imported: its specifier, and its type if that is not JavaScript's.
  ask(node) {
    const specifier = node.source.value;
    const type = typeIn(Object.fromEntries((node.attributes ?? []).map(({ key, value }) => [nameOf(key), value.value])));
    const key = type === undefined ? specifier : `${type} ${specifier}`;
    this.requests.set(key, { specifier, type });
    return key;
  }

  run() {
    const tree = acorn.parse(this.text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
    for (const node of each(tree.body)) this[node.type]?.(node);
    walk.ancestor(tree, {
      ImportExpression: (node) => this.replace(node.start, node.start + 'import'.length, '__import__'),
      MetaProperty: (node) => {
        if (node.meta.name === 'import') this.replace(node.start, node.end, '__meta__');
      },
      AwaitExpression: (node, state, ancestors) => this.noteAwait(ancestors),
      ForOfStatement: (node, state, ancestors) => {
        if (node.await) this.noteAwait(ancestors);
      },
    });
    let code = '';
    let at = 0;
    for (const { start, end, by } of each(this.edits.toSorted((a, b) => a.start - b.start))) {
      code += this.text.slice(at, start) + by;
      at = end;
    }
    const getters = [...each(this.exports)].map((pair) => `${JSON.stringify(pair[0])}: () => ${pair[1]}`).join(', ');
    const start = `${this.isAsync ? 'async ' : ''}function () { 'use strict'; __export__({ ${getters} });`;
    return `with (__scope__) { return ${start}${code}${this.text.slice(at)}\n} }`;
  }

  noteAwait(ancestors) {
    if (!ancestors.some((node) => /Function/.test(node.type))) this.isAsync = true;
  }

  ImportDeclaration(node) {
    const from = this.ask(node);
    for (const specifier of each(node.specifiers)) {
      const name = specifier.type === 'ImportNamespaceSpecifier' ? null : specifier.imported ? nameOf(specifier.imported) : 'default';
      this.imports.push({ from, name, local: specifier.local.name });
    }
    this.erase(node.start, node.end);
  }

  ExportNamedDeclaration(node) {
    if (node.declaration) {
      for (const name of each(namesIn(node.declaration))) this.exports.set(name, name);
      return this.erase(node.start, node.declaration.start);
    }
    for (const { local, exported } of each(node.specifiers)) {
      if (node.source) this.indirect.push({ from: this.ask(node), name: nameOf(local), as: nameOf(exported) });
      else this.exports.set(nameOf(exported), nameOf(local));
    }
    if (node.source) this.ask(node);
    return this.erase(node.start, node.end);
  }

  ExportAllDeclaration(node) {
    this.indirect.push({ from: this.ask(node), name: null, as: node.exported ? nameOf(node.exported) : null });
    this.erase(node.start, node.end);
  }

  ExportDefaultDeclaration(node) {
    const { declaration } = node;
    const isNamed = /Declaration$/.test(declaration.type) && declaration.id;
    this.exports.set('default', isNamed ? declaration.id.name : kDefault);
    if (isNamed) return this.erase(node.start, declaration.start);
    this.replace(node.start, declaration.start, `const ${kDefault} = `);
    if (/Declaration$/.test(declaration.type)) this.replace(declaration.end, declaration.end, ';');
    return undefined;
  }
}

const recordOf = (url, rewriter, make) => ({
  url,
  rewriter,
  make,
  getters: { __proto__: null },
  state: 'new',
  namespace: undefined,
  dependencies: new Map(),
  error: undefined,
  promise: undefined,
});

// The module map of one window.
class ModuleMap {
  #window;
  #parseJson;
  #records = new Map(); // URL → record
  #importMap = new (require('html/window/import_map').ImportMap)();

  constructor(window) {
    this.#window = window;
    this.#parseJson = this.#window.JSON.parse;
  }

  addImportMap(text, base, warn) {
    return this.#importMap.add(text, base, warn);
  }

  #resolve(specifier, base) {
    const refuse = (reason) => new this.#window.TypeError(`Failed to resolve module specifier '${specifier}': ${reason} (${base})`);
    return this.#importMap.resolve(specifier, base, refuse);
  }

  #compile(url, text) {
    const rewriter = new Rewriter(text);
    let code;
    try {
      code = rewriter.run();
    } catch (error) {
      if (error instanceof TypeError) throw new this.#window.TypeError(`${error.message} (${url})`);
      if (!(error instanceof SyntaxError)) throw error;
      throw this.#syntaxError(url, text, error);
    }
    return recordOf(
      url,
      rewriter,
      vm.compileFunction(code, ['__scope__', '__export__', '__import__', '__meta__'], { filename: url, parsingContext: this.#window }),
    );
  }

  // In the engine's words and at its place, where it refuses the text, too.
  #syntaxError(url, text, { message, loc }) {
    const refusal = checkSyntax(text, url, true);
    const words = refusal === undefined ? message.replace(/ \(\d+:\d+\)$/, '') : refusal.message;
    const error = new this.#window.SyntaxError(words);
    const [line, column] = each(syntaxPlace(text, true) ?? [loc?.line ?? 1, (loc?.column ?? 0) + 1]);
    require('internal/errors/arrow').decorate(error, [url, line, column, text.split('\n')[line - 1]]);
    return error;
  }

  // https://tc39.es/ecma262/#sec-parse-json-module: a module of one export.
  #jsonRecord(url, text) {
    let value;
    try {
      value = this.#parseJson(text);
    } catch (error) {
      throw new this.#window.SyntaxError(`${error.message} (${url})`);
    }
    return recordOf(
      url,
      { imports: [], exports: new Map([['default', '']]), indirect: [], requests: new Map(), isAsync: false },
      (scope, put) => {
        put({ default: () => value });
        return () => {};
      },
    );
  }

  #read(url, type, importer) {
    try {
      const { headers, body } = requests.read(url, requests.clientOf(this.#window._globalProxy ?? this.#window));
      if (type === 'json' && !/^[^;]*[/+]json\s*(;|$)/i.test(valueOf(headers, 'content-type') ?? '') && !requests.isRouted(url))
        throw new Error('its type is not that of JSON');
      const text = body.toString('utf8');
      return /^file:.*\.m?ts$/i.test(url) ? require('internal/modules/typescript').strip(text, url) : text;
    } catch (error) {
      throw new this.#window.TypeError(
        `Failed to load module ${url}${importer === undefined ? '' : `, imported by ${importer}`}: ${error.message}`,
      );
    }
  }

  // The record of a module and all that it asks for. A cycle finds the record that is on its way.
  #load(url, text, type, importer) {
    const key = type === undefined ? url : `${type} ${url}`;
    if (text === undefined && this.#records.has(key)) return this.#records.get(key);
    const source = text ?? this.#read(url, type, importer);
    const record = type === 'json' ? this.#jsonRecord(url, source) : this.#compile(url, source);
    if (text === undefined) this.#records.set(key, record);
    for (const [name, { specifier, type: wanted }] of eachEntry(record.rewriter.requests))
      record.dependencies.set(name, this.#load(this.#resolve(specifier, url), undefined, wanted, url));
    return record;
  }

  // How to read an export: a function, or undefined.
  #find(record, name, seen = []) {
    if (record.rewriter.exports.has(name)) {
      return () => {
        const get = record.getters[name]; // there from the module's run on: in a circle it may be asked for before
        if (get === undefined) throw new this.#window.ReferenceError(`Cannot access '${name}' before initialization`);
        return get();
      };
    }
    if (seen.includes(record)) return undefined;
    for (const entry of each(record.rewriter.indirect)) {
      const from = record.dependencies.get(entry.from);
      if (entry.as === name)
        return entry.name === null ? () => this.#namespaceOf(from) : this.#find(from, entry.name, [...each(seen), record]);
    }
    for (const entry of each(record.rewriter.indirect)) {
      if (entry.as !== null || name === 'default') continue;
      const found = this.#find(record.dependencies.get(entry.from), name, [...each(seen), record]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #namesOf(record, seen = []) {
    if (seen.includes(record)) return [];
    const names = new Set(record.rewriter.exports.keys());
    for (const entry of each(record.rewriter.indirect)) {
      if (entry.as !== null) names.add(entry.as);
      else
        for (const name of each(this.#namesOf(record.dependencies.get(entry.from), [...each(seen), record])))
          if (name !== 'default') names.add(name);
    }
    return [...each(names)].toSorted();
  }

  #namespaceOf(record) {
    if (record.namespace !== undefined) return record.namespace;
    record.namespace = Object.create(null, { [Symbol.toStringTag]: { __proto__: null, value: 'Module' } });
    for (const name of each(this.#namesOf(record))) {
      Object.defineProperty(record.namespace, name, { __proto__: null, enumerable: true, get: this.#find(record, name) });
    }
    return Object.preventExtensions(record.namespace);
  }

  #scopeOf(record) {
    const scope = { __proto__: null };
    for (const { from, name, local } of each(record.rewriter.imports)) {
      const source = record.dependencies.get(from);
      const get = name === null ? () => this.#namespaceOf(source) : this.#find(source, name);
      if (get === undefined)
        throw new this.#window.SyntaxError(`The requested module '${from}' does not provide an export named '${name}' (${record.url})`);
      Object.defineProperty(scope, local, { __proto__: null, enumerable: true, get });
    }
    return scope;
  }

  #link(record) {
    if (record.state !== 'new') return;
    record.state = 'linked';
    for (const dependency of each(record.dependencies.values())) this.#link(dependency);
    const meta = { __proto__: null, url: record.url, resolve: (specifier) => this.#resolve(`${specifier}`, record.url) };
    record.run = record.make(
      this.#scopeOf(record),
      (getters) => {
        Object.assign(record.getters, getters);
      },
      (specifier, options) => this.importLater(specifier, record.url, options),
      meta,
    );
  }

  // Dependencies first, each once. A promise when something in the graph awaits at its top, else undefined.
  #evaluate(record) {
    if (record.state === 'evaluated') {
      if (record.error !== undefined) throw record.error.value;
      return record.promise;
    }
    record.state = 'evaluated';
    try {
      const waits = [...each(record.dependencies.values())]
        .map((dependency) => this.#evaluate(dependency))
        .filter((promise) => promise !== undefined);
      const run = () => Reflect.apply(record.run, undefined, []);
      if (waits.length > 0) record.promise = promiseThen(Promise.all(waits), run);
      else if (record.rewriter.isAsync) record.promise = run();
      else run();
    } catch (value) {
      record.error = { value };
      throw value;
    }
    return record.promise;
  }

  // Everything but to run it: that is what the answer does.
  prepare(url, text, type, importer) {
    const record = this.#load(url, text, type, importer);
    this.#link(record);
    return () => ({ done: enterScript(() => this.#evaluate(record)), namespace: () => this.#namespaceOf(record) });
  }
  run(url, text, type, importer) {
    return this.prepare(url, text, type, importer)();
  }

  // https://html.spec.whatwg.org/#run-a-module-script: the promise of an evaluation that has failed is what tells of it.
  runScript(url, text, report) {
    const record = this.#load(url, text);
    this.#link(record);
    enterScript(() => {
      let done;
      try {
        done = this.#evaluate(record);
      } catch (error) {
        done = Promise.reject(error);
      }
      if (done !== undefined) promiseThen(done, undefined, report);
    });
  }

  importLater(specifier, base, options) {
    return new this.#window.Promise((resolvePromise, reject) => {
      const url = this.#resolve(`${specifier}`, base);
      let type;
      try {
        type = typeIn(options?.with);
      } catch (error) {
        throw new this.#window.TypeError(error.message);
      }
      queueTask(sources.networking, () => {
        try {
          const { done, namespace } = this.run(url, undefined, type, base);
          if (done === undefined) resolvePromise(namespace());
          else promiseThen(done, () => resolvePromise(namespace()), reject);
        } catch (error) {
          reject(error);
        }
      });
    });
  }
}

const maps = new WeakMap(); // window → its module map
function of(window) {
  const key = window._globalProxy ?? window;
  if (!maps.has(key)) maps.set(key, new ModuleMap(window));
  return maps.get(key);
}

// import() in a classic script, whose address is the base; what has none (a handler's text) is the document's.
function importFromScript(window, specifier, origin, options) {
  const { kMainPrefix } = require('internal/vm/dynamic_import');
  const address = stringStartsWith.call(origin, kMainPrefix) ? stringSlice.call(origin, kMainPrefix.length) : origin;
  const base = /^(file|https?|data|blob):/.test(address) ? address : (window.document?.baseURI ?? window.location.href);
  return of(window).importLater(specifier, base, options);
}

module.exports = { of, importFromScript };
