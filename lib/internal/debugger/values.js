// natives: none
// Values of the debugged program as the protocol describes them, shown as util.inspect shows values of one's own as far as the description
// goes.
'use strict';

const { inspect } = require('internal/util/inspect');

const custom = inspect.custom;
const kLongLine = 60;
const kNameOfFunction = /^(?:function\*? )?([^(\s]+)\(/;

// `value` is a text also for numbers, as it is in a preview.
class PropertyValue {
  constructor(described) {
    Object.assign(this, described);
  }

  [custom](_depth, options) {
    const { type, subtype, value } = this;
    if (type === 'string') return inspect(value, options);
    if (type === 'undefined') return inspect(undefined, options);
    if (type === 'number' || type === 'boolean') return options.stylize(value, type);
    if (subtype === 'date') return inspect(new Date(value), options);
    if (type === 'object' || type === 'symbol') return options.stylize(value, subtype && subtype !== 'array' ? subtype : 'special');
    return value === undefined ? '' : value;
  }
}

function previewText({ type, subtype, description, properties, entries, overflow }, options) {
  if (type !== 'object') return description;
  switch (subtype) {
    case 'date':
      return inspect(new Date(description), options);
    case 'null':
      return inspect(null, options);
    case 'regexp':
      return options.stylize(description, 'regexp');
    case 'map':
    case 'set':
      return `${description} ${entriesText(entries, overflow, options)}`;
    case 'array':
    case undefined:
      return propertiesText(properties, subtype === 'array', overflow);
    default:
      return description;
  }
}

function entriesText(entries, overflow, options) {
  if (entries === undefined || entries.length === 0) return overflow ? '{ ... }' : '{}';
  const texts = arrayMap.call(entries, ({ key, value }) => {
    const shown = previewText(value, options);
    return key === undefined ? shown : `${previewText(key, options)} => ${shown}`;
  });
  return `{ ${arrayJoin.call(texts, ', ')} }`;
}

function propertiesText(properties, isArray, overflow) {
  if (properties.length === 0) return isArray ? '[]' : '{}';
  const texts = arrayMap.call(properties, (property, index) => {
    const value = inspect(new PropertyValue(property));
    return property.name === `${index}` ? value : `${property.name}: ${value}`;
  });
  if (overflow) arrayPush.call(texts, '...');
  let line = arrayJoin.call(texts, ', ');
  if (line.length > kLongLine) line = arrayJoin.call(texts, ',\n  ');
  return isArray ? `[ ${line} ]` : `{ ${line} }`;
}

function functionText({ className, description }) {
  const found = regexpExec.call(kNameOfFunction, description);
  return found === null ? `[${className}]` : `[${className}: ${found[1]}]`;
}

// A RemoteObject of the protocol.
class RemoteValue {
  constructor(described) {
    Object.assign(this, described);
    if (this.type === 'number') this.value = Number(this.unserializableValue ?? this.value);
  }

  [custom](_depth, options) {
    switch (this.type) {
      case 'boolean':
      case 'number':
      case 'string':
      case 'undefined':
        return inspect(this.value, options);
      case 'symbol':
        return options.stylize(this.description, 'special');
      case 'function':
        return options.stylize(functionText(this), 'special');
      case 'object':
        if (this.subtype === 'null') return inspect(null, options);
        if (this.subtype === 'date') return inspect(new Date(this.description), options);
        if (this.subtype === 'regexp') return options.stylize(this.description, 'regexp');
        return this.preview === undefined ? this.description : previewText(this.preview, options);
      default:
        return this.description;
    }
  }
}

module.exports = { RemoteValue };
