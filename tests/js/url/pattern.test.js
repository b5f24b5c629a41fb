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

// As the Standard has it, and older implementations do not.
const parts = ({ protocol, hostname, port, pathname, search, hash }) => [protocol, hostname, port, pathname, search, hash];
assert.deepStrictEqual(parts(new URLPattern('https://example.com/a?b#c')), ['https', 'example.com', '', '/a', 'b', 'c']);
assert.deepStrictEqual(parts(new URLPattern('https://example.com/')), ['https', 'example.com', '', '/', '*', '*']);
assert.deepStrictEqual(parts(new URLPattern('data\\:foobar')), ['data', '', '', 'foobar', '*', '*']);
assert.strictEqual(new URLPattern({ hostname: 'b\u00fccher.example' }).hostname, 'xn--bcher-kva.example');
assert.strictEqual(new URLPattern({ protocol: 'http', port: '80' }).port, '');
assert.strictEqual(new URLPattern({ pathname: '/:a{/:b}?' }).pathname, '/:a/:b?');
assert.strictEqual(new URLPattern({ pathname: '/([a-c])' }).hasRegExpGroups, true);
assert.strictEqual(new URLPattern({ pathname: '/*' }).hasRegExpGroups, false);
assert.strictEqual(new URLPattern('a', 'https://h/x/y').pathname, '/x/a');
assert.strictEqual(new URLPattern({ pathname: '/:x?' }).exec({ pathname: '' }).pathname.groups.x, undefined);
assert.throws(() => new URLPattern({ pathname: '/:a/:a' }), { code: 'ERR_INVALID_URL_PATTERN' });
assert.throws(() => new URLPattern('/no/base'), { code: 'ERR_INVALID_URL_PATTERN' });
