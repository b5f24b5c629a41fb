// natives: none
// `await` at the top of a line typed into a REPL: the line becomes the body of an async function. Names it declares are declared
// outside of it, so that later lines see them; the value of a last expression comes back in an object, so that a promise in it is
// not awaited too.
//
//   const a = await f(); a.b     ->     let a; (async () => { void (a = await f()); return { value: (a.b) } })()
'use strict';

const kHead = '(async () => { ';
const kTail = ' })()';

// Replacements in a text: at a position, so many characters give way to others.
class Edits {
  #edits = [];

  change(start, length, text) {
    arrayPush.call(this.#edits, { start, length, text, order: this.#edits.length });
  }
  insert(at, text) {
    this.change(at, 0, text);
  }

  appliedTo(source) {
    const sorted = arrayToSorted.call(this.#edits, (a, b) => a.start - b.start || a.order - b.order);
    let result = '';
    let at = 0;
    for (const { start, length, text } of each(sorted)) {
      result += stringSlice.call(source, at, start) + text;
      at = start + length;
    }
    return result + stringSlice.call(source, at);
  }
}

const isFunctionLike = (type) => type === 'FunctionExpression' || type === 'ArrowFunctionExpression' || type === 'MethodDefinition';

function forEachChild(node, visit) {
  for (const key of each(Object.keys(node))) {
    const value = node[key];
    if (Array.isArray(value))
      arrayForEach.call(value, (item) => {
        if (typeof item?.type === 'string') visit(item);
      });
    else if (typeof value?.type === 'string') visit(value);
  }
}

function boundNames(pattern, names) {
  switch (pattern?.type) {
    case 'Identifier':
      arrayPush.call(names, pattern.name);
      break;
    case 'ObjectPattern':
      arrayForEach.call(pattern.properties, (part) => boundNames(part.value ?? part.argument, names));
      break;
    case 'ArrayPattern':
      arrayForEach.call(pattern.elements, (part) => boundNames(part, names));
      break;
    case 'AssignmentPattern':
      boundNames(pattern.left, names);
      break;
    case 'RestElement':
      boundNames(pattern.argument, names);
      break;
  }
  return names;
}

class Transform {
  edits = new Edits();
  hoisted = '';
  awaits = false;
  returns = false;

  constructor(body) {
    this.body = body;
  }

  visit(node, parent) {
    const { type } = node;
    if (isFunctionLike(type)) return;
    if (type === 'FunctionDeclaration') {
      this.edits.insert(node.start, `this.${node.id.name} = ${node.id.name}; `);
      this.hoisted += `var ${node.id.name}; `;
      return;
    }
    if (type === 'AwaitExpression' || (type === 'ForOfStatement' && node.await)) this.awaits = true;
    if (type === 'ReturnStatement') this.returns = true;
    if (type === 'ClassDeclaration' && parent === this.body) {
      this.edits.insert(node.start, `${node.id.name}=`);
      this.hoisted += `let ${node.id.name}; `;
    }
    const isHoisted =
      type === 'VariableDeclaration' && (node.kind === 'var' || (parent === this.body && !stringIncludes.call(node.kind, 'using')));
    if (isHoisted) this.#declaration(node, parent);
    forEachChild(node, (child) => this.visit(child, node));
  }

  // let a = 1, b  ->  void ((a = 1), (b=undefined)); the `var` of a for-in or for-of goes.
  #declaration(node, parent) {
    const { kind, declarations } = node;
    const names = arrayFlatMap.call(declarations, (declaration) => boundNames(declaration.id, []));
    if (names.length > 0) this.hoisted += `${kind === 'var' ? 'var' : 'let'} ${arrayJoin.call(names, ', ')}; `;
    if (parent.type === 'ForOfStatement' || parent.type === 'ForInStatement') {
      this.edits.change(node.start, kind.length, '');
      return;
    }
    const isOne = declarations.length === 1;
    this.edits.change(node.start, kind.length, isOne ? 'void' : 'void (');
    arrayForEach.call(declarations, (declaration, i) => {
      this.edits.insert(declaration.start, '(');
      this.edits.insert(declaration.end, (declaration.init ? ')' : '=undefined)') + (!isOne && i === declarations.length - 1 ? ')' : ''));
    });
  }

  returnLastExpression() {
    const last = arrayFindLast.call(this.body.body, (node) => node.type !== 'EmptyStatement');
    if (last?.type !== 'ExpressionStatement') return;
    this.edits.insert(last.start, 'return ');
    this.edits.insert(last.expression.start, '{ value: (');
    this.edits.insert(last.expression.end, ') }');
  }
}

// The code that gives a promise of { value } or of undefined; null where nothing is awaited at the top. Throws acorn's error, its
// `pos` counted in `source`.
function processTopLevelAwait(source) {
  const wrapped = kHead + source + kTail;
  let root;
  try {
    root = require('acorn').parse(wrapped, { ecmaVersion: 'latest' });
  } catch (error) {
    error.pos -= kHead.length;
    throw error;
  }
  const { body } = root.body[0].expression.callee;
  const transform = new Transform(body);
  forEachChild(body, (node) => transform.visit(node, body));
  if (!transform.awaits || transform.returns) return null;
  transform.returnLastExpression();
  return transform.hoisted + transform.edits.appliedTo(wrapped);
}

module.exports = { processTopLevelAwait };
