import * as tracing from './tracing.js';

/** In place of load-tracing.ts in the bundle of an attached agent: it is loaded to trace. */
export const loadTracing = (): typeof tracing => tracing;
