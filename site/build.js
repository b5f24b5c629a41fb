// `make docs`: docs/*.md, README.md, the types of `rondo:` modules, librondo's headers and a few recordings of the live page as one
// folder of static pages with a search field. Fails on a link that leads nowhere.
//
//   rondo site/build.js SITE_MODULES OUTPUT
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { createRequire } = require('node:module');

const [modules, output] = process.argv.slice(2).map((name) => path.resolve(name));
const root = path.resolve(__dirname, '..');
const { Marked } = createRequire(path.join(modules, 'site.js'))('marked');

const GROUPS = [
  ['Start', ['README.md', 'docs/repl.md', 'docs/compatibility.md', 'docs/deploy.md', 'CHANGELOG.md']],
  ['See the loop', ['docs/loop.md', 'docs/sight.md', 'docs/trace-format.md', 'docs/explore.md', 'docs/debugging.md', 'docs/performance.md']],
  ['Programs', ['docs/http.md', 'docs/http2.md', 'docs/serve.md', 'docs/fetch.md', 'docs/tls.md', 'docs/crypto.md', 'docs/workers.md', 'docs/mesh.md',
    'docs/addons.md', 'docs/test-runner.md', 'docs/html.md', 'docs/security.md']],
  ['librondo', ['docs/librondo.md', 'docs/librondo-libuv.md', 'docs/librondo-changes.md']],
  ['Work on Rondo', ['CONTRIBUTING.md', 'docs/architecture.md', 'docs/lib.md', 'docs/engine.md', 'docs/adding-a-builtin.md', 'docs/acceptance.md',
    'docs/decisions/README.md', 'SECURITY.md', 'THIRD_PARTY.md']],
];
const RECORDINGS = [['tour', 'examples/tour.js']];

const read = (name) => fs.readFileSync(path.join(root, name), 'utf8');
const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const slug = (text) => text.toLowerCase().replace(/<[^>]*>/g, '').replace(/&[^;]*;/g, '').replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');
const pageOf = (name) => (name === 'README.md' ? 'index.html' : name.replace(/^docs\//, '').replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html'));

const pages = new Map(); // output name → { title, html, anchors, links, sections }
const sources = new Map(); // name in the repository → output name

function walk(folder, ending, found = []) {
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) walk(name, ending, found);
    else if (name.endsWith(ending)) found.push(name);
  }
  return found.sort();
}

// A link to another file of the repository becomes one to its page; a link to a folder or a source file is kept as its name.
function target(href, from) {
  if (/^[a-z]+:/.test(href)) return href;
  const [file, anchor] = href.split('#');
  if (file === '') return `#${anchor}`;
  const name = path.posix.normalize(path.posix.join(path.posix.dirname(from), file));
  if (!fs.existsSync(path.join(root, name))) throw new Error(`${from}: a link to ${href}, which is not there`);
  const page = sources.get(name) ?? (/\.(svg|png)$/.test(name) ? name.replace(/^docs\//, '') : undefined);
  if (page === undefined) return undefined;
  return path.posix.relative(path.posix.dirname(pageOf(from)), page) + (anchor === undefined ? '' : `#${anchor}`);
}

function renderMarkdown(name) {
  const anchors = new Map();
  const sections = [];
  const links = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens);
        const base = slug(html);
        const count = anchors.get(base) ?? 0;
        anchors.set(base, count + 1);
        const id = count === 0 ? base : `${base}-${count}`;
        sections.push({ title: text.replace(/[`*]/g, ''), id, text: '' });
        return `<h${depth} id="${id}">${html}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const to = target(href, name);
        if (to === undefined) return html;
        links.push(to);
        return `<a href="${escape(to)}">${html}</a>`;
      },
      image({ href, text }) {
        const to = target(href, name) ?? href;
        links.push(to);
        return `<img src="${escape(to)}" alt="${escape(text)}">`;
      },
      table(token) {
        const cell = (tag) => (item) => `<${tag}${item.align ? ` style="text-align:${item.align}"` : ''}>${this.parser.parseInline(item.tokens)}</${tag}>`;
        const rows = token.rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n');
        return `<div class="table" tabindex="0"><table><thead><tr>${token.header.map(cell('th')).join('')}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
      html({ text }) {
        return escape(text);
      },
    },
  });
  const tokens = marked.lexer(read(name));
  const html = marked.parser(tokens);
  let at = -1;
  for (const token of tokens) {
    if (token.type === 'heading') at++;
    else if (at >= 0) sections[at].text += ` ${token.raw.replace(/[`*|#>[\]-]+/g, ' ').replace(/\s+/g, ' ')}`;
  }
  const ids = new Set(sections.map((section) => section.id));
  return { title: sections[0]?.title ?? name, html, ids, links, sections };
}

function sourcePage(title, intro, files) {
  const sections = [];
  let html = `<h1 id="top">${escape(title)}</h1><p>${escape(intro)}</p>`;
  for (const name of files) {
    const text = read(name);
    const id = slug(name);
    sections.push({ title: name, id, text: text.replace(/\s+/g, ' ') });
    html += `<h2 id="${id}">${escape(name)}</h2><pre tabindex="0"><code>${escape(text)}</code></pre>`;
  }
  return { title, html, ids: new Set(sections.map((section) => section.id)), links: [], sections };
}

function recordings() {
  const made = [];
  fs.mkdirSync(path.join(output, 'recordings'), { recursive: true });
  for (const [name, file] of RECORDINGS) {
    const to = path.join(output, 'recordings', `${name}.html`);
    const { status, stderr } = spawnSync(process.execPath, ['trace', '-o', to, path.join(root, file)], { encoding: 'utf8', cwd: output });
    if (status !== 0) throw new Error(`rondo trace of ${file} ended with ${status}:\n${stderr}`);
    made.push([`recordings/${name}.html`, `The live page: ${file}`]);
  }
  return made;
}

function navigation(current, extra) {
  const up = '../'.repeat(current.split('/').length - 1);
  const item = (page, title) => `<li><a href="${up}${page}"${page === current ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`;
  const groups = GROUPS.map(([group, names]) => {
    const items = names.filter((name) => sources.has(name)).map((name) => item(pageOf(name), pages.get(pageOf(name)).title));
    for (const [page, title, where] of extra) if (where === group) items.push(item(page, title));
    return `<h2>${group}</h2><ul>${items.join('')}</ul>`;
  });
  return groups.join('');
}

function document(name, page, extra) {
  const up = '../'.repeat(name.split('/').length - 1);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} · Rondo</title><link rel="stylesheet" href="${up}style.css"></head>
<body data-up="${up}"><header><a class="name" href="${up}index.html">Rondo</a>
<input type="search" id="search" placeholder="Search (press /)" aria-label="Search the documents" autocomplete="off"><ol id="found" hidden></ol></header>
<nav aria-label="Documents">${navigation(name, extra)}</nav><main>${page.html}</main>
<script src="${up}index.js"></script><script src="${up}search.js"></script></body></html>
`;
}

// Every link within the site leads to a page, and to an anchor that is on it.
function checkLinks() {
  const wrong = [];
  for (const [name, page] of pages) {
    for (const link of page.links) {
      if (/^[a-z]+:/.test(link)) continue;
      const [file, anchor] = link.split('#');
      const to = file === '' ? name : path.posix.normalize(path.posix.join(path.posix.dirname(name), file));
      if (!pages.has(to) && !fs.existsSync(path.join(output, to))) wrong.push(`${name}: ${link} leads nowhere`);
      else if (anchor && !pages.get(to)?.ids.has(decodeURIComponent(anchor))) wrong.push(`${name}: ${link}: no such section`);
    }
  }
  return wrong;
}

function main() {
  fs.rmSync(output, { recursive: true, force: true });
  fs.mkdirSync(output, { recursive: true });
  const names = GROUPS.flatMap(([, list]) => list).filter((name) => fs.existsSync(path.join(root, name)));
  names.push(...walk('docs/decisions', '.md').filter((name) => !name.endsWith('README.md')));
  for (const name of names) sources.set(name, pageOf(name));
  for (const name of names) pages.set(pageOf(name), renderMarkdown(name));
  pages.set('types.html', sourcePage("Types of Rondo's own modules", 'What TypeScript knows of rondo: modules and of rondo in a page.', walk('types', '.d.ts')));
  pages.set('headers.html', sourcePage("librondo's headers", 'The interface with its comments, a header at a time.', walk('include/rondo', '.h')));
  const extra = [['types.html', 'Types', 'Programs'], ['headers.html', "librondo's headers", 'librondo'], ['api/index.html', 'Its classes', 'librondo'], ...recordings().map((made) => [...made, 'See the loop'])];
  for (const picture of [...walk('docs', '.svg'), ...walk('docs', '.png')]) {
    const to = path.join(output, picture.replace(/^docs\//, ''));
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.copyFileSync(path.join(root, picture), to);
  }
  for (const [name, page] of pages) {
    const to = path.join(output, name);
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.writeFileSync(to, document(name, page, extra));
  }
  for (const file of ['style.css', 'search.js']) fs.copyFileSync(path.join(__dirname, file), path.join(output, file));
  const index = [...pages].flatMap(([page, { title, sections }]) => sections.map((section) => ({ page, of: title, ...section })));
  fs.writeFileSync(path.join(output, 'index.js'), `var sections = ${JSON.stringify(index).replace(/</g, '\\u003c')};\n`);
  const wrong = checkLinks();
  for (const line of wrong) console.error(`docs: ${line}`);
  if (wrong.length > 0) process.exit(1);
  console.log(`docs: ${pages.size} pages, ${index.length} sections in ${path.relative(process.cwd(), output)}/index.html`);
}

main();
