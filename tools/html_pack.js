// Build step: gathers what `rondo --loop=html` makes documents of (jsdom, fake-indexeddb and all they reach) into one file that is mapped
// at run time.
//
//   rondo tools/html_pack.js NODE_MODULES OUTPUT
//
// Every file becomes the body of a function (exports, require, module). ES modules become such files too, and a require() at the top of a
// file is put off until what it binds is first used: a page pays for the parts that it touches. The file begins with lines
// `id<TAB>offset<TAB>size<TAB>0<TAB>0`, sorted by id, as src/runtime/html/html_pack.h says. rondo_bake adds the bytecode (the two zeros).
'use strict';

const fs = require('fs');
const path = require('path');
const { createRequire, builtinModules } = require('module');

const [given, output] = process.argv.slice(2).map((name) => path.resolve(name));
const root = fs.realpathSync(given); // files are found by their real names
const fromRoot = createRequire(path.join(root, 'html.js'));
const { kTexts, kFiles, kMembers, kHidden } = require('../lib/html/jsdom/patch_table.js');
const acorn = fromRoot('acorn');
const walk = fromRoot('acorn-walk');

const kEntries = [
  'jsdom/lib/jsdom/browser/Window.js',
  'jsdom/lib/jsdom/browser/parser/index.js',
  'jsdom/lib/jsdom/virtual-console.js',
  'tough-cookie',
  'fake-indexeddb',
];
// Reached only by files that are replaced whole ('network: undici' of the table of patches).
const kWithout = /^undici\//;
// Needed whole, and fast: what they import is bound at once.
const kEager = /^(parse5|entities)\//;
const kHead = '(function (exports, require, module) {\n';
const kTail = '\n})';
const kAlignment = 16;

const idOf = (file) => path.relative(root, file).split(path.sep).join('/');
const isBuiltin = (name) => name.startsWith('node:') || builtinModules.includes(name);

function isModule(file) {
  if (/\.[cm]js$/.test(file)) return file.endsWith('.mjs');
  for (let folder = path.dirname(file); folder.length >= root.length; folder = path.dirname(folder)) {
    const name = path.join(folder, 'package.json');
    if (fs.existsSync(name)) return JSON.parse(fs.readFileSync(name, 'utf8')).type === 'module';
  }
  return false;
}

// Names that a pattern binds.
function namesIn(node) {
  switch (node?.type) {
    case 'Identifier':
      return [node.name];
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

const isRequire = (node) =>
  node?.type === 'CallExpression' &&
  node.callee.type === 'Identifier' &&
  node.callee.name === 'require' &&
  node.arguments.length === 1 &&
  node.arguments[0].type === 'Literal';

// The patches of texts. One that does not fit exactly once belongs to another version of the package: somebody has to look at it.
function patched(id, text) {
  for (const [name, [file, before, after]] of Object.entries(kTexts)) {
    if (file !== id) continue;
    const parts = text.split(before);
    if (parts.length !== 2) throw new Error(`patch '${name}' does not fit exactly once in ${id}: ${before}`);
    text = parts.join(after.contentOf ? JSON.stringify(fs.readFileSync(path.join(root, after.contentOf), 'utf8')) : after);
  }
  return text;
}

class File {
  constructor(file) {
    this.file = file;
    this.id = idOf(file);
    this.text = patched(this.id, fs.readFileSync(file, 'utf8').replace(/^#!/, '//'));
    this.isModule = isModule(file);
    this.edits = [];
    this.lazy = new Map(); // name → expression that loads it
    this.head = '';
    this.needs = new Set();
    this.resolve = createRequire(file).resolve;
  }

  // The id of what a file asks for: a builtin's name, or a file of the pack.
  target(name) {
    if (isBuiltin(name)) return name;
    let file;
    try {
      file = this.resolve(name);
    } catch {
      return name; // what may be missing (canvas); asked for, it is not found
    }
    const id = idOf(file);
    if (!kWithout.test(id)) this.needs.add(file);
    return id;
  }
  loader(name) {
    return `require(${JSON.stringify(this.target(name))})`;
  }

  replace(start, end, by) {
    this.edits.push({ start, end, by });
  }

  convert() {
    if (this.file.endsWith('.json')) return `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(this.text)))});`;
    this.tree = acorn.parse(this.text, { ecmaVersion: 'latest', sourceType: this.isModule ? 'module' : 'commonjs' });
    this.noteBindings();
    for (const node of this.tree.body) this[node.type]?.(node);
    this.rewriteRequires();
    this.rewriteUses();
    if (this.id.startsWith('jsdom/')) this.hideMembers();
    const isStrict = this.isModule || this.tree.body[0]?.directive === 'use strict';
    return `${isStrict ? "'use strict'; " : ''}${this.head}${this.result()}`;
  }

  hideMembers() {
    const isHidden = (key, computed) => !computed && key.type === 'Identifier' && kHidden.includes(key.name);
    walk.full(this.tree, (node) => {
      if (node.type === 'MemberExpression' && isHidden(node.property, node.computed)) {
        const between = this.text.slice(node.object.end, node.property.start).replace(/\.(?=[^.]*$)/, node.optional ? '.' : '');
        this.replace(node.object.end, node.property.end, `${between}[$hidden.${node.property.name}]`);
      } else if (
        (node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') &&
        isHidden(node.key, node.computed)
      ) {
        this.replace(node.key.start, node.key.end, `[$hidden.${node.key.name}]${node.shorthand ? `: ${node.key.name}` : ''}`);
      }
    });
  }

  result() {
    let code = '';
    let at = 0;
    for (const { start, end, by } of this.edits.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (start < at) continue; // inside of what is replaced already
      code += this.text.slice(at, start) + by;
      at = end;
    }
    return code + this.text.slice(at);
  }

  // How often each name is bound, anywhere: a name that is bound twice is left as it is, so that no scopes need be known.
  noteBindings() {
    this.bound = new Map();
    const bind = (node) => {
      for (const name of namesIn(node)) this.bound.set(name, (this.bound.get(name) ?? 0) + 1);
    };
    const onFunction = (node) => {
      if (node.id) bind(node.id);
      node.params.forEach(bind);
    };
    walk.full(this.tree, (node) => {
      if (/Function/.test(node.type)) onFunction(node);
      else if (/^Class/.test(node.type) && node.id) bind(node.id);
      else if (node.type === 'VariableDeclarator') bind(node.id);
      else if (node.type === 'CatchClause' && node.param) bind(node.param);
      else if (/^Import.*Specifier$/.test(node.type)) bind(node.local);
    });
  }

  // const a = require('x'), const { b, c: d } = require('x'), const e = require('x').f, at the top of the file.
  VariableDeclaration(node) {
    const loads = node.declarations.map(({ id, init }) => this.loadsOf(id, init));
    if (node.kind !== 'const' || loads.includes(null)) return;
    for (const [name, load] of loads.flat()) this.lazy.set(name, load);
    this.replace(node.start, node.end, this.blank(node));
  }

  loadsOf(id, init) {
    const member = init?.type === 'MemberExpression' && !init.computed && isRequire(init.object) ? `.${init.property.name}` : '';
    const call = member ? init.object : init;
    if (!isRequire(call) || namesIn(id).some((name) => this.bound.get(name) !== 1)) return null;
    const load = `${this.loader(call.arguments[0].value)}${member}`;
    if (id.type === 'Identifier') return [[id.name, load]];
    if (id.type !== 'ObjectPattern' || id.properties.some((property) => property.value?.type !== 'Identifier' || property.computed))
      return null;
    return id.properties.map((property) => [property.value.name, `${load}.${property.key.name}`]);
  }

  // As many lines as before, so that stacks name the right ones.
  blank(node) {
    return this.text.slice(node.start, node.end).replace(/[^\n]/g, '');
  }

  ImportDeclaration(node) {
    const load = this.loader(node.source.value);
    const isFile = !isBuiltin(node.source.value) && isModule(this.resolve(node.source.value));
    const eager = node.specifiers.length === 0 ? [`${load};`] : [];
    for (const specifier of node.specifiers) {
      const name = specifier.type === 'ImportDefaultSpecifier' ? 'default' : specifier.imported?.name;
      const value = name === undefined || (name === 'default' && !isFile) ? load : `${load}.${name}`;
      if (this.bound.get(specifier.local.name) === 1 && !kEager.test(this.id)) this.lazy.set(specifier.local.name, value);
      else eager.push(`const ${specifier.local.name} = ${value};`);
    }
    this.replace(node.start, node.end, eager.join(' ') + this.blank(node));
  }

  export(name, expression) {
    this.head += `Object.defineProperty(exports, ${JSON.stringify(name)}, { enumerable: true, get: () => ${expression} }); `;
  }

  ExportNamedDeclaration(node) {
    if (node.declaration) {
      const { declaration } = node;
      const names =
        declaration.type === 'VariableDeclaration' ? declaration.declarations.flatMap(({ id }) => namesIn(id)) : [declaration.id.name];
      for (const name of names) this.export(name, name);
      return this.replace(node.start, declaration.start, '');
    }
    for (const { local, exported } of node.specifiers) {
      if (node.source) this.export(exported.name, `${this.loader(node.source.value)}.${local.name}`);
      else this.export(exported.name, this.lazy.has(local.name) ? this.use(local.name) : local.name);
    }
    return this.replace(node.start, node.end, this.blank(node));
  }

  ExportAllDeclaration(node) {
    const load = this.loader(node.source.value);
    if (node.exported) this.export(node.exported.name, load);
    else
      this.head +=
        `for (const name of Object.keys(${load})) if (name !== 'default' && !(name in exports)) ` +
        `Object.defineProperty(exports, name, { enumerable: true, get: () => ${load}[name] }); `;
    this.replace(node.start, node.end, this.blank(node));
  }

  ExportDefaultDeclaration(node) {
    const { declaration } = node;
    if (/Declaration$/.test(declaration.type) && declaration.id) {
      this.export('default', declaration.id.name);
      return this.replace(node.start, declaration.start, '');
    }
    this.export('default', '$default');
    return this.replace(node.start, declaration.start, 'const $default = ');
  }

  // What is not put off names its file's id; properties of an object at the top of the file become getters.
  rewriteRequires() {
    walk.ancestor(this.tree, {
      CallExpression: (node, state, ancestors) => {
        if (!isRequire(node)) return;
        const property = ancestors.at(-2);
        const isOfTable =
          property.type === 'Property' &&
          property.value === node &&
          ancestors.at(-4)?.type === 'VariableDeclarator' &&
          ancestors.length === 6;
        if (isOfTable)
          this.replace(
            property.start,
            property.end,
            `get ${this.text.slice(property.key.start, property.key.end)}() { return ${this.loader(node.arguments[0].value)}; }`,
          );
        else this.replace(node.start, node.end, this.loader(node.arguments[0].value));
      },
    });
  }

  use(name) {
    return `(${name} ?? $load_${name}())`;
  }

  rewriteUses() {
    if (this.lazy.size === 0) return;
    for (const [name, load] of this.lazy) this.head += `let ${name}; const $load_${name} = () => ${name} = ${load}; `;
    walk.full(this.tree, (node) => {
      if (node.type === 'Property' && node.shorthand && node.value.type === 'Identifier' && this.lazy.has(node.value.name)) {
        this.replace(node.start, node.end, `${node.key.name}: ${this.use(node.value.name)}`);
      }
    });
    // walk.simple visits identifiers as expressions only, not as keys and labels.
    walk.simple(this.tree, {
      Identifier: (node) => {
        if (this.lazy.has(node.name)) this.replace(node.start, node.end, this.use(node.name));
      },
    });
  }
}

function gather() {
  const files = new Map();
  const queue = kEntries.map((name) => (/\.js$/.test(name) ? path.join(root, name) : fromRoot.resolve(name)));
  while (queue.length > 0) {
    const name = queue.pop();
    if (files.has(name)) continue;
    const file = new File(name);
    files.set(name, { id: file.id, text: `${kHead}${file.convert()}${kTail}` });
    queue.push(...file.needs);
  }
  const gathered = [...files.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const lost = Object.keys(kTexts).find((name) => !gathered.some(({ id }) => id === kTexts[name][0]));
  if (lost !== undefined) throw new Error(`patch '${lost}': ${kTexts[lost][0]} is not in the pack`);
  return gathered;
}

// To a multiple of 16, and ended by a zero byte at least.
const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(kAlignment - (bytes.length % kAlignment))]);

// Plain ASCII can be used where it lies. In texts, patterns and names an escape means the same.
const plain = (text) => text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function write(files) {
  const pieces = [];
  let index = '';
  let offset = 0;
  for (const { id, text } of files) {
    const bytes = Buffer.from(plain(text));
    index += `${id}\t${offset}\t${bytes.length}\t0\t0\n`;
    pieces.push(padded(bytes));
    offset += pieces.at(-1).length;
  }
  fs.writeFileSync(output, Buffer.concat([padded(Buffer.from(`${index}\n`)), ...pieces]));
}

// The patches of files and members, held to the packages as they are installed, and all of them to lib/html, which must apply each.
function checkPatches() {
  const exportsOf = (name, id) => {
    if (!fs.existsSync(path.join(root, id))) throw new Error(`patch '${name}': there is no ${id}`);
    return require(path.join(root, id));
  };
  require(path.join(root, kEntries[0])); // jsdom's files need one another in circles; this is their beginning
  for (const [name, [id, members]] of Object.entries(kFiles)) {
    const exported = exportsOf(name, id);
    const missing = members.find((member) => !(member in exported));
    if (missing !== undefined) throw new Error(`patch '${name}': ${id} exports no ${missing}`);
  }
  for (const [name, [ids, member]] of Object.entries(kMembers)) {
    for (const id of [ids].flat()) checkMember(name, id, exportsOf(name, id), member.split('.'));
  }
  const folder = path.join(__dirname, '../lib/html');
  const sources = fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.js') && !name.endsWith('patch_table.js'));
  const text = sources.map((name) => fs.readFileSync(path.join(folder, name), 'utf8')).join('\n');
  for (const name of [...Object.keys(kFiles), ...Object.keys(kMembers)]) {
    if (!text.includes(`'${name}'`)) throw new Error(`patch '${name}' is applied by no file of lib/html`);
  }
}

function checkMember(name, id, exported, keys) {
  const last = keys.pop();
  const isAddition = last.startsWith('+');
  const key = isAddition ? last.slice(1) : last;
  const object = keys.reduce((at, part) => at?.[part], exported);
  const fault = `patch '${name}': ${id} has ${isAddition ? 'a member of its own,' : 'no'} ${[...keys, key].join('.')}`;
  if (object === undefined || key in object === isAddition) throw new Error(fault);
}

checkPatches();
write(gather());
