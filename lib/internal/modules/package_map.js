// natives: none
//
// --experimental-package-map: a JSON file that says which packages there are, where, and which of them each may load. Bare specifiers
// are looked up there instead of in node_modules. Read at the first bare specifier.

'use strict';

const { getOptionValue } = require('internal/process/options');
const { dirname, resolve } = require('internal/path/path');

const codes = () => require('internal/errors/coded').codes;

class PackageMap {
  file;
  #packages = new Map(); // key → { folder, dependencies }
  #keys = new Map(); // folder → key

  constructor(file, content) {
    this.file = file;
    const { packages } = content ?? {};
    if (packages === null || typeof packages !== 'object') this.#fail('missing "packages" object');
    for (const key of each(Object.keys(packages))) this.#add(key, packages[key] ?? {});
  }

  #fail(reason, cause) {
    const error = new (codes().ERR_PACKAGE_MAP_INVALID)(this.file, reason);
    if (cause !== undefined) error.cause = cause;
    throw error;
  }

  #add(key, { url, dependencies }) {
    const folder = this.#folderOf(key, url);
    if (this.#keys.has(folder)) {
      this.#fail(`packages "${this.#keys.get(folder)}" and "${key}" have the same url "${url}"; this will be supported in the future`);
    }
    this.#keys.set(folder, key);
    this.#packages.set(key, { folder, dependencies: { __proto__: null, ...dependencies } });
  }

  #folderOf(key, url) {
    if (url === '') this.#fail(`package "${key}" has an empty "url" field`);
    if (url === undefined) this.#fail(`package "${key}" is missing "url" field`);
    if (typeof url !== 'string') this.#fail(`package "${key}" has invalid "url" field: expected string, got ${typeof url}`);
    const { URL, fileURLToPath, pathToFileURL } = require('internal/url/url');
    let place;
    try {
      place = new URL(url, new URL('./', pathToFileURL(this.file)));
    } catch (error) {
      this.#fail(`package "${key}" has invalid url "${url}"`, error);
    }
    if (place.protocol !== 'file:') {
      this.#fail(`package "${key}" has unsupported URL scheme in url "${url}"; only file: URLs and relative URLs are currently supported`);
    }
    try {
      return resolve(fileURLToPath(place));
    } catch (error) {
      return this.#fail(`package "${key}" has invalid file url "${url}"`, error);
    }
  }

  // The package that a file belongs to: that of the nearest folder.
  #packageOf(file) {
    for (let folder = resolve(file); ; folder = dirname(folder)) {
      const key = this.#keys.get(folder);
      if (key !== undefined) return this.#packages.get(key);
      if (folder === dirname(folder)) return undefined;
    }
  }

  // → { folder, subpath }, or undefined when the importer's package does not depend on it.
  lookUp(specifier, importer) {
    const from = this.#packageOf(importer);
    if (from === undefined) throw new (codes().ERR_PACKAGE_MAP_EXTERNAL_FILE)(specifier, importer, this.file);
    const [, name, rest] = each(regexpExec.call(/^((?:@[^/]*\/)?[^/]*)([^]*)$/, specifier));
    const key = from.dependencies[name];
    if (key === undefined) return undefined;
    const target = this.#packages.get(key);
    if (target === undefined) throw new (codes().ERR_PACKAGE_MAP_KEY_NOT_FOUND)(key, this.file);
    return { folder: target.folder, subpath: `.${rest}` };
  }
}

let map;

function read(given) {
  const { readFileSync, realpathSync } = require('internal/fs/fs');
  const invalid = (file, reason, cause) => Object.assign(new (codes().ERR_PACKAGE_MAP_INVALID)(file, reason), { cause });
  let text;
  try {
    text = readFileSync(given, 'utf8');
  } catch (error) {
    throw invalid(given, 'failed to read', error);
  }
  const file = realpathSync(given); // modules are known by their real paths
  try {
    return new PackageMap(file, JSON.parse(text));
  } catch (error) {
    throw error.code === undefined ? invalid(file, 'invalid JSON', error) : error;
  }
}

function findPackage(specifier, importer) {
  if (map === undefined) {
    require('internal/util/helpers').emitExperimentalWarning('Package maps');
    const file = resolve(getOptionValue('--experimental-package-map'));
    map = new PackageMap(file, { packages: {} }); // stays when reading fails: every later request fails too
    map = read(file);
  }
  return map.lookUp(specifier, importer);
}

module.exports = { findPackage };
