// The same-origin policy as Chromium has it: another host.
import { check } from '../../fixtures/same_origin/check.mjs';

await check(['other host']);
