// Types of rondo:explore. docs/explore.md describes it. `/// <reference path="…/explore.d.ts" />`, or list it in tsconfig's "files".
declare module 'rondo:explore' {
  /** The program runs under `rondo explore` or `rondo replay`. */
  export const isExploring: boolean;
  /** From now on runs are told apart by the values given here and the exit code, not by what they print. */
  export function outcome(value: unknown): void;
  /** Throws when the condition does not hold: an outcome of its own, with the schedule that leads to it. */
  export function invariant(name: string, condition: unknown): asserts condition;
}
