'use strict';
// Most copies of the language's methods are made after the program's first line (decision 0102). A program that has replaced every method of every
// prototype by then, and what functions inherit, changes nothing for the files of lib/ that are loaded afterwards.
const { execFileSync } = require('node:child_process');
const assert = require('node:assert');

const program = () => {
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { apply, ownKeys } = Reflect;
  const prototypes = [Array, String, Function, RegExp, Date, Number, Boolean, BigInt, Symbol, Error].map((Class) => Class.prototype);
  prototypes.push(Object.getPrototypeOf(Uint8Array.prototype));
  const map = new Map([[1, { a: 2 }]]);
  const changed = [];
  for (let i = 0; i < prototypes.length; i++) {
    const keys = ownKeys(prototypes[i]);
    for (let k = 0; k < keys.length; k++) {
      const descriptor = getOwnPropertyDescriptor(prototypes[i], keys[k]);
      const isMethod = typeof descriptor.value === 'function' && descriptor.configurable && keys[k] !== 'constructor';
      if (isMethod) changed[changed.length] = [prototypes[i], keys[k], descriptor];
      // The function that was there is a program's, too.
      if (isMethod) descriptor.value.call = descriptor.value.apply = () => { throw new Error('call of an original'); };
    }
  }
  for (let i = 0; i < changed.length; i++) {
    defineProperty(changed[i][0], changed[i][1], { __proto__: null, configurable: true, writable: true, value() { throw new Error('replaced'); } });
  }
  const path = require('path');
  const url = require('url');
  const querystring = require('querystring');
  const util = require('util');
  const results = [
    path.relative('/a/b/c', '/a/d'),
    url.pathToFileURL('/a b/ü.txt').href,
    querystring.stringify({ __proto__: null, a: [1, 2], b: 'ä' }),
    util.inspect({ list: [3, 1, 2], when: new Date(0), text: 'it\'s', big: 10n, map }),
    util.format('%s %d %j', 'x', 1.5, { a: 1 }),
    Buffer.from('h\u00e9llo').toString('hex'),
    new (require('events'))().on('a', () => {}).emit('a'),
  ];
  for (let i = changed.length - 1; i >= 0; i--) {
    delete changed[i][2].value.call;
    delete changed[i][2].value.apply;
    defineProperty(changed[i][0], changed[i][1], changed[i][2]);
  }
  apply(console.log, console, [JSON.stringify(results)]);
};

const text = execFileSync(process.execPath, ['-e', `(${program})()`], { encoding: 'utf8' });
assert.deepStrictEqual(JSON.parse(text), [
  '../../d', 'file:///a%20b/%C3%BC.txt', 'a=1&a=2&b=%C3%A4',
  `{
  list: [ 3, 1, 2 ],
  when: 1970-01-01T00:00:00.000Z,
  text: "it's",
  big: 10n,
  map: Map(1) { 1 => { a: 2 } }
}`, 'x 1.5 {"a":1}', '68c3a96c6c6f', true]);
