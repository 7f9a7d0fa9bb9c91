import type { TracerName } from './tracers.js';

/**
 * What a port may lack besides tracers: a kernel that was configured without it has no files for it either, and does not know
 * such commands. `event commands` are those of set_ftrace_filter that switch events; `event stacks` are what the trigger
 * `stacktrace` writes; `script answers` are those that only JavaScript gives.
 */
export const FEATURES = [
  'instances',
  'commands',
  'event commands',
  'event stacks',
  'profiler',
  'stack tracer',
  'probes',
  'livepatch',
  'faults',
  'scripts',
  'answers',
  'script answers',
] as const;
/** A tracer, or another thing that a port may lack. */
export type PortFeature = TracerName | (typeof FEATURES)[number];

/** For ports that lack nothing. */
export const NOTHING: ReadonlySet<PortFeature> = new Set();
