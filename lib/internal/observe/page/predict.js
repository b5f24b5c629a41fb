// natives: none
// Predict mode: the program is shown and its lines of output are out of order; they are put in order by buttons, keys or dragging, then
// compared with the run.
'use strict';

const { make, box } = require('internal/observe/page/dom');

const kMostLines = 16;

// Always the same order for one program: a link shows everybody the same question.
function shuffled(lines) {
  let seed = lines.join('\n').length * 2654435761;
  const next = (below) => {
    seed = (Math.imul(seed ^ (seed >>> 15), 2246822519) + 374761393) | 0;
    return (seed >>> 0) % below;
  };
  const list = lines.slice();
  for (let i = list.length - 1; i > 0; i--) {
    const j = next(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  const isSame = list.every((line, i) => line === lines[i]);
  return isSame && list.length > 1 ? [...list.slice(1), list[0]] : list;
}

class Predict {
  constructor(page) {
    this.page = page;
    this.model = null;
  }

  start(model) {
    this.model = model;
    this.wanted = model
      .outputAt(model.stepCount)
      .flatMap(({ text }) => text.split('\n'))
      .slice(0, kMostLines);
    this.lines = shuffled(this.wanted);
    this.verdict = '';
    this.isChecked = false;
  }

  move(from, to) {
    if (to < 0 || to >= this.lines.length) return;
    this.lines.splice(to, 0, ...this.lines.splice(from, 1));
    this.isChecked = false;
    this.verdict = '';
    this.page.show();
    document.querySelector(`#predict li:nth-child(${to + 1}) button`)?.focus();
  }

  check() {
    const right = this.lines.filter((line, i) => line === this.wanted[i]).length;
    this.isChecked = true;
    this.verdict = right === this.wanted.length ? 'All in order.' : `${right} of ${this.wanted.length} are in their place.`;
    this.page.show();
  }

  item(line, i) {
    const state = !this.isChecked ? '' : line === this.wanted[i] ? 'right' : 'wrong';
    const up = make('button', { 'aria-label': `${line}: one line up`, onclick: () => this.move(i, i - 1), disabled: i === 0 }, '↑');
    const down = make(
      'button',
      { 'aria-label': `${line}: one line down`, onclick: () => this.move(i, i + 1), disabled: i === this.lines.length - 1 },
      '↓',
    );
    return make(
      'li',
      {
        class: state,
        draggable: 'true',
        ondragstart: (event) => event.dataTransfer.setData('text/plain', String(i)),
        ondragover: (event) => event.preventDefault(),
        ondrop: (event) => {
          event.preventDefault();
          this.move(Number(event.dataTransfer.getData('text/plain')), i);
        },
      },
      up,
      down,
      make('code', {}, line),
      state === '' ? null : make('span', { class: 'dim' }, state === 'right' ? ' right' : ' another line comes here'),
    );
  }

  quizzes() {
    const { quizzes } = this.page.recording;
    if (quizzes === undefined) return null;
    const chosen = this.page.recording.quiz;
    return make(
      'label',
      {},
      'Quiz ',
      make(
        'select',
        { id: 'quiz', onchange: (event) => this.page.openQuiz(Number(event.target.value)) },
        ...quizzes.map((title, i) => make('option', { value: i, selected: i === chosen }, `${i + 1}. ${title}`)),
      ),
    );
  }

  show() {
    if (this.page.model !== this.model) this.start(this.page.model);
    if (this.wanted.length < 2)
      return box('Predict', this.quizzes(), make('p', { class: 'dim' }, 'The program has printed fewer than two lines.'));
    const file = this.page.model.lineCounts.files()[0];
    const text = this.page.sourceText(file);
    const buttons = make(
      'p',
      { class: 'buttons' },
      make('button', { id: 'check', onclick: () => this.check() }, 'Check'),
      make('button', { id: 'watch', onclick: () => this.page.playFromStart() }, 'Watch it run'),
    );
    return make(
      'div',
      { class: 'columns' },
      box('In which order does it print?', this.quizzes(), make('pre', { class: 'listing', tabindex: '0' }, text ?? '')),
      box(
        'Put the lines in order',
        make('ol', { id: 'predict', class: 'predict' }, ...this.lines.map((line, i) => this.item(line, i))),
        buttons,
        make('p', { id: 'verdict', 'aria-live': 'polite' }, this.verdict),
      ),
    );
  }
}

module.exports = { Predict, shuffled };
