// The search field: sections (index.js) whose title or text has all the words, titles first.
'use strict';
const field = document.getElementById('search');
const list = document.getElementById('found');
const { up } = document.body.dataset;

function score(section, words) {
  const title = section.title.toLowerCase();
  const text = section.text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    if (title.includes(word)) sum += title === word ? 20 : 10;
    else if (text.includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

function excerpt(section, word) {
  const at = section.text.toLowerCase().indexOf(word);
  return at < 0 ? section.text.slice(0, 120) : section.text.slice(Math.max(0, at - 50), at + 90);
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length === 0 ? [] : sections.map((section) => [score(section, words), section]).filter(([points]) => points > 0);
  found.sort(([a], [b]) => b - a);
  list.replaceChildren(
    ...found.slice(0, 20).map(([, section]) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = `${up}${section.page}#${section.id}`;
      const title = document.createElement('b');
      title.textContent = section.title;
      const place = document.createElement('small');
      place.textContent = ` ${section.of} · ${excerpt(section, words[0])}`;
      link.append(title, place);
      item.append(link);
      return item;
    }),
  );
  list.hidden = found.length === 0;
}

field.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== field) {
    event.preventDefault();
    field.focus();
  } else if (event.key === 'Escape') {
    field.value = '';
    show();
  }
});
