// natives: none
// Error codes whose message is computed. Each entry names the class and a function that
// returns the text; inside it `this` is the error being made, so that extra properties
// (`input`, `host`, …) are set in Node's order. Arity matters: parameters without a default
// are required. Read only by internal/errors/coded.
'use strict';

const { determineSpecificType, formatList, inspectSafely } = require('internal/errors/describe');

// The words that name a JavaScript type in "must be of type …"; everything else that looks
// like a class name is announced as "an instance of …".
const kTypeNames = new Map([
  ['string', 'string'],
  ['function', 'function'],
  ['number', 'number'],
  ['object', 'object'],
  ['boolean', 'boolean'],
  ['bigint', 'bigint'],
  ['symbol', 'symbol'],
  ['Function', 'function'],
  ['Object', 'object'],
]);
const kClassName = /^[A-Z][a-zA-Z0-9]*$/;

const propertyOrArgument = (name) => (stringIncludes.call(name, '.') ? 'property' : 'argument');

function sortExpectations(expected) {
  const types = [];
  const instances = [];
  const others = [];
  for (const entry of each(Array.isArray(expected) ? expected : [expected])) {
    const type = kTypeNames.get(entry);
    if (type !== undefined) arrayPush.call(types, type);
    else if (regexpTest.call(kClassName, entry)) arrayPush.call(instances, entry);
    else arrayPush.call(others, entry);
  }
  // "of type object or an instance of X" reads better as "an instance of X or Object".
  const at = instances.length > 0 ? arrayIndexOf.call(types, 'object') : -1;
  if (at !== -1) {
    arraySplice.call(types, at, 1);
    arrayPush.call(instances, 'Object');
  }
  return { types, instances, others };
}

function describeExpectations(expected) {
  const { types, instances, others } = sortExpectations(expected);
  const parts = [];
  if (types.length > 0) {
    arrayPush.call(parts, `${types.length > 1 ? 'one of type' : 'of type'} ${formatList(types, 'or')}`);
  }
  if (instances.length > 0) arrayPush.call(parts, `an instance of ${formatList(instances, 'or')}`);
  if (others.length > 1) {
    arrayPush.call(parts, `one of ${formatList(others, 'or')}`);
  } else if (others.length === 1) {
    const only = others[0];
    arrayPush.call(parts, stringToLowerCase.call(only) === only ? only : `an ${only}`);
  }
  return arrayJoin.call(parts, ' or ');
}

// 1234567 -> 1_234_567, for integers only.
function withSeparators(digits) {
  const sign = digits[0] === '-' ? '-' : '';
  return sign + replaceMatches(stringSlice.call(digits, sign.length), /\B(?=(\d{3})+$)/g, '_');
}

function describeRangeInput(input) {
  if (typeof input === 'bigint') {
    const limit = 2n ** 32n;
    const digits = String(input);
    return `${input > limit || input < -limit ? withSeparators(digits) : digits}n`;
  }
  if (Number.isInteger(input) && Math.abs(input) > 2 ** 32) return withSeparators(String(input));
  return inspectSafely(input);
}

const from = (base) => (base ? ` imported from ${base}` : '');

const argumentMessages = {
  ERR_INVALID_ARG_TYPE: [
    'TypeError',
    (name, expected, actual) => {
      const subject = stringEndsWith.call(name, ' argument') ? name : `"${name}" ${propertyOrArgument(name)}`;
      return `The ${subject} must be ${describeExpectations(expected)}. Received ${determineSpecificType(actual)}`;
    },
  ],
  ERR_INVALID_ARG_VALUE: [
    'TypeError',
    (name, value, reason = 'is invalid') => {
      let shown = inspectSafely(value);
      if (shown.length > 128) shown = `${stringSlice.call(shown, 0, 128)}...`;
      return `The ${propertyOrArgument(name)} '${name}' ${reason}. Received ${shown}`;
    },
  ],
  ERR_OUT_OF_RANGE: [
    'RangeError',
    (what, range, input, whatIsSentence = false) => {
      const subject = whatIsSentence ? what : `The value of "${what}" is out of range.`;
      return `${subject} It must be ${range}. Received ${describeRangeInput(input)}`;
    },
  ],
  ERR_MISSING_ARGS: [
    'TypeError',
    (...names) => {
      const quoted = arrayMap.call(names, (n) =>
        Array.isArray(n)
          ? arrayJoin.call(
              arrayMap.call(n, (m) => `"${m}"`),
              ' or ',
            )
          : `"${n}"`,
      );
      return `The ${formatList(quoted)} argument${names.length > 1 ? 's' : ''} must be specified`;
    },
  ],
  ERR_INVALID_RETURN_VALUE: [
    'TypeError',
    (wanted, name, value) => `Expected ${wanted} to be returned from the "${name}" function but got ${determineSpecificType(value)}.`,
  ],
  ERR_INVALID_RETURN_PROPERTY: [
    'TypeError',
    (wanted, name, prop, value) =>
      `Expected a valid ${wanted} to be returned for the "${prop}" from the "${name}" hook but got ` + `${determineSpecificType(value)}.`,
  ],
  ERR_INVALID_RETURN_PROPERTY_VALUE: [
    'TypeError',
    (wanted, name, prop, value) =>
      `Expected ${wanted} to be returned for the "${prop}" from the "${name}" hook but got ` + `${determineSpecificType(value)}.`,
  ],
  ERR_INVALID_CHAR: ['TypeError', (name, field = undefined) => `Invalid character in ${name}${field === undefined ? '' : ` ["${field}"]`}`],
  ERR_PROTO_ACCESS: ['Error', () => 'Accessing Object.prototype.__proto__ has been disallowed with --disable-proto=throw'],
  ERR_SOURCE_MAP_CORRUPT: ['Error', (url) => `The source map for '${url}' does not exist or is corrupt.`],
  ERR_SOURCE_MAP_MISSING_SOURCE: ['Error', (source, url) => `Cannot find '${source}' imported from the source map for '${url}'`],
  ERR_SOURCE_PHASE_NOT_DEFINED: ['SyntaxError', (url) => `Source phase import object is not defined for module '${url}'`],
  ERR_SOCKET_BAD_PORT: [
    'RangeError',
    (name, port, allowZero = true) => `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${determineSpecificType(port)}.`,
  ],
  ERR_PARSE_ARGS_UNKNOWN_OPTION: [
    'TypeError',
    (option, allowPositionals) => {
      const hint =
        ". To specify a positional argument starting with a '-', place it at the end of the command after " +
        `'--', as in '-- ${JSON.stringify(option)}`;
      return `Unknown option '${option}'${allowPositionals ? hint : ''}`;
    },
  ],
  ERR_INVALID_MIME_SYNTAX: [
    'TypeError',
    (production, text, at) => `The MIME syntax for a ${production} in "${text}" is invalid${at === -1 ? '' : ` at ${at}`}`,
  ],
  ERR_BUFFER_OUT_OF_BOUNDS: [
    'RangeError',
    (name = undefined) => (name ? `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds'),
  ],
};

const runtimeMessages = {
  ERR_ACCESS_DENIED: [
    'Error',
    function (message, permission = '', resource = '') {
      this.permission = permission;
      this.resource = resource;
      return message;
    },
  ],
  ERR_ENCODING_INVALID_ENCODED_DATA: [
    'TypeError',
    function (encoding, status) {
      this.errno = status;
      return `The encoded data was not valid for encoding ${encoding}`;
    },
  ],
  ERR_FALSY_VALUE_REJECTION: [
    'Error',
    function (reason) {
      this.reason = reason;
      return 'Promise was rejected with falsy value';
    },
  ],
  ERR_INTERNAL_ASSERTION: [
    'Error',
    (message = undefined) => {
      const note = 'This is a defect of the runtime or an incorrect use of its internals.\n';
      return message === undefined ? note : `${message}\n${note}`;
    },
  ],
  ERR_INVALID_ADDRESS_FAMILY: [
    'RangeError',
    function (family, host, port) {
      this.host = host;
      this.port = port;
      return `Invalid address family: ${family} ${host}:${port}`;
    },
  ],
  ERR_IP_BLOCKED: ['Error', (ip) => `IP(${ip}) is blocked by net.BlockList`],
  ERR_TEST_FAILURE: [
    'Error',
    function (error, failureType) {
      const text = error?.message ?? error;
      this.failureType = failureType;
      this.cause = error;
      return typeof text === 'string' ? text : inspectSafely(text);
    },
  ],
  ERR_UNHANDLED_ERROR: ['Error', (error = undefined) => (error === undefined ? 'Unhandled error.' : `Unhandled error. (${error})`)],
  ERR_UNHANDLED_REJECTION: [
    'Error',
    function (reason) {
      Object.defineProperty(this, 'name', {
        __proto__: null,
        value: 'UnhandledPromiseRejection',
        writable: true,
        enumerable: false,
        configurable: true,
      });
      return (
        'This error originated either by throwing inside of an async function without a catch block, or by rejecting ' +
        `a promise which was not handled with .catch(). The promise rejected with the reason "${reason}".`
      );
    },
  ],
  ERR_VM_MODULE_LINK_FAILURE: [
    'Error',
    function (message, cause) {
      this.cause = cause;
      return message;
    },
  ],
  ERR_WORKER_INVALID_EXEC_ARGV: [
    'Error',
    (errors, what = 'invalid execArgv flags') => `Initiated Worker with ${what}: ${arrayJoin.call(errors, ', ')}`,
  ],
  ERR_WORKER_PATH: [
    'TypeError',
    (filename) => {
      const wrap = stringStartsWith.call(filename, 'file://')
        ? ' Wrap file:// URLs with `new URL`.'
        : stringStartsWith.call(filename, 'data:text/javascript')
          ? ' Wrap data: URLs with `new URL`.'
          : '';
      return (
        'The worker script or module filename must be an absolute path or a relative path starting with ' +
        `'./' or '../'.${wrap} Received "${filename}"`
      );
    },
  ],
};

const networkMessages = {
  ERR_HTTP2_INVALID_SETTING_VALUE: [
    'TypeError',
    function (name, actual, min = undefined, max = undefined) {
      this.actual = actual;
      if (min !== undefined) {
        this.min = min;
        this.max = max;
      }
      return `Invalid value for setting "${name}": ${actual}`;
    },
  ],
  ERR_HTTP2_STREAM_CANCEL: [
    'Error',
    function (cause) {
      if (!cause) return 'The pending stream has been canceled';
      this.cause = cause;
      const why = typeof cause.message === 'string' ? ` (caused by: ${cause.message})` : '';
      return `The pending stream has been canceled${why}`;
    },
  ],
  ERR_TLS_ALPN_CALLBACK_INVALID_RESULT: [
    'TypeError',
    (value, protocols) =>
      `ALPN callback returned a value (${value}) that did not match any of the client's offered protocols ` +
      `(${arrayJoin.call(protocols, ', ')})`,
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'Error',
    function (reason, host, cert) {
      this.reason = reason;
      this.host = host;
      this.cert = cert;
      return `Hostname/IP does not match certificate's altnames: ${reason}`;
    },
  ],
  ERR_INVALID_FILE_URL_PATH: [
    'TypeError',
    function (reason, input) {
      this.input = input;
      return `File URL path ${reason}`;
    },
  ],
  ERR_INVALID_URL: [
    'TypeError',
    function (input, base = null) {
      this.input = input;
      if (base != null) this.base = base;
      return 'Invalid URL';
    },
  ],
  ERR_INVALID_URL_SCHEME: [
    'TypeError',
    (expected) => {
      const schemes = typeof expected === 'string' ? [expected] : expected;
      return `The URL must be ${schemes.length === 2 ? `one of scheme ${schemes[0]} or ${schemes[1]}` : `of scheme ${schemes[0]}`}`;
    },
  ],
};

function setUrl(error, url) {
  Object.defineProperty(error, 'url', { value: url, writable: true, enumerable: true, configurable: true });
}

const moduleMessages = {
  ERR_IMPORT_ATTRIBUTE_UNSUPPORTED: [
    'TypeError',
    (attribute, value, url = undefined) =>
      `Import attribute "${attribute}" with value "${value}" is not supported${url === undefined ? '' : ` in ${url}`}`,
  ],
  ERR_INVALID_MODULE_SPECIFIER: ['TypeError', (request, reason, base = undefined) => `Invalid module "${request}" ${reason}${from(base)}`],
  ERR_INVALID_PACKAGE_CONFIG: [
    'Error',
    (path, base, message) => `Invalid package config ${path}${base ? ` while importing ${base}` : ''}${message ? `. ${message}` : ''}`,
  ],
  ERR_INVALID_PACKAGE_TARGET: [
    'Error',
    (pkgPath, key, target, isImport = false, base = undefined) => {
      const notRelative = typeof target === 'string' && !isImport && target !== '' && !stringStartsWith.call(target, './');
      const what =
        key === '.'
          ? `Invalid "exports" main target ${JSON.stringify(target)} defined in`
          : `Invalid "${isImport ? 'imports' : 'exports'}" target ${JSON.stringify(target)} defined for '${key}' in`;
      return `${what} the package config ${pkgPath}package.json${from(base)}${notRelative ? '; targets must start with "./"' : ''}`;
    },
  ],
  ERR_MODULE_NOT_FOUND: [
    'Error',
    function (path, base, exactUrl) {
      if (exactUrl) setUrl(this, `${exactUrl}`);
      return `Cannot find ${exactUrl ? 'module' : 'package'} '${path}' imported from ${base}`;
    },
  ],
  ERR_PACKAGE_IMPORT_NOT_DEFINED: [
    'TypeError',
    (specifier, packagePath, base) =>
      `Package import specifier "${specifier}" is not defined${
        packagePath ? ` in package ${packagePath}package.json` : ''
      } imported from ${base}`,
  ],
  ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED: ['Error', () => 'Async loader request never settled'],
  ERR_PACKAGE_MAP_EXTERNAL_FILE: [
    'Error',
    (specifier, importer, file) => `Cannot resolve "${specifier}" from "${importer}": file is not within any package defined in ${file}`,
  ],
  ERR_PACKAGE_MAP_INVALID: ['SyntaxError', (file, reason) => `Invalid package-map.json at "${file}": ${reason}`],
  ERR_PACKAGE_MAP_KEY_NOT_FOUND: ['Error', (key, file) => `Package key "${key}" referenced in dependencies but not defined in ${file}`],
  ERR_PACKAGE_PATH_NOT_EXPORTED: [
    'Error',
    (pkgPath, subpath, base = undefined) =>
      subpath === '.'
        ? `No "exports" main defined in ${pkgPath}package.json${from(base)}`
        : `Package subpath '${subpath}' is not defined by "exports" in ${pkgPath}package.json${from(base)}`,
  ],
  ERR_REQUIRE_ASYNC_MODULE: [
    'Error',
    (filename = undefined, requireStack = undefined) => {
      let text =
        'require() cannot be used on an ESM graph with top-level await. Use import() instead.' +
        (requireLater('internal/process/options').getOptionValue('--experimental-print-required-tla')
          ? ''
          : ' To see where the top-level await comes from, use --experimental-print-required-tla.');
      if (filename) text += `\nRequired module: ${filename}`;
      if (requireStack?.length > 0) text += `\nRequire stack:\n- ${arrayJoin.call(requireStack, '\n- ')}`;
      return text;
    },
  ],
  ERR_REQUIRE_ESM: [
    'Error',
    (filename, hasEsmSyntax, parentPath = null, packageJsonPath = null) => {
      const head = `require() of ES Module ${filename}${parentPath ? ` from ${parentPath}` : ''} not supported.`;
      const dynamic = 'a dynamic import() which is available in all CommonJS modules.';
      if (!packageJsonPath) {
        return stringEndsWith.call(filename, '.mjs') ? `${head}\nInstead change the require of ${filename} to ${dynamic}` : head;
      }
      const baseOf = (path) => stringSlice.call(path, stringLastIndexOf.call(path, '/') + 1);
      const base = parentPath && baseOf(filename) === baseOf(parentPath) ? filename : baseOf(filename);
      if (hasEsmSyntax) return `${head}\nInstead change the require of ${base} in ${parentPath} to ${dynamic}`;
      return (
        `${head}\n${base} is treated as an ES module file as it is a .js file whose nearest parent package.json ` +
        'contains "type": "module" which declares all .js files in that package scope as ES modules.\n' +
        `Instead either rename ${base} to end in .cjs, change the requiring code to use dynamic import() which is ` +
        'available in all CommonJS modules, or change "type": "module" to "type": "commonjs" in ' +
        `${packageJsonPath} to treat all .js files as CommonJS (using .mjs for all ES modules instead).\n`
      );
    },
  ],
  ERR_UNSUPPORTED_DIR_IMPORT: [
    'Error',
    function (path, base, exactUrl) {
      setUrl(this, exactUrl);
      return `Directory import '${path}' is not supported resolving ES modules imported from ${base}`;
    },
  ],
  ERR_UNSUPPORTED_ESM_URL_SCHEME: [
    'Error',
    (url, supported) =>
      `Only URLs with a scheme in: ${formatList(supported)} are supported by the default ESM loader. ` +
      `Received protocol '${url.protocol}'`,
  ],
};

module.exports = { ...argumentMessages, ...runtimeMessages, ...networkMessages, ...moduleMessages };
