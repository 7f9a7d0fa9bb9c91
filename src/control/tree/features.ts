import { answersFeature } from '../answers/answers-feature.js';
import { faultsFeature } from '../faults/fault-files.js';
import { hwlatFeature } from '../hwlat/hwlat-settings.js';
import { livepatchFeature } from '../livepatch/livepatch-files.js';
import { probesFeature } from '../probes/dynamic-event-files.js';
import type { TracedProcess } from '../process/traced-process.js';
import { profilerFeature } from '../profiler/function-profiler.js';
import { scriptsFeature } from '../scripts/process-scripts.js';
import { stackTracerFeature } from '../stack-tracer/stack-tracer.js';
import type { Feature } from '../tracefs/feature.js';
import { instancesFeature } from './instances-directory.js';

/** The features of the kernel that not every port has, in the order of README and of their parameters. */
export const FEATURES: readonly Feature<TracedProcess>[] = [
  instancesFeature,
  hwlatFeature,
  profilerFeature,
  stackTracerFeature,
  livepatchFeature,
  faultsFeature,
  probesFeature,
  scriptsFeature,
  answersFeature,
];
