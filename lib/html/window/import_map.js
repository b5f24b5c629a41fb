// natives: none
// Import maps: https://html.spec.whatwg.org/#import-maps. Resolves specifiers of modules by the map of their window.
'use strict';

const { URL } = require('internal/url/url_class');

const isRelative = (specifier) => /^\.{0,2}\//.test(specifier);

// A URL-like specifier as a URL, or undefined when it is a bare name.
function urlOf(specifier, base) {
  if (isRelative(specifier)) return URL.canParse(specifier, base) ? new URL(specifier, base) : undefined;
  return URL.canParse(specifier) ? new URL(specifier) : undefined;
}

// https://html.spec.whatwg.org/#sorting-and-normalizing-a-module-specifier-map: longer keys first.
function normalized(given, base, warn) {
  const entries = [];
  for (const key of each(Object.keys(given))) {
    const address = typeof given[key] === 'string' ? urlOf(given[key], base) : undefined;
    if (key === '') warn('Ignored an import map key of the empty string.');
    else if (address === undefined) warn(`Ignored the import map value of '${key}': it is no URL.`);
    entries.push([urlOf(key, base)?.href ?? key, address?.href ?? null]);
  }
  return entries.filter((entry) => entry[0] !== '').toSorted((a, b) => (a[0] < b[0] ? 1 : -1));
}

function parse(text, base, warn) {
  const json = JSON.parse(text);
  const check = (value, what) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new TypeError(`Failed to parse import map: ${what} must be an object`);
    return value;
  };
  const { imports = {}, scopes = {} } = check(json, 'the top-level value');
  check(scopes, '"scopes" value');
  return {
    imports: normalized(check(imports, '"imports" value'), base, warn),
    scopes: Object.keys(scopes)
      .filter((prefix) => URL.canParse(prefix, base))
      .map((prefix) => [new URL(prefix, base).href, normalized(check(scopes[prefix], `the value of scope "${prefix}"`), base, warn)])
      .toSorted((a, b) => (a[0] < b[0] ? 1 : -1)),
  };
}

// https://html.spec.whatwg.org/#resolving-an-imports-match
function match(specifier, entries, fail) {
  for (const [key, address] of eachEntry(entries)) {
    const isPrefix = key.endsWith('/') && specifier.startsWith(key);
    if (key !== specifier && !isPrefix) continue;
    if (address === null) throw fail(`the import map blocks '${specifier}'`);
    return key === specifier ? address : new URL(specifier.slice(key.length), address).href;
  }
  return undefined;
}

class ImportMap {
  #imports = [];
  #scopes = [];

  add(text, base, warn) {
    const { imports, scopes } = parse(text, base, warn);
    this.#imports = [...each(this.#imports), ...each(imports)];
    this.#scopes = [...each(this.#scopes), ...each(scopes)];
  }

  // https://html.spec.whatwg.org/#resolve-a-module-specifier; `fail(reason)` makes the error.
  resolve(specifier, base, fail) {
    const asUrl = urlOf(specifier, base)?.href;
    const name = asUrl ?? specifier;
    for (const [prefix, entries] of eachEntry(this.#scopes)) {
      if (prefix !== base && !(prefix.endsWith('/') && base.startsWith(prefix))) continue;
      const found = match(name, entries, fail);
      if (found !== undefined) return found;
    }
    const found = match(name, this.#imports, fail) ?? asUrl;
    if (found === undefined) throw fail('it begins with none of /, ./ and ../, and no import map names it');
    return found;
  }
}

module.exports = { ImportMap };
