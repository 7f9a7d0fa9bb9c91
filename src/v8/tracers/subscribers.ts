import { SafeMap } from '../../base/safe-map.js';
import type { Activation } from '../../ftrace/activation.js';
import type { ExitListener } from '../../ftrace/exit-lists.js';
import { BUSY, CALLBACK } from '../../ftrace/fgraph.js';
import type { FtraceCallback, FtraceFunctionOps, FtraceRegs } from '../../ftrace/ftrace-function-ops.js';
import { NO_EXIT, type ProbeOps } from '../../ftrace/kprobes/probe-ops.js';
import { SafeWeakMap } from '../realm/primordials.js';
import { textAddress } from '../text-region.js';
import { type EntryFunction, IGNORED } from './entry.js';
import type { ThreadTrace } from './thread-trace.js';

/** What is kept of a call of which nothing is kept. */
const NOTHING_KEPT: unique symbol = Symbol('nothing is kept');

/** What a subscriber has kept of calls under way: by the depth of their frames, and of coroutines that are not on the stack. */
class KeptCalls {
  readonly #byDepth: unknown[] = [];
  readonly #suspended = new SafeWeakMap<Activation, { readonly call: unknown }>();

  keep(depth: number, call: unknown): void {
    for (let i = this.#byDepth.length; i < depth; i++) this.#byDepth[i] = NOTHING_KEPT;
    this.#byDepth[depth] = call;
  }

  /** The frame at this depth has ended. */
  take(depth: number): unknown {
    const call = depth < this.#byDepth.length ? this.#byDepth[depth] : NOTHING_KEPT;
    if (call !== NOTHING_KEPT) this.#byDepth[depth] = NOTHING_KEPT;
    return call;
  }

  /** Returns what is kept of the call. */
  suspend(depth: number, activation: Activation): unknown {
    const call = this.take(depth);
    if (call !== NOTHING_KEPT) this.#suspended.set(activation, { call });
    return call;
  }

  /** Returns what was kept of a call that is resumed. */
  resume(depth: number, activation: Activation): unknown {
    const call = this.#suspended.get(activation);
    if (call === undefined) return NOTHING_KEPT;
    this.keep(depth, call.call);
    return call.call;
  }
}

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
  /** Adds a probe of the program. */
  addProbe(id: number, ops: ProbeOps): EntryFunction;
  /** The coroutine at `depth` leaves the stack, and comes back: what was kept of its call goes with it. */
  suspended(depth: number, activation: Activation): void;
  resumed(depth: number, activation: Activation): void;
  /** Runs a handler: its calls are not traced. False if one is running already. */
  inCallback(run: () => void): boolean;
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
  const table = new SafeMap<number, Subscriber>();
  const onDrop = new SafeMap<number, () => void>();
  /** There are exit lists of subscribers that are gone. */
  let isUntidy = false;

  function drop(id: number): void {
    const subscriber = table.get(id);
    if (subscriber === undefined) return;
    subscriber.isGone = true;
    table.delete(id);
    onDrop.get(id)?.();
    onDrop.delete(id);
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

  /** What probes have kept of calls under way. */
  const kept: { readonly calls: KeptCalls; readonly ops: ProbeOps }[] = [];

  function addProbe(id: number, ops: ProbeOps): EntryFunction {
    tidy();
    const calls = new KeptCalls();
    const subscriber: Subscriber = {
      isGone: false,
      exited(depth, n, value, unwound, isCoroutine) {
        const call = calls.take(depth);
        if (call === NOTHING_KEPT) return;
        if (!inCallback(() => ops.exit(n, call, value, unwound, isCoroutine))) ops.missed(n);
      },
    };
    const want = exitLists.wantOf(subscriber);
    table.set(id, subscriber);
    const keeper = { calls, ops };
    kept[kept.length] = keeper;
    onDrop.set(id, () => kept.splice(kept.indexOf(keeper), 1));
    const entry = (n: number, depth: number, self: unknown, args: readonly unknown[]): number => {
      if (subscriber.isGone) return IGNORED;
      let call: unknown = NO_EXIT;
      inCallback(() => {
        call = ops.entry(n, self, args);
      });
      if (call === NO_EXIT || subscriber.isGone) return IGNORED;
      calls.keep(depth, call);
      return want;
    };
    return Object.assign(entry, { missed: (n: number) => ops.missed(n) });
  }

  function inCallback(run: () => void): boolean {
    if ((state[BUSY]! & CALLBACK) !== 0) return false;
    state[BUSY]! |= CALLBACK;
    try {
      run();
    } finally {
      state[BUSY]! &= ~CALLBACK;
    }
    return true;
  }

  return {
    add,
    addProbe,
    inCallback,
    suspended(depth, activation) {
      for (let i = 0; i < kept.length; i++) {
        const { calls, ops } = kept[i]!;
        const call = calls.suspend(depth, activation);
        if (call !== NOTHING_KEPT) ops.suspended?.(call);
      }
    },
    resumed(depth, activation) {
      for (let i = 0; i < kept.length; i++) {
        const { calls, ops } = kept[i]!;
        const call = calls.resume(depth, activation);
        if (call !== NOTHING_KEPT) ops.resumed?.(call);
      }
    },
    remove(id) {
      drop(id);
      tidy();
    },
  };
}
