import * as prepared from '../loader/prepared-packs.js';

/** In place of load-prepared.ts in the bundle of an attached agent, which has all in one. */
export const loadPrepared = (): typeof prepared => prepared;
