// natives: none
// A pattern written as one URL (https://urlpattern.spec.whatwg.org/#constructor-string-parsing) taken apart into its components, by
// a machine over its tokens: where a component ends depends on what is a group or a name, not on characters alone.
'use strict';

const { tokenize } = require('internal/url_pattern/tokens');
const { compileComponent } = require('internal/url_pattern/parts');
const { canonicalProtocol, kDefaultPorts } = require('internal/url_pattern/canonical');

const kOrder = ['init', 'protocol', 'authority', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash', 'done'];
const at = (state) => arrayIndexOf.call(kOrder, state);
const kDefaultOptions = { delimiter: '', prefix: '', ignoreCase: false };
const kSpecialSchemes = Object.keys(kDefaultPorts);

const matchesSpecialScheme = (protocol) => arraySome.call(kSpecialSchemes, (scheme) => regexpTest.call(protocol.regexp, scheme));

class WholeParser {
  constructor(input) {
    this.input = input;
    this.tokens = tokenize(input, true);
    this.result = {};
    this.start = 0;
    this.index = 0;
    this.step = 1;
    this.depth = 0;
    this.brackets = 0;
    this.isSpecial = false;
    this.state = 'init';
  }

  tokenAt(index) {
    return index < this.tokens.length ? this.tokens[index] : this.tokens[this.tokens.length - 1];
  }

  isPlain(index, value) {
    const token = this.tokenAt(index);
    return token.value === value && (token.type === 'char' || token.type === 'escaped-char' || token.type === 'invalid-char');
  }

  is(value) {
    return this.isPlain(this.index, value);
  }

  // A '?' that is no modifier of what stands before it.
  isSearchPrefix() {
    if (this.is('?')) return true;
    if (this.tokens[this.index].value !== '?') return false;
    if (this.index === 0) return true;
    const { type } = this.tokenAt(this.index - 1);
    return type !== 'name' && type !== 'regexp' && type !== 'close' && type !== 'asterisk';
  }

  componentText() {
    return stringSlice.call(this.input, this.tokenAt(this.start).index, this.tokens[this.index].index);
  }

  rewind(state) {
    this.index = this.start;
    this.step = 0;
    this.state = state;
  }

  // An absent component before a present one matches the empty string, not anything.
  fillSkipped(next) {
    const { state, result } = this;
    if (at(state) <= at('password') && at(next) >= at('port')) result.hostname ??= '';
    if (at(state) <= at('port') && at(next) >= at('search')) result.pathname ??= this.isSpecial ? '/' : '';
    if (at(state) <= at('pathname') && next === 'hash') result.search ??= '';
  }

  change(next, skip) {
    const { state } = this;
    if (state !== 'init' && state !== 'authority' && state !== 'done') this.result[state] = this.componentText();
    if (state !== 'init' && next !== 'done') this.fillSkipped(next);
    this.state = next;
    this.index += skip;
    this.start = this.index;
    this.step = 0;
  }

  // The components that may follow: each begins with its sign. True when one has begun.
  followedBy(pathname, search) {
    if (pathname && this.is('/')) this.change('pathname', 0);
    else if (search && this.isSearchPrefix()) this.change('search', 1);
    else if (this.is('#')) this.change('hash', 1);
  }

  protocol() {
    if (!this.is(':')) return;
    this.isSpecial = matchesSpecialScheme(compileComponent(this.componentText(), canonicalProtocol, kDefaultOptions));
    const hasSlashes = this.isPlain(this.index + 1, '/') && this.isPlain(this.index + 2, '/');
    if (hasSlashes) this.change('authority', 3);
    else this.change(this.isSpecial ? 'authority' : 'pathname', 1);
  }

  authority() {
    if (this.is('@')) this.rewind('username');
    else if (this.is('/') || this.isSearchPrefix() || this.is('#')) this.rewind('hostname');
  }

  hostname() {
    if (this.is('[')) this.brackets++;
    else if (this.is(']')) this.brackets--;
    else if (this.is(':') && this.brackets === 0) this.change('port', 1);
    else this.followedBy(true, true);
  }

  visit() {
    switch (this.state) {
      case 'init':
        if (this.is(':')) this.rewind('protocol');
        break;
      case 'protocol':
        this.protocol();
        break;
      case 'authority':
        this.authority();
        break;
      case 'username':
        if (this.is(':')) this.change('password', 1);
        else if (this.is('@')) this.change('hostname', 1);
        break;
      case 'password':
        if (this.is('@')) this.change('hostname', 1);
        break;
      case 'hostname':
        this.hostname();
        break;
      case 'port':
        this.followedBy(true, true);
        break;
      case 'pathname':
        this.followedBy(false, true);
        break;
      case 'search':
        this.followedBy(false, false);
        break;
      default:
        break;
    }
  }

  // True when the text is over; a relative one has not yet said what it is.
  end() {
    if (this.state === 'init') {
      this.rewind('init');
      if (this.is('#')) this.change('hash', 1);
      else if (this.isSearchPrefix()) this.change('search', 1);
      else this.change('pathname', 0);
      return false;
    }
    if (this.state === 'authority') {
      this.rewind('hostname');
      return false;
    }
    this.change('done', 0);
    return true;
  }

  run() {
    for (; this.index < this.tokens.length; this.index += this.step) {
      this.step = 1;
      const { type } = this.tokens[this.index];
      if (type === 'end') {
        if (this.end()) break;
      } else if (type === 'open') {
        this.depth++;
      } else if (this.depth > 0) {
        if (type === 'close') this.depth--;
      } else {
        this.visit();
      }
    }
    if (this.result.hostname !== undefined) this.result.port ??= '';
    return this.result;
  }
}

module.exports = { parseWhole: (input) => new WholeParser(input).run(), matchesSpecialScheme, kDefaultOptions };
