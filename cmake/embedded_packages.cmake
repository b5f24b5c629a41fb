# npm packages that ride in the binary: id=path below node_modules. Each file is CommonJS and is compiled as
# lib/ modules are. Versions are pinned in package.json.
set(RONDO_EMBEDDED_PACKAGES
  acorn=acorn/dist/acorn.js
  acorn-walk=acorn-walk/dist/walk.js
  cjs-module-lexer=cjs-module-lexer/lexer.js
  amaro=amaro/dist/internal.js
  internal/language/temporal_polyfill=temporal-polyfill/full/global.js
  punycode/=punycode/punycode.js)
# Packages of many files, by the file that reaches what is wanted. Node embeds undici from the same entry, without its second,
# experimental parser.
set(RONDO_EMBEDDED_TREES undici/index-fetch.js tr46/index.js)
set(RONDO_EMBEDDED_TREES_WITHOUT "^undici/lib/(dispatcher/parser-h1|milo/.*)\\.js$")
