// skip-asan
// A thousand random programs of promises, async functions, generators, ticks, microtasks and immediates run in Node's order.
'use strict';

require('../../random_async/golden.js')(false);
