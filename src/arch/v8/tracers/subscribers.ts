import type { ExitListener } from '../../../ftrace/exit-lists.js';
import { BUSY, CALLBACK } from '../../../ftrace/fgraph.js';
import type { FtraceCallback, FtraceFunctionOps, FtraceRegs } from '../../../ftrace/ftrace-function-ops.js';
import { textAddress } from '../text-region.js';
import { type EntryFunction, IGNORED } from './entry.js';
import type { ThreadTrace } from './thread-trace.js';

const NOTHING: readonly unknown[] = [];

class Regs implements FtraceRegs {
  self: unknown = undefined;
  arguments: readonly unknown[] = NOTHING;
  returnValue: unknown = undefined;
  unwound = false;
}

/** The subscribers of one thread, by ops id: calls them, and makes sure that they do not disturb the program. */
export interface SubscriberTable {
  /** Adds a subscriber. Returns its entry. */
  add(id: number, ops: FtraceFunctionOps): EntryFunction;
  remove(id: number): void;
}

/** Called with a subscriber that threw; it is not called any more. */
export type SubscriberFailed = (id: number, ops: FtraceFunctionOps, error: unknown) => void;

interface Subscriber extends ExitListener {
  isGone: boolean;
}

/** Creates the empty table of a thread. */
export function createSubscriberTable(ctx: ThreadTrace, failed: SubscriberFailed): SubscriberTable {
  const { fgraph } = ctx;
  const { state, functions, exitLists } = fgraph;
  const table = new Map<number, Subscriber>();
  /** There are exit lists of subscribers that are gone. */
  let isUntidy = false;

  function drop(id: number): void {
    const subscriber = table.get(id);
    if (subscriber === undefined) return;
    subscriber.isGone = true;
    table.delete(id);
    isUntidy = true;
  }

  function tidy(): void {
    // While a callback runs, a function may be being entered.
    if (!isUntidy || (state[BUSY]! & CALLBACK) !== 0) return;
    isUntidy = false;
    fgraph.tidyExitLists();
  }

  /** Calls one callback: its calls are not traced, and its exceptions do not reach the program. */
  function call(id: number, ops: FtraceFunctionOps, callback: FtraceCallback, n: number, depth: number, regs: Regs | null): void {
    state[BUSY]! |= CALLBACK;
    try {
      const parent = depth === 0 ? 0 : textAddress(ctx.addresses[functions[depth - 1]!]!);
      callback(textAddress(ctx.addresses[n]!), parent, ops, regs);
    } catch (error) {
      drop(id);
      failed(id, ops, error);
    } finally {
      state[BUSY]! &= ~CALLBACK;
    }
  }

  function add(id: number, ops: FtraceFunctionOps): EntryFunction {
    tidy();
    const subscriber: Subscriber = {
      isGone: false,
      exited(depth, n, value, unwound) {
        if (ops.exit === undefined) return;
        const regs = new Regs();
        regs.returnValue = value;
        regs.unwound = unwound;
        call(id, ops, ops.exit, n, depth, regs);
      },
    };
    const want = exitLists.wantOf(subscriber);
    table.set(id, subscriber);
    return (n, depth, self, args) => {
      if (subscriber.isGone) return IGNORED;
      let regs: Regs | null = null;
      if (ops.saveRegs === true) {
        regs = new Regs();
        regs.self = self;
        regs.arguments = args;
      }
      call(id, ops, ops.func, n, depth, regs);
      // It may have thrown or been removed.
      return ops.exit === undefined || subscriber.isGone ? IGNORED : want;
    };
  }

  return {
    add,
    remove(id) {
      drop(id);
      tidy();
    },
  };
}
