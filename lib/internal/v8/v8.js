// natives: process
//
// node:v8: what of it makes sense on another engine. Heap figures are JavaScriptCore's under the names programs read; there is no
// start-up snapshot to build; serialized values are those that Node reads and writes; engine flags are accepted and have no effect, as
// unknown ones have none in Node. Absent: setHeapSnapshotNearHeapLimit,
// setHeapProfileNearHeapLimit.

'use strict';

const { addLazy } = require('internal/util/lazy_property');
const { heapLimit } = native('process');
const {
  codes: { ERR_NOT_BUILDING_SNAPSHOT },
} = require('internal/errors/coded');
const { validateOneOf, validateString } = require('internal/util/validators');

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

const kSpaces = [
  'read_only_space',
  'new_space',
  'old_space',
  'code_space',
  'shared_space',
  'trusted_space',
  'shared_trusted_space',
  'new_large_object_space',
  'large_object_space',
  'code_large_object_space',
  'shared_large_object_space',
  'shared_trusted_large_object_space',
  'trusted_large_object_space',
];

// The engine's heap is one space, which stands under the name of V8's largest; the others are there, and empty, for programs that add them
// up.
function getHeapSpaceStatistics() {
  const { heapTotal, heapUsed } = process.memoryUsage();
  return arrayMap.call(kSpaces, (name) => {
    const isHeap = name === 'old_space';
    const size = isHeap ? heapTotal : 0,
      used = isHeap ? heapUsed : 0;
    return { space_name: name, space_size: size, space_used_size: used, space_available_size: size - used, physical_space_size: size };
  });
}

// The engine does not count the memory of code apart.
function getHeapCodeStatistics() {
  return { code_and_metadata_size: 0, bytecode_and_metadata_size: 0, external_script_source_size: 0, cpu_profiler_metadata_size: 0 };
}

// Objects of V8's C++ heap: there is none.
function getCppHeapStatistics(type = 'detailed') {
  validateOneOf(type, 'type', ['brief', 'detailed']);
  return {
    committed_size_bytes: 0,
    resident_size_bytes: 0,
    used_size_bytes: 0,
    space_statistics: [],
    type_names: [],
    detail_level: type,
  };
}

// A number that is another one for code of another build, as cached code of one cannot be used by the other.
function cachedDataVersionTag() {
  let tag = 0;
  const text = `${process.versions.rondo} ${process.versions.webkit} ${process.arch}`;
  for (let i = 0; i < text.length; i++) tag = (Math.imul(tag, 31) + stringCharCodeAt.call(text, i)) >>> 0;
  return tag;
}

function isStringOneByteRepresentation(content) {
  validateString(content, 'content');
  for (let i = 0; i < content.length; i++) {
    if (stringCharCodeAt.call(content, i) > 0xff) return false;
  }
  return true;
}

// Writes what NODE_V8_COVERAGE asks for now, and counts from zero; without the variable both do nothing.
function takeCoverage() {
  require('internal/coverage/collector').write(true);
}

function stopCoverage() {
  require('internal/coverage/collector').stop();
}

function setFlagsFromString(flags) {
  validateString(flags, 'flags');
}

const outsideSnapshot = (name) =>
  ({
    [name]() {
      throw new ERR_NOT_BUILDING_SNAPSHOT();
    },
  })[name];

const { DefaultDeserializer, DefaultSerializer, deserialize, serialize } = require('internal/v8/default_serializers');

const { getHeapSnapshot, writeHeapSnapshot } = require('internal/v8/heap_snapshot');

const { GCProfiler, startCpuProfile, startHeapProfile } = require('internal/v8/profiles');

module.exports = {
  GCProfiler,
  startCpuProfile,
  startHeapProfile,
  getHeapSnapshot,
  getHeapStatistics,
  getHeapSpaceStatistics,
  getHeapCodeStatistics,
  getCppHeapStatistics,
  cachedDataVersionTag,
  isStringOneByteRepresentation,
  takeCoverage,
  stopCoverage,
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
addLazy(module.exports, ['promiseHooks'], () => require('internal/v8/promise_hooks').promiseHooks, true);
addLazy(module.exports, ['queryObjects'], () => require('internal/v8/query_objects').queryObjects, true);
