import vm from 'node:vm';
import { replaceMethod } from '../realm/lookalike.js';
import { reflectApply, SafeWeakMap } from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';
import { plainOptions } from './plain-options.js';

type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;

/**
 * The contexts that have a microtask queue of their own (`microtaskMode: 'afterEvaluate'`). Any script that runs in one empties
 * the queue, so fentry runs none there, and texts get no sites.
 */
export class MicrotaskQueues {
  readonly #contexts = new SafeWeakMap<object, true>();

  note(context: unknown): void {
    if (typeof context === 'object' && context !== null) this.#contexts.set(context, true);
  }

  /** Whether these options ask for such a context, or may. */
  asks(options: unknown): boolean {
    if (typeof options === 'string') return false;
    const read = plainOptions(options, ['microtaskMode']);
    return read === undefined || read.microtaskMode !== undefined;
  }

  /** Whether a context has a queue of its own. */
  has(context: unknown): boolean {
    return typeof context === 'object' && context !== null && this.#contexts.get(context) !== undefined;
  }

  hookCreateContext(): Undo {
    // biome-ignore lint/suspicious/noRedundantUseStrict: the bundle is no module, and sloppy functions have properties more
    'use strict';
    return replaceMethod<AnyMethod>(vm, 'createContext', (create) => {
      const queues = this;
      return {
        createContext: function (this: unknown, ...args: unknown[]): unknown {
          const context = reflectApply(create, this, args);
          if (queues.asks(args[1])) queues.note(context);
          return context;
        },
      }.createContext;
    });
  }
}
