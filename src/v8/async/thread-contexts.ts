import { type AsyncHook, createHook, executionAsyncId, executionAsyncResource } from 'node:async_hooks';
import type { Undo } from '../realm/undo.js';
import { type ChosenPids, chosenPids } from './chosen-pids.js';
import { type ContextAges, followedAges } from './context-ages.js';
import { contextType } from './context-type.js';
import { disableHook } from './disable-hook.js';

/**
 * Hears of the async contexts of its thread. What a listener throws is lost: Node ends a program whose hook throws. Ids are those
 * of async_hooks.
 */
export interface ContextListener {
  /** Listeners of a lower level hear of everything first, but of the end of a run last. */
  readonly level: number;
  /** @param type in the words of async_hooks: `PROMISE`, `TCPWRAP` */
  created?(id: number, type: string, trigger: number, resource: object): void;
  running?(id: number): void;
  ran?(id: number): void;
  /** A promise was resolved or rejected. */
  settled?(id: number): void;
  /**
   * A known context is closed, or was collected. Node watches every promise while a listener wants to hear this, which is
   * expensive.
   */
  gone?(id: number): void;
}

/** Up to this number of contexts are known; beyond it, the oldest are forgotten. A power of 2. */
export const CONTEXTS = 1 << 16;
const MASK = CONTEXTS - 1;

/** The place of a context in tables of `CONTEXTS` elements. Whether it is still its own, `AsyncContexts.knows` says. */
export const slotOf = (id: number): number => id & MASK;

/**
 * The async contexts of a thread, seen by one async hook for all who want to hear of them. Without a listener there is none. What
 * fentry's own messages begin is left out.
 */
export class ThreadContexts {
  /** Pids of the contexts. */
  readonly pids: ChosenPids;
  /** How many contexts run, one inside of the other. */
  depth = 0;
  readonly #own: number[] = [];
  #ending: readonly ContextListener[] = [];
  #ids = new Float64Array(0);
  #types: (string | undefined)[] = [];
  #settled = new Uint8Array(0);
  #ages: ContextAges | undefined;
  #listeners: readonly ContextListener[] = [];
  #hook: AsyncHook | undefined;
  /** How many of fentry's own contexts run. */
  #ownDepth = 0;

  constructor(pids: ChosenPids) {
    this.pids = pids;
  }

  /** The id of the context that runs; 0 when there is none, or one of fentry's own. */
  get current(): number {
    const id = executionAsyncId();
    return this.#ownDepth > 0 || this.#isOwn(id) ? 0 : id;
  }

  /** Hears of contexts from now on, until what is returned is called. */
  listen(listener: ContextListener): Undo {
    if (this.#listeners.length === 0) this.#begin();
    this.#change([...this.#listeners, listener].sort((a, b) => a.level - b.level));
    return () => {
      this.#change(this.#listeners.filter((one) => one !== listener));
      if (this.#listeners.length === 0) this.#end();
    };
  }

  /** The context that runs is one of fentry's own: it is not reported from now on. */
  hideCurrent(): void {
    const id = executionAsyncId();
    if (id <= 1 || this.#isOwn(id)) return;
    if (this.#hook !== undefined) {
      this.#ended(id);
      this.#ownDepth++;
    }
    this.#own.push(id);
  }

  /** Does something whose contexts are not reported. */
  hidden<T>(work: () => T): T {
    this.#ownDepth++;
    try {
      return work();
    } finally {
      this.#ownDepth--;
    }
  }

  /** Whether a context is known, so that its place in tables is its own. */
  knows(id: number): boolean {
    return this.#ids[id & MASK] === id;
  }

  /** The type of a context; undefined when it was created before there was a listener, and has not run since. */
  typeOf(id: number): string | undefined {
    return this.knows(id) ? this.#types[id & MASK] : this.pids.comm(id);
  }

  /** Whether a promise was resolved or rejected since it is known. */
  isSettled(id: number): boolean {
    return this.knows(id) && this.#settled[id & MASK] === 1;
  }

  #begin(): void {
    this.#ages = followedAges.follow();
    this.#ids = new Float64Array(CONTEXTS);
    this.#types = new Array<string | undefined>(CONTEXTS);
    this.#settled = new Uint8Array(CONTEXTS);
    this.depth = 0;
    const id = executionAsyncId();
    this.#ownDepth = this.#isOwn(id) ? 1 : 0;
    if (id > 1) this.#put(id, this.pids.comm(id) ?? contextType(executionAsyncResource()));
  }

  #end(): void {
    followedAges.unfollow();
    this.#ages = undefined;
    this.#ids = new Float64Array(0);
    this.#types = [];
    this.#settled = new Uint8Array(0);
  }

  #isOwn(id: number): boolean {
    const own = this.#own;
    for (let i = 0; i < own.length; i++) if (own[i] === id) return true;
    return false;
  }

  #change(listeners: readonly ContextListener[]): void {
    this.#listeners = listeners;
    if (this.#hook !== undefined) disableHook(this.#hook);
    this.#hook = listeners.length === 0 ? undefined : createHook(this.#callbacks(listeners)).enable();
  }

  #callbacks(listeners: readonly ContextListener[]): Parameters<typeof createHook>[0] {
    const creating = listeners.filter(({ created }) => created !== undefined);
    const starting = listeners.filter(({ running }) => running !== undefined);
    this.#ending = listeners.filter(({ ran }) => ran !== undefined).reverse();
    const settling = listeners.filter(({ settled }) => settled !== undefined);
    const going = listeners.filter(({ gone }) => gone !== undefined);
    return {
      init: (id, type, trigger, resource) => {
        if (this.#ownDepth > 0) return;
        try {
          this.#ages?.made(id);
          this.pids.created(id, resource);
          this.#put(id, type);
          for (let i = 0; i < creating.length; i++) creating[i]!.created!(id, type, trigger, resource);
        } catch {
          // The stack is full, or memory is short.
        }
      },
      before: (id) => {
        if (this.#isOwn(id)) {
          this.#ownDepth++;
          return;
        }
        const isOutermost = this.depth++ === 0;
        try {
          if (isOutermost) this.#ages?.mark();
          if (!this.knows(id)) this.#put(id, this.pids.comm(id) ?? contextType(executionAsyncResource()));
          for (let i = 0; i < starting.length; i++) starting[i]!.running!(id);
        } catch {
          // The same.
        }
      },
      after: (id) => {
        if (this.#isOwn(id)) {
          if (this.#ownDepth > 0) this.#ownDepth--;
          return;
        }
        this.#ended(id);
      },
      promiseResolve: (id) => {
        if (this.#ownDepth > 0) return;
        try {
          if (this.knows(id)) this.#settled[id & MASK] = 1;
          for (let i = 0; i < settling.length; i++) settling[i]!.settled!(id);
        } catch {
          // The same.
        }
      },
      ...(going.length > 0 && {
        destroy: (id: number) => {
          if (!this.knows(id)) return;
          try {
            for (let i = 0; i < going.length; i++) going[i]!.gone!(id);
          } catch {
            // The same.
          }
        },
      }),
    };
  }

  #ended(id: number): void {
    const ending = this.#ending;
    try {
      for (let i = 0; i < ending.length; i++) ending[i]!.ran!(id);
    } catch {
      // The stack is full, or memory is short.
    }
    // A context that ran already when the first listener came ends without a beginning.
    if (this.depth > 0) this.depth--;
  }

  #put(id: number, type: string): void {
    const slot = id & MASK;
    this.#ids[slot] = id;
    this.#types[slot] = type;
    this.#settled[slot] = 0;
  }
}

/** The async contexts of this thread. */
export const asyncContexts = new ThreadContexts(chosenPids);
