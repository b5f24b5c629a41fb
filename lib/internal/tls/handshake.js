// natives: none
//
// Events and callbacks of a handshake: sessions, contexts by name, protocols, OCSP, pre-shared keys. One function a kind of
// event (TLSHandle's methods under Node's names); the answers go back to the handle, which lets the handshake go on.

'use strict';

const { codes } = require('internal/errors/coded');
const { validateBuffer, validateObject, validateString } = require('internal/util/validators');
const { wrapSession } = require('internal/tls/sessions');
const {
  kALPNCallback,
  kConnectOptions,
  kDisableRenegotiation,
  kIsVerified,
  kPendingSession,
  kPskCallback,
} = require('internal/tls/symbols');

// An answer that may be given once, and only while the connection lives.
function answerOnce(socket, use) {
  let given = false;
  return (error, value) => {
    if (given) {
      socket.destroy(new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    given = true;
    if (error) socket.destroy(error);
    else if (socket._handle === null) socket.destroy(new codes.ERR_SOCKET_CLOSED());
    else use(value);
  };
}

// Too many handshakes on one connection are an attack: each costs the server far more than the client.
function onHandshakeStart(socket) {
  if (!socket._tlsOptions.isServer) return;
  const handle = socket._handle;
  const { CLIENT_RENEG_LIMIT: limit, CLIENT_RENEG_WINDOW: window } = require('internal/tls/tls');
  const now = require('internal/perf/clock').now();
  if (now - handle.lastHandshakeTime >= window * 1000) handle.handshakes = 1;
  else handle.handshakes++;
  handle.lastHandshakeTime = now;
  if (handle.handshakes > limit) socket._emitTLSError(new codes.ERR_TLS_SESSION_ATTACK());
  else if (socket[kDisableRenegotiation]) socket._emitTLSError(new codes.ERR_TLS_RENEGOTIATION_DISABLED());
}

function onHandshakeDone(socket) {
  const handle = socket._handle;
  handle.lastHandshakeTime ||= require('internal/perf/clock').now();
  if (socket._newSessionPending) socket._securePending = true;
  else socket._finishInit();
}

// The protocols of a client's list, in wire format.
function protocolsIn(list) {
  const protocols = [];
  for (let at = 0; at < list.length; at += 1 + list[at]) arrayPush.call(protocols, list.toString('latin1', at + 1, at + 1 + list[at]));
  return protocols;
}

function chooseProtocol(socket, list) {
  const protocols = protocolsIn(list);
  const chosen = socket[kALPNCallback]({ servername: socket._handle.getServername() || false, protocols });
  if (chosen !== undefined && !arrayIncludes.call(protocols, chosen))
    throw new codes.ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(chosen, protocols);
  return chosen;
}

function onHello(socket, sessionId, list, hasTicket) {
  let protocol;
  if (socket[kALPNCallback] && list !== undefined) {
    try {
      protocol = chooseProtocol(socket, list);
    } catch (error) {
      socket.destroy(error);
      return;
    }
  }
  const goOn = (session) => {
    socket._handle?.answerHello(session ?? undefined, protocol);
    socket._handle?.advance();
  };
  const answer = answerOnce(socket, goOn);
  // Tickets hold their session themselves; without an id there is none to be found.
  if (sessionId.length === 0 || hasTicket || !socket.server) {
    goOn();
    return;
  }
  try {
    if (!socket.server.emit('resumeSession', sessionId, answer)) goOn();
  } catch (error) {
    answer(error);
  }
}

function onCertificate(socket, servername, unused, wantsOcsp) {
  if (servername) socket.servername = servername;
  if (!servername || !socket._SNICallback) {
    askOcsp(socket, undefined, wantsOcsp);
    return;
  }
  const answer = answerOnce(socket, (context) => askOcsp(socket, context ? context.context || context : undefined, wantsOcsp));
  try {
    socket._SNICallback(servername, answer);
  } catch (error) {
    socket.destroy(error);
  }
}

function askOcsp(socket, context, wantsOcsp) {
  const goOn = (response) => {
    const handle = socket._handle;
    if (handle === null) return;
    const { isNativeContext } = require('internal/tls/secure_context');
    if (context !== undefined && !isNativeContext(context)) {
      onError(socket, new TypeError('Invalid SNI context'));
      return;
    }
    handle.answerCertificate(context, response || undefined);
    handle.advance();
  };
  const asked = context ?? socket.server?._sharedCreds?.context;
  if (!wantsOcsp || !asked || socket.server.listenerCount('OCSPRequest') === 0) {
    goOn();
    return;
  }
  try {
    socket.server.emit('OCSPRequest', asked.getCertificate(), asked.getIssuer(), answerOnce(socket, goOn));
  } catch (error) {
    socket.destroy(error);
  }
}

function onNewSession(socket, id, session) {
  if (!socket._tlsOptions.isServer) {
    const wrapped = wrapSession(session, socket[kConnectOptions] ?? socket._tlsOptions);
    if (socket[kIsVerified]) socket.emit('session', wrapped);
    else socket[kPendingSession] = wrapped;
    return;
  }
  if (!socket.server) return;
  let given = false;
  const done = () => {
    if (given) return;
    given = true;
    if (socket._handle === null) {
      socket.destroy(new codes.ERR_SOCKET_CLOSED());
      return;
    }
    socket._newSessionPending = false;
    const isWaiting = socket._securePending;
    socket._securePending = false;
    if (isWaiting) socket._finishInit();
  };
  socket._newSessionPending = true;
  let isHeard = false;
  try {
    isHeard = socket.server.emit('newSession', id, session, done);
  } catch (error) {
    socket.server.emit('error', error);
  }
  if (!isHeard) done();
}

const onKeylog = (socket, line) => socket.emit('keylog', line);
const onOcspResponse = (socket, response) => socket.emit('OCSPResponse', response);

// Methods of every TLSHandle; a program may call them or put its own in their place.
const handleEvents = {
  onhandshakestart() {
    onHandshakeStart(this.owner);
  },
  onhandshakedone() {
    onHandshakeDone(this.owner);
  },
  onclienthello(sessionId, protocols, hasTicket) {
    onHello(this.owner, sessionId, protocols, hasTicket);
  },
  oncertcb(servername, unused, wantsOcsp) {
    onCertificate(this.owner, servername, unused, wantsOcsp);
  },
  onnewsession(id, session) {
    onNewSession(this.owner, id, session);
  },
  onkeylog(line) {
    onKeylog(this.owner, line);
  },
  onocspresponse(response) {
    onOcspResponse(this.owner, response);
  },
};

function checkedKey(psk, room) {
  validateBuffer(psk, 'psk');
  if (psk.length > room) throw new codes.ERR_INVALID_ARG_VALUE('psk', psk, `Pre-shared key exceeds ${room} bytes`);
  return psk;
}

function serverKey(socket, identity, room) {
  const answer = socket[kPskCallback](socket, identity);
  if (answer == null) return undefined;
  if (ArrayBuffer.isView(answer)) return checkedKey(answer, room);
  if (typeof answer !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('ret', ['Object', 'Buffer', 'TypedArray', 'DataView'], answer);
  }
  return checkedKey(answer.psk, room);
}

function clientKey(socket, hint, room, identityRoom) {
  const answer = socket[kPskCallback](hint);
  if (answer == null) return undefined;
  validateObject(answer, 'ret');
  const psk = checkedKey(answer.psk, room);
  validateString(answer.identity, 'identity');
  if (require('internal/buffer/buffer').Buffer.byteLength(answer.identity) > identityRoom) {
    throw new codes.ERR_INVALID_ARG_VALUE('identity', answer.identity, `PSK identity exceeds ${identityRoom} bytes`);
  }
  return [psk, answer.identity];
}

// The function that the native half calls while the handshake runs.
function pskFunction(socket, isServer) {
  const find = isServer ? serverKey : clientKey;
  return (name, room, identityRoom) => {
    try {
      return find(socket, name, room, identityRoom);
    } catch (error) {
      socket.destroy(error);
      return undefined;
    }
  };
}

// OpenSSL found fault.
function onError(socket, error) {
  if (socket._hadError) return;
  socket._hadError = true;
  if (!socket._secureEstablished) {
    // The socket must still be there for 'tlsClientError'.
    socket._closeAfterHandlingError = true;
    socket.destroy(error);
  } else if (
    socket._tlsOptions.isServer &&
    socket._rejectUnauthorized &&
    regexpTest.call(/peer did not return a certificate/, error.message)
  ) {
    socket.destroy();
  } else {
    socket._emitTLSError(error);
  }
}

module.exports = { handleEvents, onError, pskFunction };
