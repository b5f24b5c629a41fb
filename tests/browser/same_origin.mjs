// Records Chromium's answers to tests/fixtures/same_origin/probes.js: node tests/browser/same_origin.mjs >tests/fixtures/same_origin/chromium.json
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { start } from '../fixtures/same_origin/server.mjs';

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-chromium-'));
const server = await start();
const flags = ['--headless', '--disable-popup-blocking', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = spawn('chromium', [...flags, `--user-data-dir=${profile}`, server.url], { stdio: 'ignore' });
const table = await server.result;
process.stdout.write(`${JSON.stringify(table, null, 1)}\n`);
browser.kill();
await new Promise((resolve) => { browser.on('close', resolve); });
server.close();
fs.rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
