// natives: none
// The counts of the engine's basic blocks in the form of V8's block coverage: functions with their names, and in each the ranges that
// ran more or less often than what is around them. Where the ranges lie is read from the syntax, how often they ran from the blocks.
'use strict';

const { functionName } = require('internal/coverage/function_names');

// How often the code at a place ran: the count of the smallest block around it.
class BlockCounts {
  #blocks = []; // { start, end, count }, by start
  #unused = []; // functions that were never called

  constructor(functions, blocks) {
    for (let i = 0; i < blocks.length; i += 3) arrayPush.call(this.#blocks, { start: blocks[i], end: blocks[i + 1], count: blocks[i + 2] });
    for (let i = 0; i < functions.length; i += 3) {
      if (functions[i + 2] === 0) arrayPush.call(this.#unused, { start: functions[i], end: functions[i + 1] });
    }
    arraySort.call(this.#blocks, (a, b) => a.start - b.start || b.end - a.end);
  }

  // Blocks with the nearest start come first, and of those the smallest.
  countAt(offset) {
    let first = 0;
    let last = this.#blocks.length;
    while (first < last) {
      const middle = (first + last) >>> 1;
      if (this.#blocks[middle].start <= offset) first = middle + 1;
      else last = middle;
    }
    for (let i = first - 1; i >= 0; i--) if (offset < this.#blocks[i].end) return this.#blocks[i].count;
    return 0;
  }

  // Whether a function of that extent was never called.
  isUnused(start, end) {
    return arraySome.call(this.#unused, (fn) => fn.start >= start && fn.start < end && fn.end >= end - 1 && fn.end <= end + 1);
  }
}

function parse(text) {
  const acorn = require('acorn');
  for (const sourceType of each(['module', 'script'])) {
    try {
      return acorn.parse(text, {
        ecmaVersion: 'latest',
        sourceType,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        allowSuperOutsideMethod: true,
        allowHashBang: true,
      });
    } catch {
      continue;
    }
  }
  return undefined;
}

const isNode = (value) => value !== null && typeof value === 'object' && typeof value.type === 'string';
const isFunction = ({ type }) => type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
const isLoop = ({ type }) =>
  arrayIncludes.call(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'], type);

const contains = (outer, range) => outer.startOffset <= range.startOffset && outer.endOffset >= range.endOffset;

// The ranges of a function, without those that tell nothing new. Ranges side by side with one count are one.
function telling(ranges) {
  const { 0: whole } = ranges;
  const sorted = arraySort.call(arraySlice.call(ranges, 1), (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const kept = [whole];
  for (const range of each(sorted)) {
    const around = arrayFindLast.call(kept, (outer) => contains(outer, range));
    if (around.count === range.count) continue;
    const before = arrayFindLast.call(kept, (other) => other !== whole && other.endOffset === range.startOffset);
    if (before !== undefined && before.count === range.count && contains(around, before)) before.endOffset = range.endOffset;
    else arrayPush.call(kept, { ...range });
  }
  return kept;
}

class Walk {
  #text;
  #counts;
  #functions = [];
  #current = null; // the ranges of the function that is walked

  constructor(text, counts) {
    this.#text = text;
    this.#counts = counts;
  }

  run(tree) {
    const end = this.#text.length;
    this.#function('', 0, end, 1, () => this.#statements(tree.body, end));
    return arrayMap.call(this.#functions, ({ functionName: name, ranges, isBlockCoverage }) => ({
      functionName: name,
      ranges: telling(ranges),
      isBlockCoverage,
    }));
  }

  #function(name, start, end, count, walk) {
    const outer = this.#current;
    const ranges = [{ startOffset: start, endOffset: end, count }];
    arrayPush.call(this.#functions, { functionName: name, ranges, isBlockCoverage: count > 0 });
    this.#current = ranges;
    // Functions inside one that never ran are not told.
    if (count > 0) walk();
    this.#current = outer;
  }

  #range(startOffset, endOffset, count) {
    if (startOffset < endOffset) arrayPush.call(this.#current, { startOffset, endOffset, count });
  }

  // Where `word` stands between two parts of an expression.
  #find(word, from, to) {
    const at = stringIndexOf.call(this.#text, word, from);
    return at >= 0 && at < to ? at : to;
  }

  #visit(node, parent) {
    if (isFunction(node)) return this.#visitFunction(node, parent);
    if (node.type === 'BlockStatement' || node.type === 'StaticBlock') return this.#statements(node.body, node.end);
    if (node.type === 'ClassBody') this.#fields(node, parent);
    this.#branches(node);
    if (node.type === 'SwitchCase') {
      if (node.test) this.#visit(node.test, node);
      return this.#statements(node.consequent, node.end);
    }
    return this.#children(node);
  }

  #children(node) {
    for (const key of each(Object.keys(node))) {
      const value = node[key];
      if (Array.isArray(value)) {
        for (const item of each(value)) if (isNode(item)) this.#visit(item, node);
      } else if (isNode(value)) {
        this.#visit(value, node);
      }
    }
  }

  // A statement behind one that may jump can run less often: the rest of the list is a range then.
  #statements(list, end) {
    arrayForEach.call(list, (statement, i) => {
      this.#visit(statement);
      const next = list[i + 1];
      if (next !== undefined && mayJump(statement)) this.#range(statement.end, end, this.#counts.countAt(statement.end));
    });
  }

  #visitFunction(node, parent) {
    const { start, isMethod } = extentOf(node, parent, this.#text);
    const isUnused = this.#counts.isUnused(start, node.end);
    const count = isUnused ? 0 : this.#counts.countAt(node.body.start);
    this.#function(functionName(node, parent, isMethod), start, node.end, count, () => {
      for (const parameter of each(node.params)) this.#visit(parameter, node);
      if (node.body.type === 'BlockStatement') this.#statements(node.body.body, node.end - 1);
      else this.#visit(node.body, node);
    });
  }

  // V8 calls the initializers of a class's fields a function.
  #fields({ body }, parent) {
    const fields = arrayFilter.call(body, ({ type, static: isStatic, value }) => type === 'PropertyDefinition' && !isStatic && value);
    for (const member of each(body)) member.className = parent?.id?.name;
    if (fields.length === 0) return;
    const { 0: first, [fields.length - 1]: last } = fields;
    this.#function('<instance_members_initializer>', first.start, last.end - 1, this.#counts.countAt(first.value.start), () => {});
  }

  // The engine makes `if (x) continue;` one jump, and counts what did not take it.
  #jumps({ start, end }) {
    return Math.max(0, this.#counts.countAt(start) - this.#counts.countAt(end));
  }

  #branches(node) {
    const count = ({ start }) => this.#counts.countAt(start);
    switch (node.type) {
      case 'IfStatement':
        this.#range(node.consequent.start, node.consequent.end, isFolded(node) ? this.#jumps(node) : count(node.consequent));
        if (node.alternate) this.#range(node.consequent.end, node.alternate.end, count(node.alternate));
        break;
      case 'ConditionalExpression': {
        const { test, consequent, alternate } = node;
        this.#range(this.#find('?', test.end, consequent.start), consequent.end, count(consequent));
        this.#range(this.#find(':', consequent.end, alternate.start), alternate.end, count(alternate));
        break;
      }
      case 'LogicalExpression':
        this.#range(this.#find(node.operator, node.left.end, node.right.start), node.right.end, count(node.right));
        break;
      case 'SwitchCase':
        if (node.consequent.length > 0) this.#range(node.start, node.end, count(node));
        break;
      case 'CatchClause':
        this.#range(node.start, node.end, count(node));
        break;
      default:
        if (isLoop(node)) this.#range(node.body.start, node.body.end, count(node.body));
    }
  }
}

const kJumps = [
  'IfStatement',
  'ReturnStatement',
  'ThrowStatement',
  'BreakStatement',
  'ContinueStatement',
  'TryStatement',
  'SwitchStatement',
  'LabeledStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'BlockStatement',
];
const mayJump = ({ type }) => arrayIncludes.call(kJumps, type);

function isFolded({ consequent, alternate }) {
  const { 0: only = consequent, length = 1 } = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
  return alternate === null && length === 1 && (only.type === 'BreakStatement' || only.type === 'ContinueStatement');
}

// A method begins with its name, or with `get`, `set`, `async`.
function extentOf(node, parent, text) {
  const isMember = parent?.value === node && (parent.type === 'MethodDefinition' || parent.type === 'Property');
  const isMethod = isMember && (parent.type === 'MethodDefinition' || parent.method || parent.kind !== 'init');
  if (!isMethod) return { start: node.start, isMethod };
  const word = parent.static ? regexpExec.call(/^static\s+/, stringSlice.call(text, parent.start, parent.start + 100)) : null;
  return { start: parent.start + (word === null ? 0 : word[0].length), isMethod };
}

function toFunctions(text, functions, blocks) {
  const tree = parse(text);
  const whole = { functionName: '', ranges: [{ startOffset: 0, endOffset: text.length, count: 1 }], isBlockCoverage: true };
  if (tree === undefined) return [whole];
  return new Walk(text, new BlockCounts(functions, blocks)).run(tree);
}

module.exports = { toFunctions };
