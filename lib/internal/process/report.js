// natives: stdio, process, modules
// The text printed for an uncaught error: place, source line, caret, stack, and whose runtime it was.
'use strict';

const { writeText } = native('stdio');
const { rondoVersion } = native('process');
const { readFileUtf8 } = native('modules');

// Errors know where they were made: used when the throw itself was not seen (rejections, microtasks, syntax errors).
function placeOf(error, site) {
  if (site !== undefined && !(error instanceof SyntaxError)) return site;
  if (error === null || typeof error !== 'object' || typeof error.sourceURL !== 'string' || !(error.line > 0)) return site;
  const { sourceURL: url, line, column = 0 } = error;
  if (url.startsWith('node:')) return site;
  const path = url.startsWith('file://') ? decodeURIComponent(url.slice(7)) : url;
  let text;
  try {
    text = readFileUtf8(path).split('\n')[line - 1];
  } catch {
    // Not a file: the place alone will do.
  }
  return [url, line, column, text];
}

function excerpt(error, site) {
  const place = placeOf(error, site);
  if (place === undefined) return '';
  const [url, line, column, text] = place;
  if (text === undefined) return `${url}:${line}\n\n`;
  const shown = text.slice(0, Math.max(column - 1, 0)).replace(/[^\t]/g, ' ');
  return `${url}:${line}\n${text}\n${shown}^\n\n`;
}

function describe(error) {
  try {
    return require('internal/util/inspect').inspect(error);
  } catch {
    try {
      return String(error?.stack ?? error);
    } catch {
      return 'an error that cannot be shown';
    }
  }
}

function isPrimitive(value) {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

// --trace-uncaught: where it was thrown, for values whose own stack does not say.
function thrownAt(error, stack) {
  if (stack === '' || !require('internal/options').getOptionValue('--trace-uncaught')) return '';
  return `\nThrown at:${stack}`;
}

function printUncaught(error, site, stack = '') {
  const isShown = require('internal/errors/arrow').isDecorated(error);
  const place = isShown ? '' : excerpt(error, site);
  let text = (isPrimitive(error) ? place.replace(/\n$/, '') : place) + describe(error);
  const trace = thrownAt(error, stack);
  if (trace !== '') text += trace;
  else if (isPrimitive(error)) text += '\n(Use `rondo --trace-uncaught ...` to show where the exception was thrown)';
  writeText(2, `${text}\n\nRondo v${rondoVersion}\n`);
}

module.exports = { printUncaught };
