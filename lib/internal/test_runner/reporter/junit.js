// natives: none
// The JUnit reporter: tests with others inside are <testsuite>, the rest <testcase>. Written when the run is over.
'use strict';

const { hostname } = require('internal/os/os');
const { inspectWithoutCustom } = require('internal/test_runner/reporter/inspect_error');

const escapeText = (text = '') => replaceMatches(replaceMatches(text, /&(?!#\d{1,7};)/g, '&amp;'), /</g, '&lt;');
const escapeAttribute = (text = '') => escapeText(replaceMatches(replaceMatches(text, /\n/g, '&#10;'), /"/g, '&quot;'));

function toXml(node) {
  if (typeof node === 'string') return `${escapeText(node)}\n`;
  const { tag, attributes, nesting, children, comment } = node;
  const indent = stringRepeat.call('\t', nesting + 1);
  if (comment) return `${indent}<!-- ${stringReplaceAll.call(comment, '--', '&#45;&#45;')} -->\n`;
  const pairs = arrayMap.call(Object.keys(attributes), (key) => `${key}="${escapeAttribute(String(attributes[key]))}"`);
  const start = `${indent}<${tag} ${arrayJoin.call(pairs, ' ')}`;
  if (children === undefined || children.length === 0) return `${start}/>\n`;
  return `${start}>\n${arrayJoin.call(arrayMap.call(children, toXml), '')}${indent}</${tag}>\n`;
}

const holds = (node, tag) => node.children !== undefined && arraySome.call(node.children, (child) => child.tag === tag);
const isFailed = (node) => holds(node, 'failure') || node.attributes?.failures;
const isSkipped = (node) => holds(node, 'skipped') || node.attributes?.skipped;
const countOf = (nodes, test) => arrayFilter.call(nodes, test).length;

class JunitTree {
  roots = [];
  #current = null;

  start({ name, nesting }) {
    const node = { __proto__: null, attributes: { __proto__: null, name }, nesting, parent: this.#current, children: [] };
    arrayPush.call(this.#current === null ? this.roots : this.#current.children, node);
    this.#current = node;
  }

  end(type, data) {
    if (this.#current === null) this.start({ name: 'root', nesting: 0 });
    if (this.#current.attributes.name !== data.name || this.#current.nesting !== data.nesting) this.start(data);
    const node = this.#current;
    this.#current = node.parent;
    node.attributes.time = numberToFixed.call(data.details.duration_ms / 1000, 6);
    const inner = arrayFilter.call(node.children, (child) => child.comment == null);
    if (inner.length > 0) this.#becomeSuite(node, inner, data);
    else this.#becomeCase(node, type, data);
  }

  comment({ nesting, message }) {
    arrayPush.call(this.#current?.children ?? this.roots, { __proto__: null, nesting, comment: message });
  }

  #becomeSuite(node, inner, { details }) {
    node.tag = 'testsuite';
    Object.assign(node.attributes, {
      disabled: 0,
      errors: 0,
      tests: inner.length,
      failures: countOf(node.children, isFailed),
      skipped: countOf(node.children, isSkipped),
      timestamp: dateToISOString.call(new Date(Date.now() - details.duration_ms)),
      hostname: hostname(),
    });
  }

  #becomeCase(node, type, { nesting, classname, file, skip, todo, details }) {
    const add = (tag, attributes, children) =>
      arrayPush.call(node.children, { __proto__: null, nesting: nesting + 1, tag, attributes, children });
    node.tag = 'testcase';
    node.attributes.classname = classname ?? 'test';
    if (file) node.attributes.file = file;
    if (skip) add('skipped', { __proto__: null, type: 'skipped', message: skip });
    if (todo) add('skipped', { __proto__: null, type: 'todo', message: todo });
    if (type !== 'test:fail') return;
    const { error } = details;
    const text = inspectWithoutCustom(error, { __proto__: null, colors: false, breakLength: Infinity });
    const message = error?.message ?? '';
    add('failure', { __proto__: null, type: error?.failureType || error?.code, message: stringTrim.call(message) }, [text]);
    node.attributes.failure = message;
  }
}

module.exports = async function* junit(source) {
  yield '<?xml version="1.0" encoding="utf-8"?>\n';
  yield '<testsuites>\n';
  const tree = new JunitTree();
  for await (const { type, data } of source) {
    if (type === 'test:start') tree.start(data);
    else if (type === 'test:pass' || type === 'test:fail') tree.end(type, data);
    else if (type === 'test:diagnostic' || type === 'test:log') tree.comment(data);
  }
  for (const node of each(tree.roots)) yield toXml(node);
  yield '</testsuites>\n';
};
