// natives: buffer
// How a Buffer shows itself in util.inspect, and the INSPECT_MAX_BYTES limit
// that require('internal/buffer/buffer') exposes as an accessor. Installed by node/buffer.js.
'use strict';

const { hexSlice } = native('buffer');
const { validateNumber } = require('internal/util/validators');

let maxBytes = 50;

function getMaxBytes() {
  return maxBytes;
}

function setMaxBytes(value) {
  validateNumber(value, 'INSPECT_MAX_BYTES', 0);
  maxBytes = value;
}

// Own properties that are not bytes, as util.inspect would list them.
function extraProperties(buffer, ctx) {
  const extras = { __proto__: null };
  let some = false;
  for (const key of each(Reflect.ownKeys(buffer))) {
    if (typeof key === 'string' && regexpTest.call(/^(?:0|[1-9]\d*)$/, key)) continue;
    const property = Object.getOwnPropertyDescriptor(buffer, key);
    if (property === undefined || !(property.enumerable || ctx.showHidden)) continue;
    some = true;
    extras[key] = buffer[key];
  }
  return some ? extras : undefined;
}

function inspectBuffer(recurseTimes, ctx) {
  const shown = Math.min(maxBytes, this.length);
  const remaining = this.length - maxBytes;
  let text = stringTrim.call(replaceMatches(call2(hexSlice, this, 0, shown), /(.{2})/g, '$1 '));
  if (remaining > 0) text += ` ... ${remaining} more byte${remaining > 1 ? 's' : ''}`;

  const extras = ctx ? extraProperties(this, ctx) : undefined;
  if (extras !== undefined) {
    const { inspect } = require('internal/util/inspect');
    if (this.length !== 0) text += ', ';
    const whole = inspect(extras, { ...ctx, breakLength: Infinity, compact: true });
    text += stringSlice.call(whole, '[Object: null prototype] { '.length, -2);
  }

  let name = 'Buffer';
  try {
    const { constructor } = this;
    if (typeof constructor === 'function' && Object.hasOwn(constructor, 'name')) name = constructor.name;
  } catch {
    // A hostile constructor getter must not stop inspection.
  }
  return `<${name} ${text}>`;
}

module.exports = { inspectBuffer, getMaxBytes, setMaxBytes };
