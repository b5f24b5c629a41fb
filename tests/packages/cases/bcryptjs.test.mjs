// bcryptjs: salts from crypto's random bytes, hashes in pieces that let the loop turn.
import assert from 'node:assert';
import bcrypt from 'bcryptjs';

const known = '$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe';
assert.strictEqual(bcrypt.compareSync('a', known), true);
assert.strictEqual(bcrypt.compareSync('b', known), false);
assert.notStrictEqual(bcrypt.genSaltSync(4), bcrypt.genSaltSync(4));

let ticks = 0;
const interval = setInterval(() => ticks++, 1);
const hash = await bcrypt.hash('password', 9);
clearInterval(interval);
assert.ok(ticks > 0, 'the loop turned meanwhile');
assert.strictEqual(await bcrypt.compare('password', hash), true);
assert.strictEqual(await bcrypt.compare('passwort', hash), false);
