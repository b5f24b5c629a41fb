// natives: none
// Applies the rows of html/jsdom/patch_table by their names. Rows of files that a window loads for itself (fake-indexeddb) are given its
// loader; the others are applied once an agent.
'use strict';

const hidden = require('html/jsdom/hidden');
const pack = require('html/jsdom/pack');
const { kFiles, kMembers } = require('html/jsdom/patch_table');

function rowOf(table, name) {
  const row = table[name];
  if (row === undefined) throw new Error(`html/jsdom/patch_table has no row '${name}'`);
  return row;
}

// visit(object, key) for each place that a row names.
function eachPlace(name, load, visit) {
  const { 0: files, 1: member } = rowOf(kMembers, name);
  const path = member.split('.');
  const last = path.pop().replace('+', '');
  for (const file of each(Array.isArray(files) ? files : [files])) {
    let object = load(file);
    for (const key of each(path)) object = object[key];
    visit(object, hidden[last] ?? last);
  }
}

// make(function that is there) → the function in its place.
function patch(name, make, load = pack.load) {
  eachPlace(name, load, (object, key) => {
    object[key] = make(object[key]);
  });
}

// make({ get, set }) → the members of the descriptor that are others.
function patchAccessor(name, make) {
  eachPlace(name, pack.load, (object, key) => {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    Object.defineProperty(object, key, { __proto__: null, ...descriptor, ...make(descriptor) });
  });
}

// Row of kFiles as a pair: its file, and what is loaded in its place.
function substitution(name, exports) {
  const { 0: file, 1: names } = rowOf(kFiles, name);
  for (const needed of each(names)) {
    if (exports[needed] === undefined) throw new Error(`the substitute for ${file} (${name}) has no ${needed}`);
  }
  return [file, exports];
}

function replaceFile(name, exports) {
  pack.replace(...each(substitution(name, exports)));
}

module.exports = { patch, patchAccessor, replaceFile, substitution };
