// natives: profiler
// --heap-prof: which functions allocated the objects that live when a thread ends, written then.
'use strict';

const binding = native('profiler');
const { placeOf, write } = require('internal/process/cpu_profile');

const kUsualInterval = 512 * 1024; // in bytes
const kMostFrames = 128;

function start(get) {
  const place = placeOf(get, '--heap-prof', 'Heap', 'heapprofile');
  if (!binding.startHeapProfile(Number(get('--heap-prof-interval') || kUsualInterval), kMostFrames, false, false)) return;
  require('internal/process/before_end').add(() => {
    const text = binding.heapProfile();
    if (text === undefined) return;
    binding.stopHeapProfile();
    write(place(), () => requireLater('internal/inspector/heap_domain').withUrls(text));
  });
}

module.exports = { start };
