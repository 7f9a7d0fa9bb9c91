import { compileFunction } from 'node:vm';
import { typesIsPromise as isPromise, PromisePrototypeThen as then } from '../../base/primordials.js';
import { SafeMap } from '../../base/safe-map.js';
import type { LivepatchNews, PatchedFunction, PatchedModule } from '../../ftrace/tracers/diversions.js';
import { reflectApply } from '../realm/primordials.js';
import type { Diversion, Instead } from './diversion.js';
import { Activations } from './followed-calls.js';
import type { LivepatchNeeds, LoadedReplacements } from './livepatch-needs.js';
import { PatchVariables } from './patch-variables.js';
import type { ThreadTrace } from './thread-trace.js';

/** The deepest stack that is searched for old functions; a deeper one is taken to have some. */
const MAX_WALK = 512;

/**
 * A live patch on one thread. Its transition follows kernel/livepatch/transition.c: what began in the old code goes on in the old
 * code, with all calls that it makes, and what begins elsewhere runs the new code. It is over when no activation of the other
 * code is left.
 */
export class ThreadLivepatch {
  readonly #ctx: ThreadTrace;
  readonly #needs: Pick<LivepatchNeeds, 'afterTurn' | 'reach'>;
  readonly #tell: (news: LivepatchNews) => void;
  readonly #functions = new SafeMap<number, PatchedFunction>();
  readonly #old = new Activations();
  readonly #new = new Activations();
  #loaded: LoadedReplacements | undefined;
  /** The variables of the program that the new code needs; absent: none. */
  #variables: PatchVariables | undefined;
  /** Where the transition leads to; undefined: none was asked for yet. */
  #enabled: boolean | undefined;
  /** No activation that began before the patch was there is on the stack. */
  #isClean = false;
  #isForced = false;
  #inTransition = false;
  #seq = 0;

  constructor(ctx: ThreadTrace, needs: Pick<LivepatchNeeds, 'afterTurn' | 'reach'>, tell: (news: LivepatchNews) => void) {
    this.#ctx = ctx;
    this.#needs = needs;
    this.#tell = tell;
  }

  get numbers(): Iterable<number> {
    return this.#functions.keys();
  }

  loaded(loaded: LoadedReplacements): void {
    this.#loaded = loaded;
    this.#ready();
  }

  /** Reaches the variables of modules, all of whose functions in the patch were added. */
  reach(modules: readonly PatchedModule[]): void {
    if (modules.length === 0) return;
    this.#variables = new PatchVariables(modules, this.#functions, this.#needs.reach, {
      reached: () => this.#ready(),
      failed: (message) => this.#tell({ news: 'unreached', message }),
    });
    this.#variables.begin();
  }

  /** The patch is removed. */
  end(): void {
    this.#variables?.end();
  }

  /**
   * Adds a function that the patch replaces.
   * @param known its calls that were followed before
   */
  add(one: PatchedFunction, known?: Activations): Diversion {
    this.#functions.set(one.n, one);
    const old = this.#old;
    if (known !== undefined) old.add(known);
    const { symbol } = one;
    const repack = one.repack === undefined ? undefined : compileFunction(`return [${one.repack}]`, [...one.params]);
    const call: Instead = (self, args) => {
      const values = repack === undefined ? args : (reflectApply(repack as never, undefined, args as never) as unknown[]);
      return reflectApply(this.#loaded!.functions.get(symbol) as never, self === 0 ? undefined : self, values as never);
    };
    const instead: Instead = (self, args) => this.#run(call, self, args);
    return {
      follows: true,
      choose: () => (this.#goesNew() ? instead : undefined),
      began: () => old.began(),
      suspended: () => old.suspended(),
      resumed: () => old.resumed(),
      ended: () => {
        old.ended();
        this.#check();
      },
    };
  }

  /** Begins a transition; `seq` names it. */
  goTo(enabled: boolean, seq: number): void {
    this.#seq = seq;
    this.#enabled = enabled;
    this.#isForced = false;
    this.#inTransition = true;
    if (!this.#isClean) {
      this.#isClean = !this.#hasOldOnStack(0);
      if (!this.#isClean) {
        this.#needs.afterTurn(() => {
          this.#isClean = true;
          this.#check();
        });
      }
    }
    this.#check();
  }

  /** Ends the transition now: what is left of the other code goes on, and is not waited for. */
  force(): void {
    if (!this.#inTransition || (this.#enabled === true && this.#loaded === undefined)) return;
    this.#isClean = this.#isForced = true;
    this.#old.forget();
    this.#new.forget();
    this.#check();
  }

  #goesNew(): boolean {
    if (this.#enabled !== true) return this.#enabled === false && this.#new.onStack > 0;
    if (!this.#canRun || this.#old.onStack > 0) return false;
    // The call that is about to begin is the first frame.
    if (!this.#isClean) this.#isClean = !this.#hasOldOnStack(1);
    return this.#isClean;
  }

  /** Whether the new code is there, with all that it needs. */
  get #canRun(): boolean {
    return this.#loaded !== undefined && this.#variables?.isReached !== false;
  }

  /** Something of the new code has come. */
  #ready(): void {
    if (this.#canRun) this.#variables?.define(this.#loaded!.symbols!);
    this.#check();
  }

  #check(): void {
    if (!this.#inTransition) return;
    const isThere = this.#loaded !== undefined && (this.#isForced || this.#variables?.isReachedFirst !== false);
    const isDone = this.#enabled ? isThere && this.#isClean && this.#old.alive === 0 : this.#new.alive === 0;
    if (!isDone) return;
    this.#inTransition = false;
    this.#tell({ news: 'over', seq: this.#seq });
  }

  #run(call: Instead, self: unknown, args: readonly unknown[]): unknown {
    const active = this.#new;
    active.began();
    let value: unknown;
    try {
      value = call(self, args);
    } catch (error) {
      this.#newEnded();
      throw error;
    } finally {
      active.suspended();
    }
    if (isPromise(value)) {
      const ended = (): void => this.#newEnded();
      then(value as Promise<unknown>, ended, ended);
    } else this.#newEnded();
    return value;
  }

  #newEnded(): void {
    this.#new.endedAway();
    this.#check();
  }

  /** Whether a frame of an old function is on the stack, the first `skipped` frames left out. */
  #hasOldOnStack(skipped: number): boolean {
    const addresses = new Uint32Array(MAX_WALK);
    const count = this.#ctx.walkStack(addresses, false);
    if (count === MAX_WALK) return true;
    for (let i = skipped; i < count; i++) {
      const address = addresses[i]!;
      for (const { start, end } of this.#functions.values()) if (address >= start && address < end) return true;
    }
    return false;
  }
}
