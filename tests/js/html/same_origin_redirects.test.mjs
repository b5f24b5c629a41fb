// The same-origin policy as Chromium has it: an own address that redirects to another origin.
import { check } from '../../fixtures/same_origin/check.mjs';

await check(['redirect there']);
