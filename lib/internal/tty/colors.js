// natives: none
//
// How many colours a terminal shows, judged by the environment: getColorDepth
// and hasColors of tty.WriteStream. The answers are bits a colour: 1, 4, 8, 24.

'use strict';

const { validateInteger } = require('internal/util/validators');
const { ERR_INVALID_ARG_TYPE } = require('internal/errors/coded').codes;

const kNone = 1;
const k16 = 4;
const k256 = 8;
const kTrue = 24;

// Names of terminals, without version or colour suffix.
const terminals = {
  __proto__: null,
  eterm: k16,
  cons25: k16,
  console: k16,
  cygwin: k16,
  dtterm: k16,
  gnome: k16,
  hurd: k16,
  jfbterm: k16,
  konsole: k16,
  kterm: k16,
  mlterm: k16,
  putty: k16,
  st: k16,
  mosh: kTrue,
  'rxvt-unicode-24bit': kTrue,
  terminator: kTrue,
  'xterm-kitty': kTrue,
};
const families = [/ansi/, /color/, /linux/, /direct/, /^con[0-9]*x[0-9]/, /^rxvt/, /^screen/, /^xterm/, /^vt100/, /^vt220/];

// Systems that run programs without a terminal but show what they print.
const builders = [
  ['APPVEYOR', k256],
  ['BUILDKITE', k256],
  ['CIRCLECI', kTrue],
  ['DRONE', k256],
  ['GITEA_ACTIONS', kTrue],
  ['GITHUB_ACTIONS', kTrue],
  ['GITLAB_CI', k256],
  ['TRAVIS', k256],
];

let warned = false;
function warnOfIgnored(env) {
  if (warned) return;
  const ignored = arrayFilter.call(['NODE_DISABLE_COLORS', 'NO_COLOR'], (name) => env[name] !== undefined);
  if (ignored.length === 0) return;
  warned = true;
  process.emitWarning(`The '${arrayJoin.call(ignored, "' and '")}' env is ignored due to the 'FORCE_COLOR' env being set.`, 'Warning');
}

function forced(env) {
  switch (env.FORCE_COLOR) {
    case '':
    case '1':
    case 'true':
      warnOfIgnored(env);
      return k16;
    case '2':
      warnOfIgnored(env);
      return k256;
    case '3':
      warnOfIgnored(env);
      return kTrue;
    default:
      return kNone;
  }
}

function ofBuilder(env) {
  for (const [name, depth] of eachEntry(builders)) {
    if (name in env) return depth;
  }
  return env.CI_NAME === 'codeship' ? k256 : kNone;
}

function ofProgram(env) {
  switch (env.TERM_PROGRAM) {
    case 'iTerm.app':
      return !env.TERM_PROGRAM_VERSION || regexpTest.call(/^[0-2]\./, env.TERM_PROGRAM_VERSION) ? k256 : kTrue;
    case 'HyperTerm':
    case 'MacTerm':
      return kTrue;
    case 'Apple_Terminal':
      return k256;
    default:
      return undefined;
  }
}

function ofTerminal(env) {
  if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return kTrue;
  if (env.TERM) {
    if (regexpTest.call(/truecolor/, env.TERM)) return kTrue;
    if (regexpTest.call(/^xterm-256/, env.TERM)) return k256;
    const name = stringToLowerCase.call(env.TERM);
    if (terminals[name] !== undefined) return terminals[name];
    if (arraySome.call(families, (family) => regexpTest.call(family, name))) return k16;
  }
  return env.COLORTERM ? k16 : kNone;
}

function getColorDepth(env = process.env) {
  if (env.FORCE_COLOR !== undefined) return forced(env);
  if (env.NODE_DISABLE_COLORS || env.NO_COLOR || env.TERM === 'dumb') return kNone;
  if (env.TMUX) return kTrue;
  if ('TF_BUILD' in env && 'AGENT_NAME' in env) return k16;
  if ('CI' in env) return ofBuilder(env);
  if ('TEAMCITY_VERSION' in env) return regexpTest.call(/^(9\.(0*[1-9]\d*)\.|\d{2,}\.)/, env.TEAMCITY_VERSION) ? k16 : kNone;
  return ofProgram(env) ?? ofTerminal(env);
}

function hasColors(count, env) {
  if (env === undefined && (count === undefined || (typeof count === 'object' && count !== null))) {
    env = count;
    count = 16;
  } else {
    validateInteger(count, 'count', 2);
  }
  if (env !== undefined && (env === null || typeof env !== 'object')) throw new ERR_INVALID_ARG_TYPE('env', 'Object', env);
  return count <= 2 ** getColorDepth(env);
}

// Whether text written to `stream` may have colours.
function shouldColorize(stream) {
  if (process.env.FORCE_COLOR !== undefined) return getColorDepth() > 2;
  return !!stream?.isTTY && (typeof stream.getColorDepth === 'function' ? stream.getColorDepth() > 2 : true);
}

module.exports = { getColorDepth, hasColors, shouldColorize };
