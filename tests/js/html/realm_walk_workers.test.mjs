// Everything that the global of workers of each kind leads to, to a fixed point (tests/fixtures/html_realm/walk_kinds.mjs).
import { walk } from '../../fixtures/html_realm/walk_kinds.mjs';

walk('worker', 'module worker', 'worker of a blob', 'shared worker');
