// natives: messaging
// A TCP connection or a listening server in a transfer list: it goes on in the thread that receives the message, over a second descriptor
// of the same socket, and is destroyed here. Only one that nobody has read from or written to can go: what was read would be lost.
'use strict';

const messaging = native('messaging');
const { codes, ErrnoException } = require('internal/errors/coded');
const { TCP, TCPListener } = require('internal/net/handle');

function requireFreshSocket(socket) {
  const handle = socket._handle;
  if (
    !(handle instanceof TCP) ||
    socket.destroyed ||
    socket.connecting ||
    handle.reading ||
    socket.bytesRead > 0 ||
    socket.bytesWritten > 0 ||
    socket.readableLength > 0 ||
    socket.writableLength > 0 ||
    socket.readableEncoding !== null
  ) {
    throw new codes.ERR_WORKER_HANDLE_NOT_TRANSFERABLE('net.Socket');
  }
}

function requireListening(server) {
  if (!(server._handle instanceof TCPListener)) throw new codes.ERR_WORKER_HANDLE_NOT_TRANSFERABLE('net.Server');
}

function carry(handle) {
  const carried = messaging.carrySocket(handle.fd);
  if (typeof carried === 'number') throw new ErrnoException(carried, 'dup');
  return carried;
}

function open(handle, carried) {
  const status = handle.open(messaging.takeSocket(carried));
  if (status >= 0) return handle;
  handle.close();
  throw new ErrnoException(status, 'open');
}

function sendSocket(socket) {
  const data = { carried: carry(socket._handle), allowHalfOpen: socket.allowHalfOpen };
  socket.destroy();
  return { data, deserializeInfo: 'internal/net/moving:ReceivedSocket' };
}

function sendServer(server) {
  const handle = server._handle;
  handle.share(); // closing it here leaves the socket as it is
  const { allowHalfOpen, pauseOnConnect, noDelay, keepAlive, highWaterMark } = server;
  const options = {
    allowHalfOpen,
    pauseOnConnect,
    noDelay,
    keepAlive,
    keepAliveInitialDelay: server.keepAliveInitialDelay * 1000,
    highWaterMark,
  };
  const data = { carried: carry(handle), options };
  handle.close();
  server._handle = null;
  return { data, deserializeInfo: 'internal/net/moving:ReceivedServer' };
}

function ReceivedSocket({ carried, allowHalfOpen }) {
  const { Socket } = require('internal/net/socket');
  return new Socket({ handle: open(new TCP(), carried), allowHalfOpen, manualStart: true });
}

function ReceivedServer({ carried, options }) {
  const { Server } = require('internal/net/server');
  return new Server(options).listen(open(new TCPListener(), carried));
}

module.exports = {
  Server: { check: requireListening, send: sendServer },
  Socket: { check: requireFreshSocket, send: sendSocket },
  ReceivedServer,
  ReceivedSocket,
};
