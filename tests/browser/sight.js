// The page of rondo see and of rondo trace -o run.html in headless Chromium: every view and control clicked and asserted; what axe finds; from the
// disk without a network; a recording of a million records; a running program paused, stepped, run to conditions and slowed.
//
//   node tests/browser/sight.js NODE_MODULES CHROMIUM RONDO FOLDER [FOLDER for pictures]
//
// Recordings are made in FOLDER.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { pathToFileURL } = require('node:url');
const { checkLive, checkQuiz } = require('./sight_live.js');

const [modules, executablePath, rondo, folder, pictures] = process.argv.slice(2);
const { chromium } = require(path.resolve(modules, 'playwright-core'));

const axe = path.resolve(modules, 'axe-core/axe.js');
const kViews = ['phases', 'stack', 'iteration', 'workflow', 'timeline', 'source', 'alive', 'findings', 'heap', 'slowest', 'predict', 'peers'];
const kKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'p', 'm'];

const text = (page, selector) => page.textContent(selector);
const stepOf = async (page) => Number(/Step (\d+)/.exec(await text(page, '#where'))[1]);
const until = (page, step) => page.waitForFunction((n) => document.getElementById('where').textContent.startsWith(`Step ${n} of`), step);

function record(name, program = [`sight_${name}.js`]) {
  const file = path.resolve(folder, `${name}.html`);
  const fixture = path.join(__dirname, '..', 'fixtures', program.at(-1));
  execFileSync(rondo, ['trace', '-o', file, ...program.slice(0, -1), fixture], { stdio: ['ignore', 'ignore', 'pipe'] });
  return file;
}

async function controls(page, file) {
  await page.goto(`${pathToFileURL(file)}#t=5`);
  await until(page, 5); // a link to a step
  await page.click('#next');
  await until(page, 6);
  await page.click('#back');
  await page.click('#back');
  await until(page, 4);
  await page.keyboard.press('ArrowRight');
  await until(page, 5);
  await page.keyboard.press('Home');
  await until(page, 0);
  await page.keyboard.press('End');
  await until(page, Number(await page.getAttribute('#slider', 'max')));
  assert.match(await text(page, '#output'), /script[^]*tick[^]*promise/);
  await page.evaluate(() => {
    const slider = document.getElementById('slider');
    slider.value = 3;
    slider.dispatchEvent(new Event('input'));
  });
  await until(page, 3);
  await page.click('#play');
  assert.strictEqual(await text(page, '#play'), 'Stop');
  await page.waitForFunction(() => Number(/Step (\d+)/.exec(document.getElementById('where').textContent)[1]) > 4);
  await page.click('#play');
  assert.strictEqual(await text(page, '#play'), 'Play');
  await page.click('#large');
  assert.strictEqual(await page.getAttribute('#large', 'aria-pressed'), 'true');
  await page.click('#large');
  await page.keyboard.press('/'); // to the search
  await page.keyboard.type('late');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /^late .*ran in the timers phase/.test(document.getElementById('why').textContent));
  await page.waitForFunction((n) => new RegExp(`#t=${n}(&|$)`).test(location.hash), await stepOf(page)); // and the address follows
  const step = await stepOf(page);
  await page.press('#find', 'Enter'); // the only one: it stays
  await until(page, step);
  assert.strictEqual(await text(page, '#found'), '');
  await page.fill('#find', 'nothing is called so');
  await page.press('#find', 'Enter');
  await page.waitForFunction(() => document.getElementById('found').textContent === 'not found');
  await page.fill('#find', '');
}

// The step is that of the longest task.
const isLongest = (page) =>
  page.waitForFunction(() => {
    const [{ id }] = window.page.model.slowest(1);
    return window.page.taskOfStep() === id && document.getElementById('where').textContent.startsWith(`Step ${window.page.model.stepOfTask(id)} of`);
  });

// Figures of the run, the strip of longest tasks, the list of keys.
async function glance(page) {
  await page.click('#tab-phases');
  assert.match(await text(page, '.facts'), /the whole run.*\d+callbacks.*iterations of the loop.*asleep.*longest: \S+/);
  await page.click('.facts button');
  await isLongest(page);
  const { width } = await (await page.$('#strip')).boundingBox();
  const colours = await page.evaluate(() => {
    const { data } = document.getElementById('strip').getContext('2d').getImageData(0, 0, 10000, 34);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert(colours > 4, `${colours} colours in the strip`);
  await page.click('#strip', { position: { x: width - 1, y: 20 } });
  await page.waitForFunction(() => Number(/Step (\d+)/.exec(document.getElementById('where').textContent)[1]) > 100);
  await page.click('#strip', { position: { x: 1, y: 20 } });
  await page.waitForFunction(() => /^Step [123] of .*main script/.test(document.getElementById('where').textContent));
  await page.click('#title');
  await page.keyboard.press('?');
  await page.waitForSelector('#keylist[open]');
  assert.match(await text(page, '#keyrows'), /one step on, one back/);
  await page.click('#closekeys');
  await page.waitForSelector('#keylist:not([open])', { state: 'attached' });
}

// A page's loop: parts of a turn, queues of task sources.
async function pageLoop(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 850 }, reducedMotion: 'reduce', bypassCSP: true });
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  await page.goto(pathToFileURL(file).href);
  await page.addScriptTag({ path: axe });
  await accessibility(page);
  await page.click('#tab-phases');
  for (const [name, part] of [['onPosted', 'task'], ['onFrame', 'animation frames'], ['onIdle', 'idle period']]) {
    await page.fill('#find', name);
    await page.press('#find', 'Enter');
    await page.waitForFunction((wanted) => document.querySelector('.phase.is-now')?.textContent === wanted.replace(' ', ''), part);
  }
  assert.match(await text(page, '#view'), /A turn of the HTML loop.*Posted messages/);
  await page.click('#tab-iteration');
  await page.waitForFunction(() => /Turn \d+, part by part/.test(document.getElementById('view').textContent));
  await page.click('#tab-workflow');
  await page.waitForFunction(() => /^Microtasks run in the middle/.test(document.getElementById('view').textContent));
  if (pictures) {
    await page.click('#tab-phases');
    await page.screenshot({ path: path.join(pictures, 'page-1280-light.png') });
  }
  assert.deepStrictEqual(wrong, []);
  await page.close();
}

const isChosen = async (page, view) => (await page.getAttribute(`#tab-${view}`, 'aria-selected')) === 'true';

async function views(page) {
  for (const [i, view] of kViews.entries()) {
    await page.click(`#tab-${view}`);
    assert(await isChosen(page, view));
    await page.click('#title');
    await page.keyboard.press('1');
    await page.keyboard.press(kKeys[i]); // the same by its key
    assert(await isChosen(page, view), kKeys[i]);
    assert((await text(page, '#view')).length > 10, view);
  }
  await page.focus('#tab-phases');
  await page.keyboard.press('ArrowRight');
  assert(await isChosen(page, 'stack'));
  await page.keyboard.press('ArrowLeft');
  assert(await isChosen(page, 'phases'));
  assert.match(await text(page, '#view'), /timers.*poll.*check/);
  assert.match(await page.getAttribute('.wheel', 'aria-label'), /^Now /); // its text form
  await page.click('#tab-slowest');
  await page.keyboard.press('End');
  await page.click('#view li:first-child button');
  await isLongest(page);
}

// The running task is marked on its line, runs are counted, output stands beside the line that printed it.
async function source(page) {
  await page.click('#tab-source');
  await page.fill('#find', 'late');
  await page.press('#find', 'Enter');
  await page.waitForFunction(() => /function late/.test(document.querySelector('.source tr.is-now')?.textContent ?? ''));
  await page.click('#title');
  await page.keyboard.press('End');
  await page.waitForFunction(() => [...document.querySelectorAll('.source tr')].some((row) => /^\d+1 × .*function late.*timeout$/.test(row.textContent)));
  assert.strictEqual(await page.evaluate(() => document.getElementById('file').options.length), 1);
  await page.click('#tab-stack');
  await page.fill('#find', 'onRequest');
  await page.press('#find', 'Enter');
  await page.waitForFunction(() => /http request GET \/\d → onRequest/.test(document.querySelector('#view .is-now')?.textContent ?? ''));
  await page.click('#view [data-queue=timers] .link'); // a task that waits: to where it runs, if it does
  await page.click('#tab-alive');
  assert.match(await text(page, '#view'), /tcp server/);
}

async function timeline(page) {
  await page.click('#tab-timeline');
  const picture = () => page.evaluate(() => document.getElementById('timeline').toDataURL());
  const changed = async (act) => {
    const before = await picture();
    await act();
    await page.waitForFunction((old) => document.getElementById('timeline').toDataURL() !== old, before);
  };
  await changed(() => page.click('#zoomin'));
  await changed(() => page.click('#earlier'));
  await changed(() => page.click('#later'));
  await changed(() => page.click('#zoomout'));
  await changed(() => page.click('#zoomtask'));
  await changed(() => page.click('#whole'));
  await page.hover('#timeline');
  await changed(() => page.mouse.wheel(0, -300));
  await page.focus('#timeline');
  await changed(() => page.keyboard.press('a'));
  await changed(() => page.keyboard.press('d'));
  for (const key of ['+', '+', '+', '-']) await changed(() => page.keyboard.press(key));
  await changed(() => page.keyboard.press('0'));
  const box = await (await page.$('#timeline')).boundingBox();
  await page.keyboard.press('+');
  await changed(async () => {
    await page.mouse.move(box.x + 500, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 40, { steps: 4 });
    await page.mouse.up();
  });
  await page.click('#whole');
  const middle = await page.evaluate(() => {
    const { timeline, model } = window.page;
    const { begin, end } = model.tasks.get(0);
    return timeline.canvas.clientWidth - timeline.width() + ((begin + end) / 2 / model.lastTime) * timeline.width();
  });
  await page.click('#timeline', { position: { x: middle, y: 16 } }); // the script
  await page.waitForFunction(() => /main script/.test(document.getElementById('why').textContent));
  await changed(() => page.fill('#find', 'onFile').then(() => page.press('#find', 'Enter'))); // found ones are marked
  await page.waitForFunction(() => /Caused by/.test(document.getElementById('details').textContent));
  await page.fill('#find', '');
}

async function accessibility(page) {
  for (const view of kViews) {
    await page.click(`#tab-${view}`);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const serious = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical');
    assert.deepStrictEqual(
      serious.map((one) => `${view}: ${one.id}: ${one.nodes.map((node) => node.html.slice(0, 100)).join(' | ')}`),
      [],
    );
  }
}

async function layouts(browser, file) {
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
    [2560, 1300],
  ]) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce', bypassCSP: true });
      await page.goto(`${pathToFileURL(file)}#t=120`);
      await page.addScriptTag({ path: axe });
      await accessibility(page);
      for (const view of kViews) {
        await page.click(`#tab-${view}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(overflow <= 0, `${view} is ${overflow} pixels wider than ${width}`);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        if (pictures) await page.screenshot({ path: path.join(pictures, `${view}-${width}-${colorScheme}.png`) });
      }
      await page.close();
    }
  }
}

// Two seconds and fifty frames a second on an idle machine; a busy one gets more time.
async function large(browser, file, slack) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const from = Date.now();
  await page.goto(`${pathToFileURL(file)}`);
  await page.waitForFunction(() => / of \d{6}/.test(document.getElementById('where').textContent));
  const loaded = Date.now() - from;
  const gaps = await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    document.querySelector('#tab-timeline').click();
    await frame();
    const slider = document.getElementById('slider');
    const times = [];
    for (let i = 0; i < 120; i++) {
      document.getElementById('timeline').dispatchEvent(new WheelEvent('wheel', { deltaY: i % 2 ? 100 : -100, cancelable: true }));
      slider.value = i * 2000;
      slider.dispatchEvent(new Event('input'));
      await frame();
      times.push(performance.now());
    }
    return times.slice(1).map((time, i) => time - times[i]);
  });
  const median = gaps.sort((a, b) => a - b)[gaps.length >> 1];
  const count = await page.evaluate(() => window.page.model.recordCount);
  console.log(`sight: ${count} records, ${fs.statSync(file).size >> 20} MB; loads in ${loaded} ms, ${Math.round(1000 / median)} frames a second`);
  assert(loaded < 2000 * slack, `loads in ${loaded} ms`);
  assert(1000 / median > 50 / slack, `${1000 / median} frames a second`);
}

async function main() {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const small = record('small');
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => /^(file|blob|data):/.test(request.url()) || wrong.push(`asks for ${request.url()}`));
  await controls(page, small);
  await glance(page);
  await views(page);
  await source(page);
  await timeline(page);
  assert.deepStrictEqual(wrong, []);
  await layouts(browser, small);
  await pageLoop(browser, record('page', ['--loop=html', '--virtual-time', 'pictures_page.html']));
  await checkLive(browser, rondo, pictures);
  await checkQuiz(browser, rondo, pictures);
  await large(browser, record('large'), Number(process.env.RONDO_SLACK ?? 1));
  await browser.close();
  console.log('sight: the page is as it should be');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
