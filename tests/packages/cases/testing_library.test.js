// Testing Library in a page: queries by role and text, what a user types and clicks, findBy and waitFor, which wait with timers and a MutationObserver.
'use strict';
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const packages = path.join(path.dirname(require.resolve('@testing-library/dom/package.json')), '..', '..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-testing-library-'));
fs.copyFileSync(path.join(packages, '@testing-library/dom/dist/@testing-library/dom.umd.min.js'), path.join(folder, 'dom.js'));
fs.writeFileSync(path.join(folder, 'page.html'), `<body>
<h1>Tasks</h1>
<form><label>New task <input name="task"></label> <button>Add</button></form>
<ul aria-label="tasks"></ul>
<script src="dom.js"></script>
<script>
  const form = document.querySelector('form');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = form.elements.task.value;
    setTimeout(() => {
      const item = document.createElement('li');
      item.textContent = text;
      document.querySelector('ul').append(item);
    }, 30);
  });
  const { screen, fireEvent, waitFor, within, prettyDOM } = TestingLibraryDom;
  (async () => {
    const seen = [];
    seen.push(screen.getByRole('heading', { level: 1 }).textContent);
    const input = screen.getByLabelText('New task');
    fireEvent.change(input, { target: { value: 'write tests' } });
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    seen.push(screen.queryByText('write tests') === null);
    const item = await screen.findByText('write tests');
    seen.push(item.tagName);
    await waitFor(() => { if (within(screen.getByRole('list')).getAllByRole('listitem').length !== 1) throw new Error('not yet'); });
    try {
      screen.getByRole('alert');
    } catch (error) {
      seen.push(error.name, error.message.includes('Unable to find an accessible element with the role "alert"'));
    }
    const missing = await screen.findByText('nothing', {}, { timeout: 50 }).catch((error) => error.name);
    seen.push(missing, prettyDOM(item, 1000, { highlight: false }).replace(/\\s+/g, ' '));
    console.log(JSON.stringify(seen));
    window.close();
  })();
</script>`);
const { stdout, stderr } = spawnSync(process.execPath, ['--loop=html', path.join(folder, 'page.html')], { encoding: 'utf8' });
fs.rmSync(folder, { recursive: true });
assert.deepStrictEqual(JSON.parse(stdout || `"${stderr.slice(0, 500)}"`),
  ['Tasks', true, 'LI', 'TestingLibraryElementError', true, 'TestingLibraryElementError', '<li> write tests </li>']);
