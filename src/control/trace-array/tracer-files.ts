import { uptime } from 'node:os';
import { TraceError } from '../../base/errno.js';
import { TRACER_NAMES, type TracerName, tracerNamed } from '../../ftrace/tracers/tracers.js';
import { listClocks, MISSING_CLOCKS, TRACE_CLOCKS, TSC } from '../../ring-buffer/index.js';
import type { TraceFile } from '../tracefs/node.js';
import { parseUnsigned, parseUnsignedLong } from '../tracefs/numbers.js';
import { refusal } from '../tracefs/refusal.js';
import { readOnly, textFile } from '../tracefs/text-file.js';
import { userText } from '../tracefs/user-text.js';
import type { TraceInstance } from './instance.js';

/** How many characters of a tracer's name are read (MAX_TRACER_SIZE). */
const TRACER_NAME_SIZE = 100;
/** A text with so many characters is not a clock (the size of tracing_clock_write's buffer). */
const CLOCK_NAME_SIZE = 64;

const tracersOf = (instance: TraceInstance): readonly TracerName[] =>
  TRACER_NAMES.filter((name) => instance.isTop || tracerNamed(name).allowsInstances === true).filter(
    (name) => !instance.process.lacks.has(name),
  );

/** available_tracers */
export const availableTracers = (instance: TraceInstance): TraceFile => readOnly(() => `${tracersOf(instance).join(' ')}\n`);

/** current_tracer: a name, white space around it ignored. */
export const currentTracer = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${instance.tracer}\n`,
    async store(text) {
      const name = userText(text, TRACER_NAME_SIZE).trim();
      const tracer = tracersOf(instance).find((known) => known === name);
      if (tracer === undefined) throw new TraceError('EINVAL', `no tracer ${name}`);
      await instance.setTracer(tracer);
    },
  });

/** tracing_on: 0, or any other number. */
export const tracingOn = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${instance.tracingOn ? 1 : 0}\n`,
    store: (text) => instance.setTracingOn(parseUnsigned(text) !== 0),
  });

/** max_graph_depth: kept in 32 bits, and shown as a signed number, as by the kernel; 0 is no limit. */
export const maxGraphDepth = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${instance.maxGraphDepth | 0}\n`,
    store: (text) => instance.setMaxGraphDepth(Number(BigInt.asUintN(32, parseUnsignedLong(text)))),
  });

/** Microseconds that are kept as nanoseconds in 64 bits; higher bits are lost (tracing_nsecs_read, tracing_nsecs_write). */
const microseconds = (nanoseconds: () => bigint, set: (ns: bigint) => void | Promise<void>): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${nanoseconds() / 1000n}\n`,
    store: (text) => set(BigInt.asUintN(64, parseUnsignedLong(text) * 1000n)),
  });

/** tracing_thresh: microseconds. */
export const tracingThresh = (instance: TraceInstance): TraceFile =>
  microseconds(
    () => instance.thresholdNs,
    (ns) => instance.setThreshold(ns),
  );

/** tracing_max_latency: microseconds; after a number is written, the next longer latency is kept. */
export const tracingMaxLatency = (instance: TraceInstance): TraceFile =>
  microseconds(
    () => instance.maximum.nanoseconds,
    (ns) => {
      instance.maximum.nanoseconds = ns;
    },
  );

/** Clocks that differ by less, in nanoseconds, are the same: /proc/uptime counts hundredths of a second. */
const CLOCK_SLACK = 5e7;

/** Why the machine's clock `name` cannot be had, in words; undefined when it can. */
function missingClock(name: string, process: TraceInstance['process']): string | undefined {
  if (name === TSC) return process.timeStamps.refused;
  if (name === 'boot' && Math.abs(uptime() * 1e9 - process.now()) > CLOCK_SLACK) {
    return 'The machine was suspended since it started, and Node cannot read CLOCK_BOOTTIME';
  }
  return Object.hasOwn(MISSING_CLOCKS, name) ? MISSING_CLOCKS[name] : undefined;
}

/** trace_clock: those there are, the current one in brackets. What Node cannot offer is refused, and error_log says why. */
export const traceClock = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => listClocks(instance.buffers.clock, instance.process.timeStamps.refused === undefined),
    async store(text) {
      const name = userText(text).trim();
      if (text.length >= CLOCK_NAME_SIZE) throw new TraceError('EINVAL', 'no clock has such a long name');
      const message = missingClock(name, instance.process);
      if (message !== undefined) throw refusal(instance, { location: 'trace_clock', message, command: name });
      const clock = TRACE_CLOCKS.find((known) => known === name);
      if (clock === undefined) throw new TraceError('EINVAL', `no clock ${name}`);
      await instance.buffers.setClock(clock);
    },
  });
