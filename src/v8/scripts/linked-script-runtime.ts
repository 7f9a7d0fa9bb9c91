import * as runtime from './script-runtime.js';

/** In place of load-script-runtime.ts in the bundle of a late agent. */
export const loadScriptRuntime = (): typeof runtime => runtime;
