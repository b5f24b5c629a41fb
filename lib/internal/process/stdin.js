// natives: stdio
//
// process.stdin: a file stream, a terminal or a pipe, whatever descriptor 0 is. Reading starts with the first listener; until
// then, and while paused, standard input does not keep the program alive.

'use strict';

const { kindOf } = native('stdio');

function fileInput() {
  const { ReadStream } = require('internal/fs/streams');
  return new ReadStream(null, { fd: 0, autoClose: false });
}

function terminalInput() {
  const { ReadStream } = requireLater('internal/tty/tty');
  return new ReadStream(0);
}

function pipeInput() {
  const { Socket } = requireLater('internal/net/net');
  const stream = new Socket({ fd: 0, readable: true, writable: false, manualStart: true });
  stream._type = 'pipe';
  return stream;
}

function emptyInput() {
  const { Readable } = require('internal/streams/stream');
  const stream = new Readable({ read() {} });
  stream.push(null);
  return stream;
}

// A handle that was opened but is not read must not hold the loop.
function holdBack(stream) {
  const handle = () => stream._handle;
  if (handle()?.readStop) {
    handle().reading = false;
    stream._readableState.reading = false;
    handle().readStop();
  }
  stream.on('pause', () =>
    process.nextTick(() => {
      if (!handle() || !handle().reading || stream.readableFlowing) return;
      handle().reading = false;
      stream._readableState.reading = false;
      handle().readStop();
    }),
  );
}

function stdin() {
  let stream;
  switch (kindOf(0)) {
    case 'tty':
      stream = terminalInput();
      break;
    case 'file':
      stream = fileInput();
      break;
    case 'pipe':
    case 'socket':
      stream = pipeInput();
      break;
    default:
      stream = emptyInput();
  }
  stream.fd = 0;
  holdBack(stream);
  return stream;
}

module.exports = { stdin };
