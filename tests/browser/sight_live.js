// Part of sight.js: rondo see of a running program, and rondo see --quiz, in headless Chromium.
'use strict';

const assert = require('node:assert');
const path = require('node:path');
const { spawn } = require('node:child_process');

const kProgram = path.join(__dirname, '..', 'fixtures', 'sight_live.js');

const text = (page, selector) => page.textContent(selector);
const says = (page, selector, pattern) =>
  page.waitForFunction(([where, source]) => new RegExp(source).test(document.querySelector(where)?.textContent ?? ''), [selector, pattern.source]);

// Starts rondo see; → { child, url }
function start(rondo, args) {
  const child = spawn(rondo, ['see', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const url = /http:\S+/.exec(said)?.[0];
      if (url !== undefined) resolve({ child, url });
    });
    child.on('exit', (code) => reject(new Error(`rondo see ended with ${code}: ${said}`)));
  });
}

async function stepping(page) {
  await page.click('#pause');
  await says(page, '#held', /^(paused|stopped)/);
  assert.strictEqual(await text(page, '#pause'), 'Continue');
  const kinds = { tick: 'tick', microtask: 'microtask', task: '(timer|immediate|io)', any: '\\w+' };
  for (const [unit, kind] of Object.entries(kinds)) {
    await page.selectOption('#unit', unit);
    await page.click('#step');
    await says(page, '#held', /^stopped at a step/);
    await page.waitForFunction((wanted) => new RegExp(`^${wanted}$`).test(document.querySelector('#running .kind')?.textContent ?? ''), kind);
  }
  for (const unit of ['phase', 'iteration']) {
    const iteration = () => page.evaluate(() => window.page.model.stateAt(window.page.model.stepCount).iteration);
    const before = await iteration();
    await page.selectOption('#unit', unit);
    await page.click('#step');
    await says(page, '#held', /^stopped at a step/);
    if (unit === 'iteration') await page.waitForFunction((old) => window.page.model.recordCount > 0 && window.page.model.stateAt(window.page.model.stepCount).iteration >= old, before);
  }
  // A held program does nothing.
  const count = () => page.evaluate(() => window.page.recording.runtimes[0].next);
  await page.waitForTimeout(700);
  const before = await count();
  await page.waitForTimeout(1200);
  assert.strictEqual(await count(), before);
}

async function conditions(page) {
  const runTo = async (condition, value) => {
    await page.selectOption('#condition', condition);
    if (condition === 'phase') await page.selectOption('#value', value);
    else await page.fill('#value', value);
    await page.click('#runto');
  };
  await runTo('phase', 'check');
  await says(page, '#held', /^stopped: phase begins check/);
  await page.waitForFunction(() => window.page.model.stateAt(window.page.model.stepCount).phase === 'check');
  await page.click('#norules');
  await runTo('function', 'everyThird');
  await says(page, '#held', /^stopped: a callback is called with the name everyThird/);
  await says(page, '#running', /everyThird/);
  await page.click('#norules');
  await runTo('queue', '30');
  await says(page, '#held', /^stopped: callbacks queued, at least 30 \(30\)/);
  await page.click('#norules');
  await runTo('late', '20');
  await says(page, '#held', /^stopped: a timer is late by ms 20/);
  await page.click('#norules');
  await page.click('#pause');
  await says(page, '#held', /^runs/);
}

async function slowMotion(page) {
  await page.click('#slow');
  assert.strictEqual(await page.getAttribute('#slow', 'aria-pressed'), 'true');
  await page.waitForTimeout(500);
  const tasks = () => page.evaluate(() => window.page.model.begunTasks().length);
  const first = await tasks();
  await page.waitForTimeout(3000);
  const ran = (await tasks()) - first;
  assert(ran <= 8, `${ran} tasks in three seconds`);
  await page.click('#slow');
  await page.waitForFunction((n) => window.page.model.begunTasks().length > n + 50, first);
}

async function checkLive(browser, rondo, pictures) {
  const { child, url } = await start(rondo, [kProgram]);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    await page.goto(url);
    await says(page, '#where', /Step [1-9]/);
    await stepping(page);
    if (pictures) await page.screenshot({ path: path.join(pictures, 'live-1280-light.png') });
    await conditions(page);
    await slowMotion(page);
    // Keys for the same.
    await page.click('#title');
    await page.keyboard.press('k');
    await says(page, '#held', /^(paused|stopped)/);
    await page.keyboard.press('k');
    await says(page, '#held', /^runs/);
    await page.click('#tab-source');
    await says(page, '#view', /function everyThird/);
    await page.click('#tab-alive');
    await says(page, '#view', /sight_live\.js:\d+/);
    await says(page, '#view', /127\.0\.0\.1:\d+/);
    await page.click('#tab-findings');
    await says(page, '#view', /synchronous-block[^]*blocker/);
    await says(page, '#count', /\d/);
    await page.click('#view article button');
    await says(page, '#view', /Tasks over time/);
    await page.click('#tab-heap');
    await says(page, '#view', /MB|kB/);
    if (pictures) {
      await page.click('#tab-findings');
      await page.screenshot({ path: path.join(pictures, 'findings-live-1280-light.png') });
    }
    child.kill('SIGINT');
    await page.waitForSelector('#ended:not([hidden])');
    assert.deepStrictEqual(wrong, []);
    await page.close();
  } finally {
    child.kill();
  }
}

async function checkQuiz(browser, rondo, pictures) {
  const { child, url } = await start(rondo, ['--quiz']);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(url);
    await says(page, '#view', /In which order does it print/);
    assert.strictEqual(await page.evaluate(() => document.getElementById('quiz').options.length), 12);
    await page.click('#check');
    await says(page, '#verdict', /\d of 4 are in their place/);
    if (pictures) await page.screenshot({ path: path.join(pictures, 'quiz-1280-light.png') });
    // Put in order by the buttons.
    for (const [i, line] of ['script', 'tick', 'promise', 'timeout'].entries()) {
      for (;;) {
        const at = await page.evaluate((wanted) => [...document.querySelectorAll('#predict code')].findIndex((one) => one.textContent === wanted), line);
        if (at === i) break;
        await page.click(`#predict li:nth-child(${at + 1}) button:first-child`);
      }
    }
    await page.click('#check');
    await says(page, '#verdict', /All in order/);
    await page.selectOption('#quiz', '11');
    await says(page, '#view', /catch[^]*finally/);
    await says(page, '#view', /Put the lines in order/);
    await page.click('#watch');
    await says(page, '#play', /Stop/);
    await page.close();
  } finally {
    child.kill();
  }
}

module.exports = { checkLive, checkQuiz };
