console.log('counter', this === undefined, typeof window);
export let count = 0;
export function increment() { count++; }
export default class { name() { return 'default class'; } }
export * as again from './again.mjs';
export { word as renamed } from './again.mjs';
