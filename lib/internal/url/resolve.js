// natives: none
// Url.prototype.resolve and resolveObject: a legacy URL against a base, in the
// loose way of url.resolve(). Adds the methods to the Url of
// internal/url/parse, which loads this file.
'use strict';

const { Url, parse, hostlessProtocols, slashedProtocols, setPath } = require('internal/url/parse');

function finish(result) {
  result.href = result.format();
  return result;
}

function joinPath(result) {
  if (result.pathname !== null || result.search !== null) {
    result.path = (result.pathname || '') + (result.search || '');
  }
}

// '//host/path': everything but the protocol comes from the reference.
function takeAllButProtocol(result, relative) {
  for (const key of each(Object.keys(relative))) if (key !== 'protocol') result[key] = relative[key];
  if (slashedProtocols.has(result.protocol) && result.hostname && !result.pathname) {
    result.path = result.pathname = '/';
  }
  return finish(result);
}

// The reference names another protocol: it is absolute, though 'http:foo' still
// means host foo.
function takeOtherProtocol(result, relative) {
  if (!slashedProtocols.has(relative.protocol)) {
    Object.assign(result, relative);
    return finish(result);
  }
  result.protocol = relative.protocol;
  if (!relative.host && !regexpTest.call(/^file:?$/, relative.protocol) && !hostlessProtocols.has(relative.protocol)) {
    const segments = stringSplit.call(relative.pathname || '', '/');
    while (segments.length > 0 && !(relative.host = arrayShift.call(segments)));
    relative.host ||= '';
    relative.hostname ||= '';
    if (segments[0] !== '') arrayUnshift.call(segments, '');
    if (segments.length < 2) arrayUnshift.call(segments, '');
    result.pathname = arrayJoin.call(segments, '/');
  } else {
    result.pathname = relative.pathname;
  }
  result.search = relative.search;
  result.query = relative.query;
  result.host = relative.host || '';
  result.auth = relative.auth;
  result.hostname = relative.hostname || relative.host;
  result.port = relative.port;
  setPath(result);
  result.slashes ||= relative.slashes;
  return finish(result);
}

function putHostInFront(segments, host) {
  if (!host) return;
  if (segments[0] === '') segments[0] = host;
  else arrayUnshift.call(segments, host);
}

// Without slashes ('mailto:a@b') the first segment stands for the host.
function takeHostFrom(result, host) {
  result.hostname = result.host = host;
  if (result.host && stringIndexOf.call(result.host, '@') > 0) {
    const [auth, rest] = each(stringSplit.call(result.host, '@'));
    result.auth = auth;
    result.host = result.hostname = rest;
  }
}

function adoptHost(result, relative) {
  if (relative.host || relative.host === '') {
    if (result.host !== relative.host) result.auth = null;
    result.host = relative.host;
    result.port = relative.port;
  }
  if (relative.hostname || relative.hostname === '') {
    if (result.hostname !== relative.hostname) result.auth = null;
    result.hostname = relative.hostname;
  }
}

// Removes '.' and '..'; returns how many '..' climbed past the first segment.
function dropDots(segments) {
  let up = 0;
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i];
    if (segment === '.') {
      arraySplice.call(segments, i, 1);
    } else if (segment === '..') {
      arraySplice.call(segments, i, 1);
      up++;
    } else if (up > 0) {
      arraySplice.call(segments, i, 1);
      up--;
    }
  }
  return up;
}

const isRooted = (segments) => segments[0] === '' || Boolean(segments[0] && segments[0][0] === '/');

// The last step: dots, leading and trailing slashes, the host put back.
function settlePath(result, relative, segments, { mustEndAbs, keepDots, noSlashes }) {
  const last = segments[segments.length - 1];
  const endsInDots = last === '.' || last === '..';
  const trailingSlash = last === '' || (Boolean(result.host || relative.host || segments.length > 1) && endsInDots);

  let up = dropDots(segments);
  if (!mustEndAbs && keepDots) for (; up > 0; up--) arrayUnshift.call(segments, '..');
  if (mustEndAbs && !isRooted(segments)) arrayUnshift.call(segments, '');
  if (trailingSlash && !stringEndsWith.call(arrayJoin.call(segments, '/'), '/')) arrayPush.call(segments, '');

  const absolute = isRooted(segments);
  if (noSlashes) takeHostFrom(result, absolute || segments.length === 0 ? '' : arrayShift.call(segments));
  if ((mustEndAbs || (result.host && segments.length > 0)) && !absolute) arrayUnshift.call(segments, '');

  if (segments.length === 0) {
    result.pathname = null;
    result.path = null;
  } else {
    result.pathname = arrayJoin.call(segments, '/');
  }
  joinPath(result);
  result.auth = relative.auth || result.auth;
  result.slashes ||= relative.slashes;
  return finish(result);
}

function resolveRelative(result, relative) {
  const startsAtRoot = (url) => Boolean(url.pathname && url.pathname[0] === '/');
  const fromRoot = Boolean(relative.host) || startsAtRoot(relative);
  let mustEndAbs = fromRoot || startsAtRoot(result) || Boolean(result.host && relative.pathname);
  const keepDots = !mustEndAbs;
  let segments = (result.pathname && stringSplit.call(result.pathname, '/')) || [];
  const added = (relative.pathname && stringSplit.call(relative.pathname, '/')) || [];
  const noSlashes = Boolean(result.protocol && !slashedProtocols.has(result.protocol));

  if (noSlashes) {
    putHostInFront(segments, result.host);
    result.hostname = '';
    result.port = null;
    result.host = '';
    if (relative.protocol) {
      putHostInFront(added, relative.host);
      relative.hostname = null;
      relative.port = null;
      relative.host = null;
      result.auth = null;
    }
    mustEndAbs &&= added[0] === '' || segments[0] === '';
  }

  const takesQuery = fromRoot || added.length > 0 || relative.search != null;
  if (takesQuery) {
    result.search = relative.search;
    result.query = relative.query;
  }
  if (fromRoot) {
    adoptHost(result, relative);
    segments = added;
  } else if (added.length > 0) {
    arrayPop.call(segments);
    segments = arrayConcat.call(segments, added);
  } else if (relative.search != null) {
    if (noSlashes) takeHostFrom(result, arrayShift.call(segments));
    joinPath(result);
    return finish(result);
  }

  if (segments.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    return finish(result);
  }
  return settlePath(result, relative, segments, { mustEndAbs, keepDots, noSlashes });
}

Url.prototype.resolveObject = function (relative) {
  if (typeof relative === 'string') relative = new Url().parse(relative, false, true);
  const result = Object.assign(new Url(), this);
  result.hash = relative.hash;
  if (relative.href === '') return finish(result);
  if (relative.slashes && !relative.protocol) return takeAllButProtocol(result, relative);
  if (relative.protocol && relative.protocol !== result.protocol) return takeOtherProtocol(result, relative);
  return resolveRelative(result, relative);
};

Url.prototype.resolve = function (relative) {
  return this.resolveObject(parse(relative, false, true)).format();
};

module.exports = {
  resolve: (source, relative) => parse(source, false, true).resolve(relative),
  resolveObject: (source, relative) => (source ? parse(source, false, true).resolveObject(relative) : relative),
};
