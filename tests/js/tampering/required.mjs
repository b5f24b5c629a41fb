import { one } from './required_too.mjs';
export default one + 2;
