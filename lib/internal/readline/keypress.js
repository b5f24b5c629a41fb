// natives: none
// Turns what a terminal sends into 'keypress' events: readline.emitKeypressEvents.
// A generator eats one character at a time and knows the escape sequences of xterm,
// rxvt, Cygwin and putty. A lone ESC is told from a sequence by time.
'use strict';

const { charLengthAt } = require('internal/readline/text');

const kEscape = '\x1b';
const kDecoder = Symbol('keypress-decoder');
const kDefaultTimeout = 500;

// code -> [name, modifiers]: c ctrl, s shift
const sequences = {
  __proto__: null,
  '[P': 'f1',
  '[Q': 'f2',
  '[R': 'f3',
  '[S': 'f4',
  OP: 'f1',
  OQ: 'f2',
  OR: 'f3',
  OS: 'f4',
  '[11~': 'f1',
  '[12~': 'f2',
  '[13~': 'f3',
  '[14~': 'f4',
  '[200~': 'paste-start',
  '[201~': 'paste-end',
  '[[A': 'f1',
  '[[B': 'f2',
  '[[C': 'f3',
  '[[D': 'f4',
  '[[E': 'f5',
  '[15~': 'f5',
  '[17~': 'f6',
  '[18~': 'f7',
  '[19~': 'f8',
  '[20~': 'f9',
  '[21~': 'f10',
  '[23~': 'f11',
  '[24~': 'f12',
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[E': 'clear',
  '[F': 'end',
  '[H': 'home',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  OE: 'clear',
  OF: 'end',
  OH: 'home',
  '[1~': 'home',
  '[2~': 'insert',
  '[3~': 'delete',
  '[4~': 'end',
  '[5~': 'pageup',
  '[6~': 'pagedown',
  '[[5~': 'pageup',
  '[[6~': 'pagedown',
  '[7~': 'home',
  '[8~': 'end',
  '[a': 'up s',
  '[b': 'down s',
  '[c': 'right s',
  '[d': 'left s',
  '[e': 'clear s',
  '[2$': 'insert s',
  '[3$': 'delete s',
  '[5$': 'pageup s',
  '[6$': 'pagedown s',
  '[7$': 'home s',
  '[8$': 'end s',
  Oa: 'up c',
  Ob: 'down c',
  Oc: 'right c',
  Od: 'left c',
  Oe: 'clear c',
  '[2^': 'insert c',
  '[3^': 'delete c',
  '[5^': 'pageup c',
  '[6^': 'pagedown c',
  '[7^': 'home c',
  '[8^': 'end c',
  '[Z': 'tab s',
};

function setFromCode(key, code) {
  key.code = code;
  const [name, modifier] = each(stringSplit.call(sequences[code] ?? 'undefined', ' '));
  key.name = name;
  if (modifier === 's') key.shift = true;
  if (modifier === 'c') key.ctrl = true;
}

// ESC [ digits ; modifier letter, and its relatives. Yields for each further
// character; gives back all it has eaten.
function* controlSequence(key, text) {
  let code = stringAt.call(text, -1);
  let modifier = 0;
  let ch = yield;
  text += ch;
  if (code === 'O') {
    // ESC O letter, or ESC O modifier letter
    if (ch >= '0' && ch <= '9') {
      modifier = (ch >> 0) - 1;
      text += ch = yield;
    }
    code += ch;
  } else {
    if (ch === '[') {
      // ESC [ [ letter, ESC [ [ digit ~
      code += ch;
      text += ch = yield;
    }
    const start = text.length - 1;
    for (let digits = 0; ch >= '0' && ch <= '9' && digits < 3; digits++) text += ch = yield;
    if (ch === ';') {
      text += ch = yield;
      for (let digits = 0; ch >= '0' && ch <= '9' && digits < 1; digits++) text += ch = yield;
    }
    const command = stringSlice.call(text, start);
    let match;
    if ((match = regexpExec.call(/^(?:(\d\d?)(?:;(\d))?([~^$])|(\d{3}~))$/, command))) {
      if (match[4]) {
        code += match[4];
      } else {
        code += match[1] + match[3];
        modifier = (match[2] || 1) - 1;
      }
    } else if ((match = regexpExec.call(/^((\d;)?(\d))?([A-Za-z])$/, command))) {
      code += match[4];
      modifier = (match[3] || 1) - 1;
    } else {
      code += command;
    }
  }
  key.ctrl = !!(modifier & 4);
  key.meta = !!(modifier & 10);
  key.shift = !!(modifier & 1);
  setFromCode(key, code);
  return text;
}

function setPlain(key, ch, escaped) {
  if (ch === '\r') {
    key.name = 'return';
    key.meta = escaped;
  } else if (ch === '\n') {
    key.name = 'enter';
    key.meta = escaped;
  } else if (ch === '\t') {
    key.name = 'tab';
    key.meta = escaped;
  } else if (ch === '\b' || ch === '\x7f') {
    key.name = 'backspace';
    key.meta = escaped;
  } else if (ch === kEscape) {
    key.name = 'escape';
    key.meta = escaped;
  } else if (ch === ' ') {
    key.name = 'space';
    key.meta = escaped;
  } else if (!escaped && ch <= '\x1a') {
    key.name = String.fromCharCode(stringCharCodeAt.call(ch, 0) + stringCharCodeAt.call('a', 0) - 1);
    key.ctrl = true;
  } else if (regexpTest.call(/^[0-9A-Za-z]$/, ch)) {
    key.name = stringToLowerCase.call(ch);
    key.shift = regexpTest.call(/^[A-Z]$/, ch);
    key.meta = escaped;
  } else if (escaped) {
    key.name = ch.length > 0 ? undefined : 'escape';
    key.meta = true;
  }
}

function* emitKeys(stream) {
  while (true) {
    let ch = yield;
    let text = ch;
    let escaped = false;
    const key = { sequence: null, name: undefined, ctrl: false, meta: false, shift: false };
    if (ch === kEscape) {
      escaped = true;
      text += ch = yield;
      if (ch === kEscape) text += ch = yield;
    }
    if (escaped && (ch === 'O' || ch === '[')) text = yield* controlSequence(key, text);
    else setPlain(key, ch, escaped);

    key.sequence = text;
    if (text.length !== 0 && (key.name !== undefined || escaped)) {
      stream.emit('keypress', escaped ? undefined : text, key);
    } else if (charLengthAt(text, 0) === text.length) {
      stream.emit('keypress', text, key);
    }
  }
}

function emitKeypressEvents(stream, iface = {}) {
  if (stream[kDecoder]) return;
  const { StringDecoder } = require('internal/buffer/string_decoder');
  const decoder = new StringDecoder('utf8');
  stream[kDecoder] = decoder;
  let keys;
  const restart = () => {
    keys = emitKeys(stream);
    keys.next();
  };
  const flushEscape = () => {
    keys.next('');
  };
  let timer;
  restart();

  function onData(input) {
    if (stream.listenerCount('keypress') === 0) {
      // The last listener is gone: stop reading.
      stream.removeListener('data', onData);
      stream.on('newListener', onNewListener);
      return;
    }
    const text = decoder.write(input);
    if (!text) return;
    clearTimeout(timer);
    iface._sawKeyPress = charLengthAt(text, 0) === text.length;
    iface.isCompletionEnabled = false;
    let eaten = 0;
    for (const character of each(text)) {
      eaten += character.length;
      if (eaten === text.length) iface.isCompletionEnabled = true;
      try {
        keys.next(character);
        if (eaten === text.length && character === kEscape) {
          timer = setTimeout(flushEscape, iface.escapeCodeTimeout ?? kDefaultTimeout);
        }
      } catch (error) {
        restart(); // a listener threw: the generator is finished
        throw error;
      }
    }
  }

  function onNewListener(event) {
    if (event !== 'keypress') return;
    stream.on('data', onData);
    stream.removeListener('newListener', onNewListener);
  }

  if (stream.listenerCount('keypress') > 0) stream.on('data', onData);
  else stream.on('newListener', onNewListener);
}

module.exports = { emitKeypressEvents };
