// natives: none
// How a REPL shows an error that its input threw: "Uncaught ", the stack as far as the input's own functions reach, coloured by
// the writer.
'use strict';

const kFrameOfInput = /^ {4}at REPL\d+:\d+:\d+$/;

// Frames below the input's own top are the REPL's.
function ownFrames(lines) {
  const top = arrayFindLastIndex.call(lines, (line) => regexpTest.call(kFrameOfInput, line));
  return top === -1 ? lines : arraySlice.call(lines, 0, top);
}

// The error's stack with the input's own frames alone; where a prepareStackTrace of the program's makes it, it gets no others.
function ownStack(error, ErrorOfContext) {
  const { prepareStackTrace } = Error; // the program's: it is asked for every stack
  const had = Object.getOwnPropertyDescriptor(ErrorOfContext, 'prepareStackTrace');
  let isTrimmed = false;
  const trimmed = (subject, frames) => {
    isTrimmed = true;
    const top = arrayFindLastIndex.call(
      frames,
      (frame) => frame.getFunctionName() === null && regexpTest.call(/^REPL\d+$/, frame.getFileName() ?? ''),
    );
    return Reflect.apply(prepareStackTrace, Error, [subject, top === -1 ? frames : arraySlice.call(frames, 0, top)]);
  };
  if (typeof prepareStackTrace === 'function') {
    Object.defineProperty(ErrorOfContext, 'prepareStackTrace', {
      __proto__: null,
      value: trimmed,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
  try {
    const { stack } = error;
    return isTrimmed || typeof stack !== 'string' ? stack : arrayJoin.call(ownFrames(stringSplit.call(stack, '\n')), '\n');
  } finally {
    if (had === undefined) delete ErrorOfContext.prepareStackTrace;
    else Object.defineProperty(ErrorOfContext, 'prepareStackTrace', had);
  }
}

function setStack(error, stack) {
  try {
    Object.defineProperty(error, 'stack', { __proto__: null, value: stack, writable: true, configurable: true, enumerable: false });
  } catch {
    // Frozen: it keeps the stack it has.
  }
}

// import x, { y as z } from 'm'  ->  const { default: x, y: z } = await import('m');
function asDynamicImport(line) {
  const tree = require('acorn').parse(line, { ecmaVersion: 'latest', sourceType: 'module' });
  let text = '';
  for (const node of each(tree.body)) {
    if (node.type !== 'ImportDeclaration') continue;
    const imported = `await import(${JSON.stringify(node.source.value)});`;
    const { specifiers } = node;
    if (specifiers.length === 0) {
      text += imported;
    } else if (specifiers.length === 1 && specifiers[0].type === 'ImportNamespaceSpecifier') {
      text += `const ${specifiers[0].local.name} = ${imported}`;
    } else {
      const names = arrayMap.call(specifiers, (specifier) => {
        const name = specifier.imported?.name ?? 'default';
        return name === specifier.local.name ? name : `${name}: ${specifier.local.name}`;
      });
      text += `const { ${arrayJoin.call(names, ', ')} } = ${imported}`;
    }
  }
  return text;
}

function fixSyntaxError(repl, error) {
  let stack = replaceMatches(error.stack, /^REPL\d+:\d+\r?\n/g, '');
  stack = replaceMatches(stack, /^\s+at\s.*\n?/gm, '');
  if (stringIncludes.call(error.message, 'Cannot use import statement outside a module')) {
    const line = repl.lines[repl.lines.length - 1];
    const message = `Cannot use import statement inside the Node.js REPL, alternatively use dynamic import: ${asDynamicImport(line)}`;
    stack = stringReplace.call(stack, `SyntaxError: ${error.message}`, () => `SyntaxError: ${message}`);
    error.message = message;
  }
  setStack(error, stack);
}

function prepareError(repl, error) {
  const stack = ownStack(error, repl.context.Error ?? Error);
  if (typeof stack !== 'string') return;
  if (error.name === 'SyntaxError') fixSyntaxError(repl, error);
  else setStack(error, stack);
}

// The text for an error, without the line end.
function errorText(repl, error) {
  if (typeof error !== 'object' || error === null || !isErrorLike(error)) return undefined;
  try {
    prepareError(repl, error);
  } catch {
    // A Proxy or a getter of the program's: it is shown as it is.
  }
  const text = repl.writer(error);
  return text[0] === '[' && text[text.length - 1] === ']' ? stringSlice.call(text, 1, -1) : text;
}

const isErrorLike = (value) => Error.isError(value) || value instanceof Error;

// "Uncaught " goes before the line that names the error; a value that is none is named after it.
function withUncaught(text, breakLength) {
  const lines = regexpSplit.call(/(?<=\n)/, text);
  const at = arrayFindIndex.call(lines, (line) => regexpTest.call(/^\[?(?:[A-Z][a-z0-9_]*)*Error/, line));
  if (at === -1) return `Uncaught${lines.length === 1 ? ' ' : ':\n'}${text}`;
  lines[at] = (breakLength >= lines[at].length ? 'Uncaught ' : 'Uncaught:\n') + lines[at];
  return arrayJoin.call(lines, '');
}

function uncaughtText(repl, error, breakLength) {
  const text = withUncaught(errorText(repl, error) || repl.writer(error), breakLength);
  return stringEndsWith.call(text, '\n') ? text : `${text}\n`;
}

module.exports = { uncaughtText };
