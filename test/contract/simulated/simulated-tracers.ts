import { FTRACE_EVENTS } from '../../../src/events/ftrace-events.js';
import type { RecordWriter } from '../../../src/ftrace/tracers/record-writer.js';
import type { TracerConfig } from '../../../src/ftrace/tracers/tracer-config.js';
import type { TracerName } from '../../../src/ftrace/tracers/tracers.js';
import { writeRecord } from '../../../src/ftrace/tracers/write-record.js';
import { traceClock } from '../../../src/ring-buffer/index.js';

/** A call as a tracer sees it. */
export interface Call {
  readonly n: number;
  readonly ip: number;
  /** Where it returns to, and where its callers do, innermost first. */
  readonly callers: readonly number[];
  readonly pid: number;
}

/** The caller of the first function of a run, which has no name. */
const NO_CALLER = 0;

/** What a tracer does with the calls of one thread, in one instance. */
export interface SimulatedTracer {
  enter(call: Call, writer: RecordWriter): void;
  leave?(call: Call, writer: RecordWriter): void;
}

const inBits = (bits: Uint32Array, n: number): boolean => ((bits[n >>> 5] ?? 0) & (1 << (n & 31))) !== 0;

const NOP: SimulatedTracer = { enter() {} };

function functionTracer({ stacks }: TracerConfig): SimulatedTracer {
  return {
    enter({ ip, callers, pid }, writer) {
      const values = { ip, parent_ip: callers[0] ?? NO_CALLER };
      writeRecord(writer, traceClock(), FTRACE_EVENTS.function, { pid }, values);
      const caller = [ip, ...callers];
      if (stacks) writeRecord(writer, traceClock(), FTRACE_EVENTS.kernel_stack, { pid }, { size: caller.length, caller });
    },
  };
}

function functionGraph({ maxDepth, graphFunctions }: TracerConfig): SimulatedTracer {
  /** When each open call was entered; undefined: it is not recorded. */
  const open: (number | undefined)[] = [];
  const depthNow = (): number => open.filter((one) => one !== undefined).length;
  const isInside = (n: number): boolean => graphFunctions === undefined || inBits(graphFunctions, n) || depthNow() > 0;
  return {
    enter({ n, ip, pid }, writer) {
      const depth = depthNow();
      const isRecorded = isInside(n) && (maxDepth === 0 || depth < maxDepth);
      const calltime = traceClock();
      open.push(isRecorded ? calltime : undefined);
      if (isRecorded) writeRecord(writer, calltime, FTRACE_EVENTS.funcgraph_entry, { pid }, { func: ip, depth });
    },
    leave({ ip, pid }, writer) {
      const calltime = open.pop();
      if (calltime === undefined) return;
      const depth = depthNow();
      const rettime = traceClock();
      const values = { func: ip, depth, overrun: 0, calltime, rettime };
      writeRecord(writer, rettime, FTRACE_EVENTS.funcgraph_exit, { pid }, values);
    },
  };
}

const TRACERS: Partial<Record<TracerName, (config: TracerConfig) => SimulatedTracer>> = {
  function: functionTracer,
  function_graph: functionGraph,
};

/** The tracer that a configuration names; one that the machine does not have does nothing. */
export const createTracer = (config: TracerConfig): SimulatedTracer => TRACERS[config.tracer]?.(config) ?? NOP;
