// natives: fs
// Resources that keep the program alive, for process.getActiveResourcesInfo() and its older relatives. Handles (and children)
// enter themselves while they are open; a name comes from [kResourceName](), which answers undefined while the handle is
// unref'd; handle.owner is the object that programs know. Requests enter themselves until they are answered. Timers, immediates and
// requests of files are only counted, where they live.
'use strict';

const kResourceName = Symbol('resource name');
const handles = new Set();
const requests = new Set();
// Requests of files that a StatWatcher makes: in Node they are no requests.
let hiddenFileRequests = 0;

let onAdd; // (handle), while somebody wants to know where handles are made

// For `rondo why`: where each handle was made, and when.
let noteOrigin = null;
const origins = new WeakMap();
function setOriginNoter(noter) {
  noteOrigin = noter;
}

// Threads that keep the program alive: Node lists none. By worker, with its origin.
const threads = new Map();
function addThread(worker) {
  threads.set(worker, noteOrigin === null ? undefined : noteOrigin());
}
function removeThread(worker) {
  threads.delete(worker);
}
const runningThreads = () => [...each(threads)];

function add(handle) {
  handles.add(handle);
  onAdd?.(handle);
  if (noteOrigin !== null) origins.set(handle, noteOrigin());
}
function watchAdded(callback) {
  onAdd = callback;
}
function remove(handle) {
  handles.delete(handle);
}
// `request` is of a class that has the name of Node's.
function addRequest(request) {
  requests.add(request);
  return request;
}
function removeRequest(request) {
  requests.delete(request);
}
function hideFileRequests(change) {
  hiddenFileRequests += change;
}

function refed() {
  return arrayFilter.call([...each(handles)], (handle) => handle[kResourceName]() !== undefined);
}

class FSReqCallback {}
class FSReqPromise {}

// [handle, name, origin or undefined] of all that keep the program alive.
function describedHandles() {
  return arrayMap.call(refed(), (handle) => [handle.owner ?? handle, handle[kResourceName](), origins.get(handle)]);
}

// The same of all that are open.
function openHandles() {
  return arrayMap.call([...each(handles)], (handle) => [handle.owner ?? handle, handle[kResourceName](), origins.get(handle)]);
}

function activeHandles() {
  return arrayMap.call(refed(), (handle) => handle.owner ?? handle);
}

function activeRequests() {
  const { activeRequests: count } = native('fs');
  return [
    ...each(Array.from({ length: count(false) - hiddenFileRequests }, () => new FSReqCallback())),
    ...each(Array.from({ length: count(true) }, () => new FSReqPromise())),
    ...each(requests),
  ];
}

function activeResourcesInfo() {
  const { activeTimers, activeImmediates } = requireLater('internal/timers/timers');
  const names = arrayMap.call(refed(), (handle) => handle[kResourceName]());
  const ownTimers = arrayFilter.call(names, (name) => name === 'StatWatcher').length; // one each
  return [
    ...each(arrayMap.call(activeRequests(), (request) => request.constructor.name)),
    ...each(names),
    ...each(arrayFill.call(new Array(activeTimers() - ownTimers), 'Timeout')),
    ...each(arrayFill.call(new Array(activeImmediates()), 'Immediate')),
  ];
}

const has = (handle) => handles.has(handle);
const hasAny = () => handles.size > 0;
const openCount = () => handles.size;

module.exports = {
  setOriginNoter,
  describedHandles,
  openHandles,
  addThread,
  removeThread,
  runningThreads,
  openCount,
  kResourceName,
  has,
  hasAny,
  add,
  addRequest,
  remove,
  refed,
  watchAdded,
  removeRequest,
  hideFileRequests,
  activeHandles,
  activeRequests,
  activeResourcesInfo,
};
