// natives: process
//
// node:v8: what of it makes sense on another engine. Heap figures are JavaScriptCore's under the names programs read; there is no
// start-up snapshot to build; serialized values are those that Node reads and writes; engine flags are accepted and have no effect, as unknown ones have none in Node.

'use strict';

const { heapLimit } = native('process');
const { codes: { ERR_NOT_BUILDING_SNAPSHOT } } = require('internal/errors/coded');
const { validateString } = require('internal/util/validators');

function getHeapStatistics() {
  const { heapTotal, heapUsed, external } = process.memoryUsage();
  const limit = heapLimit();
  return {
    total_heap_size: heapTotal,
    total_heap_size_executable: 0,
    total_physical_size: heapTotal,
    total_available_size: Math.max(0, limit - heapUsed),
    used_heap_size: heapUsed,
    heap_size_limit: limit,
    malloced_memory: external,
    peak_malloced_memory: external,
    does_zap_garbage: 0,
    number_of_native_contexts: 1,
    number_of_detached_contexts: 0,
    total_global_handles_size: 0,
    used_global_handles_size: 0,
    external_memory: external,
    total_allocated_bytes: heapTotal,
  };
}

function setFlagsFromString(flags) { validateString(flags, 'flags'); }

const outsideSnapshot = (name) => ({ [name]() { throw new ERR_NOT_BUILDING_SNAPSHOT(); } })[name];

const { DefaultDeserializer, DefaultSerializer, deserialize, serialize } = require('internal/v8/default_serializers');

const { getHeapSnapshot, writeHeapSnapshot } = require('internal/v8/heap_snapshot');

module.exports = {
  getHeapSnapshot,
  getHeapStatistics,
  setFlagsFromString,
  Serializer: require('internal/v8/serializer').Serializer,
  Deserializer: require('internal/v8/deserializer').Deserializer,
  DefaultSerializer,
  DefaultDeserializer,
  deserialize,
  serialize,
  writeHeapSnapshot,
  startupSnapshot: {
    addDeserializeCallback: outsideSnapshot('addDeserializeCallback'),
    addSerializeCallback: outsideSnapshot('addSerializeCallback'),
    setDeserializeMainFunction: outsideSnapshot('setDeserializeMainFunction'),
    isBuildingSnapshot: () => false,
  },
};
