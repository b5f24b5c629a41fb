// natives: modules
// `using` and `await using` for an engine that does not know them: the text is parsed by acorn (npm, embedded) and the scope of each such
// declaration becomes a try statement. No line is added or removed, and columns change only behind an insertion on the same line, so
// stacks show the program's lines. Asked only for texts that the engine has refused: others cost nothing.
//
//   { using a = f(), b = g(); h() }
//   {const $u=MAKE();try{ const a = f(),$u1=$u.use(a), b = g(),$u2=$u.use(b); h() }catch($e){$u.fail($e)}finally{$u.end()}}
//
// At the top of a module, where no export may stand in a block, exported names are declared before the try statement.
'use strict';

const binding = native('modules');

const kMake = 'globalThis[Symbol.for("rondo.using")]()';
const mayUse = /\busing\s+[\p{ID_Start}$_\\]/u;

const isUsing = (node) => node?.type === 'VariableDeclaration' && (node.kind === 'using' || node.kind === 'await using');

const isChange = ({ length }) => (length > 0 ? 1 : 0);

class Lowering {
  #source;
  #edits = [];
  #count = 0;

  constructor(source) {
    this.#source = source;
  }

  // `text` instead of so many characters; insertions at the same place stand before it.
  #change(start, length, text) {
    arrayPush.call(this.#edits, { start, length, text, order: this.#edits.length });
  }

  #insert(at, text) {
    this.#change(at, 0, text);
  }

  result() {
    const edits = arrayToSorted.call(this.#edits, (a, b) => a.start - b.start || isChange(a) - isChange(b) || a.order - b.order);
    let text = '';
    let at = 0;
    for (const { start, length, text: added } of each(edits)) {
      text += stringSlice.call(this.#source, at, start) + added;
      at = start + length;
    }
    return text + stringSlice.call(this.#source, at);
  }

  program(tree) {
    if (arraySome.call(tree.body, isUsing)) {
      if (tree.sourceType === 'module') this.#moduleTop(tree);
      else this.#wrap(tree.body, this.#afterDirectives(tree.body, 0), this.#source.length, false);
    }
    this.#visit(tree);
  }

  #visit(node) {
    switch (node.type) {
      case 'BlockStatement':
      case 'StaticBlock':
        if (arraySome.call(node.body, isUsing)) {
          const open = node.type === 'StaticBlock' ? stringIndexOf.call(this.#source, '{', node.start) : node.start;
          this.#wrap(node.body, this.#afterDirectives(node.body, open + 1), node.end - 1, true);
        }
        break;
      case 'ForOfStatement':
        if (isUsing(node.left)) this.#forOf(node);
        break;
      case 'ForStatement':
        if (isUsing(node.init)) this.#wrap([node.init], node.start, node.end, false, ',');
        break;
      default:
        break;
    }
    for (const key of each(Object.keys(node))) {
      const value = node[key];
      if (Array.isArray(value)) arrayForEach.call(value, (item) => typeof item?.type === 'string' && this.#visit(item));
      else if (typeof value?.type === 'string') this.#visit(value);
    }
  }

  #afterDirectives(body, start) {
    const last = arrayFindLast.call(body, (node) => node.directive !== undefined);
    return last === undefined ? start : last.end;
  }

  // Opens a try statement at `start` and closes it at `end`, around the declarations of `body`.
  #wrap(body, start, end, isBlock) {
    const name = `$u${++this.#count}`;
    const isAsync = arraySome.call(body, (node) => node.kind === 'await using');
    this.#insert(start, `${isBlock ? '' : '{'}const ${name}=${kMake};try{`);
    for (const node of each(body)) if (isUsing(node)) this.#declaration(node, name);
    this.#insert(end, this.#close(name, isAsync) + (isBlock ? '' : '}'));
  }

  #close(name, isAsync) {
    const ending = isAsync ? `const $p=${name}.end();if($p)await $p` : `${name}.end()`;
    return `}catch($e){${name}.fail($e)}finally{${ending}}`;
  }

  // `using` and `const` have the same length.
  #declaration(node, name) {
    const isAsync = node.kind === 'await using';
    const words = regexpExec.call(/^(?:await\s+)?using/, stringSlice.call(this.#source, node.start, node.end))?.[0] ?? 'using';
    this.#change(node.start, words.length, this.#padded(words, 'const'));
    for (const declaration of each(node.declarations)) {
      const use = `${name}.${isAsync ? 'useAsync' : 'use'}(${declaration.id.name})`;
      this.#insert(declaration.end, `,$d${++this.#count}=${use}`);
    }
  }

  // The new word, then the line ends of the old text.
  #padded(old, word) {
    return word + replaceMatches(stringSlice.call(old, word.length), /[^\r\n\u2028\u2029]/g, ' ');
  }

  #forOf(node) {
    const { left, body } = node;
    const name = `$u${++this.#count}`;
    const isAsync = left.kind === 'await using';
    const words = regexpExec.call(/^(?:await\s+)?using/, stringSlice.call(this.#source, left.start, left.end))?.[0] ?? 'using';
    this.#change(left.start, words.length, this.#padded(words, 'const'));
    const use = `${name}.${isAsync ? 'useAsync' : 'use'}(${left.declarations[0].id.name});`;
    const isBlock = body.type === 'BlockStatement';
    // A block keeps its own scope inside: it may declare the name again.
    this.#insert(body.start, `{const ${name}=${kMake};try{${use}`);
    this.#insert(body.end, `${isBlock ? '' : ';'}${this.#close(name, isAsync)}}`);
  }

  // Imports and re-exports move before the try statement, as do declarations of exported names.
  #moduleTop(tree) {
    const { body } = tree;
    const listed = new Map(); // local name -> the names it is exported as
    const add = (local, exported) => listed.set(local, [...each(listed.get(local) ?? []), exported]);
    let head = '';
    for (const node of each(body)) {
      const isMoved =
        node.type === 'ImportDeclaration' ||
        node.type === 'ExportAllDeclaration' ||
        (node.type === 'ExportNamedDeclaration' && node.source);
      if (isMoved) {
        head += `${replaceMatches(stringSlice.call(this.#source, node.start, node.end), /[\r\n\u2028\u2029]/g, ' ')};`;
        this.#blank(node.start, node.end);
      } else if (node.type === 'ExportNamedDeclaration' && !node.declaration) {
        for (const { local, exported } of each(node.specifiers)) add(local.name, exported.name ?? JSON.stringify(exported.value));
        this.#blank(node.start, node.end);
      } else if (node.type === 'ExportNamedDeclaration') {
        for (const name of each(namesOf(node.declaration))) add(name, name);
        this.#blank(node.start, node.declaration.start);
      }
    }
    head += this.#exportDefault(body) + this.#exportDeclared(body, listed);
    const name = `$u${++this.#count}`;
    const isAsync = arraySome.call(body, (node) => node.kind === 'await using');
    const hoisted = arrayJoin.call(
      arrayMap.call(
        arrayFilter.call(body, (node) => isExportedFunction(node, listed)),
        (node) => {
          const { id } = node.declaration ?? node;
          return `$x_${id.name}=${id.name};`;
        },
      ),
      '',
    );
    this.#insert(0, `${head}{const ${name}=${kMake};try{${hoisted}`);
    for (const node of each(body)) if (isUsing(node)) this.#declaration(node, name);
    this.#insert(this.#source.length, `\n${this.#close(name, isAsync)}}`);
  }

  // Gives the text that declares and exports the names, and makes their declarations assign to them.
  #exportDeclared(body, listed) {
    let head = '';
    const exportAs = (local, variable) =>
      arrayJoin.call(
        arrayMap.call(listed.get(local), (exported) => `export{${variable} as ${exported}};`),
        '',
      );
    for (const node of each(body)) {
      const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
      const names = arrayFilter.call(namesOf(declaration), (name) => listed.has(name));
      if (names.length === 0) continue;
      for (const name of each(names)) {
        if (declaration.type === 'VariableDeclaration' && declaration.kind === 'var') {
          head += exportAs(name, name);
          continue;
        }
        head += `let $x_${name};${exportAs(name, `$x_${name}`)}`;
        if (declaration.type !== 'FunctionDeclaration') this.#insert(declaration.end, `;$x_${name}=${name};`);
      }
    }
    return head;
  }

  #exportDefault(body) {
    const node = arrayFind.call(body, (item) => item.type === 'ExportDefaultDeclaration');
    if (node === undefined) return '';
    const { declaration } = node;
    if (declaration.id && stringEndsWith.call(declaration.type, 'Declaration')) {
      this.#blank(node.start, declaration.start);
      this.#insert(declaration.end, `;$x_default=${declaration.id.name};`);
    } else {
      this.#change(
        node.start,
        declaration.start - node.start,
        this.#padded(stringSlice.call(this.#source, node.start, declaration.start), '$x_default='),
      );
      this.#insert(declaration.end, ';');
    }
    return 'let $x_default;export{$x_default as default};';
  }

  #blank(start, end) {
    this.#change(start, end - start, replaceMatches(stringSlice.call(this.#source, start, end), /[^\r\n\u2028\u2029]/g, ' '));
  }
}

const isExportedFunction = (node, listed) => {
  const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  return declaration?.type === 'FunctionDeclaration' && listed.has(declaration.id.name);
};

function namesOf(declaration) {
  if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration')
    return declaration.id ? [declaration.id.name] : [];
  if (declaration?.type !== 'VariableDeclaration') return [];
  return arrayFlatMap.call(declaration.declarations, ({ id }) => patternNames(id));
}

function patternNames(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return arrayFlatMap.call(pattern.properties, (part) => patternNames(part.value ?? part.argument));
    case 'ArrayPattern':
      return arrayFlatMap.call(pattern.elements, patternNames);
    case 'AssignmentPattern':
      return patternNames(pattern.left);
    case 'RestElement':
      return patternNames(pattern.argument);
    default:
      return [];
  }
}

// The text without `using`, or undefined where it has none, or a fault besides. `kind`: 'script', 'commonjs' or 'module'.
function lowerUsing(source, kind) {
  if (!stringIncludes.call(source, 'using') || !regexpTest.call(mayUse, source)) return undefined;
  const isModule = kind === 'module';
  let tree;
  try {
    tree = require('acorn').parse(source, {
      ecmaVersion: 'latest',
      sourceType: isModule ? 'module' : kind,
      allowAwaitOutsideFunction: isModule,
      allowHashBang: true,
    });
  } catch {
    return undefined;
  }
  const lowering = new Lowering(source);
  lowering.program(tree);
  const lowered = lowering.result();
  return lowered === source ? undefined : lowered;
}

// The function that lowered code calls, for one realm: the program's, or a vm context's.
function installScope(global, load) {
  const key = Symbol.for('rondo.using');
  if (Object.hasOwn(global, key)) return;
  const { SuppressedError, TypeError: TypeErrorOfRealm } = global;
  const { dispose, asyncDispose } = Symbol;
  const { makeScope } = load('internal/language/using_scope')({
    SuppressedError,
    TypeError: TypeErrorOfRealm,
    apply: Reflect.apply,
    dispose,
    asyncDispose,
  });
  Object.defineProperty(global, key, { __proto__: null, value: makeScope, writable: false, configurable: false, enumerable: false });
}

// A text whose syntax the engine may not know: a look at its letters, before anything is parsed.
function mayNeedLowering(source) {
  if (stringIncludes.call(source, 'using') && regexpTest.call(mayUse, source)) return true;
  if (!stringIncludes.call(source, 'source') && !stringIncludes.call(source, 'with')) return false;
  const { hasPhases, hasTypes } = require('internal/modules/lower_phases');
  return hasPhases(source) || hasTypes(source);
}

// The text in the syntax that the engine knows, or undefined. `kind`: as above.
function lower(source, kind) {
  if (!mayNeedLowering(source)) return undefined;
  const phased = require('internal/modules/lower_phases').lowerPhases(source);
  return lowerUsing(phased ?? source, kind) ?? phased;
}

// For a text that the engine refused: what the engine gets instead, or undefined.
function retryText(error, source, kind) {
  if (!(error instanceof SyntaxError)) return undefined;
  const lowered = lower(source, kind);
  if (lowered !== undefined) installScope(globalThis, require);
  return lowered;
}

// Scripts that run at once.
function loweredScript(source, name) {
  if (!mayNeedLowering(source)) return source;
  const error = binding.checkSyntax(source, name, false);
  return error === undefined ? source : (retryText(error, source, 'script') ?? source);
}

// For the loader of modules, which hands texts to the engine unparsed.
function loweredModule(source, name) {
  if (stringIncludes.call(source, 'with')) {
    const { hasTypes, lowerPhases } = require('internal/modules/lower_phases');
    if (hasTypes(source)) source = lowerPhases(source) ?? source;
  }
  if (!mayNeedLowering(source)) return source;
  const error = binding.checkSyntax(source, name, true);
  return error === undefined ? source : (retryText(error, source, 'module') ?? source);
}

module.exports = { installScope, lower, loweredModule, loweredScript, retryText };
