// natives: none
// Colours of the inspector: util.inspect.colors (names to SGR codes), util.inspect.styles
// (kinds of value to colour names) and the functions that apply them.
'use strict';

const kForeground = 39;
const kBackground = 49;

const colors = { __proto__: null };
const pairs = [
  ['reset', 0, 0],
  ['bold', 1, 22],
  ['dim', 2, 22],
  ['italic', 3, 23],
  ['underline', 4, 24],
  ['blink', 5, 25],
  ['inverse', 7, 27],
  ['hidden', 8, 28],
  ['strikethrough', 9, 29],
  ['doubleunderline', 21, 24],
];
const hues = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const capital = (name) => stringToUpperCase.call(name[0]) + stringSlice.call(name, 1);
arrayForEach.call(hues, (hue, i) => arrayPush.call(pairs, [hue, 30 + i, kForeground]));
arrayForEach.call(hues, (hue, i) => arrayPush.call(pairs, [`bg${capital(hue)}`, 40 + i, kBackground]));
arrayPush.call(pairs, ['framed', 51, 54], ['overlined', 53, 55]);
arrayForEach.call(hues, (hue, i) => arrayPush.call(pairs, [i === 0 ? 'gray' : `${hue}Bright`, 90 + i, kForeground]));
arrayForEach.call(hues, (hue, i) => arrayPush.call(pairs, [i === 0 ? 'bgGray' : `bg${capital(hue)}Bright`, 100 + i, kBackground]));
for (const [name, on, off] of eachEntry(pairs)) colors[name] = [on, off];

const aliases = {
  gray: ['grey', 'blackBright'],
  bgGray: ['bgGrey', 'bgBlackBright'],
  dim: ['faint'],
  strikethrough: ['crossedout', 'strikeThrough', 'crossedOut'],
  hidden: ['conceal'],
  inverse: ['swapColors', 'swapcolors'],
  doubleunderline: ['doubleUnderline'],
};
for (const target of each(Object.keys(aliases))) {
  for (const alias of each(aliases[target])) {
    Object.defineProperty(colors, alias, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get() {
        return this[target];
      },
      set(value) {
        this[target] = value;
      },
    });
  }
}

function regexp(text) {
  return require('internal/util/inspect/regexp').highlight(text, regexp.colors, colors);
}
regexp.colors = ['green', 'red', 'yellow', 'cyan', 'magenta'];
Object.defineProperty(regexp, 'name', { value: 'highlightRegExp' });

const styles = Object.assign(
  { __proto__: null },
  {
    special: 'cyan',
    number: 'yellow',
    bigint: 'yellow',
    boolean: 'yellow',
    undefined: 'grey',
    null: 'bold',
    string: 'green',
    symbol: 'green',
    date: 'magenta',
    regexp,
    module: 'underline',
  },
);

function stylizeWithColor(text, kind) {
  const style = styles[kind];
  if (style === undefined) return text;
  const color = colors[style];
  if (color !== undefined) return `\u001b[${color[0]}m${text}\u001b[${color[1]}m`;
  return typeof style === 'function' ? style(text) : text;
}

const stylizeNoColor = (text) => text;

module.exports = { colors, styles, stylizeNoColor, stylizeWithColor };
