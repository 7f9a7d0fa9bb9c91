import { type AsyncHook, createHook, executionAsyncResource } from 'node:async_hooks';
import { unseenMicrotask } from '../../base/unseen-microtask.js';
import type { TurnListener, TurnSource } from '../tracers/latency/turns.js';
import { disableHook } from './disable-hook.js';
import { createKindOf, RUNNING } from './turn-kind.js';
import { unharmed } from './unharmed.js';

/**
 * Watches the callbacks of this thread that run in no other one, by async_hooks: the parts of the turns that loop-turns.ts
 * watches. Until one returns, no other runs. Without a listener there is no hook and no cost.
 *
 * @param clock nanoseconds of the trace clock
 */
export function createLoopCallbacks(clock: () => number): TurnSource {
  let kindOf: ReturnType<typeof createKindOf> | undefined;
  let hook: AsyncHook | undefined;
  let mark: (() => void) | undefined;
  let listener: TurnListener | undefined;
  let depth = 0;
  let isRunning = false;
  /** What ran when watching began still runs: no hook tells its end, which its first microtask follows. */
  let isFirst = false;

  function end(): void {
    isFirst = false;
    if (isRunning) listener?.ended(clock());
    isRunning = false;
  }

  function drained(): void {
    if (isFirst) end();
  }

  function before(): void {
    if (++depth > 1) return;
    end();
    isRunning = true;
    const { name, context } = kindOf!(executionAsyncResource());
    listener?.began(name, context, clock());
  }

  function after(): void {
    // Watching may have begun inside of callbacks, so their ends come without a beginning.
    if (--depth > 0) return;
    depth = 0;
    end();
  }

  return {
    start(wanted) {
      listener = wanted;
      kindOf ??= createKindOf();
      hook ??= createHook({ before: unharmed(before), after: unharmed(after) });
      mark ??= unseenMicrotask(unharmed(drained));
      depth = 0;
      isRunning = isFirst = true;
      hook.enable();
      listener.began(RUNNING.name, RUNNING.context, clock());
      mark();
    },
    stop() {
      if (hook !== undefined) disableHook(hook);
      listener = undefined;
      isRunning = false;
    },
    discard() {
      isRunning = false;
    },
  };
}
