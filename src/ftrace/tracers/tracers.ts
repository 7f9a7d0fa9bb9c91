import { functionTracer } from './function.js';
import { functionGraph } from './function-graph.js';
import { hwlat } from './hwlat/hwlat.js';
import { irqsoff, preemptirqsoff, preemptoff, wakeup, wakeupDl, wakeupRt } from './latency/latency-tracers.js';
import { nop } from './nop.js';
import type { Tracer } from './tracer.js';

/** The tracers, in the order of available_tracers. */
export const TRACERS = [
  hwlat,
  functionGraph,
  wakeupDl,
  wakeupRt,
  wakeup,
  preemptirqsoff,
  preemptoff,
  irqsoff,
  functionTracer,
  nop,
] as const;

type AnyTracer = (typeof TRACERS)[number];
/** The name of a tracer. */
export type TracerName = AnyTracer['name'];
/** The name of a tracer that keeps the trace of a maximum. */
export type LatencyTracerName = Extract<AnyTracer, { readonly maximum: 'trace' }>['name'];
/** The name of an option that belongs to a tracer. */
export type TracerOptionName = Extract<AnyTracer, { readonly options: unknown }>['options'][number]['name'];

export const TRACER_NAMES: readonly TracerName[] = TRACERS.map(({ name }) => name);

const BY_NAME = Object.fromEntries(TRACERS.map((tracer) => [tracer.name, tracer])) as Readonly<Record<TracerName, Tracer>>;

export const tracerNamed = (name: TracerName): Tracer => BY_NAME[name];

/** Whether a tracer keeps the trace of a maximum. */
export const isLatencyTracer = (name: TracerName): name is LatencyTracerName => tracerNamed(name).maximum === 'trace';
