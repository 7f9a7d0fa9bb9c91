import { typesIsPromise as isPromise, PromisePrototypeThen as then } from '../../base/primordials.js';
import { SafeMap } from '../../base/safe-map.js';
import type { Activation } from '../../ftrace/activation.js';
import { FRAME_MASK } from '../../ftrace/fgraph.js';
import type { DiversionChange } from '../../ftrace/tracers/diversions.js';
import type { Diversions, Instead } from './diversion.js';
import { type AroundTrampolines, IGNORED } from './entry.js';
import { Activations, type FollowedCalls } from './followed-calls.js';
import type { LivepatchNeeds } from './livepatch-needs.js';
import type { TraceService } from './services.js';
import { ThreadFaults } from './thread-faults.js';
import { ThreadLivepatches } from './thread-livepatches.js';
import type { ThreadTrace } from './thread-trace.js';

const NOT_ASKED = Symbol('not asked');

/** What replaces functions on one thread: at most one owner for each. */
export function createDiverter(ctx: ThreadTrace, bit: number, needs: LivepatchNeeds): TraceService {
  const { fgraph } = ctx;
  const diversions: Diversions = new SafeMap();
  const faults = new ThreadFaults(diversions, needs);
  const followed: FollowedCalls = new SafeMap();
  const livepatches = new ThreadLivepatches(ctx, diversions, followed, needs);
  /** What `entry` chose for the call whose trampoline runs. */
  let chosen: Instead | undefined | typeof NOT_ASKED = NOT_ASKED;

  function choose(n: number, self: unknown, args: readonly unknown[]): Instead | undefined {
    try {
      return diversions.get(n)?.choose(self, args);
    } catch {
      // The stack is full.
      return undefined;
    }
  }

  /** What to run instead; a call that is not traced has no entry that has chosen. */
  function choice(n: number, self: unknown, args: readonly unknown[]): Instead | undefined {
    return chosen === NOT_ASKED ? choose(n, self, args) : chosen;
  }

  function runSync(token: number, instead: Instead, self: unknown, args: readonly unknown[]): unknown {
    let value: unknown;
    try {
      value = instead(self, args);
    } catch (error) {
      if (token !== 0 && fgraph.settle(token)) fgraph.unwindTo((token & FRAME_MASK) - 1);
      throw error;
    }
    if (token !== 0) ctx.calls!.x(token, value);
    return value;
  }

  function runAsync(activation: Activation | 0, instead: Instead, self: unknown, args: readonly unknown[]): unknown {
    const { y, z, w, k } = ctx.calls!;
    let value: unknown;
    try {
      value = instead(self, args);
    } catch (error) {
      if (activation !== 0) k(activation);
      throw error;
    }
    if (activation === 0) return value;
    if (!isPromise(value)) {
      y(activation, value);
      return value;
    }
    z(activation);
    const resolved = (result: unknown): void => {
      w(activation);
      y(activation, result);
    };
    then(value as Promise<unknown>, resolved, () => k(activation));
    return value;
  }

  function follow(functions: readonly number[]): void {
    if (functions.length === 0) followed.clear();
    for (const n of functions) if (!followed.has(n)) followed.set(n, new Activations());
  }

  const around: AroundTrampolines = (inner) => ({
    sync(n, self, ...args) {
      // The thread may obey in here (next-call.ts), and call other functions that are replaced.
      const outer = chosen;
      chosen = NOT_ASKED;
      const token = inner.sync(n, self, ...args) as number;
      const instead = choice(n, self, args);
      chosen = outer;
      return instead === undefined ? token : () => runSync(token, instead, self, args);
    },
    coroutine(n, self, ...args) {
      const outer = chosen;
      chosen = NOT_ASKED;
      const activation = inner.coroutine(n, self, ...args) as Activation | 0;
      const instead = choice(n, self, args);
      chosen = outer;
      return instead === undefined ? activation : () => runAsync(activation, instead, self, args);
    },
  });

  return {
    around,
    entry(n, _depth, self, args) {
      chosen = choose(n, self, args);
      const one = diversions.get(n);
      const calls = followed.get(n);
      if (chosen !== undefined || (one?.follows !== true && calls === undefined)) return IGNORED;
      calls?.began();
      one?.began?.();
      return bit;
    },
    exited(_depth, n) {
      followed.get(n)?.ended();
      diversions.get(n)?.ended?.();
    },
    suspended(_depth, { fn }) {
      followed.get(fn)?.suspended();
      diversions.get(fn)?.suspended?.();
    },
    resumed(_depth, { fn }) {
      followed.get(fn)?.resumed();
      diversions.get(fn)?.resumed?.();
    },
    configure(config) {
      const change = config as DiversionChange | undefined;
      if (change === undefined) {
        diversions.clear();
        livepatches.clear();
        followed.clear();
      } else if (change.type === 'follow') follow(change.functions);
      else if (change.type === 'livepatch') livepatches.obey(change);
      else faults.obey(change);
    },
  };
}
