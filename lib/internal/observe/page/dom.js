// natives: none
// Elements of the page, made from text: nothing of a program is ever read as markup.
'use strict';

const kSvg = 'http://www.w3.org/2000/svg';

const byId = (id) => document.getElementById(id);

// make('p', { class: 'dim', onclick }, 'text', child, …): strings become text, null and undefined nothing.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((one) => one !== null && one !== undefined));
  return element;
}

function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(kSvg, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((one) => one !== null && one !== undefined));
  return element;
}

// A card with a title.
const box = (title, ...content) => make('section', { class: 'card' }, make('h2', {}, title), ...content);

// Rows of cells; a cell is text or an element. At most `most` rows are shown, without columns in which all cells are empty.
function table(caption, columns, rows, most = 200) {
  const isUsed = columns.map((_, i) => rows.some((row) => row[i] !== ''));
  const used = (cells) => cells.filter((_, i) => isUsed[i]);
  const head = make('tr', {}, ...used(columns).map((one) => make('th', { scope: 'col' }, one)));
  const body = rows.slice(0, most).map((row) => make('tr', {}, ...used(row).map((cell) => make('td', {}, cell))));
  const rest = rows.length > most ? make('p', { class: 'dim' }, `and ${rows.length - most} more`) : null;
  const grid = make('table', {}, make('caption', {}, caption), make('thead', {}, head), make('tbody', {}, ...body));
  return make('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': caption }, grid, rest);
}

module.exports = { byId, make, svg, box, table };
