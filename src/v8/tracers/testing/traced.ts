import { OPS_ID } from '../../../ftrace/ops.js';
import { NOP_CONFIG, type TracerConfig } from '../../../ftrace/tracers/tracer-config.js';
import { createRingBuffer, RingBufferReader, RingBufferWriter, traceClock } from '../../../ring-buffer/index.js';
import type { FindCaller, StackDepth, WalkStack } from '../../call-stack.js';
import { Tracepoints } from '../../events/tracepoints.js';
import { FUNCTION_KIND } from '../../js-text.js';
import { textAddress } from '../../text-region.js';
import type { LatencyNeeds } from '../latency/latency-tracer.js';
import { type RuntimeNeeds, TracerRuntime } from '../runtime.js';
import { addressOf } from './address-of.js';
import { handCells } from './hand-sites.js';
import { createPatcher } from './patcher.js';
import { type ReadRecord, readRecords } from './read-records.js';

export const TEST_PID = 4711;

/** A runtime with cells, ring buffer and clock, over functions 0, 1, ... with the given names. */
export interface Traced {
  readonly runtime: TracerRuntime;
  readonly errors: unknown[];
  /** The tracepoints of its events: they hear of those of this thread once `listen` is called. */
  readonly tracepoints: Tracepoints;
  /** What would be told of an uncaught exception. */
  uncaught: ((error: unknown) => void) | undefined;
  /** Traces all functions, or those with the given numbers. */
  start(config: Partial<TracerConfig> & Pick<TracerConfig, 'tracer'>, functions?: readonly number[]): void;
  stop(): void;
  /** Has function n call the ops with the ids `calls[n]`. */
  patch(...calls: readonly (readonly number[])[]): void;
  /** Has these functions call these ops. */
  patchOnly(functions: readonly number[], ops: readonly number[]): void;
  /** Takes out what was recorded. */
  records(): ReadRecord[];
  /** Takes out what was recorded, as words. */
  words(): Uint32Array[];
  /** The calls as lines: `outer(`, `)outer`, indented by depth; `~` marks resumed and suspended, `!` unwound. */
  lines(): string[];
}

export interface TracedOptions {
  /** Kinds (FUNCTION_KIND) of the functions that are not plain ones. */
  readonly kinds?: Readonly<Record<string, number>>;
  /** Size of the ring buffer. */
  readonly bytes?: number;
  readonly clock?: () => number;
  readonly findCaller?: FindCaller;
  readonly latency?: LatencyNeeds;
  readonly walkStack?: WalkStack;
  readonly stackDepth?: StackDepth;
  readonly services?: RuntimeNeeds['services'];
  readonly diversions?: Partial<RuntimeNeeds['diversions']>;
  readonly createScripts?: RuntimeNeeds['events']['createScripts'];
}

/** An event loop that reports nothing. */
const QUIET_LOOP: LatencyNeeds = {
  cpu: 0,
  turns: { start() {}, stop() {}, discard() {} },
  callbacks: { start() {}, stop() {}, discard() {} },
  wakeups: { start() {}, stop() {} },
  addressOf: () => 0,
  nameTask() {},
};

export function createTraced(names: readonly string[], options: TracedOptions = {}): Traced {
  const { kinds = {}, bytes = 1 << 20, clock = traceClock } = options;
  const buffer = createRingBuffer(bytes);
  const reader = new RingBufferReader(buffer);
  const errors: unknown[] = [];
  const all = [...names.keys()];
  const patcher = createPatcher();
  const tracepoints = new Tracepoints(() => {});
  const traced: Traced = {
    runtime: undefined as never,
    errors,
    tracepoints,
    uncaught: undefined,
    start(config, functions) {
      traced.runtime.setTracer({ ...NOP_CONFIG, ...config });
      traced.patchOnly(functions ?? all, [OPS_ID.TRACER]);
    },
    stop() {
      traced.patchOnly(all, []);
      traced.runtime.setTracer(NOP_CONFIG);
    },
    patch(...calls) {
      traced.runtime.applyPatches(patcher([...calls.keys()], (n) => calls[n]!));
    },
    patchOnly(functions, ops) {
      traced.runtime.applyPatches(patcher(functions, () => ops));
    },
    records: () => readRecords(reader, names),
    words() {
      const words: Uint32Array[] = [];
      for (; reader.peek(); reader.consume()) {
        words.push(new Uint32Array(reader.bytes.slice(reader.payload, reader.payload + reader.length).buffer));
      }
      return words;
    },
    lines: () => traced.records().map(toLine),
  };
  const runtime = new TracerRuntime({
    events: {
      cpu: 0,
      comm: () => 'test',
      printk: { words: new Int32Array(1), at: 0, print() {} },
      foreign: () => Object.assign(() => 0, { symbolAt: () => undefined }),
      tracepoints,
      load() {},
      ...(options.createScripts && { createScripts: options.createScripts }),
    },
    cells: handCells(names.length),
    clock,
    ...(options.services && { services: options.services }),
    latency: options.latency ?? QUIET_LOOP,
    diversions: {
      faultCondition() {},
      mark: () => {},
      load: () => Promise.reject(new Error('no files in this test')),
      reach: () => () => {},
      tell: () => {},
      afterTurn: (run) => setImmediate(run),
      ...options.diversions,
    },
    createFindCaller: () => options.findCaller ?? (() => 0),
    createFindPrinter: () => () => 0,
    createStackDepth: () => options.stackDepth,
    createWalkStack: () => options.walkStack ?? (() => 0),
    tid: TEST_PID,
    dump: () => {},
    subscriberFailed: (_id, _ops, error) => errors.push(error),
    onUncaught: (clear) => {
      traced.uncaught = clear;
      return () => {
        traced.uncaught = undefined;
      };
    },
  });
  runtime.setWriter(new RingBufferWriter(buffer));
  runtime.link({
    firstFunction: 0,
    addresses: Float64Array.from(names, (_, n) => textAddress(addressOf(n))),
    kinds: Uint8Array.from(names, (name) => kinds[name] ?? FUNCTION_KIND.function),
  });
  return Object.assign(traced, { runtime });
}

function toLine(record: ReadRecord): string {
  if (record.event === 'function') return `${record.name} <-${record.parent ?? ''}`;
  const mark = record.flags === 0 ? '' : record.event === 'funcgraph_exit' && record.flags === 1 ? '!' : '~';
  const indent = '  '.repeat(record.depth);
  return record.event === 'funcgraph_entry' ? `${indent}${record.name}(${mark}` : `${indent})${record.name}${mark}`;
}
