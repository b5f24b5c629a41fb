// natives: none
// Errors that report a failed system call: the shapes that fs, net, dns and child_process
// give their callers (`code`, `errno`, `syscall`, `path`, `dest`, `address`, `port`).
// Each class reports `Error` as its constructor, as Node's do. Exported by internal/errors/coded.
'use strict';

const errno = require('internal/errors/errno');

const kUnmapped = ['UNKNOWN', 'unknown error'];
const isAccessDenied = (err) => typeof err !== 'number' && err.code === 'ERR_ACCESS_DENIED';

class PlainError extends Error {
  constructor(...args) {
    super(...each(args));
  }

  get ['constructor']() {
    return Error;
  }
}

// { errno, syscall, message?, path?, dest?, ... }: every other property is carried over.
class UVException extends PlainError {
  constructor(context) {
    const [code, text] = each(errno.byNumber.get(context.errno) ?? kUnmapped);
    const path = context.path ? `${context.path}` : undefined;
    const dest = context.dest ? `${context.dest}` : undefined;
    super(
      `${code}: ${context.message || text}, ${context.syscall}` +
        `${path === undefined ? '' : ` '${path}'`}${dest === undefined ? '' : ` -> '${dest}'`}`,
    );
    for (const key of each(Object.keys(context))) {
      if (key !== 'message' && key !== 'path' && key !== 'dest') this[key] = context[key];
    }
    this.code = code;
    if (path !== undefined) this.path = path;
    if (dest !== undefined) this.dest = dest;
  }
}

function describeAddress(address, port) {
  if (port && port > 0) return ` ${address}:${port}`;
  return address ? ` ${address}` : '';
}

class UVExceptionWithHostPort extends PlainError {
  constructor(number, syscall, address, port) {
    const [code, text] = each(errno.byNumber.get(number) ?? kUnmapped);
    super(`${syscall} ${code}: ${text}${describeAddress(address, port)}`);
    this.code = code;
    this.errno = number;
    this.syscall = syscall;
    this.address = address;
    if (port) this.port = port;
  }
}

class ErrnoException extends PlainError {
  constructor(number, syscall, original) {
    const code = errno.codeOf(number);
    super(original ? `${syscall} ${code} ${original}` : `${syscall} ${code}`);
    this.errno = number;
    this.code = code;
    this.syscall = syscall;
  }
}

class ExceptionWithHostPort extends PlainError {
  constructor(number, syscall, address, port, additional) {
    const denied = isAccessDenied(number);
    const code = denied ? number.code : errno.codeOf(number);
    const details = denied ? ` ${number.message}` : `${describeAddress(address, port)}${additional ? ` - Local (${additional})` : ''}`;
    super(`${syscall} ${code}${details}`);
    this.errno = number;
    this.code = code;
    this.syscall = syscall;
    this.address = address;
    if (port) this.port = port;
  }
}

// `code` is one of our error numbers, or a resolver's code as a string.
class DNSException extends PlainError {
  constructor(code, syscall, hostname) {
    let number;
    if (typeof code === 'number') {
      number = code;
      const name = errno.codeOf(code);
      code = name === 'EAI_NODATA' || name === 'EAI_NONAME' ? 'ENOTFOUND' : name;
    } else if (isAccessDenied(code)) {
      code = code.code;
    }
    super(`${syscall} ${code}${hostname ? ` ${hostname}` : ''}`);
    this.errno = number;
    this.code = code;
    this.syscall = syscall;
    if (hostname) this.hostname = hostname;
  }
}

class ConnResetException extends PlainError {
  constructor(message) {
    super(message);
    this.code = 'ECONNRESET';
  }
}

// A class has a constructor property of its own, which would hide the getter.
for (const Class of each([UVException, UVExceptionWithHostPort, ErrnoException, ExceptionWithHostPort, DNSException, ConnResetException])) {
  delete Class.prototype.constructor;
}

module.exports = {
  ConnResetException,
  DNSException,
  ErrnoException,
  ExceptionWithHostPort,
  UVException,
  UVExceptionWithHostPort,
  uvErrmapGet: (number) => errno.byNumber.get(number),
};
