// natives: none
// Sessions as clients keep them: what OpenSSL makes, behind the name the peer was verified for. A session is offered to that name again
// and to no other, for resuming it skips the verification.
'use strict';

const { Buffer } = require('internal/buffer/buffer');

const kPrefix = Buffer.from('\0nodejs:tls:session:1\0');

function identityOf(options) {
  return options?.servername || options?.host || options?.socket?._host || 'localhost';
}

function wrapSession(session, options) {
  if (!Buffer.isBuffer(session) || options?.isServer) return session;
  const name = Buffer.from(identityOf(options), 'utf8');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(name.length, 0);
  return Buffer.concat([kPrefix, length, name, session]);
}

function unwrapSession(session) {
  const start = kPrefix.length + 2;
  if (!Buffer.isBuffer(session) || session.length < start || !session.subarray(0, kPrefix.length).equals(kPrefix)) return undefined;
  const end = start + session.readUInt16BE(kPrefix.length);
  if (session.length < end) return undefined;
  return { name: session.toString('utf8', start, end), session: session.subarray(end) };
}

// The session to offer OpenSSL, or undefined.
function sessionForReuse(session, options) {
  if (typeof session === 'string') session = Buffer.from(session, 'latin1');
  if (options?.isServer) return session;
  const wrapped = unwrapSession(session);
  if (wrapped !== undefined) return wrapped.name === identityOf(options) ? wrapped.session : undefined;
  // A bare session does not tell the host that it was verified for.
  return Buffer.isBuffer(session) && options?.rejectUnauthorized !== false ? undefined : session;
}

module.exports = { identityOf, sessionForReuse, wrapSession };
