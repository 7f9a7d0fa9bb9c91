import { BUSY, CALLBACK } from '../../../ftrace/fgraph.js';
import type { FtraceCallback, FtraceFunctionOps, FtraceRegs } from '../../../ftrace/ftrace-function-ops.js';
import type { TracerContext } from './context.js';
import { type EntryFunction, IGNORED, WANTS_TRACER } from './entry.js';

const NOTHING: readonly unknown[] = [];

class Regs implements FtraceRegs {
  self: unknown = undefined;
  arguments: readonly unknown[] = NOTHING;
  returnValue: unknown = undefined;
  unwound = false;
}

/** The subscribers of one thread, by ops id: calls them, and makes sure that they do not disturb the program. */
export interface SubscriberTable {
  add(id: number, ops: FtraceFunctionOps): void;
  remove(id: number): void;
  /** The entry of the subscriber with that id. */
  entryOf(id: number): EntryFunction;
  /** Tells those in `want` that the frame at `depth` ended. */
  exited(want: number, depth: number, n: number, value: unknown, unwound: boolean): void;
}

/** Called with a subscriber that threw; it is not called any more. */
export type SubscriberFailed = (id: number, ops: FtraceFunctionOps, error: unknown) => void;

/** Creates the empty table of a thread. */
export function createSubscriberTable(ctx: TracerContext, failed: SubscriberFailed): SubscriberTable {
  const { fgraph } = ctx;
  const { state, functions } = fgraph;
  const table: (FtraceFunctionOps | undefined)[] = [];

  /** Calls one callback: its calls are not traced, and its exceptions do not reach the program. */
  function call(id: number, ops: FtraceFunctionOps, callback: FtraceCallback, n: number, depth: number, regs: Regs | null): void {
    state[BUSY]! |= CALLBACK;
    try {
      callback(ctx.addresses[n]!, depth === 0 ? 0 : ctx.addresses[functions[depth - 1]!]!, ops, regs);
    } catch (error) {
      table[id] = undefined;
      failed(id, ops, error);
    } finally {
      state[BUSY]! &= ~CALLBACK;
    }
  }

  function entryOf(id: number): EntryFunction {
    return (n, depth, self, args) => {
      const ops = table[id];
      if (ops === undefined) return IGNORED;
      let regs: Regs | null = null;
      if (ops.saveRegs === true) {
        regs = new Regs();
        regs.self = self;
        regs.arguments = args;
      }
      call(id, ops, ops.func, n, depth, regs);
      // It may have thrown or been removed, and the exit would go to the next owner of its id.
      return ops.exit === undefined || table[id] !== ops ? IGNORED : 1 << id;
    };
  }

  function exited(want: number, depth: number, n: number, value: unknown, unwound: boolean): void {
    for (let id = 1; id < table.length; id++) {
      if ((want & ~WANTS_TRACER & (1 << id)) === 0) continue;
      const ops = table[id];
      if (ops?.exit === undefined) continue;
      const regs = new Regs();
      regs.returnValue = value;
      regs.unwound = unwound;
      call(id, ops, ops.exit, n, depth, regs);
    }
  }

  return {
    add(id, ops) {
      table[id] = ops;
    },
    remove(id) {
      table[id] = undefined;
    },
    entryOf,
    exited,
  };
}
