// A read through a namespace, before the variable is there, names the variable.
import assert from 'node:assert';
import { messages } from './fixtures/early_namespace.mjs';

export const telemetry = 1;
const expected = "Cannot access 'telemetry' before initialization";
assert.deepStrictEqual(messages, [expected, expected, expected]);
