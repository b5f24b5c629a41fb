// natives: none
// respondWithFile() and respondWithFD(): the file is looked at, the caller may have its say, then it is read into the stream.
'use strict';

const {
  codes: { ERR_HTTP2_SEND_FILE, ERR_HTTP2_SEND_FILE_NOSEEK, ERR_HTTP2_STREAM_ERROR, ERR_INVALID_ARG_TYPE },
} = require('internal/errors/coded');

const { kState } = require('internal/http2/stream');

const fs = () => require('internal/fs/fs');

const kOptionTypes = { offset: 'number', length: 'number', statCheck: 'function' };

function checkFileOptions(options) {
  const {
    codes: { ERR_INVALID_ARG_VALUE },
  } = require('internal/errors/coded');
  for (const name of each(Object.keys(kOptionTypes))) {
    if (options[name] !== undefined && typeof options[name] !== kOptionTypes[name]) {
      throw new ERR_INVALID_ARG_VALUE(`options.${name}`, options[name]);
    }
  }
}

function openPath(path, done) {
  fs().open(path, 'r', (error, fd) => done(error, fd, true));
}

function openDescriptor(fd, done) {
  const number = typeof fd === 'object' && fd !== null ? fd.fd : fd;
  if (typeof number !== 'number') throw new ERR_INVALID_ARG_TYPE('fd', ['number', 'FileHandle'], fd);
  process.nextTick(done, null, number, false);
}

function refuse(stream, error, { onError }, fd, isOurs) {
  if (isOurs) fs().close(fd, () => {});
  if (typeof onError === 'function') onError(error);
  else stream.destroy(error);
}

// Which bytes of the file are sent: [offset, length or undefined for all].
function rangeOf(stat, { offset = 0, length = -1 }) {
  if (!stat.isFile()) return [undefined, undefined];
  const left = Math.max(stat.size - offset, 0);
  return [offset, length >= 0 ? Math.min(length, left) : left];
}

function send(stream, fd, isOurs, stat, headers, options) {
  const hasRange = options.offset !== undefined || options.length !== undefined;
  if (stat.isDirectory()) return refuse(stream, new ERR_HTTP2_SEND_FILE(), options, fd, isOurs);
  if (!stat.isFile() && hasRange) return refuse(stream, new ERR_HTTP2_SEND_FILE_NOSEEK(), options, fd, isOurs);
  const asked = { offset: options.offset ?? 0, length: options.length ?? -1 };
  if (options.statCheck !== undefined && call3(options.statCheck, stream, stat, headers, asked) === false) {
    if (isOurs) fs().close(fd, () => {});
    return undefined;
  }
  if (stream.headersSent || stream.destroyed) {
    if (isOurs) fs().close(fd, () => {});
    return undefined;
  }
  const [start, length] = each(rangeOf(stat, asked));
  const hasLength = arraySome.call(Object.keys(headers), (name) => stringToLowerCase.call(name) === 'content-length');
  if (length !== undefined && !hasLength) headers['content-length'] = length;
  try {
    stream.respond(headers, options);
  } catch (error) {
    return refuse(stream, error, {}, fd, isOurs);
  }
  if (length === 0 || stream.writableEnded) {
    stream[kState].sendsDescriptor = false;
    stream.end();
    if (isOurs) fs().close(fd, () => {});
    return undefined;
  }
  const file = fs().createReadStream(null, { fd, autoClose: isOurs, start, end: length === undefined ? undefined : start + length - 1 });
  file.once('end', () => {
    stream[kState].sendsDescriptor = false;
  });
  return require('internal/streams/stream').pipeline(file, stream, () => {});
}

function sendFile(stream, open, headers, options) {
  open((error, fd, isOurs) => {
    if (error) return refuse(stream, error, options, fd, false);
    return fs().fstat(fd, (failed, stat) => {
      // Node looks at a program's descriptor only for a statCheck; otherwise the headers are out when reading fails.
      if (failed && !isOurs && options.statCheck === undefined && !stream.destroyed) {
        stream.respond(headers, options);
        return stream.destroy(new ERR_HTTP2_STREAM_ERROR('NGHTTP2_INTERNAL_ERROR'));
      }
      if (failed) return refuse(stream, failed, options, fd, isOurs);
      if (stream.destroyed) return isOurs ? fs().close(fd, () => {}) : undefined;
      return send(stream, fd, isOurs, stat, headers, options);
    });
  });
}

module.exports = { checkFileOptions, openPath, openDescriptor, sendFile };
