import { FTRACE_EVENTS, TRACE_FLAG } from '../../../events/ftrace-events.js';
import { writeRecord } from '../../../ftrace/tracers/write-record.js';
import { TEXT_HIGH, textAddress } from '../../text-region.js';
import type { EntryFunction } from '../entry.js';
import type { FunctionGraph } from '../function-graph.js';
import { lost } from '../lost.js';
import { FUNCTION_BYTES } from '../record-layout.js';
import type { ThreadTrace } from '../thread-trace.js';

const { function: callEvent, funcgraph_entry: entryEvent, funcgraph_exit: exitEvent, kernel_stack: stackEvent } = FTRACE_EVENTS;
const FLAGS_SHIFT = 16;
const PREEMPT_COUNT_SHIFT = 24;

/**
 * Writes the calls of one thread as latency tracers do: with flags, because readers of their traces want to know in what
 * context a call ran; or, with display-graph, as function_graph does. An address is 0 if it is not known.
 */
export class CallRecords {
  readonly #ctx: ThreadTrace;
  readonly #graph: FunctionGraph;
  /** TRACE_FLAG bits of the records. */
  flags: number = TRACE_FLAG.IRQS_OFF;
  /** How many times preemption is off. */
  preemptCount = 0;
  /** What called the functions that no function called. */
  outermost = 0;

  constructor(ctx: ThreadTrace, graph: FunctionGraph) {
    this.#ctx = ctx;
    this.#graph = graph;
  }

  /** What is done at a function's entry. */
  readonly entry: EntryFunction = (n, depth, self, args) => {
    const { config, addresses, fgraph, parent, clock } = this.#ctx;
    if (config.displayGraph) return this.#graph.entry(n, depth, self, args);
    const caller = config.parents ? parent : depth === 0 ? 0 : addresses[fgraph.functions[depth - 1]!]!;
    return this.writeFunction(addresses[n]!, caller === 0 ? this.outermost : caller, clock()) ? 0 : lost(this.#ctx);
  };

  /** Writes a function record. Returns false if the buffer was full, or an event was torn. */
  writeFunction(ip: number, parent: number, now: number): boolean {
    const { writer, pid } = this.#ctx;
    const at = writer.reserve(FUNCTION_BYTES, now);
    if (at < 0) return false;
    const { u32 } = writer;
    u32[at] = callEvent.id | (this.flags << FLAGS_SHIFT) | (this.preemptCount << PREEMPT_COUNT_SHIFT);
    u32[at + 1] = pid;
    u32[at + 2] = ip;
    u32[at + 3] = TEXT_HIGH;
    u32[at + 4] = parent;
    u32[at + 5] = parent === 0 ? 0 : TEXT_HIGH;
    writer.commit();
    return true;
  }

  /** Writes something that is not a function as a function record, so that it appears between the functions. */
  writePlace(ip: number, now: number): boolean {
    return this.#ctx.config.displayGraph ? this.#writeGraphCall(ip, now) : this.writeFunction(ip, 0, now);
  }

  /** A stack trace of one frame. */
  writeStack(ip: number, now: number): boolean {
    const { pid, writer } = this.#ctx;
    const { flags, preemptCount } = this;
    const caller = [textAddress(ip)];
    return writeRecord(writer, now, stackEvent, { pid, flags, preemptCount }, { size: caller.length, caller });
  }

  /** A call that takes no time (trace_graph_function). */
  #writeGraphCall(ip: number, now: number): boolean {
    const { writer, pid } = this.#ctx;
    const header = { pid, flags: this.flags, preemptCount: this.preemptCount };
    const func = textAddress(ip);
    return (
      writeRecord(writer, now, entryEvent, header, { func, depth: 0 }) &&
      writeRecord(writer, now, exitEvent, header, { func, depth: 0, overrun: 0, calltime: now, rettime: now })
    );
  }
}
