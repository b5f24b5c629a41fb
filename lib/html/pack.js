// natives: none
// The document is jsdom's. Its files lie beside the binary (share/rondo/html) or, in a build tree, in the source tree's node_modules. They
// are loaded in the library's own realm, never the page's; what of jsdom loads resources, keeps time or reports errors is ours.
'use strict';

const Module = require('module');
const path = require('path');

function root() {
  const { existsSync } = require('fs');
  const home = path.dirname(process.execPath);
  const places = [path.join(home, '../share/rondo/html'), path.join(home, '../..'), path.join(home, '../../..')];
  const found = places.find((place) => existsSync(path.join(place, 'node_modules/jsdom/package.json')));
  if (found === undefined) throw new Error(`jsdom, of which documents are made, is not where it was installed (${places[0]})`);
  return require('fs').realpathSync(path.join(found, 'node_modules'));
}

let from;
let folder;

// Puts `exports` in the place of a file of the pack.
function replace(file, exports) {
  const filename = path.join(folder, file);
  const module = new Module(filename);
  module.filename = filename;
  module.loaded = true;
  module.exports = exports;
  Module._cache[filename] = module;
}

function open() {
  folder = root();
  from = Module.createRequire(path.join(folder, 'html.js'));
  return from;
}

module.exports = { open, replace, load: (name) => from(name) };
