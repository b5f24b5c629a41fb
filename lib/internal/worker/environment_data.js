// natives: none
// worker_threads.setEnvironmentData: values that workers started later get a copy of.
'use strict';

const data = new Map();

function setEnvironmentData(key, value) {
  if (value === undefined) data.delete(key);
  else data.set(key, value);
}

function getEnvironmentData(key) {
  return data.get(key);
}

// As a message carries it; nothing when there is none.
function copy() {
  return data.size === 0 ? undefined : new program.Map(each(data));
}

function assign(given) {
  for (const [key, value] of eachEntry(given)) data.set(key, value);
}

module.exports = { setEnvironmentData, getEnvironmentData, copy, assign };
