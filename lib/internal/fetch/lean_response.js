// natives: serve
// The state of a `new Response` made of nothing but text or bytes, a status and a plain object of fields: the values themselves,
// checked. undici's class (tools/undici_seams.h) lays it out when a program looks inside; rondo:serve sends it as it is.
'use strict';

const { headerBlock } = native('serve');

// A literal: a setter that a program puts on Object.prototype does not see its members.
//   body    a string, a Uint8Array of our own, or null
//   block   the fields as lines behind a character of marks (src/modules/net/net_serve.cpp), or undefined
//   type    Content-Type, unless the fields have one
const keep = (body, status, block, type) => ({ body, status, block, type });

const plain = program.Object.prototype;
const isNullBodyStatus = (status) => status === 204 || status === 205 || status === 304;

function lean(body, init, type) {
  if (init === undefined) return keep(body, 200, undefined, type);
  if (typeof init !== 'object' || init === null || Object.getPrototypeOf(init) !== plain) return undefined;
  const { status = 200, statusText, headers } = init;
  if (statusText !== undefined || typeof status !== 'number' || status < 200 || status > 599 || status !== (status | 0)) return undefined;
  if (body !== null && isNullBodyStatus(status)) return undefined;
  if (headers === undefined) return keep(body, status, undefined, type);
  const block = headerBlock(headers);
  return block === undefined ? undefined : keep(body, status, block, type);
}

function leanResponse(body, init) {
  if (typeof body === 'string') return lean(body, init, 'text/plain;charset=UTF-8');
  if (body === null) return lean(null, init, undefined);
  if (!(body instanceof Uint8Array)) return undefined;
  const made = lean(body, init, undefined);
  if (made !== undefined) made.body = new Uint8Array(body);
  return made;
}

function leanJson(data, init) {
  const made = lean('', init, 'application/json');
  if (made === undefined) return undefined;
  made.body = JSON.stringify(data);
  return made.body === undefined ? undefined : made;
}

// The same as the constructor of Response takes it.
function initOf({ status, block, type }) {
  const headers = [];
  let hasType = false;
  if (block !== undefined) {
    for (const line of each(stringSplit.call(stringSlice.call(block, 1), '\r\n'))) {
      const colon = stringIndexOf.call(line, ':');
      if (colon === -1) continue;
      const name = stringSlice.call(line, 0, colon);
      if (stringToLowerCase.call(name) === 'content-type') hasType = true;
      arrayPush.call(headers, [name, stringSlice.call(line, colon + 2)]);
    }
  }
  if (type !== undefined && !hasType) arrayPush.call(headers, ['content-type', type]);
  return { status, headers };
}

module.exports = { leanResponse, leanJson, initOf };
