// The same-origin policy as Chromium has it: another origin that redirects to the page's own.
import { check } from '../../fixtures/same_origin/check.mjs';

await check(['redirect back']);
