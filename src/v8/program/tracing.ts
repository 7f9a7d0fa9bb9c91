/**
 * What a thread's agent needs once something is traced, or written into the trace: a bundle of its own, so that a program that is
 * only loaded with fentry does not wait for it (load-tracing.ts).
 */
export { parseParameters } from '../../port/parse-parameters.js';
export { HandleOrigins } from '../async/handle-origins.js';
export { AsyncTasks } from './async-tasks.js';
export { GapSampler } from './gap-sampler.js';
export { createTask, putMark, putPrintk, putRawMark } from './marks.js';
export { preparedWords } from './prepared-words.js';
export { createKprobes, createLivepatches, createRegistry } from './registrations.js';
export { threadBreakpoints } from './thread-breakpoints.js';
export { createThreadRuntime } from './thread-runtime.js';
export { ThreadWriters } from './thread-writers.js';
export { TurnSampler } from './turn-sampler.js';
