// skip-asan
// The same in vm contexts, whose promises and async functions are their own.
'use strict';

require('../../random_async/golden.js')(true);
