// natives: none
// The excerpt ("file:line", the source line, a caret) put before the stack of an error that code compiled by node:vm threw. The
// report of an uncaught error asks whether it is there already.
'use strict';

const decorated = new WeakSet();
let last; // what was decorated last, or would have been, and its place

// As wide as what stands before the column; without an expression, which a program may have spoilt.
function indentTo(text, column) {
  let indent = '';
  for (let i = 0; i < column - 1 && i < text.length; i++) indent += text[i] === '\t' ? '\t' : ' ';
  return indent;
}

function excerpt(place, columnOffset) {
  const [url, line, column, text = ''] = each(place);
  return `${url}:${line}\n${text}\n${indentTo(text, column - columnOffset)}^\n`;
}

// `columnOffset`: by which the column is more than that of the text.
function decorate(error, place, columnOffset = 0) {
  last = { error, place };
  if (!Error.isError(error) || decorated.has(error) || place === undefined) return;
  const { stack } = error;
  if (typeof stack !== 'string') return;
  decorated.add(error);
  try {
    Object.defineProperty(error, 'stack', {
      __proto__: null,
      value: `${excerpt(place, columnOffset)}\n${stack}`,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  } catch {
    // Frozen: it keeps the stack it has.
  }
}

const isDecorated = (error) => typeof error === 'object' && error !== null && decorated.has(error);

// Where the code was that threw this, if it was the last to throw: [url, line, column, text].
const placeOf = (error) => (last !== undefined && Object.is(last.error, error) ? last.place : undefined);

module.exports = { decorate, indentTo, isDecorated, placeOf };
