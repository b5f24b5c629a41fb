// What a page tries on the intrinsics of the library's realm has no effect.
import assert from 'node:assert';
import { test } from 'node:test';
import { run } from '../../fixtures/html_realm/walk_kinds.mjs';

test('prototypes of the library are nobody\'s to change', () => {
  const { stdout } = run('pollution.html', `<body><script>
    const arrays = Object.getPrototypeOf(PerformanceObserver.supportedEntryTypes);
    const library = Object.getPrototypeOf(arrays);
    const functions = Object.getPrototypeOf(arrays.push);
    if (library === Object.prototype || functions === Function.prototype) throw new Error('they are the page\\'s own');
    const seen = [];
    const attempts = {
      assign() { 'use strict'; library.polluted = 1; }, define: () => Object.defineProperty(library, 'get', { get() { seen.push(this); } }), remove() { 'use strict'; delete functions.call; },
      prototype: () => Object.setPrototypeOf(functions, { x: 1 }), push() { 'use strict'; arrays.push = function(item) { seen.push(item); }; },
      iterator() { 'use strict'; arrays[Symbol.iterator] = function* () { seen.push(this); }; }, to() { 'use strict'; library.toString = () => seen.push('called'); },
      constructor() { 'use strict'; functions.constructor = 1; }, lookup: () => library.__defineGetter__('x', () => 1), symbol() { 'use strict'; library[Symbol.iterator] = () => seen.push('called'); },
    };
    for (const name of Object.keys(attempts)) {
      try {
        attempts[name]();
        console.log(name, 'done');
      } catch (error) {
        console.log(name, error.name);
      }
    }
    const made = document.createElement('p');
    made.className = 'a';
    document.body.append(made);
    console.log(document.querySelectorAll('p.a').length, seen.length, made.polluted);
    console.log('_document' in window, Object.getOwnPropertyNames(window).filter((name) => name[0] === '_').join(), Reflect.set(window, '_globalProxy', 1));
  </script>`);
  const lines = stdout.trimEnd().split('\n');
  assert.deepStrictEqual(lines.slice(0, -2).map((line) => line.split(' ')[1]), Array(10).fill('TypeError'));
  assert.deepStrictEqual(lines.slice(-2), ['1 0 undefined', 'false _globalObject,_globalProxy false']);
});
