// URLPattern: matching, groups, argument checks.
'use strict';
const assert = require('node:assert');

const pattern = new URLPattern({ pathname: '/books/:id(\\d+)' });
assert.strictEqual(pattern.test('https://example.com/books/12'), true);
assert.strictEqual(pattern.test('https://example.com/books/x'), false);
assert.strictEqual(pattern.exec('https://example.com/books/12').pathname.groups.id, '12');
assert.strictEqual(new URLPattern('/a/*', 'https://h/').exec('https://h/a/b/c').pathname.groups[0], 'b/c');
assert.strictEqual(new URLPattern({ hostname: 'A.b' }, { ignoreCase: true }).hostname, 'a.b');
assert.throws(() => URLPattern(), { code: 'ERR_CONSTRUCT_CALL_REQUIRED' });
assert.throws(() => new URLPattern(1), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => new URLPattern({ pathname: '/(' }), { code: 'ERR_INVALID_URL_PATTERN' });
assert.throws(() => URLPattern.prototype.test.call({}), { message: 'Illegal invocation' });
