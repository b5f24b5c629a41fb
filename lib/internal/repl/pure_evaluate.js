// natives: vm
// Evaluates an input without side effects, for the preview of its value: it walks the tree that acorn makes, reads data properties
// only, and calls only functions of the language that are known to change nothing. Everything else (assignments, getters, proxies,
// calls of the program's functions) is refused, and has no preview. The engine cannot evaluate so by itself.
'use strict';

const { lexicalNames } = native('vm');
const { isProxy } = require('internal/util/types');

// Thrown for an input that may change something.
class Refused extends EvalError {
  constructor() {
    super('Possible side effect');
  }
}
function refuse() {
  throw new Refused();
}

const kMostCharacters = 1e6;
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const plain = (value) => (isObject(value) || typeof value === 'symbol' ? refuse() : value);

// Names of functions without side effects, by the path that reaches them from a global object. `call` on them needs primitives as
// arguments, or (those of Object and Array) values that are no proxies.
const kPure = {
  __proto__: null,
  '': 'parseInt parseFloat isNaN isFinite encodeURIComponent encodeURI decodeURIComponent decodeURI String Number Boolean BigInt',
  Math: '*',
  Number: 'isFinite isInteger isNaN isSafeInteger parseFloat parseInt',
  'Number.prototype': 'toFixed toString toPrecision toExponential valueOf toLocaleString',
  'BigInt.prototype': 'toString valueOf',
  'Boolean.prototype': 'toString valueOf',
  String: 'fromCharCode fromCodePoint',
  'String.prototype':
    'at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare normalize padEnd padStart repeat ' +
    'replace replaceAll slice split startsWith substring substr toLowerCase toUpperCase toString trim trimEnd trimStart valueOf',
  Array: 'isArray of',
  'Array.prototype': 'at concat includes indexOf lastIndexOf slice toReversed',
  Object: 'is keys getOwnPropertyNames getPrototypeOf isFrozen isSealed isExtensible hasOwn getOwnPropertySymbols',
  'Object.prototype': 'hasOwnProperty isPrototypeOf propertyIsEnumerable',
  Date: 'now UTC parse',
  'Date.prototype': 'getTime getFullYear getMonth getDate getHours getMinutes getSeconds getMilliseconds getDay toISOString valueOf',
  'Map.prototype': 'get has keys values entries',
  'Set.prototype': 'has keys values entries',
  'WeakMap.prototype': 'get has',
  'WeakSet.prototype': 'has',
};
const kTakesObjects = new Set([
  'isArray',
  'of',
  'is',
  'keys',
  'getOwnPropertyNames',
  'getPrototypeOf',
  'isFrozen',
  'isSealed',
  'isExtensible',
  'hasOwn',
  'getOwnPropertySymbols',
  'isPrototypeOf',
  'concat',
  'includes',
  'indexOf',
  'lastIndexOf',
  'get',
  'has',
]);
const kConstructors =
  'Array Object Date Map Set WeakMap WeakSet Error TypeError RangeError SyntaxError Uint8Array Int8Array Uint16Array Int16Array ' +
  'Uint32Array Int32Array Float32Array Float64Array ArrayBuffer';

// realm -> { functions: Map(function -> takes objects), constructors: Set }; a realm is known by its Object.
const tables = new WeakMap();
function pureOf(realm) {
  const known = tables.get(realm.Object);
  if (known !== undefined) return known;
  const functions = new Map();
  for (const path of each(Object.keys(kPure))) {
    const holder = arrayReduce.call(path === '' ? [] : stringSplit.call(path, '.'), (at, name) => at?.[name], realm);
    const names =
      kPure[path] === '*'
        ? arrayFilter.call(Object.getOwnPropertyNames(holder ?? {}), (name) => name !== 'random')
        : stringSplit.call(kPure[path], ' ');
    for (const name of each(names)) {
      if (typeof holder?.[name] === 'function') functions.set(holder[name], kTakesObjects.has(name));
    }
  }
  const constructors = new Set(arrayMap.call(stringSplit.call(kConstructors, ' '), (name) => realm[name]));
  const table = { functions, constructors };
  tables.set(realm.Object, table);
  return table;
}

const isNativeGetter = (getter) =>
  regexpTest.call(/\{\s*\[native code\]\s*\}$/, functionToString.call(getter)) && !stringStartsWith.call(getter.name, 'bound ');

// A property's value as long as reading it runs nothing of the program's.
function read(target, key) {
  if (target === null || target === undefined) return target[key]; // throws the engine's TypeError
  if (isObject(key)) refuse();
  for (let at = Object(target); at !== null; at = Object.getPrototypeOf(at)) {
    if (isProxy(at)) refuse();
    const own = Object.getOwnPropertyDescriptor(at, key);
    if (own === undefined) continue;
    if (!own.get && !own.set) return own.value;
    if (own.get === undefined) return undefined;
    return isNativeGetter(own.get) ? call0(own.get, target) : refuse();
  }
  return undefined;
}

const binaryOperators = {
  __proto__: null,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => (typeof a === 'bigint' && b > 10_000n ? refuse() : a ** b),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => (typeof a === 'bigint' && b > 100_000n ? refuse() : a << b),
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

const unaryOperators = {
  __proto__: null,
  '!': (value) => !value,
  void: () => undefined,
  typeof: (value) => typeof value,
  '-': (value) => -plain(value),
  '+': (value) => +plain(value),
  '~': (value) => ~plain(value),
};

class PureEvaluator {
  #source;
  #context;
  #run;
  #lexical;

  // run(text) gives the value of a text that is known to change nothing: a name, a function.
  constructor(source, context, run) {
    this.#source = source;
    this.#context = context;
    this.#run = run;
  }

  statements(list) {
    let value;
    for (const node of each(list)) if (node.type !== 'EmptyStatement') value = this.#statement(node);
    return value;
  }

  #statement(node) {
    switch (node.type) {
      case 'ExpressionStatement':
        return this.#value(node.expression);
      case 'BlockStatement':
        return this.statements(node.body);
      case 'LabeledStatement':
        return this.#statement(node.body);
      case 'ThrowStatement':
        throw this.#value(node.argument);
      default:
        return refuse();
    }
  }

  #value(node) {
    const evaluate = expressions[node.type];
    return evaluate === undefined ? refuse() : evaluate(this, node);
  }

  value(node) {
    return this.#value(node);
  }
  text(node) {
    return this.#run(`(${stringSlice.call(this.#source, node.start, node.end)})`);
  }
  // As the engine names it in errors.
  shown(node) {
    const { value } = node;
    return typeof value === 'string' ? `"${value}"` : stringSlice.call(this.#source, node.start, node.end);
  }

  get context() {
    return this.#context;
  }

  name(name) {
    if (name === 'undefined') return undefined;
    this.#lexical ??= new Set(each(lexicalNames(this.#context)));
    if (this.#lexical.has(name)) return this.#run(name);
    if (name in this.#context) return read(this.#context, name);
    throw new ReferenceError(`${name} is not defined`);
  }

  list(nodes) {
    const values = [];
    for (const node of each(nodes)) {
      if (node === null) {
        values.length++;
      } else if (node.type === 'SpreadElement') {
        const spread = this.#value(node.argument);
        if (!Array.isArray(spread) || isProxy(spread)) refuse();
        arrayPush.call(values, ...each(spread));
      } else {
        arrayPush.call(values, this.#value(node));
      }
    }
    return values;
  }

  key(node) {
    return node.computed ? this.#value(node.property ?? node.key) : ((node.property ?? node.key).name ?? (node.property ?? node.key).value);
  }

  // [receiver, value] of a callee.
  callee(node) {
    if (node.type !== 'MemberExpression') return [undefined, this.#value(node)];
    const receiver = this.#value(node.object);
    return [receiver, read(receiver, this.key(node))];
  }
}

function logical(walk, { operator, left, right }) {
  const value = walk.value(left);
  if (operator === '&&') return value ? walk.value(right) : value;
  if (operator === '||') return value ? value : walk.value(right);
  return value ?? walk.value(right);
}

function binary(walk, { operator, left, right }) {
  if (left.type === 'PrivateIdentifier') refuse();
  const a = walk.value(left);
  const b = walk.value(right);
  switch (operator) {
    case '===':
      return a === b;
    case '!==':
      return a !== b;
    case '==':
    case '!=': {
      if (isObject(a) !== isObject(b) && a != null && b != null) refuse();
      // biome-ignore lint/suspicious/noDoubleEquals: the operator of the input
      const isEqual = a == b;
      return operator === '==' ? isEqual : !isEqual;
    }
    case 'in':
      return isProxy(b) ? refuse() : plain(a) in b;
    case 'instanceof': {
      if (typeof b !== 'function' || isProxy(b) || isProxy(a) || Object.hasOwn(b, Symbol.hasInstance)) refuse();
      return a instanceof b;
    }
    default:
      return binaryOperators[operator](plain(a), plain(b));
  }
}

function checkSize(name, values) {
  if (name === 'repeat' || name === 'padEnd' || name === 'padStart') {
    if (values[0] > kMostCharacters) refuse();
  }
}

function callPure(walk, node) {
  const [receiver, function_] = each(walk.callee(node.callee));
  if (node.optional && (function_ === undefined || function_ === null)) return undefined;
  const values = walk.list(node.arguments);
  if (typeof function_ !== 'function') throw new TypeError(`${walk.shown(node.callee)} is not a function`);
  let takesObjects = pureOf(walk.context).functions.get(function_);
  takesObjects ??= pureOf(globalThis).functions.get(function_);
  if (takesObjects === undefined) refuse();
  for (const value of each([receiver, ...each(values)])) {
    if (isProxy(value)) refuse();
  }
  for (const value of each(values)) if (!takesObjects) plain(value);
  checkSize(function_.name, values);
  return Reflect.apply(function_, receiver, values);
}

function construct(walk, node) {
  const function_ = walk.value(node.callee);
  const values = walk.list(node.arguments);
  if (!pureOf(walk.context).constructors.has(function_) && !pureOf(globalThis).constructors.has(function_)) refuse();
  for (const value of each(values)) {
    if (isObject(value) && !(Array.isArray(value) && !isProxy(value) && arrayEvery.call(value, (item) => !isProxy(item)))) refuse();
    if (typeof value === 'number' && value > kMostCharacters && function_.name !== 'Date') refuse();
  }
  return Reflect.construct(function_, values);
}

function object(walk, node) {
  const made = {};
  for (const property of each(node.properties)) {
    if (property.type === 'SpreadElement' || property.kind !== 'init') refuse();
    const key = walk.key(property);
    if (!property.computed && key === '__proto__') refuse();
    const value = property.method ? refuse() : walk.value(property.value);
    Object.defineProperty(made, isObject(key) ? refuse() : key, {
      __proto__: null,
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return made;
}

function template(walk, node) {
  let text = node.quasis[0].value.cooked;
  arrayForEach.call(node.expressions, (expression, i) => {
    text += `${plain(walk.value(expression))}${node.quasis[i + 1].value.cooked}`;
  });
  return text;
}

function unary(walk, { operator, argument }) {
  if (operator === 'typeof' && argument.type === 'Identifier') {
    try {
      return typeof walk.value(argument);
    } catch (error) {
      if (error instanceof ReferenceError) return 'undefined';
      throw error;
    }
  }
  return unaryOperators[operator]?.(walk.value(argument)) ?? (operator === 'void' ? undefined : refuse());
}

// Thrown by `a?.b` of nothing; the chain around it gives undefined.
const kShort = Symbol('short circuit');

function member(walk, node) {
  if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') refuse();
  const target = walk.value(node.object);
  if (node.optional && (target === undefined || target === null)) throw kShort;
  return read(target, walk.key(node));
}

function chain(walk, node) {
  try {
    return walk.value(node.expression);
  } catch (error) {
    if (error === kShort) return undefined;
    throw error;
  }
}

const isBareClass = (node) =>
  node.superClass === null && arrayEvery.call(node.body.body, (part) => !part.static && !part.computed && part.type === 'MethodDefinition');

const expressions = {
  __proto__: null,
  Literal: (walk, node) => (node.regex || node.bigint ? walk.text(node) : node.value),
  TemplateLiteral: template,
  Identifier: (walk, node) => walk.name(node.name),
  ThisExpression: (walk) => walk.context,
  MemberExpression: member,
  ChainExpression: chain,
  UnaryExpression: unary,
  BinaryExpression: binary,
  LogicalExpression: logical,
  ConditionalExpression: (walk, node) => (walk.value(node.test) ? walk.value(node.consequent) : walk.value(node.alternate)),
  SequenceExpression: (walk, node) => arrayReduce.call(node.expressions, (_, expression) => walk.value(expression), undefined),
  ArrayExpression: (walk, node) => walk.list(node.elements),
  ObjectExpression: object,
  FunctionExpression: (walk, node) => walk.text(node),
  ArrowFunctionExpression: (walk, node) => walk.text(node),
  ClassExpression: (walk, node) => (isBareClass(node) ? walk.text(node) : refuse()),
  CallExpression: callPure,
  NewExpression: construct,
};

// { value }, or { error } for one that the input itself throws; undefined where nothing can be said.
function pureEvaluate(source, context, run) {
  let tree;
  try {
    tree = require('acorn').parse(source, { ecmaVersion: 'latest' });
  } catch {
    return undefined;
  }
  try {
    return { value: new PureEvaluator(source, context, run).statements(tree.body) };
  } catch (error) {
    return error instanceof Refused ? undefined : { error };
  }
}

module.exports = { pureEvaluate };
