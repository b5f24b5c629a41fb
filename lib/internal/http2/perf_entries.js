// natives: none
// Entries of 'http2' for PerformanceObservers: one when a session ends, one when a stream does. Without an observer at its beginning a
// session or stream has no counters, and the cost is one look.
'use strict';

const { beginEntry, endEntry } = require('internal/net/observers');

const now = () => require('internal/perf/clock').now();

function beginSession(isServer) {
  const begun = beginEntry('http2', 'Http2Session', { type: isServer ? 'server' : 'client' });
  if (begun === undefined) return undefined;
  return { begun, streamCount: 0, openStreams: 0, maxConcurrentStreams: 0, streamTime: 0, pingRTT: 0, bytesRead: 0, bytesWritten: 0 };
}

function endSession(counters, handle) {
  if (counters === undefined) return;
  const { begun, streamCount, maxConcurrentStreams, streamTime, pingRTT, bytesRead, bytesWritten } = counters;
  const [framesReceived, framesSent] = each(handle.frames());
  endEntry(begun, {
    bytesRead,
    bytesWritten,
    framesReceived,
    framesSent,
    maxConcurrentStreams,
    pingRTT,
    streamAverageDuration: streamCount === 0 ? 0 : streamTime / streamCount,
    streamCount,
  });
}

function beginStream(session) {
  const begun = beginEntry('http2', 'Http2Stream');
  if (begun === undefined) return undefined;
  if (session !== undefined) {
    session.streamCount++;
    session.openStreams++;
    session.maxConcurrentStreams = Math.max(session.maxConcurrentStreams, session.openStreams);
  }
  return { begun, session, bytesRead: 0, bytesWritten: 0, timeToFirstByte: 0, timeToFirstByteSent: 0, timeToFirstHeader: 0 };
}

// `what`: 'timeToFirstByte', 'timeToFirstByteSent' or 'timeToFirstHeader'.
function noteFirst(counters, what) {
  if (counters !== undefined && counters[what] === 0) counters[what] = now() - counters.begun.start;
}

function endStream(counters, id) {
  if (counters === undefined) return;
  const { begun, session, bytesRead, bytesWritten, timeToFirstByte, timeToFirstByteSent, timeToFirstHeader } = counters;
  if (session !== undefined) {
    session.openStreams--;
    session.streamTime += now() - begun.start;
  }
  endEntry(begun, { bytesRead, bytesWritten, id, timeToFirstByte, timeToFirstByteSent, timeToFirstHeader });
}

module.exports = { beginSession, endSession, beginStream, noteFirst, endStream };
