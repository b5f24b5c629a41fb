// natives: none
// node:url. The WHATWG classes come from web/url, file URLs from internal/url/conversions,
// the legacy parser from internal/url/parse; all but the first load on use.
'use strict';

const { addLazy } = require('internal/util/lazy_property');
const { URL } = require('internal/url/url_class');

function forward(name, id) {
  exports[name] = {
    [name](...args) {
      return require(id)[name](...each(args));
    },
  }[name];
}

const lazy = (name, id) => addLazy(exports, [name], () => require(id)[name], true);

lazy('Url', 'internal/url/parse');
forward('parse', 'internal/url/parse');
forward('resolve', 'internal/url/resolve');
forward('resolveObject', 'internal/url/resolve');
forward('format', 'internal/url/parse');
exports.URL = URL;
lazy('URLPattern', 'internal/url_pattern/url_pattern');
lazy('URLSearchParams', 'internal/url/search_params');
forward('domainToASCII', 'internal/url/conversions');
forward('domainToUnicode', 'internal/url/conversions');
forward('pathToFileURL', 'internal/url/conversions');
forward('fileURLToPath', 'internal/url/conversions');
forward('fileURLToPathBuffer', 'internal/url/conversions');
forward('urlToHttpOptions', 'internal/url/conversions');
