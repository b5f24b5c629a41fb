// package: simplecrawler@0.7.0
// The crawler looks at an interval whether all is fetched. A compressed page counts as fetched before it has been unpacked and its links
// are known: a look in between ends the crawl.
'use strict';

const http = require('http');
const zlib = require('zlib');
const Crawler = require('simplecrawler');
const { outcome } = require('rondo:explore');

const pages = { '/': '<a href="/second">second</a>', '/second': 'end' };
const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'text/html');
  response.setHeader('content-encoding', 'gzip');
  response.end(zlib.gzipSync(pages[request.url] ?? ''));
});
server.listen(8000, '127.0.0.1', () => {
  const crawler = new Crawler('127.0.0.1', '/', 8000, 10);
  crawler.parseHTMLComments = crawler.parseScriptTags = crawler.respectRobotsTxt = false;
  const found = [];
  crawler.on('discoverycomplete', (item) => found.push(item.path)).on('fetcherror', (item) => found.push(`error ${item.path}`));
  crawler.on('complete', () => {
    outcome(found.join(' ') || 'nothing');
    process.exit();
  });
  crawler.start();
});
