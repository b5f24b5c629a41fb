// natives: structured_clone
// structuredClone, and how objects made by lib/ take part in it (the protocol is in internal/symbols/messaging). The
// algorithm itself is native; message ports use the same. Loading this file installs the hooks.
'use strict';

const binding = native('structured_clone');
const { kClone, kTransfer, kTransferList, kDeserialize, kMakePort, kRevive } = require('internal/symbols/messaging');

const { kCloneable, kTransferable, kUntransferable, kUncloneable } = binding; // bits of enum CloneMode

function describe(object, isTransfer) {
  const { data, deserializeInfo } = isTransfer ? object[kTransfer]() : object[kClone]();
  return [deserializeInfo, data];
}

function nestedTransfers(object) {
  return typeof object[kTransferList] === 'function' ? object[kTransferList]() : undefined;
}

// A page's agent makes objects of its own windows of some: deserializeInfo -> function(data).
const substitutes = new Map();
function substitute(info, make) {
  substitutes.set(info, make);
}

// deserializeInfo is 'module id:export'. A factory may take the data itself; a class gets it through kDeserialize. A receiver in a vm
// context takes ports alone: whatever else lib/ has made belongs to the program's realm. A page's window revives all of it
// (lib/html/agents/ports.js).
function revive(info, data, foreignReceiver) {
  if (foreignReceiver !== undefined) {
    if (foreignReceiver[kRevive] !== undefined) return foreignReceiver[kRevive](info, data);
    if (info === 'internal/messaging/message_channel:ReceivedPort') return foreignReceiver[kMakePort](data);
    const {
      codes: { ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE },
    } = require('internal/errors/coded');
    throw new ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE();
  }
  const [id, name] = each(stringSplit.call(info, ':'));
  let file;
  try {
    file = require(id);
  } catch {
    throw new Error(`Missing internal module '${id}'`);
  }
  const own = substitutes.get(info);
  if (own !== undefined) return own(data);
  const Class = file[name];
  if (typeof Class !== 'function') throw new Error(`Unknown deserialize spec ${info}`);
  const made = new Class(data);
  if (typeof made[kDeserialize] === 'function') made[kDeserialize](data);
  return made;
}

function cloneError(message) {
  const { DOMException } = require('internal/errors/dom_exception');
  return new DOMException(message, 'DataCloneError');
}

binding.setHooks(describe, nestedTransfers, revive, cloneError);

// Called by constructors of lib/: what structured clone may do with the object.
function markTransferMode(object, cloneable, transferable) {
  binding.setMode(object, (cloneable ? kCloneable : 0) | (transferable ? kTransferable : 0));
}

function markAsUntransferable(object) {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return;
  binding.setMode(object, (binding.mode(object) & ~kTransferable) | kUntransferable);
}

function isMarkedAsUntransferable(object) {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return false;
  return (binding.mode(object) & kUntransferable) !== 0;
}

// No effect on arrays and on memory, which are copied without asking anybody.
function markAsUncloneable(object) {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return;
  if (Array.isArray(object) || ArrayBuffer.isView(object) || object instanceof ArrayBuffer) return;
  binding.setMode(object, (binding.mode(object) & kTransferable) | kUncloneable);
}

// Streams are too common to mark each one when it is made; those in a transfer list are marked here.
const kStreamTags = new Set(['ReadableStream', 'WritableStream', 'TransformStream']);

function prepareTransfers(list) {
  if (list === undefined) return list;
  for (const item of each(list)) {
    if (typeof item !== 'object' || item === null || !kStreamTags.has(item[Symbol.toStringTag])) continue;
    if (requireLater('internal/webstreams/transfer').isStream(item)) binding.setMode(item, kTransferable);
  }
  return list;
}

function conversionError(message) {
  const error = new TypeError(`Failed to execute 'structuredClone': ${message}`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

// WebIDL's sequence<object>: any iterable object.
function transferSequence(transfer) {
  const isObject = (typeof transfer === 'object' && transfer !== null) || typeof transfer === 'function';
  if (!isObject || typeof transfer[Symbol.iterator] !== 'function') {
    throw conversionError('transfer in Options cannot be converted to sequence.');
  }
  return [...each(transfer)];
}

function structuredClone(value, options) {
  if (arguments.length === 0) throw new (require('internal/errors/coded').codes.ERR_MISSING_ARGS)('value');
  let list;
  if (options !== undefined && options !== null) {
    if (typeof options !== 'object' && typeof options !== 'function') {
      throw conversionError('Options cannot be converted to a dictionary');
    }
    if (options.transfer !== undefined) list = transferSequence(options.transfer);
  }
  return binding.clone(value, prepareTransfers(list));
}

// The same for a context: the copy's objects are of its realm.
function cloneInto(global, value, transfer) {
  return binding.clone(value, prepareTransfers(transfer), global);
}

module.exports = {
  structuredClone,
  cloneInto,
  markTransferMode,
  markAsUntransferable,
  isMarkedAsUntransferable,
  markAsUncloneable,
  cloneError,
  prepareTransfers,
  revive,
  substitute,
};
