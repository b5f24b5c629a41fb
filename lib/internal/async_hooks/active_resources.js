// natives: fs
// Resources that keep the program alive, for process.getActiveResourcesInfo() and its older relatives. Handles (and children)
// enter themselves while they are open; a name comes from [kResourceName](), which answers undefined while the handle is
// unref'd; handle.owner is whom programs know. Timers, immediates and file requests are only counted, where they live.
'use strict';

const kResourceName = Symbol('resource name');
const handles = new Set();

function add(handle) {
  handles.add(handle);
}
function remove(handle) {
  handles.delete(handle);
}

function refed() {
  return arrayFilter.call([...each(handles)], (handle) => handle[kResourceName]() !== undefined);
}

class FSReqCallback {}

function activeHandles() {
  return arrayMap.call(refed(), (handle) => handle.owner ?? handle);
}

function activeRequests() {
  return Array.from({ length: native('fs').activeRequests() }, () => new FSReqCallback());
}

function activeResourcesInfo() {
  const { activeTimers, activeImmediates } = requireLater('internal/timers/timers');
  return [
    ...each(arrayMap.call(activeRequests(), () => 'FSReqCallback')),
    ...each(arrayMap.call(refed(), (handle) => handle[kResourceName]())),
    ...each(arrayFill.call(new Array(activeTimers()), 'Timeout')),
    ...each(arrayFill.call(new Array(activeImmediates()), 'Immediate')),
  ];
}

module.exports = { kResourceName, add, remove, activeHandles, activeRequests, activeResourcesInfo };
