// The same-origin policy as Chromium has it: another port.
import { check } from '../../fixtures/same_origin/check.mjs';

await check(['other port']);
