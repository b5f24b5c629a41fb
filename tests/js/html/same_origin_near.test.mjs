// The same-origin policy as Chromium has it: the page's own origin and files.
import { check } from '../../fixtures/same_origin/check.mjs';

await check(['same origin', 'file']);
