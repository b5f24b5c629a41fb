// natives: none
// node:url. The WHATWG classes come from web/url, file URLs from internal/url,
// the legacy parser from internal/legacy_url; all but the first load on use.
'use strict';

const { URL } = require('web/url');

function forward(name, id) {
  exports[name] = { [name](...args) { return require(id)[name](...args); } }[name];
}

function lazy(name, id) {
  Object.defineProperty(exports, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = require(id)[name];
      Object.defineProperty(exports, name, { configurable: true, enumerable: true, writable: true, value });
      return value;
    },
    set(value) {
      Object.defineProperty(exports, name, { configurable: true, enumerable: true, writable: true, value });
    },
  });
}

lazy('Url', 'internal/legacy_url/parse');
forward('parse', 'internal/legacy_url/parse');
forward('resolve', 'internal/legacy_url/resolve');
forward('resolveObject', 'internal/legacy_url/resolve');
forward('format', 'internal/legacy_url/parse');
exports.URL = URL;
lazy('URLPattern', 'web/url_pattern');
lazy('URLSearchParams', 'web/url_search_params');
forward('domainToASCII', 'internal/url');
forward('domainToUnicode', 'internal/url');
forward('pathToFileURL', 'internal/url');
forward('fileURLToPath', 'internal/url');
forward('fileURLToPathBuffer', 'internal/url');
forward('urlToHttpOptions', 'internal/url');
