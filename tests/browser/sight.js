// The page of rondo trace -o run.html in headless Chromium: every view and control, from the disk and without a network; what axe finds; a
// recording of a million records.
//
//   node tests/browser/sight.js NODE_MODULES CHROMIUM RUN.html BIG.html [FOLDER for pictures]
'use strict';

const assert = require('node:assert');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const [modules, executablePath, small, big, pictures] = process.argv.slice(2);
const { chromium } = require(path.resolve(modules, 'playwright-core'));
const fs = require('node:fs');

const axe = path.resolve(modules, 'axe-core/axe.js'); // where it is installed
const kViews = ['phases', 'stack', 'iteration', 'workflow', 'timeline', 'slowest'];

const text = (page, selector) => page.textContent(selector);
const stepOf = async (page) => Number(/Step (\d+)/.exec(await text(page, '#where'))[1]);
const until = (page, step) => page.waitForFunction((n) => document.getElementById('where').textContent.startsWith(`Step ${n} of`), step);

async function controls(page) {
  await page.goto(`${pathToFileURL(small)}#t=5`);
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
  const last = Number(await page.getAttribute('#slider', 'max'));
  await until(page, last);
  assert.match(await text(page, '#output'), /script[^]*tick[^]*promise/);
  await page.focus('#slider');
  await page.evaluate(() => {
    const slider = document.getElementById('slider');
    slider.value = 3;
    slider.dispatchEvent(new Event('input'));
  });
  await until(page, 3);
  await page.click('#play');
  assert.strictEqual(await text(page, '#play'), 'Pause');
  await page.waitForFunction(() => Number(/Step (\d+)/.exec(document.getElementById('where').textContent)[1]) > 4);
  await page.click('#play');
  assert.strictEqual(await text(page, '#play'), 'Play');
  await page.click('#large');
  assert.strictEqual(await page.getAttribute('#large', 'aria-pressed'), 'true');
  await page.click('#large');
  await page.fill('#find', 'late');
  await page.press('#find', 'Enter');
  await page.waitForFunction(() => /^late .*ran in the timers phase/.test(document.getElementById('why').textContent));
  await page.waitForFunction((n) => location.hash === `#t=${n}`, await stepOf(page)); // and the address follows
}

async function views(page) {
  for (const [i, view] of kViews.entries()) {
    await page.click(`[data-view=${view}]`);
    assert.strictEqual(await page.getAttribute(`[data-view=${view}]`, 'aria-selected'), 'true');
    await page.click('#title');
    await page.keyboard.press(String(i + 1)); // the same by its number
    assert.strictEqual(await page.getAttribute(`[data-view=${view}]`, 'aria-selected'), 'true');
    assert((await text(page, '#view')).length > 10, view);
  }
  await page.click('[data-view=slowest]');
  await page.click('#view li:first-child button');
  await page.click('[data-view=phases]');
  assert.match(await text(page, '#view'), /timers.*poll.*check/);
  await page.click('[data-view=timeline]');
  const before = await page.evaluate(() => document.getElementById('timeline').toDataURL());
  await page.click('#zoomin');
  await page.waitForFunction((old) => document.getElementById('timeline').toDataURL() !== old, before);
  await page.click('#zoomout');
  await page.click('#whole');
  await page.hover('#timeline');
  await page.mouse.wheel(0, -300);
  await page.click('#whole');
  await page.click('#timeline', { position: { x: 110, y: 20 } }); // the script
  await page.waitForFunction(() => /main script/.test(document.getElementById('why').textContent));
}

async function accessibility(page) {
  for (const view of kViews) {
    await page.click(`[data-view=${view}]`);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const serious = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical');
    assert.deepStrictEqual(
      serious.map((one) => `${view}: ${one.id}: ${one.nodes.map((node) => node.html.slice(0, 100)).join(' | ')}`),
      [],
    );
  }
}

async function layouts(browser) {
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
    [2560, 1300],
  ]) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme, bypassCSP: true });
      await page.goto(`${pathToFileURL(small)}#t=40`);
      if (fs.existsSync(axe)) {
        await page.addScriptTag({ path: axe });
        await accessibility(page);
      }
      for (const view of kViews) {
        await page.click(`[data-view=${view}]`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(overflow <= 0, `${view} is ${overflow} pixels wider than ${width}`);
        if (pictures) await page.screenshot({ path: path.join(pictures, `${view}-${width}-${colorScheme}.png`) });
      }
      await page.close();
    }
  }
}

// Two seconds and fifty frames a second on an idle machine; a busy one gets more time.
async function large(browser, slack) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const from = Date.now();
  await page.goto(`${pathToFileURL(big)}`);
  await page.waitForFunction(() => / of \d{6}/.test(document.getElementById('where').textContent));
  const loaded = Date.now() - from;
  const gaps = await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    document.querySelector('[data-view=timeline]').click();
    await frame();
    const slider = document.getElementById('slider');
    const times = [];
    for (let i = 0; i < 90; i++) {
      document.getElementById('timeline').dispatchEvent(new WheelEvent('wheel', { deltaY: i % 2 ? 100 : -100, cancelable: true }));
      slider.value = i * 2000;
      slider.dispatchEvent(new Event('input'));
      await frame();
      times.push(performance.now());
    }
    return times.slice(1).map((time, i) => time - times[i]);
  });
  const median = gaps.sort((a, b) => a - b)[gaps.length >> 1];
  console.log(`sight: ${await text(page, '#where')}; loads in ${loaded} ms, ${Math.round(1000 / median)} frames a second`);
  assert(loaded < 2000 * slack, `loads in ${loaded} ms`);
  assert(1000 / median > 50 / slack, `${1000 / median} frames a second`);
}

async function main() {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => request.url().startsWith('file:') || wrong.push(`asks for ${request.url()}`));
  await controls(page);
  await views(page);
  assert.deepStrictEqual(wrong, []);
  await layouts(browser);
  await large(browser, Number(process.env.RONDO_SLACK ?? 1));
  await browser.close();
  console.log('sight: the page is as it should be');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
