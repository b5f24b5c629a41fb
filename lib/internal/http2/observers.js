// natives: none
// Diagnostics channels of HTTP/2 streams. Without a subscriber, the cost of each is one look.
'use strict';

const { channel } = require('internal/events/diagnostics_channel');

const ofSide = (side) => ({
  created: channel(`http2.${side}.stream.created`),
  start: channel(`http2.${side}.stream.start`),
  error: channel(`http2.${side}.stream.error`),
  finish: channel(`http2.${side}.stream.finish`),
  close: channel(`http2.${side}.stream.close`),
});
const client = ofSide('client');
const server = ofSide('server');
const bodyChunkSent = channel('http2.client.stream.bodyChunkSent');
const bodySent = channel('http2.client.stream.bodySent');

const sideOf = (stream) => (stream.isOfClient ? client : server);

module.exports = {
  created(stream, headers) {
    const { created } = sideOf(stream);
    if (created.hasSubscribers) created.publish({ stream, headers });
  },
  started(stream, headers) {
    const { start } = sideOf(stream);
    if (start.hasSubscribers) start.publish({ stream, headers });
  },
  failed(stream, error) {
    const { error: failure } = sideOf(stream);
    if (failure.hasSubscribers) failure.publish({ stream, error });
  },
  // The answer has been sent (server) or received (client).
  answered(stream, headers, flags) {
    const { finish } = sideOf(stream);
    if (finish.hasSubscribers) finish.publish({ stream, headers, flags });
  },
  closed(stream) {
    const { close } = sideOf(stream);
    if (close.hasSubscribers) close.publish({ stream });
  },
  // Many chunks are { chunk, encoding } each when one of them is a string, else buffers.
  chunkSent(stream, writev, chunks) {
    if (!bodyChunkSent.hasSubscribers || !stream.isOfClient) return;
    const [{ chunk, encoding }] = each(chunks);
    if (!writev) {
      bodyChunkSent.publish({ stream, writev, data: chunk, encoding });
      return;
    }
    const hasText = arraySome.call(chunks, (one) => typeof one.chunk === 'string');
    bodyChunkSent.publish({ stream, writev, data: hasText ? chunks : arrayMap.call(chunks, (one) => one.chunk), encoding: '' });
  },
  bodySent(stream) {
    if (bodySent.hasSubscribers && stream.isOfClient) bodySent.publish({ stream });
  },
};
