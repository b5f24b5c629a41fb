// natives: none
//
// Stacks as the protocol shows them (Runtime.StackTrace), from the text of an error's stack; and the addresses of scripts.

'use strict';

const kOwnFiles = 'node:internal/inspector/';
let paths;

// The address that the protocol gives a script: files have URLs.
function scriptUrl(name) {
  if (!stringStartsWith.call(name, '/')) return name;
  paths ??= require('internal/modules/file_url');
  return paths.pathToUrl(name);
}

const kNamed = /^ {4}at (?:async )?(.*?) ?\(?((?:file:|node:|\/|evalmachine|\[eval|<anonymous>)[^()]*?|[^()\s]+):(\d+):(\d+)\)?$/;

function parseLine(line, scriptIdOf, keepsPaths) {
  const match = regexpExec.call(kNamed, line);
  if (match === null) return undefined;
  const url = keepsPaths ? match[2] : scriptUrl(match[2]);
  let functionName = replaceMatches(match[1], / \[as .*\]$/g, '');
  functionName = replaceMatches(functionName, /^(?:new |Object\.|Module\.(?!_))/g, '');
  if (functionName === '<anonymous>') functionName = '';
  return { functionName, scriptId: scriptIdOf(url), url, lineNumber: Number(match[3]) - 1, columnNumber: Number(match[4]) - 1 };
}

// Of a stack's text, without its first lines.
function parseStack(text, scriptIdOf, keepsPaths = false) {
  const callFrames = [];
  for (const line of each(stringSplit.call(text, '\n'))) {
    if (!stringStartsWith.call(line, '    at ')) continue;
    const frame = parseLine(line, scriptIdOf, keepsPaths);
    if (frame !== undefined && !stringStartsWith.call(frame.url, kOwnFiles)) arrayPush.call(callFrames, frame);
  }
  return { callFrames };
}

let mostFrames = 200;

function setMostFrames(count) {
  mostFrames = count;
}

// Of the caller of `above`. `keepsPaths`: names of files stay as they are.
function currentStack(above, scriptIdOf, keepsPaths) {
  const where = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = mostFrames;
  captureStackTrace(where, above);
  const { stack } = where;
  Error.stackTraceLimit = stackTraceLimit;
  return typeof stack === 'string' ? parseStack(stack, scriptIdOf, keepsPaths) : { callFrames: [] };
}

// A stack's text without the frames of the code that evaluates for a session.
function withoutOwnFrames(text) {
  if (!stringIncludes.call(text, kOwnFiles)) return text;
  const lines = stringSplit.call(text, '\n');
  const isOwn = (line) =>
    stringIncludes.call(line, kOwnFiles) ||
    line === '    at Object.evaluateInFrame (<anonymous>)' ||
    line === '    at Object.run (<anonymous>)';
  return arrayJoin.call(
    arrayFilter.call(lines, (line) => !isOwn(line)),
    '\n',
  );
}

module.exports = { withoutOwnFrames, currentStack, parseStack, scriptUrl, setMostFrames };
