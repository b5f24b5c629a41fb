// natives: none
// WebAssembly.compileStreaming and instantiateStreaming: https://webassembly.github.io/spec/web-api/. The engine compiles when the whole
// body is there.
'use strict';

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_WEBASSEMBLY_RESPONSE },
} = require('internal/errors/coded');

async function bytesOf(source) {
  const response = await source;
  const { Response } = require('undici/lib/web/fetch/response');
  if (!(response instanceof Response)) throw new ERR_INVALID_ARG_TYPE('source', ['Response', 'Promise resolving to Response'], response);
  const type = response.headers.get('Content-Type');
  if (type !== 'application/wasm') throw new ERR_WEBASSEMBLY_RESPONSE(`has unsupported MIME type '${type}'`);
  if (!response.ok) throw new ERR_WEBASSEMBLY_RESPONSE(`has status code ${response.status}`);
  if (response.bodyUsed) throw new ERR_WEBASSEMBLY_RESPONSE('body has already been used');
  return response.arrayBuffer();
}

async function compileStreaming(source) {
  const bytes = await bytesOf(source);
  return WebAssembly.compile(bytes); // the program's: loaded with its first use of WebAssembly
}

async function instantiateStreaming(source, imports) {
  const bytes = await bytesOf(source);
  return WebAssembly.instantiate(bytes, imports); // the program's: as above
}

module.exports = { compileStreaming, instantiateStreaming };
