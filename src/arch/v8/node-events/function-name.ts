import { types } from 'node:util';
import { ownString } from '../tracers/own-property.js';

const { isProxy } = types;

/** The name of a function, found without running code of the program; '' of one without a name, and of what is no function. */
export const functionName = (fn: unknown): string => (typeof fn === 'function' && !isProxy(fn) ? ownString(fn, 'name') : '');
