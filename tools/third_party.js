// THIRD_PARTY.md: everything that is linked into the binary, embedded in it, or packed into html.pack, with its licence. npm packages
// come from package-lock.json (those that are not for development only), Debian's from the list in tools/setup.
//
//   node tools/third_party.js              writes THIRD_PARTY.md
//   node tools/third_party.js --check      fails when it is not what the two lists say
//   node tools/third_party.js --texts      prints the licence texts of all of them, as installed on this machine (for `make install`)
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const kFile = 'THIRD_PARTY.md';

// Debian's packages that are linked in or whose headers are compiled: package in tools/setup → what it is, and its licence.
const kDebian = {
  'libargon2-dev': ['Argon2, the reference implementation', 'CC0-1.0 OR Apache-2.0'],
  'libbrotli-dev': ['brotli', 'MIT'],
  'libc-ares-dev': ['c-ares', 'MIT'],
  'libfmt-dev': ['{fmt}', 'MIT'],
  'libicu-dev': ['ICU (headers; the library is the one in the package of JavaScriptCore)', 'Unicode-3.0'],
  'libnghttp2-dev': ['nghttp2', 'MIT'],
  'libsodium-dev': ['libsodium', 'ISC'],
  'libsqlite3-dev': ['SQLite', 'blessing'],
  'libssl-dev': ['OpenSSL 3', 'Apache-2.0'],
  'liburing-dev': ['liburing', 'MIT OR LGPL-2.1-or-later'],
  'libuv1-dev': ['libuv (headers of the interface for native addons; no code)', 'MIT'],
  'libzstd-dev': ['zstd', 'BSD-3-Clause OR GPL-2.0'],
  'zlib1g-dev': ['zlib', 'Zlib'],
};
const kForBuilding = new Set(['libclang-rt-19-dev', 'libgtest-dev', 'libbenchmark-dev']);
// With the compiler.
const kCompiler = [['libstdc++, libgcc', 'GPL-3.0-or-later WITH GCC-exception-3.1', 'Debian g++']];
// npm packages that are linked or whose headers are compiled, which have no licence field.
const kLinked = {
  'bun-webkit-linux-amd64': [
    ['JavaScriptCore, WTF, bmalloc (WebKit)', 'LGPL-2.1-or-later, parts BSD-2-Clause'],
    ['ICU', 'Unicode-3.0'],
  ],
  'bun-webkit-linux-arm64': [],
  'node-api-headers': [['headers of Node-API', 'MIT']],
};
// Licences inside a package that its own field does not name.
const kInside = {
  amaro: 'swc: Apache-2.0',
  tr46: 'tables of Unicode: Unicode-3.0',
  undici: 'llhttp: MIT',
};

function debianPackages() {
  const setup = fs.readFileSync('tools/setup', 'utf8');
  const list = /^PACKAGES=\(\n([^)]*)\)/m.exec(setup)[1].split(/\s+/);
  return list.filter((name) => /^lib.*-dev$|^zlib1g-dev$/.test(name) && !kForBuilding.has(name)).sort();
}

function npmPackages() {
  const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
  return Object.entries(packages)
    .filter(([place, { dev }]) => place !== '' && !dev && !place.includes('@biomejs')) // the formatter is in no binary
    .map(([place, { version, license }]) => ({ name: place.replace(/^.*node_modules\//, ''), version, license }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

// Which of them the binary itself carries.
function embeddedNames() {
  const text = fs.readFileSync('cmake/embedded_packages.cmake', 'utf8');
  const entries = [...text.matchAll(/^ *\S+?=([@\w.-]+)\//gm), ...text.matchAll(/RONDO_EMBEDDED_TREES ([^)]*)\)/g)].flatMap(([, match]) =>
    match.split(' '),
  );
  return new Set(entries.map((entry) => entry.split('/')[0]));
}

const row = (...cells) => `| ${cells.join(' | ')} |`;

function linkedRows() {
  const rows = npmPackages().flatMap(({ name, version }) =>
    (kLinked[name] ?? []).map(([what, licence]) => row(what, licence, `npm ${name} ${version}`)),
  );
  for (const name of debianPackages()) {
    if (kDebian[name] === undefined) throw new Error(`${name} of tools/setup has no row in tools/third_party.js`);
    rows.push(row(...kDebian[name], `Debian ${name}`));
  }
  return [...rows, ...kCompiler.map((cells) => row(...cells))];
}

function scriptRows(isWanted) {
  return npmPackages()
    .filter(({ name }) => kLinked[name] === undefined && isWanted(name))
    .map(({ name, version, license }) => {
      if (license === undefined) throw new Error(`${name} has no licence in package-lock.json`);
      return row(name, version, kInside[name] === undefined ? license : `${license}; ${kInside[name]}`);
    });
}

function page() {
  const embedded = embeddedNames();
  return `# What Rondo is made with

Nothing below is in this repository; the build fetches each from Debian or npm. This page is written by \`tools/third_party.js\` from
\`package-lock.json\` and \`tools/setup\`, and checked by \`tools/check_text\`. \`make install\` puts the texts of all these licences into
\`share/doc/rondo/LICENSES\`.

## Linked into the binary

| what | licence | from |
|---|---|---|
${linkedRows().join('\n')}

**The LGPL.** Rondo links JavaScriptCore statically. You may change JavaScriptCore and link Rondo with it: build WebKit's JavaScriptCore
as static libraries laid out as the npm package (\`include/\`, \`lib/\`), then \`JSC_ROOT=/your/build make build\`. Rondo's whole source
and build are in this repository, which is all that relinking needs. The sources of the pinned build are at the revision that the npm
package's version names, in the repository its \`package.json\` names.

## Embedded in the binary as JavaScript

| package | version | licence |
|---|---|---|
${scriptRows((name) => embedded.has(name)).join('\n')}

## In html.pack, the file of the HTML profile

jsdom, fake-indexeddb and every package they depend on.

| package | version | licence |
|---|---|---|
${scriptRows((name) => !embedded.has(name)).join('\n')}

## Used to build and test only

clang, lld, CMake, Ninja, ccache, GoogleTest, Google Benchmark, npm, Biome.
`;
}

// From each package's own file, else from what Debian installs with it.
function texts() {
  const parts = [];
  for (const { name, license } of npmPackages()) {
    const folder = path.join('node_modules', name);
    if (!fs.existsSync(folder)) continue;
    const files = fs.readdirSync(folder).filter((file) => /^(licen[sc]e|copying|notice)/i.test(file));
    if (files.length === 0 && license !== undefined) parts.push([name, `${license}, by its package.json; the package has no file of it.`]);
    for (const file of files) parts.push([`${name}: ${file}`, fs.readFileSync(path.join(folder, file), 'utf8')]);
  }
  for (const name of debianPackages()) {
    const file = `/usr/share/doc/${name}/copyright`;
    if (fs.existsSync(file)) parts.push([`Debian ${name}`, fs.readFileSync(file, 'utf8')]);
  }
  return parts.map(([title, text]) => `${'='.repeat(100)}\n${title}\n\n${text.trim()}\n`).join('\n');
}

const option = process.argv[2];
if (option === '--texts') process.stdout.write(texts());
else if (option !== '--check') fs.writeFileSync(kFile, page());
else if (fs.readFileSync(kFile, 'utf8') !== page()) {
  console.log(`text: ${kFile} is not what package-lock.json and tools/setup say (node tools/third_party.js)`);
  process.exitCode = 1;
}
