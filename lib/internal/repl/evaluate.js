// natives: none
// The evaluation of one input of a REPL: compiled as a script (as an object where it looks like one, with top-level await turned
// into an async function, at a terminal without its types), then run in the REPL's context. `Recoverable` says that more lines
// may make it right.
'use strict';

const vm = require('internal/vm/vm');
const { isRecoverable, isValidSyntax, looksLikeObject, faultPlace } = require('internal/repl/syntax');
const { kStandalone, REPL_MODE_STRICT } = require('internal/repl/symbols');
const { getOptionValue } = require('internal/process/options');

class Recoverable extends SyntaxError {
  constructor(err) {
    super();
    this.err = err;
  }
}

let lastResource = 0;
const nextResourceName = () => `REPL${++lastResource}`;

function compile(text, file) {
  return new vm.Script(text, { filename: file, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
}

// The stack of a SyntaxError: the faulty line, a caret below the fault, the error.
function showFault(error, code, place) {
  const lines = regexpSplit.call(/\r\n|[\n\r\u2028\u2029]/, code);
  const line = place?.line ?? error.line ?? 1;
  const text = lines[line - 1] ?? '';
  const indent = replaceMatches(stringSlice.call(text, 0, place?.column ?? text.length), /[^\t]/g, ' ');
  const carets = stringRepeat.call('^', place?.length ?? 1);
  Object.defineProperty(error, 'stack', {
    __proto__: null,
    value: `${text}\n${indent}${carets}\n\n${error.name}: ${error.message}`,
    writable: true,
    configurable: true,
    enumerable: false,
  });
  return error;
}

// acorn's "Unexpected token (1:2)" in the engine's words.
function fromAcorn(error, code) {
  let message = replaceMatches(error.message, / \(\d+:\d+\)$/g, '');
  if (message === 'Unexpected token') message += ` '${code[error.pos] ?? code[code.length - 1]}'`;
  const before = stringSplit.call(stringSlice.call(code, 0, error.pos), '\n');
  return showFault(new SyntaxError(message), code, { line: before.length, column: before[before.length - 1].length });
}

// The text with its top-level await turned, or null. Throws the error to show.
function turnAwait(code) {
  try {
    return require('internal/repl/top_level_await').processTopLevelAwait(code);
  } catch (error) {
    if (typeof error?.pos !== 'number') throw error;
    if (isRecoverable(code)) throw new Recoverable(fromAcorn(error, code));
    // Before the first await the engine has the better words.
    if (error.pos < stringIndexOf.call(code, 'await')) return null;
    throw fromAcorn(error, code);
  }
}

// The same text without types, if that is what it has; throws Recoverable where a type is not complete yet.
function withoutTypes(code, file) {
  if (!regexpTest.call(/[:<!]|\b(?:as|type|interface|enum|namespace|declare|satisfies|abstract|implements)\b/, code)) return undefined;
  try {
    return require('internal/modules/typescript').strip(code, file);
  } catch (error) {
    if (error?.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw error;
    if (regexpTest.call(/<eof>|Unterminated/, error?.message ?? '')) throw new Recoverable(error);
    return undefined;
  }
}

// { script, awaits }: `script` undefined for an empty input. Throws a SyntaxError, or Recoverable.
function prepare(code, file, { isStrict, hasTypes }) {
  const strict = (text) => (isStrict && !regexpTest.call(/^\s*$/, text) ? `'use strict'; void 0;\n${text}` : text);
  const isObject = looksLikeObject(code) && isValidSyntax(code);
  const source = isObject ? `(${stringTrim.call(code)})\n` : code;
  const turned = getOptionValue('--experimental-repl-await') && stringIncludes.call(source, 'await') ? turnAwait(source) : null;
  if (turned !== null) {
    try {
      return { script: compile(strict(turned), file), awaits: true };
    } catch {
      // The input itself is tried below.
    }
  }
  if (source === '\n') return { script: undefined, awaits: false };
  let first;
  if (isObject) {
    try {
      return { script: compile(strict(source), file), awaits: false };
    } catch (error) {
      first = error;
    }
  }
  try {
    return { script: compile(strict(code), file), awaits: false };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const shown = showFault(first ?? error, code, faultPlace(code));
    if (isRecoverable(code)) throw new Recoverable(shown);
    const plain = hasTypes ? withoutTypes(code, file) : undefined;
    if (plain !== undefined && plain !== code) return prepare(plain, file, { isStrict, hasTypes: false });
    throw shown;
  }
}

// Patterns of lib/ would change RegExp.$1 to $9 of a REPL that runs in the main context: they are put back before each input.
class KeptMatches {
  #texts = ['', '', '', '', '', '', '', '', ''];
  #separator = '\u0000\u0000\u0000';
  #pattern = new RegExp(
    `^${arrayJoin.call(
      arrayMap.call(this.#texts, () => '([^]*)'),
      this.#separator,
    )}$`,
  );

  restore() {
    regexpExec.call(this.#pattern, arrayJoin.call(this.#texts, this.#separator));
  }
  keep() {
    this.#texts = arrayMap.call(this.#texts, (_, i) => RegExp[`$${i + 1}`]);
  }
}

// Races a promise against Ctrl+C.
function untilInterrupt(promise, interrupts) {
  let onInterrupt;
  const interrupted = new Promise((_, reject) => {
    onInterrupt = () => {
      const { codes } = require('internal/errors/coded');
      const error = new codes.ERR_SCRIPT_EXECUTION_INTERRUPTED();
      error.stack = `${error.name} [${error.code}]: ${error.message}`;
      reject(error);
    };
    interrupts.add(onInterrupt);
  });
  return promiseFinally(Promise.race([promise, interrupted]), () => {
    interrupts.delete(onInterrupt);
  });
}

function run(repl, script, context) {
  const options = { displayErrors: false, breakOnSigint: repl.breakEvalOnSigint };
  // Without raw mode Ctrl+C is a signal.
  const wasRaw = repl.breakEvalOnSigint ? repl._setRawMode(false) : undefined;
  try {
    return repl.useGlobal ? script.runInThisContext(options) : script.runInContext(context, options);
  } finally {
    if (repl.breakEvalOnSigint) repl._setRawMode(wasRaw);
  }
}

function fail(repl, error) {
  if (process.domain?.listenerCount('error') > 0) process.domain.emit('error', error);
  else repl._handleError(error);
}

// The default `eval` of a REPL. `input` holds keys back while a promise is awaited.
function makeEvaluate(repl, input) {
  const matches = new KeptMatches();
  return function defaultEval(code, context, file, callback) {
    let prepared;
    try {
      prepared = prepare(code, file, {
        isStrict: repl.replMode === REPL_MODE_STRICT,
        hasTypes: repl[kStandalone] && getOptionValue('--strip-types'),
      });
    } catch (error) {
      callback(error);
      return;
    }
    if (prepared.script === undefined) {
      callback(null);
      return;
    }
    const finish = (error, value) => {
      if (repl.useGlobal) matches.keep();
      callback(error, value);
    };
    if (repl.useGlobal) matches.restore();
    let result;
    try {
      result = run(repl, prepared.script, context);
    } catch (error) {
      fail(repl, error);
      return;
    }
    if (!prepared.awaits) {
      finish(null, result);
      return;
    }
    input.pause();
    const awaited = repl.breakEvalOnSigint ? untilInterrupt(result, input.interrupts) : result;
    settle(repl, awaited, finish, input);
  };
}

async function settle(repl, promise, finish, input) {
  let outcome;
  try {
    outcome = await promise;
  } catch (error) {
    fail(repl, error);
    input.resume();
    return;
  }
  try {
    finish(null, outcome?.value);
  } finally {
    input.resume();
  }
}

module.exports = { Recoverable, makeEvaluate, nextResourceName };
