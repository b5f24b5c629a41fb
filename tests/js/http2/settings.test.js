// node:http2: constants, defaults, packed settings.
'use strict';
const assert = require('node:assert');
const http2 = require('node:http2');

assert.deepStrictEqual([http2.constants.HTTP2_HEADER_PATH, http2.constants.NGHTTP2_CANCEL, http2.constants.HTTP_STATUS_TEAPOT, Object.keys(http2.constants).length], [':path', 8, 418, 240]);
assert.deepStrictEqual({ ...http2.getDefaultSettings() }, {
  headerTableSize: 4096, enablePush: true, initialWindowSize: 65535, maxFrameSize: 16384, maxConcurrentStreams: 4294967295, maxHeaderSize: 65535,
  maxHeaderListSize: 65535, enableConnectProtocol: false,
});
const packed = http2.getPackedSettings({ enablePush: false, maxFrameSize: 20000 });
assert.strictEqual(packed.toString('hex'), '000200000000000500004e20');
assert.deepStrictEqual(http2.getUnpackedSettings(packed), { enablePush: false, maxFrameSize: 20000 });
assert.throws(() => http2.getUnpackedSettings(Buffer.alloc(5)), { code: 'ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH' });
assert.throws(() => http2.getPackedSettings({ enablePush: 1 }), { code: 'ERR_HTTP2_INVALID_SETTING_VALUE', name: 'TypeError' });
