// natives: modules, process, stdio
// The text printed for an uncaught error: place, source line, caret, stack, and whose runtime it was.
'use strict';

const programState = require('internal/process/program_state');
const { indentTo } = require('internal/errors/arrow');
const { writeText } = native('stdio');
const { rondoVersion } = native('process');
const binding = native('modules');

// Errors know where they were made: used when the throw itself was not seen (rejections, microtasks, syntax errors).
function placeOf(error, site) {
  if (site !== undefined && !(error instanceof SyntaxError)) return site;
  if (error === null || typeof error !== 'object' || typeof error.sourceURL !== 'string' || !(error.line > 0)) return site;
  const { sourceURL: url, line, column = 0 } = error;
  if (stringStartsWith.call(url, 'node:')) return site;
  const path = stringStartsWith.call(url, 'file://') ? decodeURIComponent(stringSlice.call(url, 7)) : url;
  let source;
  try {
    source = isEvaluated(url) ? programState.evalText : binding.readFileUtf8(path);
  } catch {
    return site ?? [url, line, column, undefined]; // not a file: where it was thrown, or the place alone
  }
  const exact = error instanceof SyntaxError ? syntaxPlace(source, path) : undefined;
  if (exact === undefined && site !== undefined) return site; // the error of another text: eval's, JSON.parse's, that of a new Function
  const [realLine, realColumn, length] = each(exact ?? [line, column]);
  return [url, realLine, realColumn, stringSplit.call(source, '\n')[realLine - 1], length];
}

// The text of -e and of standard input is in no file.
const isEvaluated = (url) => url === '[eval]' || url === '[stdin]' || stringEndsWith.call(url, '/[eval1]');

// The engine knows the line alone, and counts the wrapper of CommonJS.
function syntaxPlace(source, path) {
  const asCommonJs =
    stringEndsWith.call(path, '.mjs') || stringEndsWith.call(path, '/[eval1]') ? undefined : binding.syntaxPlace(source, false);
  return asCommonJs ?? binding.syntaxPlace(source, true);
}

// In the original, where there is one and source maps are on.
function mapped(place) {
  if (programState.onSource === undefined) return place;
  return requireLater('internal/source_map/stack').mappedPlace(place[0], place[1], place[2]) ?? place;
}

function excerpt(error, site) {
  let place = site;
  try {
    place = placeOf(error, site);
  } catch {
    /* a proxy or a getter that throws says nothing of its place */
  }
  if (place === undefined) return '';
  const [url, line, column, text, length = 1] = each(mapped(place));
  if (text === undefined) return `${url}:${line}\n\n`;
  // Behind the text there is nothing to point at.
  const arrows = column > text.length ? '' : stringRepeat.call('^', Math.max(1, Math.min(length, text.length - column + 1)));
  return `${url || '<anonymous_script>'}:${line}\n${text}\n${indentTo(text, column)}${arrows}\n\n`;
}

// The thrown value may be a Proxy, whose traps throw in turn: then there is no place to show.
function shownExcerpt(error, site) {
  try {
    return excerpt(error, site);
  } catch {
    return '';
  }
}

// When even the report fails, because the program has spoilt what it is made with.
function lastWords(error) {
  try {
    return `${typeof error === 'object' && error !== null ? (error.stack ?? error) : String(error)}`;
  } catch {
    return 'an error that cannot be shown';
  }
}

function describe(error) {
  try {
    return require('internal/util/inspect').inspect(error);
  } catch {
    return lastWords(error);
  }
}

function isPrimitive(value) {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

function plainText(value) {
  return typeof value === 'symbol' ? '' : String(value);
}

// --trace-uncaught: where it was thrown, for values whose own stack does not say.
function thrownAt(error, stack) {
  if (stack === '' || !require('internal/process/options').getOptionValue('--trace-uncaught')) return '';
  return `\nThrown at:${stack}`;
}

// Of a graph that require() refused: its awaits instead of the call (--experimental-print-required-tla).
function requiredAwaits(error) {
  if (!Error.isError(error)) return undefined;
  const locations = Object.getOwnPropertyDescriptor(error, 'topLevelAwaitLocations')?.value;
  return locations?.length > 0 ? requireLater('internal/modules/required_awaits').describe(locations) : undefined;
}

function reportOf(error, site, stack) {
  const isShown = require('internal/errors/arrow').isDecorated(error);
  const place = isShown ? '' : (requiredAwaits(error) ?? shownExcerpt(error, site));
  const trace = thrownAt(error, stack);
  if (!isPrimitive(error) && (Error.isError(error) || typeof error.stack === 'string')) return place + describe(error) + trace;
  const shown = isPrimitive(error) ? plainText(error) : describe(error);
  const text = `\n${stringEndsWith.call(place, '\n') ? stringSlice.call(place, 0, -1) : place}${shown}`;
  if (!isPrimitive(error)) return text + trace;
  return trace !== '' ? text + trace : `${text}\n(Use \`rondo --trace-uncaught ...\` to show where the exception was thrown)`;
}

// `report`: who words it otherwise.
function printUncaught(error, site, stack = '', report = reportOf) {
  program.mendExpressions();
  let text;
  try {
    text = report(error, site, stack);
  } catch {
    text = lastWords(error);
  }
  const { getOptionValue } = require('internal/process/options');
  writeText(2, getOptionValue('--extra-info-on-fatal-exception') ? `${text}\n\nRondo v${rondoVersion}\n` : `${text}\n`);
}

module.exports = { printUncaught, reportOf, isPrimitive, shownExcerpt, thrownAt };
