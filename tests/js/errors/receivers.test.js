// Stacks name the receiver of a call as V8 does: "at A.m", "at Object.nm [as named]"; what has no name is called by its assignment.
'use strict';
const assert = require('node:assert');

// The lines of the functions between the error and `called`, without their places.
function namesOf(called) {
  let error;
  try { called(); } catch (caught) { error = caught; }
  const lines = error.stack.split('\n').slice(1).map((line) => line.trim().slice(3));
  const end = lines.findIndex((line) => line.startsWith('namesOf '));
  return lines.slice(0, end - 1).map((line) => (line.includes(' (') ? line.slice(0, line.lastIndexOf(' (')) : '')).join(' | ');
}
const fail = () => { throw new Error('x'); };
const ownName = (name, value) => Object.defineProperty(value, 'name', { value: name });

class A {
  constructor(fails) { if (fails) throw new Error('x'); }
  m() { throw new Error('x'); }
  static s() { throw new Error('x'); }
  get g() { throw new Error('x'); }
  #p() { throw new Error('x'); }
  callsPrivate() { this.#p(); }
  arrow = () => { throw new Error('x'); };
  arrowWithThis = () => { throw new Error(typeof this); };
  [Symbol.iterator]() { throw new Error('x'); }
  inner() { (() => { throw new Error(typeof this); })(); }
  A() { throw new Error('x'); }
  static start(called) { let error; class B { static { try { called(); throw new Error('x'); } catch (caught) { error = caught; } } } throw error; }
}
class B extends A { n() { this.m(); } m() { super.m(); } }
class Context {}
const object = { m() { throw new Error('x'); }, a: () => { throw new Error('x'); }, named: function nm() { throw new Error('x'); } };
const other = { x: object.m };
function F() {}
F.stat = function() { throw new Error('x'); };
F.prototype.pm = function() { throw new Error('x'); };
exports.f = function() { throw new Error('x'); };
const chain = { b: {} }, key = 'dyn';
chain.b.c = function() { throw new Error('x'); };
chain[key] = function() { throw new Error('x'); };
chain['str'] = function() { throw new Error('x'); };
chain.either = chain.none || function() { throw new Error('x'); };
exports.p = exports.q = function() { throw new Error('x'); };

const expected = [
  [() => new A().m(), 'A.m'], [() => A.s(), 'A.s'], [() => B.s(), 'B.s'], [() => new A().g, 'get g'],
  [() => new A().callsPrivate(), '#p | A.callsPrivate'], [() => new A().arrow(), 'A.arrow'], [() => new A().arrowWithThis(), 'A.arrowWithThis'],
  [() => new A(1), 'new A'], [() => new B(1), 'new A | new B'], [() => new B().n(), 'B.m | B.m | B.n'], [() => [...new A()], '[Symbol.iterator]'],
  [() => new A().inner(), ' | A.inner'], [() => new A().A(), 'A'], [() => A.start(() => {}), '<static_initializer> | A.start'],
  [() => object.m(), 'Object.m'], [() => object.a(), 'Object.a'], [() => object.named(), 'Object.nm [as named]'], [() => other.x(), 'Object.m [as x]'],
  [() => object.m.call(new A()), 'A.m'], [() => object.m.call(undefined), 'm'], [() => object.m.call(5), 'Number.m'], [() => object.m.call('s'), 'String.m'],
  [() => object.m.call(true), 'Boolean.m'], [() => object.m.call(Symbol()), 'Symbol.m'], [() => (function() { throw new Error('x'); }).call(new Context()), 'Context.<anonymous>'],
  [() => (() => { throw new Error('x'); }).call(new Context()), 'Context.<anonymous>'], [() => fail(), 'fail'],
  [() => F.stat(), 'F.stat'], [() => new F().pm(), 'F.pm'], [() => exports.f(), 'exports.f'], [() => ({ x: exports.f }).x(), 'exports.f [as x]'],
  [() => chain.b.c(), 'chain.b.c'], [() => chain.dyn(), 'chain.<computed> [as dyn]'], [() => chain.str(), 'chain.str'],
  [() => chain.either(), 'chain.either'], [() => exports.p(), 'exports.p.exports.q'],
  [() => [1].map(fail), 'fail | Array.map'], [() => new Map([[1, 2]]).forEach(fail), 'fail | Map.forEach'], [() => new Uint8Array(1).map(fail), 'fail | Uint8Array.map'],
  [() => Array.from([1], fail), 'fail | Array.from'], [() => 'a'.replace(/a/, fail), 'fail | String.replace'], [() => JSON.parse('{'), 'JSON.parse'],
  [() => (1).toFixed(1000), 'Number.toFixed'], [() => 'a'.repeat(-1), 'String.repeat'], [() => new Map(5), 'new Map'], [() => new RegExp('['), 'new RegExp'],
  [() => Object.defineProperty(1, 'x', {}), 'Object.defineProperty'], [() => Reflect.ownKeys(1), 'Reflect.ownKeys'], [() => decodeURIComponent('%'), 'decodeURIComponent'],
  [() => { let thrown; new Promise(() => { try { fail(); } catch (error) { thrown = error; } }); throw thrown; }, 'fail |  | new Promise'],
  [() => Reflect.construct(A, [1]), 'new A'], [() => ({ [Symbol.toStringTag]: 'Tagged', m: object.m }).m(), 'Tagged.m'],
  [() => new Proxy(object, {}).m(), 'Proxy.m'], [() => Object.assign(Object.create(null), { m: object.m }).m(), 'Object.m'],
  [() => ownName('renamed', () => { throw new Error('x'); })(), 'renamed'],
  [() => { const e = new (require('node:events'))(); e.on('x', function h() { throw new Error('x'); }); e.emit('x'); }, 'EventEmitter.h | EventEmitter.emit'],
];
for (const [called, names] of expected) assert.strictEqual(namesOf(called), names, String(called));

// Code of eval() says where it was called.
assert.match((() => { try { eval('throw new Error()'); } catch (error) { return error.stack.split('\n')[1]; } })(),
  /^ {4}at eval \(eval at .*receivers\.test\.js:\d+:\d+\), <anonymous>:1:7\)$/);

// Who waits, through promises of then(), with receivers.
class Waiter {
  async m() { await 1; throw new Error('x'); }
  async outer() { await this.m().finally(() => {}); }
}
async function program() { await new Waiter().outer().catch((error) => { throw error; }); }
program().then(assert.fail, (error) => {
  const names = error.stack.split('\n').slice(1).filter((line) => line.includes(__filename)).map((line) => line.trim().split(' (')[0]);
  assert.deepStrictEqual(names, ['at Waiter.m', 'at async Waiter.outer', 'at async program']);
  callSites();
});

// The same in the words of call sites.
function callSites() {
  const siteOf = (called, at = 0) => { try { called(); } catch (error) { return error.stack[at]; } };
  Error.prepareStackTrace = (error, sites) => sites;
  const tell = (site) => [site.getTypeName(), site.getFunctionName(), site.getMethodName(), site.isToplevel(), site.isConstructor(), site.isNative(), typeof site.getThis(), typeof site.getFunction()];
  assert.deepStrictEqual(tell(siteOf(() => new A().m())), ['A', 'm', 'm', false, false, false, 'undefined', 'undefined']);
  assert.deepStrictEqual(tell(siteOf(() => new A(1))), [null, 'A', null, false, true, false, 'undefined', 'undefined']);
  const sloppy = new Function('error', 'return { nm() { throw new Error() } }')();
  assert.deepStrictEqual(tell(siteOf(() => { sloppy.other = sloppy.nm; delete sloppy.nm; sloppy.other(); })).slice(0, 4), ['Object', 'nm', 'other', false]);
  const map = siteOf(() => [1].map(fail), 1);
  assert.deepStrictEqual(tell(map), ['Array', 'map', 'map', false, false, false, 'undefined', 'undefined']);
  assert.strictEqual(String(map), 'Array.map (<anonymous>)');
  assert.strictEqual(map.getFileName(), null);
  const text = siteOf(() => eval('throw new Error()'));
  assert.deepStrictEqual([text.isEval(), text.getFunctionName(), text.getFileName()], [true, 'eval', undefined]);
  assert.match(text.getEvalOrigin(), /^eval at <anonymous> \(/);
  Error.prepareStackTrace = undefined;
}
