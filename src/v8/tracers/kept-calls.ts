import type { Activation } from '../../ftrace/activation.js';
import { SafeWeakMap } from '../realm/primordials.js';

/** What is kept of a call of which nothing is kept. */
export const NOTHING_KEPT: unique symbol = Symbol('nothing is kept');

/** What a subscriber has kept of calls under way: by the depth of their frames, and of coroutines that are not on the stack. */
export class KeptCalls {
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
