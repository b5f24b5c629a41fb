import { count } from './counter.mjs';
console.log('again, in a cycle');
export const word = 'word';
export const read = () => count;
