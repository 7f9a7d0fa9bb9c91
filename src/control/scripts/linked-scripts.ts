import * as scripts from './script-entry.js';

/** In place of load-scripts.ts in a bundle that has everything. */
export const loadScripts = (): typeof scripts => scripts;
