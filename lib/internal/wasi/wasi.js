// natives: wasi
//
// node:wasi: WASI preview 1 over the file system of this process. A program sees the folders that it is given as preopens; rights that
// --permission takes from this process it has not either.

'use strict';

const { codes } = require('internal/errors/coded');
const { errors } = require('internal/wasi/constants');
const { numberOf } = require('internal/wasi/error');
const {
  validateArray,
  validateBoolean,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUndefined,
} = require('internal/util/validators');

process.emitWarning('WASI is an experimental feature and might change at any time', 'ExperimentalWarning');

// Arguments by function: i a number of 32 bits, I one of 64.
const kSignatures = {
  __proto__: null,
  args_get: 'ii',
  args_sizes_get: 'ii',
  environ_get: 'ii',
  environ_sizes_get: 'ii',
  clock_res_get: 'ii',
  clock_time_get: 'iIi',
  fd_advise: 'iIIi',
  fd_allocate: 'iII',
  fd_close: 'i',
  fd_datasync: 'i',
  fd_fdstat_get: 'ii',
  fd_fdstat_set_flags: 'ii',
  fd_fdstat_set_rights: 'iII',
  fd_filestat_get: 'ii',
  fd_filestat_set_size: 'iI',
  fd_filestat_set_times: 'iIIi',
  fd_pread: 'iiiIi',
  fd_prestat_get: 'ii',
  fd_prestat_dir_name: 'iii',
  fd_pwrite: 'iiiIi',
  fd_read: 'iiii',
  fd_readdir: 'iiiIi',
  fd_renumber: 'ii',
  fd_seek: 'iIii',
  fd_sync: 'i',
  fd_tell: 'ii',
  fd_write: 'iiii',
  path_create_directory: 'iii',
  path_filestat_get: 'iiiii',
  path_filestat_set_times: 'iiiiIIi',
  path_link: 'iiiiiii',
  path_open: 'iiiiiIIii',
  path_readlink: 'iiiiii',
  path_remove_directory: 'iii',
  path_rename: 'iiiiii',
  path_symlink: 'iiiii',
  path_unlink_file: 'iii',
  poll_oneoff: 'iiii',
  proc_exit: 'i',
  proc_raise: 'i',
  random_get: 'ii',
  sched_yield: '',
  sock_accept: 'iii',
  sock_recv: 'iiiiii',
  sock_send: 'iiiii',
  sock_shutdown: 'ii',
};

const kExit = Symbol('exit'); // thrown through WebAssembly, which does not catch it

function checkedArguments(signature, args) {
  if (args.length !== signature.length) return undefined;
  const list = [];
  for (let i = 0; i < signature.length; i++) {
    if (typeof args[i] !== (signature[i] === 'I' ? 'bigint' : 'number')) return undefined;
    arrayPush.call(list, signature[i] === 'I' ? args[i] : args[i] >>> 0);
  }
  return list;
}

// A function as a module imports it: the answer is a number of WASI's.
function importedFunction(program, name, run) {
  const signature = kSignatures[name];
  return {
    [name](...args) {
      const list = checkedArguments(signature, args);
      if (list === undefined) return errors.EINVAL;
      if (program.memory === undefined) throw new codes.ERR_WASI_NOT_STARTED();
      try {
        run(program, ...each(list));
        return errors.SUCCESS;
      } catch (error) {
        const number = numberOf(error);
        if (number === undefined) throw error;
        return number;
      }
    },
  }[name];
}

function importsOf(program) {
  const { descriptorFunctions, pathFunctions } = require('internal/wasi/files');
  const { systemFunctions } = require('internal/wasi/system');
  const all = { __proto__: null, ...descriptorFunctions, ...pathFunctions, ...systemFunctions };
  const made = {};
  for (const name of each(Object.keys(kSignatures))) made[name] = importedFunction(program, name, all[name]);
  return made;
}

const kNamespaces = { __proto__: null, unstable: 'wasi_unstable', preview1: 'wasi_snapshot_preview1' };

function textsOf(options) {
  const args = [];
  const env = [];
  const preopens = [];
  if (options.args !== undefined) {
    validateArray(options.args, 'options.args');
    for (const arg of each(options.args)) arrayPush.call(args, `${arg}`);
  }
  if (options.env !== undefined) {
    validateObject(options.env, 'options.env');
    for (const [name, value] of eachEntry(Object.entries(options.env))) if (value !== undefined) arrayPush.call(env, `${name}=${value}`);
  }
  if (options.preopens !== undefined) {
    validateObject(options.preopens, 'options.preopens');
    for (const [guest, host] of eachEntry(Object.entries(options.preopens))) arrayPush.call(preopens, [guest, `${host}`]);
  }
  return { args, env, preopens };
}

function notMemory() {
  const error = new TypeError('The "instance.exports.memory" property must be a WebAssembly.Memory object');
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

// Folders and streams that cannot be had. The code is that of Node's WASI library.
function openDescriptors(stdio, preopens) {
  const { Descriptors } = require('internal/wasi/descriptors');
  try {
    return new Descriptors(stdio, preopens);
  } catch (error) {
    if (error.syscall === undefined) throw error;
    const failed = new Error(`uvwasi_init: ${error.message}`);
    failed.code = `UVWASI_${error.code}`;
    throw failed;
  }
}

class WASI {
  #namespace;
  #program;
  #instance;
  #exitCode = 0;

  constructor(options = {}) {
    validateObject(options, 'options');
    validateString(options.version, 'options.version');
    this.#namespace = kNamespaces[options.version];
    if (this.#namespace === undefined)
      throw new codes.ERR_INVALID_ARG_VALUE('options.version', options.version, 'unsupported WASI version');
    const { args, env, preopens } = textsOf(options);
    const { stdin = 0, stdout = 1, stderr = 2, returnOnExit = true } = options;
    validateInt32(stdin, 'options.stdin', 0);
    validateInt32(stdout, 'options.stdout', 0);
    validateInt32(stderr, 'options.stderr', 0);
    validateBoolean(returnOnExit, 'options.returnOnExit');
    native('wasi').check();
    const descriptors = openDescriptors([stdin, stdout, stderr], preopens);
    const exit = (code) => {
      if (!returnOnExit) process.reallyExit(code);
      this.#exitCode = code;
      throw kExit;
    };
    this.#program = { args, env, descriptors, exit, memory: undefined };
    this.wasiImport = importsOf(this.#program);
  }

  finalizeBindings(instance, { memory = instance?.exports?.memory } = {}) {
    if (this.#instance !== undefined) throw new codes.ERR_WASI_ALREADY_STARTED();
    validateObject(instance, 'instance');
    validateObject(instance.exports, 'instance.exports');
    const isMemory = objectToString.call(memory) === '[object WebAssembly.Memory]';
    if (!isMemory) throw notMemory();
    const { Memory } = require('internal/wasi/memory');
    this.#program.memory = new Memory(memory);
    this.#instance = instance;
  }

  start(instance) {
    this.finalizeBindings(instance);
    const { _start, _initialize } = this.#instance.exports;
    validateFunction(_start, 'instance.exports._start');
    validateUndefined(_initialize, 'instance.exports._initialize');
    try {
      _start();
    } catch (error) {
      if (error !== kExit) throw error;
    }
    return this.#exitCode;
  }

  initialize(instance) {
    this.finalizeBindings(instance);
    const { _start, _initialize } = this.#instance.exports;
    validateUndefined(_start, 'instance.exports._start');
    if (_initialize === undefined) return;
    validateFunction(_initialize, 'instance.exports._initialize');
    _initialize();
  }

  getImportObject() {
    return { [this.#namespace]: this.wasiImport };
  }
}

module.exports = { WASI };
