// natives: compile_cache
// The bytes of SourceTextModule's createCachedData(): a mark, a hash of the text, the engine's bytecode.
'use strict';

const { hash, moduleBytecode } = native('compile_cache');
const { Buffer } = require('internal/buffer/buffer');
const {
  codes: { ERR_VM_MODULE_CACHED_DATA_REJECTED },
} = require('internal/errors/coded');

const headOf = (source) => Buffer.from(`rondo module ${hash(source)}\n`, 'latin1');

function makeCache(source, identifier) {
  return Buffer.concat([headOf(source), moduleBytecode(source, identifier) ?? Buffer.alloc(0)]);
}

function bytecodeIn(data, source) {
  const head = headOf(source);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (!bytes.subarray(0, head.length).equals(head)) throw new ERR_VM_MODULE_CACHED_DATA_REJECTED();
  return bytes.length > head.length ? bytes.subarray(head.length) : undefined;
}

module.exports = { makeCache, bytecodeIn };
