// Everything that the global of a bare script and a worklet leads to, to a fixed point (tests/fixtures/html_realm/walk_kinds.mjs).
import { walk } from '../../fixtures/html_realm/walk_kinds.mjs';

walk('bare script', 'worklet');
