// natives: none
'use strict';
const norm = (p) => { const abs = p[0] === '/'; const out = []; for (const s of p.split('/')) { if (s === '' || s === '.') continue; if (s === '..') out.pop(); else out.push(s); } return (abs ? '/' : '') + out.join('/') || '.'; };
exports.resolve = (...a) => { let r = ''; for (let i = a.length - 1; i >= 0 && r[0] !== '/'; i--) r = a[i] + '/' + r; if (r[0] !== '/') r = process.cwd() + '/' + r; const n = norm(r); return n.length>1&&n.endsWith('/')?n.slice(0,-1):n; };
exports.join = (...a) => norm(a.filter(Boolean).join('/'));
exports.dirname = (p) => { const i = p.lastIndexOf('/'); return i <= 0 ? (i===0?'/':'.') : p.slice(0, i); };
exports.basename = (p) => p.slice(p.lastIndexOf('/') + 1);
exports.extname = (p) => { const b = exports.basename(p); const i = b.lastIndexOf('.'); return i <= 0 ? '' : b.slice(i); };
exports.isAbsolute = (p) => p[0] === '/'; exports.sep = '/'; exports.delimiter = ':'; exports.normalize = norm; exports.toNamespacedPath = (p) => p;
