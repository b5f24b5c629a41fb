// natives: compile_cache, process, stdio
//
// The module compile cache (NODE_COMPILE_CACHE, module.enableCompileCache):
// bytecode of the program's modules, and stripped TypeScript, kept on disk for
// the next run. The loaders ask lookUp() before they compile; what was not
// there is made and written by flush(), at exit or when the program asks.
//
// A file: five fields of eight bytes (mark, size and hash of the source, size
// and hash of what follows), then the bytecode. One that does not fit in every
// field is as good as none: the engine never sees it.

'use strict';

const programState = require('internal/process/program_state');
const { hash, functionBytecode, moduleBytecode } = native('compile_cache');
const { rondoVersion } = native('process');
const path = require('internal/path/path');
const fs = require('internal/fs/fs');
const { Buffer } = require('internal/buffer/buffer');

const status = Object.freeze({ __proto__: null, FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 });
const kMark = 0x6f646e6f72;
const kHeaderBytes = 40;
const kinds = { __proto__: null, commonjs: 'CommonJS', module: 'ESM', typescript: 'StrippedTypeScript' };

let directory;
let isPortable = false;
const entries = new Map(); // kind + file → entry
let isTold;

function tell(text) {
  isTold ??= regexpTest.call(/\bCOMPILE_CACHE\b/i, process.env.NODE_DEBUG_NATIVE ?? '');
  if (isTold) native('stdio').writeText(2, text);
}

function reason(error) {
  return error.message === undefined ? String(error) : replaceMatches(replaceMatches(error.message, /^\w+: /, ''), /, .*$/, '');
}

// Caches of other builds, and of other users of a shared directory, do not mix with ours.
function tag() {
  return `v${rondoVersion}-${process.arch}-${process.versions.webkit}-${process.getuid()}`;
}

function enable(base, portable) {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) {
    return { status: status.DISABLED, message: 'Disabled by NODE_DISABLE_COMPILE_CACHE' };
  }
  if (directory !== undefined) return { status: status.ALREADY_ENABLED, directory };
  const home = path.resolve(base);
  const wanted = path.join(home, tag());
  tell(`[compile cache] resolved path ${base} + ${tag()} -> ${wanted}\n`);
  for (const right of each(['write', 'read'])) {
    if (process.permission?.has(`fs.${right}`, wanted) === false)
      return { status: status.FAILED, message: `Skipping compile cache because ${right} permission for ${wanted} is not granted` };
  }
  try {
    fs.mkdirSync(wanted, { recursive: true });
    tell(`[compile cache] creating cache directory ${wanted}...success\n`);
    if (fs.statSync(wanted).uid !== process.getuid()) throw new Error('the directory belongs to another user');
  } catch (error) {
    return { status: status.FAILED, message: `Cannot create cache directory: ${reason(error)}` };
  }
  directory = wanted;
  isPortable = portable;
  programState.compileCache = { lookUp, flush, stripped, keepStripped };
  return { status: status.ENABLED, directory: home };
}

function enableCompileCache(options) {
  let portable;
  let base = options;
  if (typeof options === 'object' && options !== null) ({ directory: base, portable } = options);
  if (base !== undefined && typeof base !== 'string') {
    const { ERR_INVALID_ARG_TYPE } = require('internal/errors/coded').codes;
    throw Object.assign(new ERR_INVALID_ARG_TYPE('cacheDir', 'string', base), { message: 'cacheDir should be a string' });
  }
  base ??= process.env.NODE_COMPILE_CACHE || path.join(require('internal/os/os').tmpdir(), 'node-compile-cache');
  const result = enable(base, Boolean(portable ?? process.env.NODE_COMPILE_CACHE_PORTABLE === '1'));
  if (result.message !== undefined && result.status !== status.ENABLED) tell(`${result.message}\n`);
  return result;
}

// At start-up, for NODE_COMPILE_CACHE.
function enableFromEnvironment() {
  const result = enable(process.env.NODE_COMPILE_CACHE, process.env.NODE_COMPILE_CACHE_PORTABLE === '1');
  if (result.message !== undefined) tell(`${result.message}\n`);
}

function nameFor(kind, file) {
  let known = file;
  if (isPortable) {
    const own = stringStartsWith.call(file, 'file:') ? require('internal/modules/file_url').urlToPath(file) : file;
    if (!path.isAbsolute(own)) return undefined;
    known = path.relative(directory, own);
    tell(`[compile cache] using relative path ${known} from ${directory}\n`);
  }
  return path.join(directory, stringPadStart.call(numberToString.call(hash(`${kind}\0${known}`), 16), 14, '0'));
}

function header(entry, data) {
  const fields = new Float64Array([kMark, entry.content.length, hash(entry.content), data.length, hash(data)]);
  return new Uint8Array(fields.buffer);
}

// The cached bytecode for exactly this source, or undefined.
function read(entry) {
  tell(`[compile cache] reading cache from ${entry.name} for ${kinds[entry.kind]} ${entry.file}...`);
  let bytes;
  try {
    bytes = fs.readFileSync(entry.name);
  } catch (error) {
    tell(` ${reason(error)}\n`);
    return undefined;
  }
  const data = bytes.subarray(kHeaderBytes);
  const fits = bytes.length > kHeaderBytes && Buffer.compare(header(entry, data), bytes.subarray(0, kHeaderBytes)) === 0;
  if (!fits) {
    const size = bytes.length > kHeaderBytes ? bytes.readDoubleLE(8) : 0;
    const what = size === entry.content.length ? 'hash' : 'size';
    tell(`code ${what} mismatch: expected ${what === 'size' ? entry.content.length : hash(entry.content)}\n`);
    return undefined;
  }
  tell(` success, size=${data.length}\n`);
  return data;
}

function entryOf(kind, file, content) {
  const key = `${kind}\0${file}`;
  let entry = entries.get(key);
  if (entry === undefined || entry.content !== content) {
    const name = nameFor(kind, file);
    if (name === undefined) return undefined;
    entry = { kind, file, content, name, data: undefined, isNew: false, isWritten: false };
    entry.data = read(entry);
    entries.set(key, entry);
  }
  return entry;
}

// Bytecode for a source about to be compiled, or undefined; then flush() will make it.
function lookUp(kind, file, content) {
  const entry = entryOf(kind, file, content);
  if (entry === undefined) return undefined;
  const isFound = entry.data !== undefined;
  entry.isNew = !isFound;
  const what = isFound ? 'accepted, keeping' : 'not initialized, initializing';
  tell(`[compile cache] V8 code cache for ${kinds[kind]} ${file} was ${what} the in-memory entry\n`);
  return entry.data;
}

function stripped(file, content) {
  const entry = entryOf('typescript', file, content);
  tell(`[compile cache] retrieving transpile cache for StrippedTypeScript ${file}...${entry?.data === undefined ? 'missed' : 'success'}\n`);
  return entry?.data?.toString();
}

function keepStripped(file, content, text) {
  const entry = entryOf('typescript', file, content);
  if (entry === undefined) return;
  tell(`[compile cache] saving transpilation cache for StrippedTypeScript ${file}\n`);
  entry.data = Buffer.from(text);
  entry.isNew = true;
}

function make({ kind, file, content }) {
  return kind === 'module' ? moduleBytecode(content, file) : functionBytecode(content, file);
}

function skipReason(entry) {
  if (!entry.isNew) return entry.data === undefined ? 'the cache was not initialized' : 'cache was the same';
  return entry.isWritten ? 'cache was already persisted' : undefined;
}

function persist(entry) {
  const kind = kinds[entry.kind];
  const why = skipReason(entry);
  if (why !== undefined) {
    tell(`[compile cache] skip persisting ${kind} ${entry.file} because ${why}\n`);
    return;
  }
  entry.data ??= make(entry);
  if (entry.data === undefined) {
    tell(`[compile cache] skip persisting ${kind} ${entry.file} because the cache was not initialized\n`);
    return;
  }
  const temporary = `${entry.name}.${process.pid}`;
  tell(`[compile cache] writing cache for ${kind} ${entry.file} to temporary file ${temporary}...`);
  try {
    fs.writeFileSync(temporary, Buffer.concat([header(entry, entry.data), entry.data]), { mode: 0o600 });
    fs.renameSync(temporary, entry.name);
    entry.isWritten = true;
    tell('success\n');
  } catch (error) {
    tell(`failed: ${reason(error)}\n`);
  }
}

// Errors are nobody's business here: a cache that cannot be written is a slower next start.
function flush() {
  for (const entry of each(entries.values())) persist(entry);
}

function flushCompileCache(keepDeserializedCache) {
  if (keepDeserializedCache !== undefined && typeof keepDeserializedCache !== 'boolean') {
    const { ERR_INVALID_ARG_TYPE } = require('internal/errors/coded').codes;
    throw Object.assign(new ERR_INVALID_ARG_TYPE('keepDeserializedCache', 'boolean', keepDeserializedCache), {
      message: 'keepDeserializedCache should be a boolean',
    });
  }
  if (directory === undefined) return;
  flush();
  tell('[compile cache] module.flushCompileCache() finished.\n');
}

const getCompileCacheDir = () => directory;

Object.defineProperty(flushCompileCache, 'length', { value: 0, configurable: true });

module.exports = { status, enableCompileCache, enableFromEnvironment, flushCompileCache, getCompileCacheDir };
