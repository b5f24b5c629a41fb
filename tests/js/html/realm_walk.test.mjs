// Everything that the global of a page and a frame of another origin leads to, to a fixed point (tests/fixtures/html_realm/walk_kinds.mjs).
import { walk } from '../../fixtures/html_realm/walk_kinds.mjs';

walk('page', 'frame of another origin');
