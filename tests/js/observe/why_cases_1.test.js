// A quarter of the programs of tests/fixtures/why: rondo why answers with the function and the place.
'use strict';
require('../../fixtures/why_cases.js')(0, 4);
