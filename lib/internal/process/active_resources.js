// natives: fs
// What keeps the program alive, for process.getActiveResourcesInfo() and its older relatives. Handles (and children)
// enter themselves while they are open; a name comes from [kResourceName](), which answers undefined while the handle is
// unref'd; handle.owner is whom programs know. Timers, immediates and file requests are only counted, where they live.
'use strict';

const kResourceName = Symbol('resource name');
const handles = new Set();

// For who asks why a program is alive: where each handle was made, and when.
let noteOrigin = null;
const origins = new WeakMap();
function setOriginNoter(noter) {
  noteOrigin = noter;
}

function add(handle) {
  handles.add(handle);
  if (noteOrigin !== null) origins.set(handle, noteOrigin());
}
function remove(handle) {
  handles.delete(handle);
}

function refed() {
  return arrayFilter.call([...each(handles)], (handle) => handle[kResourceName]() !== undefined);
}

class FSReqCallback {}

// [handle, name, origin or undefined] of all that keep the program alive.
function describedHandles() {
  return arrayMap.call(refed(), (handle) => [handle.owner ?? handle, handle[kResourceName](), origins.get(handle)]);
}

function activeHandles() {
  return arrayMap.call(refed(), (handle) => handle.owner ?? handle);
}

function activeRequests() {
  return Array.from({ length: native('fs').activeRequests() }, () => new FSReqCallback());
}

function activeResourcesInfo() {
  const { activeTimers, activeImmediates } = require('internal/timers/timers');
  return [
    ...each(arrayMap.call(activeRequests(), () => 'FSReqCallback')),
    ...each(arrayMap.call(refed(), (handle) => handle[kResourceName]())),
    ...each(arrayFill.call(new Array(activeTimers()), 'Timeout')),
    ...each(arrayFill.call(new Array(activeImmediates()), 'Immediate')),
  ];
}

module.exports = { setOriginNoter, describedHandles, kResourceName, add, remove, activeHandles, activeRequests, activeResourcesInfo };
