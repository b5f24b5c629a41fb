// The same-origin policy as Chromium has it: what a document of no origin asks for.
import { check } from '../../fixtures/same_origin/check.mjs';

await check(['no origin']);
