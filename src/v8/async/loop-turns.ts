import { type AsyncHook, createHook, executionAsyncResource } from 'node:async_hooks';
import { ReflectApply as apply, processNextTick as nextTick } from '../../base/primordials.js';
import { unseenMicrotask } from '../../base/unseen-microtask.js';
import type { TurnListener, TurnSource } from '../tracers/latency/turns.js';
import { disableHook } from './disable-hook.js';
import { createKindOf, RUNNING, TICK, type TurnKind } from './turn-kind.js';
import { unharmed } from './unharmed.js';

/** Parts of a turn with nothing between them for longer than this may be two turns; in nanoseconds. */
const DOUBT = 200_000;

/**
 * Markers that a turn gets as nextTicks. A hook of the program that answers each of them with another microtask would otherwise
 * never let the turn end. The end of a turn that had so many is known when the next one begins.
 */
const MOST_MARKERS = 32;

/**
 * No turn; a turn whose queues have not run yet; a turn whose microtasks ran once, so that anything that is not part of it ends
 * it.
 */
type Phase = 'idle' | 'running' | 'draining';

/**
 * Watches the turns of this thread's event loop by async_hooks: outside of all callbacks the first `before` begins a turn. No
 * hook says when the loop continues, so a marker passes through the turn's own queues: if nothing else ran between its entry
 * and its exit, they are empty. Without a listener there is no hook and no cost.
 *
 * @param clock nanoseconds of the trace clock
 */
export function createLoopTurns(clock: () => number): TurnSource {
  const { nodeTiming } = performance;
  const kindOf = createKindOf();
  let hook: AsyncHook | undefined;
  let listener: TurnListener | undefined;
  let phase: Phase = 'idle';
  let discarded = false;
  let start = 0;
  let depth = 0;
  /** When the last callback outside of all others ended; 0 while the first of a turn runs. */
  let lastEnd = 0;
  /** Counts callbacks outside of all others; `quiet` is what it was when the marker went into the queue of nextTicks. */
  let callbacks = 0;
  let quiet = 0;
  let markers = 0;
  /** Milliseconds that the loop had waited for events when the turn began. */
  let idle = 0;
  /** The marker runs as a nextTick, the only form of it that hooks see. */
  let own = false;

  const mark = unseenMicrotask(unharmed(drained));
  const confirmation = unharmed(confirm);
  const tick: [() => void] = [confirmation];

  function begin({ name, context }: TurnKind, now: number): void {
    phase = 'running';
    discarded = false;
    start = now;
    lastEnd = 0;
    markers = 0;
    idle = nodeTiming.idleTime;
    listener?.began(name, context, now);
    mark();
  }

  /** The marker came through the microtasks. */
  function drained(): void {
    if (listener === undefined || phase === 'idle') return;
    phase = 'draining';
    if (discarded || markers >= MOST_MARKERS || !listener.matters(lastEnd - start)) return;
    markers++;
    quiet = callbacks;
    apply(nextTick, process, tick);
  }

  /** The marker came through the nextTicks too, and all microtasks ran before. */
  function confirm(): void {
    if (phase !== 'draining') return;
    if (callbacks === quiet) end(lastEnd);
    else mark();
  }

  function end(now: number): void {
    if (phase === 'idle') return;
    phase = 'idle';
    if (!discarded) listener?.ended(now);
  }

  /** Whether the loop cannot have waited since the last callback. */
  function isSameTurn(now: number): boolean {
    return now - lastEnd < DOUBT || nodeTiming.idleTime === idle;
  }

  function before(): void {
    if (++depth > 1) return;
    const now = clock();
    if (lastEnd === 0) lastEnd = now;
    const resource = executionAsyncResource();
    const kind = kindOf(resource);
    own = kind === TICK && (resource as { callback: unknown }).callback === confirmation;
    if (own) return;
    callbacks++;
    if ((phase === 'running' || (phase === 'draining' && kind.continues)) && isSameTurn(now)) {
      listener?.continued(kind.name, kind.context, now);
      return;
    }
    end(lastEnd);
    begin(kind, now);
  }

  function after(): void {
    // Watching may have begun inside of callbacks, so their ends come without a beginning.
    if (--depth > 0) return;
    depth = 0;
    if (own) own = false;
    else lastEnd = clock();
  }

  return {
    start(wanted) {
      listener = wanted;
      hook ??= createHook({ before: unharmed(before), after: unharmed(after) });
      depth = 0;
      hook.enable();
      begin(RUNNING, clock());
    },
    stop() {
      if (hook !== undefined) disableHook(hook);
      listener = undefined;
      phase = 'idle';
    },
    discard() {
      discarded = true;
    },
  };
}
