// A BroadcastChannel keeps the program alive while it is open and ref'd, and is listed as Node lists it.
const assert = require('node:assert');

const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
const channel = new BroadcastChannel('resources');
assert.strictEqual(ports(), 1);
channel.unref();
assert.strictEqual(ports(), 0);
channel.ref();
assert.strictEqual(ports(), 1);
channel.close();
assert.strictEqual(ports(), 0);
channel.ref(); // it is closed
assert.strictEqual(ports(), 0);
