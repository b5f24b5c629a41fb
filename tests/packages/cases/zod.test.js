// zod: schemas, refinements, async checks, errors.
'use strict';
const assert = require('node:assert');
const { z } = require('zod');

const User = z.object({
  name: z.string().min(2),
  age: z.coerce.number().int().positive(),
  email: z.email().optional(),
  tags: z.array(z.enum(['a', 'b'])).default([]),
  at: z.date().nullable(),
}).strict();

assert.deepStrictEqual(User.parse({ name: 'Ann', age: '42', at: null }), { name: 'Ann', age: 42, tags: [], at: null });
const result = User.safeParse({ name: 'A', age: -1, email: 'no', at: new Date(0), extra: 1 });
assert.deepStrictEqual(result.error.issues.map((issue) => [issue.path.join('.'), issue.code]).sort(),
  [['', 'unrecognized_keys'], ['age', 'too_small'], ['email', 'invalid_format'], ['name', 'too_small']]);
const either = z.discriminatedUnion('kind', [z.object({ kind: z.literal('n'), n: z.bigint() }), z.object({ kind: z.literal('s'), s: z.string() })]);
assert.deepStrictEqual(either.parse({ kind: 'n', n: 5n }), { kind: 'n', n: 5n });
const slow = z.string().refine(async (text) => { await new Promise(setImmediate); return text === 'ok'; });
async function main() {
  assert.strictEqual(await slow.parseAsync('ok'), 'ok');
  await assert.rejects(slow.parseAsync('no'), { name: 'ZodError' });
  assert.strictEqual((await import('zod')).z.string().parse('x'), 'x');
}
let ended = false;
main().then(() => { ended = true; });
process.on('exit', () => assert(ended));
