# npm packages that ride in the binary: id=path below node_modules. Each file is CommonJS and is compiled as
# lib/ modules are. Versions are pinned in package.json.
set(RONDO_EMBEDDED_PACKAGES
  acorn=acorn/dist/acorn.js
  acorn-walk=acorn-walk/dist/walk.js
  cjs-module-lexer=cjs-module-lexer/lexer.js
  amaro=amaro/dist/internal.js
  urlpattern-polyfill=urlpattern-polyfill/dist/urlpattern.cjs)
