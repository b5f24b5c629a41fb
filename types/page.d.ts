// Types of `rondo` in a page (`rondo --loop=html`). docs/html.md describes it. What needs a document (input, layout, dialog, slowDatabase,
// paints) is missing in workers and in scripts without a page.
declare namespace RondoPage {
  type Target = Element | string | null;

  interface Input {
    /** Each tells whether a task was queued: an event that nobody listens for is lost. */
    click(target?: Target, options?: MouseEventInit): boolean;
    mouse(type: string, target?: Target, options?: MouseEventInit): boolean;
    key(name: string, target?: Target): boolean;
    type(text: string, target?: Target): boolean;
    event(type: string, target?: Target, init?: EventInit): boolean;
    /** Told when the next frame is rendered. */
    scroll(x: number, y: number, target?: Target): void;
    resize(width: number, height: number): void;
    visibility(visible: boolean): void;
  }

  interface Answer {
    body?: string;
    status?: number;
    headers?: Record<string, string>;
    /** Milliseconds until the answer. */
    delay?: number;
  }

  interface LoopFacts {
    readonly loop: number;
    readonly kind: 'window' | 'worker' | 'worklet';
    readonly queues: number;
    readonly turns: number;
    readonly renderings: number;
    /** Calls between C++ and JavaScript. */
    readonly crossings: number;
  }

  interface Page {
    /** The running task takes so many milliseconds; needs `--virtual-time`. */
    advance(milliseconds: number): void;
    /** Spins the event loop until the goal is met; false when nothing can meet it any more. */
    spin(goal: () => unknown): boolean;
    /** A scripted answer to requests for an address. */
    route(url: string | URL, answer: Answer): void;
    readonly worklet: { addModule(url: string): Promise<void> };
    readonly loop: LoopFacts;
    /** The running task; null in animation frame callbacks. */
    readonly task: { readonly id: number; readonly source: string } | null;
    readonly input: Input;
    /** An element's box in the document; there is no layout engine. */
    layout(element: Element, box: { x?: number; y?: number; width?: number; height?: number }): void;
    /** How the next dialog is dismissed; without it, at once. */
    dialog(kind: 'alert' | 'confirm' | 'prompt', answer?: { answer?: boolean | string | null; after?: number }): void;
    /** Every step of a database takes so many milliseconds. */
    slowDatabase(milliseconds: number): void;
    readonly paints: ReadonlyArray<{ readonly time: number; readonly hash: string }>;
  }
}
declare var rondo: RondoPage.Page;
