// natives: none
// The fields of an outgoing head, in the order in which they were set. Programs use few names and mostly the same values: a name that
// has passed once keeps what is known of it (Name), also where the table that used it last has it, so that setting a field is one
// look-up for the name and none for the table.
//
//  HT1 Without an index, every name in a table is kept in `names`, and says that it is there (name.table) and where; or the table has
//      lost it to another one, and knows that it has lost some.
//  HT2 A table that is asked for a name while it has lost some, or gets one that is not kept, gets an index and keeps it.
'use strict';

const kMostNames = 1024;
const kLongestName = 64;
const kLongestLine = 256;

// Fields that mean something for the message that carries them.
const kConnection = 1;
const kEncoding = 2;
const kLength = 4;
const kDate = 8;
const kExpect = 16;
const kTrailer = 32;
const kKeepAlive = 64;
const kDisposition = 128;
const kinds = {
  __proto__: null,
  connection: kConnection,
  'transfer-encoding': kEncoding,
  'content-length': kLength,
  date: kDate,
  expect: kExpect,
  trailer: kTrailer,
  'keep-alive': kKeepAlive,
  'content-disposition': kDisposition,
};

class Name {
  constructor(lower) {
    this.lower = lower;
    this.kind = kinds[lower] ?? 0;
    this.isKept = false;
    this.table = null;
    this.place = 0;
    this.checked = undefined; // the last value that was found valid by the strict rules
    // The last line that was made of it.
    this.shown = '';
    this.value = undefined;
    this.line = '';
  }

  noteValid(value) {
    if (typeof value === 'string' && value.length <= kLongestLine) this.checked = value;
  }

  // `name` is this one as it was written.
  lineOf(name, value) {
    if (this.value === value && this.shown === name) return this.line;
    const line = `${name}: ${value}\r\n`;
    if (typeof value === 'string' && line.length <= kLongestLine) {
      this.shown = name;
      this.value = value;
      this.line = line;
    }
    return line;
  }
}

const names = new Map(); // as written → Name

// Of a name that is known to be a valid one.
function keepName(name) {
  const lower = stringToLowerCase.call(name);
  let found = names.get(lower);
  if (found === undefined) {
    found = new Name(lower);
    if (names.size >= kMostNames || name.length > kLongestName) return found;
    found.isKept = true;
    names.set(lower, found);
  }
  if (name !== lower && names.size < kMostNames) names.set(name, found);
  return found;
}

class HeaderTable {
  constructor() {
    this.list = []; // Name, name as written, value, Name, …
    this.index = null; // name in lower case → place
    this.hasLost = false;
  }

  makeIndex() {
    this.index = new Map();
    for (let i = 0; i < this.list.length; i += 3) this.index.set(this.list[i].lower, i);
  }

  // Where it is, or -1.
  find(name) {
    if (this.index === null) {
      if (name.table === this) return name.place;
      if (!this.hasLost) return -1;
      this.makeIndex();
    }
    return this.index.get(name.lower) ?? -1;
  }
  // The same for a name as a program writes it, which may be none.
  findText(text) {
    const name = names.get(text) ?? names.get(stringToLowerCase.call(text));
    if (name !== undefined) return this.find(name);
    return this.index?.get(stringToLowerCase.call(text)) ?? -1;
  }

  set(name, shown, value) {
    const { list } = this;
    const place = this.find(name);
    if (place !== -1) {
      list[place + 1] = shown;
      list[place + 2] = value;
      return;
    }
    if (this.index === null && name.isKept) {
      if (name.table !== null) name.table.hasLost = true;
      name.table = this;
      name.place = list.length;
    } else {
      if (this.index === null) this.makeIndex();
      this.index.set(name.lower, list.length);
    }
    arrayPush.call(list, name, shown, value);
  }

  get(text) {
    const place = this.findText(text);
    return place === -1 ? undefined : this.list[place + 2];
  }

  delete(text) {
    const place = this.findText(text);
    if (place === -1) return;
    const { list } = this;
    if (this.index === null) list[place].table = null;
    arraySplice.call(list, place, 3);
    if (this.index !== null) this.makeIndex();
    else for (let i = place; i < list.length; i += 3) if (list[i].table === this) list[i].place = i;
  }
}

module.exports = {
  HeaderTable,
  keepName,
  names,
  kConnection,
  kDate,
  kDisposition,
  kEncoding,
  kExpect,
  kKeepAlive,
  kLength,
  kTrailer,
};
