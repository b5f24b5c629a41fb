// natives: none
// util.inspect: reads the options, makes the context that travels through the recursion in
// internal/util/inspect/core, and carries the colours and defaults users may change.
'use strict';

const core = require('internal/util/inspect/core');
const { colors, styles, stylizeNoColor, stylizeWithColor } = require('internal/util/inspect/styles');
const { getStringWidth, isZeroWidthCodePoint, stripVTControlCharacters } = require('internal/util/inspect/width');

const inspectDefaultOptions = Object.seal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

function applyOptions(ctx, options) {
  for (const key of each(Object.keys(options))) {
    if (Object.hasOwn(inspectDefaultOptions, key) || key === 'stylize') ctx[key] = options[key];
    else if (ctx.userOptions === undefined) ctx.userOptions = options;
  }
}

// Also called as (value, showHidden, depth, colors).
function inspect(value, options) {
  const ctx = {
    budget: {},
    indentationLvl: 0,
    seen: [],
    currentDepth: 0,
    circular: undefined,
    inspect,
    userOptions: undefined,
    stylize: stylizeNoColor,
    ...inspectDefaultOptions,
  };
  if (arguments.length > 1) {
    if (arguments[2] !== undefined) ctx.depth = arguments[2];
    if (arguments[3] !== undefined) ctx.colors = arguments[3];
    if (typeof options === 'boolean') ctx.showHidden = options;
    else if (options) applyOptions(ctx, options);
  }
  if (ctx.colors) ctx.stylize = stylizeWithColor;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  return core.formatValue(ctx, value, 0);
}

inspect.custom = Symbol.for('nodejs.util.inspect.custom');
Object.defineProperty(inspect, 'defaultOptions', {
  __proto__: null,
  get() {
    return inspectDefaultOptions;
  },
  set(options) {
    require('internal/util/validators').validateObject(options, 'options');
    Object.assign(inspectDefaultOptions, options);
  },
});
inspect.colors = colors;
inspect.styles = styles;

const format = () => require('internal/util/format');

module.exports = {
  format: (...args) => format().format(...each(args)),
  formatWithOptions: (...args) => format().formatWithOptions(...each(args)),
  getStringWidth,
  inspect,
  inspectDefaultOptions,
  isZeroWidthCodePoint,
  stripVTControlCharacters,
};
