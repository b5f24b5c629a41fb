// natives: stdio
// Whether a stream takes colours, and the escape codes for diffs and warnings on stderr:
// empty strings when it does not. `refresh` looks again.
'use strict';

const { kindOf } = native('stdio');

const kCodes = {
  blue: '\u001b[34m',
  green: '\u001b[32m',
  white: '\u001b[39m',
  yellow: '\u001b[33m',
  red: '\u001b[31m',
  gray: '\u001b[90m',
  clear: '\u001bc',
  reset: '\u001b[0m',
};

// FORCE_COLOR, as terminals and CI systems use it: "", "1", "true", "2" and "3" mean yes.
function forcedDepth(value) {
  if (value === '' || value === '1' || value === 'true') return 4;
  if (value === '2') return 8;
  return value === '3' ? 24 : 1;
}

function shouldColorize(stream) {
  const forced = process.env.FORCE_COLOR;
  if (forced !== undefined) return forcedDepth(forced) > 2;
  return stream?.isTTY && (typeof stream.getColorDepth === 'function' ? stream.getColorDepth() > 2 : true);
}

// The stream is not made only to learn that it is no terminal.
function errorsTakeColors() {
  if (requireLater('internal/process/object').isUntouched('stderr') && process.env.FORCE_COLOR === undefined && kindOf(2) !== 'tty')
    return false;
  return !!shouldColorize(process.stderr);
}

function refresh() {
  const on = errorsTakeColors();
  for (const name of each(Object.keys(kCodes))) module.exports[name] = on ? kCodes[name] : '';
  module.exports.hasColors = on;
}

module.exports = { hasColors: false, refresh, shouldColorize };
refresh();
