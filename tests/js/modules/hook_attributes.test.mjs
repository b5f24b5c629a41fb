// Import attributes that a resolve hook answers are those that the load step checks.
import assert from 'node:assert';
import { registerHooks } from 'node:module';

const hooks = registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.startsWith('data:application/json') ? { ...found, importAttributes: { type: 'json' } } : found;
  },
});
assert.strictEqual((await import('data:application/json,[1]')).default[0], 1);
hooks.deregister();
await assert.rejects(import('data:application/json,[2]'), { code: 'ERR_IMPORT_ATTRIBUTE_MISSING' });
