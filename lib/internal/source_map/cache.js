// natives: modules, runtime
//
// Source maps of loaded files: whether they are wanted (--enable-source-maps,
// module.setSourceMapsSupport, process.setSourceMapsEnabled), which file has
// which, and reading them. The loaders hand every source to remember() while
// maps are wanted; stacks are mapped in stack.js.

'use strict';

const programState = require('internal/process/program_state');
const { Buffer } = require('internal/buffer/buffer');
const binding = native('modules');
const { setHook } = native('runtime');

const off = { __proto__: null, enabled: false, nodeModules: false, generatedCode: false };
let support = Object.freeze(off);
const maps = new Map(); // file URL → { data, lineLengths, map }

const hasScheme = /^\w+:\/\//;
const lastMappingComment = /\/[*/]#\s+sourceMappingURL=(?<url>[^\s]+)/g;
const lastSourceComment = /\/[*/]#\s+sourceURL=(?<url>[^\s]+)/g;

const isInPackage = (url) => regexpTest.call(/[/\\]node_modules[/\\]/, url);

function getSourceMapsSupport() {
  return support;
}

function setSourceMapsSupport(enabled, options = {}) {
  const { validateBoolean, validateObject } = require('internal/util/validators');
  validateBoolean(enabled, 'enabled');
  validateObject(options, 'options');
  const { nodeModules = false, generatedCode = false } = options;
  validateBoolean(nodeModules, 'options.nodeModules');
  validateBoolean(generatedCode, 'options.generatedCode');
  programState.onSource = enabled ? remember : undefined;
  setHook('MappedStackTrace', enabled ? require('internal/source_map/stack').mappedStack : null);
  support = Object.freeze({ __proto__: null, enabled, nodeModules, generatedCode });
}

function asUrl(place) {
  return regexpTest.call(hasScheme, place) || stringStartsWith.call(place, 'data:')
    ? place
    : requireLater('internal/modules/file_url').pathToUrl(place);
}

function lastMatch(pattern, text) {
  let found;
  pattern.lastIndex = 0;
  for (let match; (match = regexpExec.call(pattern, text)) !== null; ) found = match.groups.url;
  return found;
}

// Sources are named relative to the map, as a page names its scripts.
function withAbsoluteSources(base, data) {
  data.sources = arrayMap.call(data.sources, (source) => {
    const named = (data.sourceRoot || '') + source;
    if (require('internal/path/path').isAbsolute(named)) return requireLater('internal/modules/file_url').pathToUrl(named);
    return new (require('internal/url/url').URL)(named, base).href;
  });
  data.sourceRoot = '';
  return data;
}

function fromDataUrl(url, fileUrl) {
  const comma = stringIndexOf.call(url, ',');
  const [type, ...parameters] = each(stringSplit.call(stringSlice.call(url, 'data:'.length, comma), ';'));
  if (comma === -1 || type !== 'application/json') return null;
  const body = stringSlice.call(url, comma + 1);
  const text = arrayAt.call(parameters, -1) === 'base64' ? Buffer.from(body, 'base64').toString() : body;
  return withAbsoluteSources(fileUrl, JSON.parse(text));
}

// A map that is not there or not a map is none.
function read(mapUrl, fileUrl) {
  const { URL } = require('internal/url/url');
  try {
    if (stringStartsWith.call(mapUrl, 'data:')) return fromDataUrl(mapUrl, fileUrl);
    if (URL.canParse(mapUrl)) return null;
    const place = new URL(mapUrl, fileUrl);
    return withAbsoluteSources(place, JSON.parse(binding.readFileUtf8(require('internal/url/url').fileURLToPath(place))));
  } catch {
    return null;
  }
}

function lengthsOfLines(text) {
  return arrayMap.call(regexpSplit.call(/[\n\u2028\u2029]/, text), (line) => line.length);
}

// A comment that ends the text is one; in the middle it might be part of a string.
function isComment(content, mapUrl) {
  const at = stringLastIndexOf.call(content, mapUrl);
  if (regexpTest.call(/['"`]/, mapUrl)) return false;
  if (regexpTest.call(/^(?:\s|\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:\*\/\s*)?$/, stringSlice.call(content, at + mapUrl.length)))
    return true;
  const { parse } = require('acorn');
  for (const sourceType of each(['module', 'script'])) {
    let isFound = false;
    const onComment = (isBlock, text, start, end) => {
      isFound ||= start < at && at < end;
    };
    try {
      parse(content, { ecmaVersion: 'latest', sourceType, allowReturnOutsideFunction: true, allowHashBang: true, onComment });
      return isFound;
    } catch {
      continue;
    }
  }
  return true;
}

// Every source a loader compiles, as long as maps are wanted.
function remember(filename, content) {
  const mapUrl = lastMatch(lastMappingComment, content);
  if (mapUrl === undefined || !isComment(content, mapUrl)) return;
  const url = asUrl(filename);
  if (!support.nodeModules && isInPackage(url)) return;
  const entry = { data: read(mapUrl, url), lineLengths: lengthsOfLines(content), map: undefined };
  maps.set(url, entry);
  const named = lastMatch(lastSourceComment, content);
  if (named !== undefined) maps.set(asUrl(named), entry);
}

// For the report of coverage: the map that the text of a file names, whether maps are wanted or not.
function mapOf(url, content) {
  const mapUrl = lastMatch(lastMappingComment, content);
  if (mapUrl === undefined || !isComment(content, mapUrl)) return undefined;
  return { lineLengths: lengthsOfLines(content), data: read(mapUrl, url), url: mapUrl };
}

function findSourceMap(place) {
  if (typeof place !== 'string' || stringStartsWith.call(place, 'node:') || maps.size === 0) return undefined;
  if (!support.nodeModules && isInPackage(place)) return undefined;
  const entry = maps.get(asUrl(place));
  if (entry === undefined || entry.data === null) return undefined;
  try {
    const { SourceMap } = require('internal/source_map/source_map');
    return (entry.map ??= new SourceMap(entry.data, { lineLengths: entry.lineLengths }));
  } catch {
    return undefined;
  }
}

// One line of an original source: from the map itself, or from the file it names.
function originalLine(map, source, line) {
  const { sources, sourcesContent } = map.payload;
  let text = sourcesContent?.[arrayIndexOf.call(sources, source)];
  if (!text) {
    try {
      text = binding.readFileUtf8(stringStartsWith.call(source, 'file:') ? require('internal/url/url').fileURLToPath(source) : source);
    } catch {
      return undefined;
    }
  }
  return regexpSplit.call(/\r?\n/, text)[line];
}

module.exports = { getSourceMapsSupport, setSourceMapsSupport, findSourceMap, mapOf, originalLine };
