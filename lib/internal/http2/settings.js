// natives: none
// The settings of an HTTP/2 connection: their names and numbers, their bounds, and the packed form of the HTTP2-Settings field.
'use strict';

const {
  codes: { ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH, ERR_HTTP2_INVALID_SETTING_VALUE, ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS },
} = require('internal/errors/coded');
const { validateObject } = require('internal/util/validators');

const kMaxInt = 2 ** 32 - 1;
const kMaxWindow = 2 ** 31 - 1;

// name, number, least, greatest; in the order in which they are packed.
const kSettings = [
  ['headerTableSize', 1, 0, kMaxInt],
  ['enablePush', 2],
  ['maxConcurrentStreams', 3, 0, kMaxInt],
  ['initialWindowSize', 4, 0, kMaxWindow],
  ['maxFrameSize', 5, 2 ** 14, 2 ** 24 - 1],
  ['maxHeaderListSize', 6, 0, kMaxInt],
  ['enableConnectProtocol', 8],
];
const kNativeOrder = [1, 2, 3, 4, 5, 6, 8];

const inRange = (value, least, greatest) => typeof value === 'number' && value >= least && value <= greatest;

const kMostCustom = 10;

// { number: value } of settings that the library has no name for.
function checkCustom(custom) {
  if (custom === undefined) return;
  validateObject(custom, 'customSettings');
  const numbers = Object.keys(custom);
  if (numbers.length > kMostCustom) throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
  for (const number of each(numbers)) {
    const value = Number(custom[number]);
    if (!inRange(Number(number), 0, 0xffff)) {
      throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError('customSettings:id', Number(number), 0, 0xffff);
    }
    if (!inRange(value, 0, kMaxInt)) throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError('customSettings:value', value, 0, kMaxInt);
  }
}

function checkSettings(settings, name = 'settings') {
  if (settings === undefined) return {};
  validateObject(settings, name);
  checkCustom(settings.customSettings);
  const checked = { ...settings };
  if (checked.maxHeaderSize !== undefined) {
    if (!inRange(checked.maxHeaderSize, 0, kMaxInt))
      throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError('maxHeaderSize', checked.maxHeaderSize, 0, kMaxInt);
    checked.maxHeaderListSize = checked.maxHeaderSize;
  }
  for (const [name, , least, greatest] of eachEntry(kSettings)) {
    const value = checked[name];
    if (value === undefined) continue;
    if (least === undefined) {
      if (typeof value !== 'boolean') throw new ERR_HTTP2_INVALID_SETTING_VALUE(name, value);
    } else if (!inRange(value, least, greatest)) {
      throw new ERR_HTTP2_INVALID_SETTING_VALUE.RangeError(name, value, least, greatest);
    }
  }
  return checked;
}

// [number, value, …] of those that are given.
function settingsList(settings) {
  const list = [];
  for (const [name, number] of eachEntry(kSettings)) {
    if (settings[name] !== undefined) arrayPush.call(list, number, Number(settings[name]));
  }
  const { customSettings: custom = {} } = settings;
  for (const number of each(Object.keys(custom))) arrayPush.call(list, Number(number), Number(custom[number]));
  return list;
}

// Values that the native half reads of a session, and those that have a number only.
function settingsObject(values, custom = undefined) {
  const settings = { __proto__: null };
  for (const [name, number, least] of eachEntry(kSettings)) {
    const value = values[arrayIndexOf.call(kNativeOrder, number)];
    settings[name] = least === undefined ? Boolean(value) : value;
  }
  settings.maxHeaderSize = settings.maxHeaderListSize;
  if (custom !== undefined) settings.customSettings = custom;
  return settings;
}

// The peer's, of four bytes each, in the same order.
function readSettings(bytes) {
  const numbers = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.byteLength; at += 4) arrayPush.call(numbers, view.getUint32(at, true));
  return settingsObject(numbers);
}

function getDefaultSettings() {
  return {
    __proto__: null,
    headerTableSize: 4096,
    enablePush: true,
    initialWindowSize: 65535,
    maxFrameSize: 16384,
    maxConcurrentStreams: kMaxInt,
    maxHeaderSize: 65535,
    maxHeaderListSize: 65535,
    enableConnectProtocol: false,
  };
}

function getPackedSettings(settings) {
  const { Buffer } = require('internal/buffer/buffer');
  const list = settingsList(checkSettings(settings));
  const packed = Buffer.alloc(list.length * 3);
  for (let i = 0; i < list.length; i += 2) {
    packed.writeUInt16BE(list[i], i * 3);
    packed.writeUInt32BE(list[i + 1], i * 3 + 2);
  }
  return packed;
}

function getUnpackedSettings(bytes, options = {}) {
  const {
    codes: { ERR_INVALID_ARG_TYPE },
  } = require('internal/errors/coded');
  if (!ArrayBuffer.isView(bytes) || bytes.length === undefined) throw new ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray'], bytes);
  if (bytes.length % 6 !== 0) throw new ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH();
  const view = new DataView(Uint8Array.from(bytes).buffer); // an element is a byte, whatever its size
  const settings = {};
  for (let at = 0; at < bytes.length; at += 6) {
    const number = view.getUint16(at),
      value = view.getUint32(at + 2);
    const found = arrayFind.call(kSettings, (setting) => setting[1] === number);
    if (found === undefined) {
      settings.customSettings ??= {};
      settings.customSettings[number] = value;
      continue;
    }
    settings[found[0]] = found[2] === undefined ? Boolean(value) : value;
    if (found[0] === 'maxHeaderListSize') settings.maxHeaderSize = value;
  }
  if (options?.validate) checkSettings(settings);
  return settings;
}

module.exports = { checkSettings, readSettings, settingsList, settingsObject, getDefaultSettings, getPackedSettings, getUnpackedSettings };
