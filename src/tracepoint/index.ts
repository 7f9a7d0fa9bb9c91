/**
 * Tracepoints for libraries and applications: named points in a program that cost nothing until something listens. With fentry
 * loaded, those that are events stand under events/SYSTEM/NAME; without it, probes can be registered all the same. This module
 * needs nothing else of fentry.
 */

export { defineTrace } from './define-trace.js';
export {
  array,
  bitmask,
  bool,
  dynamicArray,
  fixedString,
  type Int64,
  int,
  long,
  pid,
  pointer,
  s8,
  s16,
  s32,
  s64,
  size,
  string,
  symbol,
  type TraceField,
  u8,
  u16,
  u32,
  u64,
  uint,
  ulong,
} from './fields.js';
export { type EventClass, eventClass, type TraceEventOptions, traceEvent } from './trace-event.js';
export type { Probe, ProbeOptions, Tracepoint, TracepointOptions } from './tracepoint.js';
export { registerUserEvent, type UserEvent } from './user-event.js';
