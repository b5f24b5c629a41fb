// natives: none
// util.parseArgs: arguments to tokens, tokens to values and positionals, then defaults.
'use strict';

const {
  codes: {
    ERR_INVALID_ARG_VALUE,
    ERR_PARSE_ARGS_INVALID_OPTION_VALUE,
    ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL,
    ERR_PARSE_ARGS_UNKNOWN_OPTION,
  },
} = require('internal/errors/coded');
const {
  validateArray,
  validateBoolean,
  validateBooleanArray,
  validateObject,
  validateString,
  validateStringArray,
  validateUnion,
} = require('internal/util/validators');

const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
const setting = (options, name, key) => (Object.hasOwn(options, name) ? own(options[name], key) : undefined);
const takesValue = (options, name) => setting(options, name, 'type') === 'string';
const looksLikeOption = (value) => value != null && value.length > 1 && value[0] === '-';

function mainArguments() {
  // With -e or -p there is no script among process.argv.
  for (const flag of each(process.execArgv)) {
    if (regexpTest.call(/^(?:-e|-p|-pe|--eval|--print)(?:=|$)/, flag)) return arraySlice.call(process.argv, 1);
  }
  return arraySlice.call(process.argv, 2);
}

// --- arguments to tokens

function longNameOf(short, options) {
  for (const name of each(Object.keys(options))) {
    if (own(options[name], 'short') === short) return name;
  }
  return short;
}

function isShortGroup(arg, options) {
  if (arg.length <= 2 || arg[0] !== '-' || arg[1] === '-') return false;
  return !takesValue(options, longNameOf(arg[1], options));
}

// -abfFILE becomes -a -b -fFILE
function expandGroup(arg, options) {
  const expanded = [];
  for (let i = 1; i < arg.length; i++) {
    if (takesValue(options, longNameOf(arg[i], options)) && i < arg.length - 1) {
      arrayPush.call(expanded, `-${stringSlice.call(arg, i)}`);
      break;
    }
    arrayPush.call(expanded, `-${arg[i]}`);
  }
  return expanded;
}

function tokenize(args, options) {
  const tokens = [];
  const rest = arraySlice.call(args);
  let index = -1;
  let fromGroup = 0;

  const pushOption = (name, rawName, value, inlineValue) => {
    arrayPush.call(tokens, { kind: 'option', name, rawName, index, value, inlineValue });
  };
  const pushWithNext = (name, rawName) => {
    // Even "-x" is a value when the option wants one; strict mode complains of it later.
    if (takesValue(options, name) && rest[0] != null) {
      pushOption(name, rawName, arrayShift.call(rest), false);
      index++;
    } else {
      pushOption(name, rawName, undefined, undefined);
    }
  };
  while (rest.length > 0) {
    const arg = arrayShift.call(rest);
    if (fromGroup > 0) fromGroup--;
    else index++;
    if (arg === '--') {
      arrayPush.call(tokens, { kind: 'option-terminator', index });
      for (const value of each(rest)) arrayPush.call(tokens, { kind: 'positional', index: ++index, value });
      break;
    }
    const isOption = typeof arg === 'string' && looksLikeOption(arg);
    if (!isOption) {
      arrayPush.call(tokens, { kind: 'positional', index, value: arg });
    } else if (stringStartsWith.call(arg, '--')) {
      const equals = stringIndexOf.call(arg, '=', 3);
      if (equals === -1) pushWithNext(stringSlice.call(arg, 2), arg);
      else pushOption(stringSlice.call(arg, 2, equals), stringSlice.call(arg, 0, equals), stringSlice.call(arg, equals + 1), true);
    } else if (arg.length === 2) {
      pushWithNext(longNameOf(arg[1], options), arg);
    } else if (isShortGroup(arg, options)) {
      const expanded = expandGroup(arg, options);
      arrayUnshift.call(rest, ...each(expanded));
      fromGroup = expanded.length;
    } else {
      pushOption(longNameOf(arg[1], options), stringSlice.call(arg, 0, 2), stringSlice.call(arg, 2), true);
    }
  }
  return tokens;
}

// --- strict mode

function checkUsage(token, { options, allowPositionals, allowNegative }) {
  let { name } = token;
  if (!Object.hasOwn(options, name)) {
    const positive = allowNegative && stringStartsWith.call(name, 'no-') ? stringSlice.call(name, 3) : undefined;
    if (positive === undefined || setting(options, positive, 'type') !== 'boolean') {
      throw new ERR_PARSE_ARGS_UNKNOWN_OPTION(token.rawName, allowPositionals);
    }
    name = positive;
  }
  const short = setting(options, name, 'short');
  const shown = `${short ? `-${short}, ` : ''}--${name}`;
  const type = setting(options, name, 'type');
  if (type === 'string' && typeof token.value !== 'string') {
    throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown} <value>' argument missing`);
  }
  if (type === 'boolean' && token.value != null) {
    throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown}' does not take an argument`);
  }
}

function checkAmbiguous(token) {
  if (token.inlineValue || !looksLikeOption(token.value)) return;
  const { name, rawName } = token;
  const example = stringStartsWith.call(rawName, '--') ? `'${rawName}=-XYZ'` : `'--${name}=-XYZ' or '${rawName}-XYZ'`;
  throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(
    `Option '${rawName}' argument is ambiguous.\n` +
      `Did you forget to specify the option argument for '${rawName}'?\n` +
      `To specify an option argument starting with a dash use ${example}.`,
  );
}

// --- values

function store(token, { options, allowNegative }, values) {
  let { name, value } = token;
  if (name === '__proto__') return;
  if (allowNegative && value === undefined && stringStartsWith.call(name, 'no-')) {
    name = token.name = stringSlice.call(name, 3);
    value = false;
  }
  value ??= true;
  if (!setting(options, name, 'multiple')) values[name] = value;
  else if (values[name]) arrayPush.call(values[name], value);
  else values[name] = [value];
}

function validateOption(name, option) {
  validateObject(option, `options.${name}`);
  const type = own(option, 'type');
  validateUnion(type, `options.${name}.type`, ['string', 'boolean']);
  if (Object.hasOwn(option, 'short')) {
    validateString(option.short, `options.${name}.short`);
    if (option.short.length !== 1) {
      throw new ERR_INVALID_ARG_VALUE(`options.${name}.short`, option.short, 'must be a single character');
    }
  }
  const multiple = own(option, 'multiple');
  if (Object.hasOwn(option, 'multiple')) validateBoolean(multiple, `options.${name}.multiple`);
  const value = own(option, 'default');
  if (value === undefined) return;
  const check = type === 'string' ? (multiple ? validateStringArray : validateString) : multiple ? validateBooleanArray : validateBoolean;
  check(value, `options.${name}.default`);
}

function readConfig(config) {
  const strict = own(config, 'strict') ?? true;
  const read = {
    args: own(config, 'args') ?? mainArguments(),
    strict,
    allowPositionals: own(config, 'allowPositionals') ?? !strict,
    returnTokens: own(config, 'tokens') ?? false,
    allowNegative: own(config, 'allowNegative') ?? false,
    options: own(config, 'options') ?? { __proto__: null },
  };
  validateArray(read.args, 'args');
  validateBoolean(read.strict, 'strict');
  validateBoolean(read.allowPositionals, 'allowPositionals');
  validateBoolean(read.returnTokens, 'tokens');
  validateBoolean(read.allowNegative, 'allowNegative');
  validateObject(read.options, 'options');
  for (const name of each(Object.keys(read.options))) validateOption(name, read.options[name]);
  return read;
}

function parseArgs(config = {}) {
  const read = readConfig(config);
  const tokens = tokenize(read.args, read.options);
  const result = { values: { __proto__: null }, positionals: [] };
  if (read.returnTokens) result.tokens = tokens;
  for (const token of each(tokens)) {
    if (token.kind === 'option') {
      if (read.strict) {
        checkUsage(token, read);
        checkAmbiguous(token);
      }
      store(token, read, result.values);
    } else if (token.kind === 'positional') {
      if (!read.allowPositionals) throw new ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL(token.value);
      arrayPush.call(result.positionals, token.value);
    }
  }
  for (const name of each(Object.keys(read.options))) {
    const value = own(read.options[name], 'default');
    if (value !== undefined && result.values[name] === undefined && name !== '__proto__') result.values[name] = value;
  }
  return result;
}

module.exports = { parseArgs };
