// natives: none
// How the inspector writes errors: the stack, improved by the class's name where the stack
// does not say it, without lines that the cause or a recursion repeats, and coloured so that
// a program's own lines stand out.
'use strict';

const core = require('internal/util/inspect/core');
const { isNativeError } = require('internal/util/types');
const { commonRun, repeatedRuns } = require('internal/util/stack_lines');
const { getPrefix } = require('internal/util/inspect/names');

const hasInstance = Function.prototype[Symbol.hasInstance];
const isError = (value) => isNativeError(value) || call1(hasInstance, Error, value);
const toText = (error) => errorToString.call(error);

function read(error, key) {
  try {
    return { ok: true, value: error[key] };
  } catch {
    return { ok: false, value: undefined };
  }
}

function getStack(ctx, error) {
  const { value: stack } = read(error, 'stack');
  if (typeof stack === 'string' && stack !== '') return stack;
  if (!stack) return toText(error);
  arrayPush.call(ctx.seen, error);
  ctx.indentationLvl += 4;
  const shown = core.formatValue(ctx, stack);
  ctx.indentationLvl -= 4;
  arrayPop.call(ctx.seen);
  return `${toText(error)}\n    ${shown}`;
}

// Of this realm or of another (a page's, a context's).
function isSyntaxError(error) {
  const prototype = Object.getPrototypeOf(error);
  if (prototype === SyntaxError.prototype) return true;
  return Error.isError(error) && prototype !== null && Object.getOwnPropertyDescriptor(prototype, 'name')?.value === 'SyntaxError';
}

// Names and messages that the stack already shows are not listed again as properties.
function hideShownKeys(error, stack, keys) {
  const drop = (key) => {
    const at = arrayIndexOf.call(keys, key);
    if (at !== -1) arraySplice.call(keys, at, 1);
  };
  drop('stack');
  // The parser leaves the place of a syntax error in enumerable properties.
  if (isSyntaxError(error)) arrayForEach.call(['line', 'column', 'sourceURL'], drop);
  for (const key of each(['message', 'name'])) {
    const { ok, value } = read(error, key);
    if (ok && (typeof value !== 'string' || stringIncludes.call(stack, value))) drop(key);
  }
}

// The engine keeps where an error was made in properties of its own: no part of the error.
// `stack` and `message` come first, as they are made first elsewhere.
function orderHiddenKeys(keys) {
  for (const key of each(['line', 'column', 'sourceURL', 'message', 'stack'])) {
    const at = arrayIndexOf.call(keys, key);
    if (at === -1) continue;
    arraySplice.call(keys, at, 1);
    if (key === 'message' || key === 'stack') arrayUnshift.call(keys, key);
  }
}

function addHiddenKeys(error, keys) {
  if (Object.hasOwn(error, 'cause') && !arrayIncludes.call(keys, 'cause')) arrayPush.call(keys, 'cause');
  const { value: errors } = read(error, 'errors');
  if (Array.isArray(errors) && Object.hasOwn(error, 'errors') && !arrayIncludes.call(keys, 'errors')) arrayPush.call(keys, 'errors');
}

// Puts the class's name where the stack has only the base's: "Foo: x" or "Foo [TypeError]: x".
function improveStack(stack, constructor, name, tag) {
  let length = name.length;
  if (typeof name !== 'string') {
    stack = stringReplace.call(stack, `${name}`, `${name} [${stringSlice.call(getPrefix(constructor, tag, 'Error'), 0, -1)}]`);
  }
  const startsWithName = () =>
    stringEndsWith.call(name, 'Error') &&
    stringStartsWith.call(stack, name) &&
    (stack.length === length || stack[length] === ':' || stack[length] === '\n');
  if (constructor !== null && !(typeof name === 'string' && startsWithName())) return stack;

  let fallback = 'Error';
  if (constructor === null) {
    const start = regexpExec.call(/^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n {4}at)/, stack) ?? regexpExec.call(/^([a-z_A-Z0-9-]*Error)$/, stack);
    fallback = start?.[1] ?? '';
    length = fallback.length;
    fallback ||= 'Error';
  }
  const prefix = stringSlice.call(getPrefix(constructor, tag, fallback), 0, -1);
  if (name === prefix) return stack;
  if (!stringIncludes.call(prefix, name)) return `${prefix} [${name}]${stringSlice.call(stack, length)}`;
  return length === 0 ? `${prefix}: ${stack}` : `${prefix}${stringSlice.call(stack, length)}`;
}

function getFrames(ctx, error, text) {
  const frames = stringSplit.call(text, '\n');
  const { value: cause } = read(error, 'cause');
  if (cause != null && isError(cause)) {
    const causeStack = getStack(ctx, cause);
    const start = stringIndexOf.call(causeStack, '\n    at');
    if (start !== -1) {
      const { length, offset } = commonRun(frames, stringSplit.call(stringSlice.call(causeStack, start + 1), '\n'));
      if (length > 0) {
        const note = `    ... ${length - 2} lines matching cause stack trace ...`;
        arraySplice.call(frames, offset + 1, length - 2, ctx.stylize(note, 'undefined'));
      }
    }
  }
  if (frames.length > 10) {
    for (const { offset, length, times } of each(arrayReverse.call(repeatedRuns(frames)))) {
      const note =
        `    ... collapsed ${length * times} duplicate lines matching above ` +
        `${times > 1 ? `${length} lines ${times} times...` : 'lines ...'}`;
      arraySplice.call(frames, offset, length * times, ctx.stylize(note, 'undefined'));
    }
  }
  return frames;
}

// Underlines the package's name after each node_modules/.
function markPackages(ctx, line) {
  return replaceMatches(
    line,
    /([/\\]node_modules[/\\])((?:@[^/\\]+[/\\])?[^/\\]+)/g,
    (match, folder, name) => folder + ctx.stylize(name, 'module'),
  );
}

// Greys the working directory, and the parentheses with it.
function markFolder(ctx, line, folder) {
  let at = stringIndexOf.call(line, folder);
  if (at === -1) return line;
  let length = folder.length;
  if (stringSlice.call(line, at - 7, at) === 'file://') {
    at -= 7;
    length += 7;
  }
  const start = line[at - 1] === '(' ? at - 1 : at;
  const closes = start !== at && stringEndsWith.call(line, ')');
  const end = at + length + 1;
  return (
    stringSlice.call(line, 0, start) +
    ctx.stylize(stringSlice.call(line, start, end), 'undefined') +
    stringSlice.call(line, end, closes ? -1 : line.length) +
    (closes ? ctx.stylize(')', 'undefined') : '')
  );
}

const kOwnFrame = /^ {4}at (?:[^/\\(]+ \(|)node:(.+):\d+:\d+\)?$/;

// Internal files that stack traces name, ours and those that traces from elsewhere carry.
const kInternalFile = /^internal\/(?:modules\/(?:cjs\/loader|esm\/\w+|helpers|run_main)|(?:main|process|streams|bootstrap)\/\w+|\w+)$/;

function isOwnFrame(line) {
  const match = regexpExec.call(kOwnFrame, line);
  if (match === null) return false;
  return regexpTest.call(kInternalFile, match[1]) || requireLater('internal/modules/builtins').exists(match[1]);
}

function colorFrames(ctx, lines) {
  let folder;
  try {
    folder = process.cwd();
  } catch {
    /* the directory is gone */
  }
  return arrayMap.call(lines, (line) => {
    if (isOwnFrame(line)) return ctx.stylize(line, 'undefined');
    const marked = markPackages(ctx, line);
    if (folder === undefined) return marked;
    const grey = markFolder(ctx, marked, folder);
    return grey === marked ? markFolder(ctx, marked, encodeURI(`file://${folder}`)) : grey;
  });
}

// In pages: frames of the library's own are not shown, unless there are no others.
let isHidden;
function hideFrames(isInner) {
  isHidden = isInner;
}
function shownFrames(lines) {
  if (isHidden === undefined) return lines;
  const shown = [];
  for (let i = 0; i < lines.length; i++) if (!isHidden(lines[i])) shown[shown.length] = lines[i];
  return shown.length === 0 ? lines : shown;
}

function formatError(error, constructor, tag, ctx, keys) {
  let stack;
  try {
    stack = getStack(ctx, error);
  } catch {
    return objectToString.call(error);
  }
  const { value: message } = read(error, 'message');
  const name = read(error, 'name').value ?? 'Error';
  if (ctx.showHidden) orderHiddenKeys(keys);
  else if (keys.length !== 0) hideShownKeys(error, stack, keys);
  addHiddenKeys(error, keys);
  stack = improveStack(stack, constructor, name, tag);

  let from = (message && stringIndexOf.call(stack, message)) || -1;
  if (from !== -1) from += message.length;
  const start = stringIndexOf.call(stack, '\n    at', from);
  if (start === -1) {
    stack = `[${stack}]`;
  } else {
    const lines = shownFrames(getFrames(ctx, error, stringSlice.call(stack, start + 1)));
    stack = `${stringSlice.call(stack, 0, start)}\n${arrayJoin.call(ctx.colors ? colorFrames(ctx, lines) : lines, '\n')}`;
  }
  if (ctx.indentationLvl !== 0) stack = stringReplaceAll.call(stack, '\n', `\n${stringRepeat.call(' ', ctx.indentationLvl)}`);
  return stack;
}

module.exports = { formatError, hideFrames, isError };
