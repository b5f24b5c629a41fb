// natives: none
// Submission of forms: https://html.spec.whatwg.org/#form-submission-algorithm. The answer is presented in the window that the form's
// target names. Texts are UTF-8 whatever accept-charset says; mailto: goes nowhere.
'use strict';

const { isHttp } = require('html/network/addresses');
const pack = require('html/jsdom/pack');
const { patch } = require('html/jsdom/patches');
const sandbox = require('html/document/sandbox');

const kJsdom = 'jsdom/lib/jsdom';
const kMethods = ['get', 'post', 'dialog'];
const kTypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

const withLineEnds = (text) => text.replace(/\r\n|\r|\n/g, '\r\n');
// https://html.spec.whatwg.org/#converting-an-entry-list-to-a-list-of-name-value-pairs
const pairsOf = (entries) =>
  entries.map(({ name, value }) => [withLineEnds(name), typeof value === 'string' ? withLineEnds(value) : value.name]);
// https://url.spec.whatwg.org/#concept-urlencoded-serializer
const encoded = (text) =>
  encodeURIComponent(text.toWellFormed())
    .replace(/%20/g, '+')
    .replace(/[!'()~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const urlEncoded = (entries) =>
  pairsOf(entries)
    .map((pair) => `${encoded(pair[0])}=${encoded(pair[1])}`)
    .join('&');

const bytesOf = (text) => require('internal/buffer/buffer').Buffer.from(text);

function bodyOf(enctype, entries) {
  if (enctype === 'text/plain')
    return {
      type: enctype,
      body: bytesOf(
        pairsOf(entries)
          .map((pair) => `${pair[0]}=${pair[1]}\r\n`)
          .join(''),
      ),
    };
  if (enctype === kTypes[0]) return { type: enctype, body: bytesOf(urlEncoded(entries)) };
  const { Buffer } = require('internal/buffer/buffer');
  const { boundary, outputChunks } = pack.load(`${kJsdom}/living/xhr/multipart-form-data.js`).serializeEntryList(entries);
  return { type: `${enctype}; boundary=${Buffer.from(boundary).toString('latin1')}`, body: Buffer.concat(outputChunks) };
}

// An attribute of the button that submits, if it has it; else the form's.
const attributeOf = (form, submitter, name) => submitter?.getAttributeNS?.(null, `form${name}`) ?? form.getAttributeNS(null, name) ?? '';
const oneOf = (words, text) => (words.includes(text.toLowerCase()) ? text.toLowerCase() : words[0]);

function targetOf(form, submitter) {
  const own = submitter?.getAttributeNS?.(null, 'formtarget') ?? form.getAttributeNS(null, 'target');
  return own ?? form._ownerDocument.querySelector('base[target]')?.getAttribute('target') ?? '';
}

function submit(form, submitter) {
  const document = form._ownerDocument;
  const global = document._defaultView;
  if (!global || !form.isConnected || document._isDestroyed || sandbox.has(document, 'forms')) return;
  const method = oneOf(kMethods, attributeOf(form, submitter, 'method'));
  const entries = entriesOf(form, submitter);
  const action = attributeOf(form, submitter, 'action');
  const url = action === '' ? document._URL : document.encodingParseAURL(action);
  if (url === null) return;
  const { serializeURL } = pack.load('whatwg-url/index.js');
  const target = targetOf(form, submitter);
  const relations = (form.getAttributeNS(null, 'rel') ?? '').toLowerCase().split(/\s+/);
  const hasOpener =
    relations.includes('opener') || (!/^_blank$/i.test(target) && !relations.includes('noopener') && !relations.includes('noreferrer'));
  const go = (address, submission) => {
    document._queueATask(() => {
      if (/^javascript:/i.test(address)) return runAddress(global, target, address);
      return require('html/document/targets').navigateNamed(global, target, address, { submission, hasOpener });
    });
  };
  if (method === 'get' && /^(https?|file)$/.test(url.scheme)) return go(serializeURL({ ...url, query: urlEncoded(entries) }));
  if (method === 'post' && isHttp(serializeURL(url)))
    return go(serializeURL(url), { method: 'POST', ...bodyOf(oneOf(kTypes, attributeOf(form, submitter, 'enctype')), entries) });
  if (!/^mailto$/.test(url.scheme)) go(serializeURL(url));
}

// A form whose action is code of its own page.
function runAddress(global, target, address) {
  if (/^(_self)?$/i.test(target)) global._globalProxy.location.href = address;
}

// https://html.spec.whatwg.org/#constructing-the-form-data-set; jsdom fires no formdata event.
function entriesOf(form, submitter) {
  const { createImpl } = pack.load('jsdom/lib/generated/idl/FormData.js');
  return createImpl(form._globalObject, submitter ? [form, submitter] : [form])._entries;
}

// The last step of jsdom's submit() and requestSubmit(); html/document/toggling takes method=dialog.
function extend() {
  const submitForm = () =>
    function (submitter) {
      submit(this, submitter ?? undefined);
    };
  patch('form: submit', submitForm);
}

module.exports = { extend };
