import { ReflectApply } from '../../base/primordials.js';
import { SafeMap } from '../../base/safe-map.js';
import { type Fgraph, QUIET } from '../../ftrace/fgraph.js';
import type { FindCaller } from '../call-stack.js';
import type { PortCells, SiteCalls, Trampoline } from './cells.js';

type Call = (...args: never[]) => unknown;

/**
 * Patch cells whose calls tell the traced native text of the process that what runs is fentry itself: V8's part in it (a miss of
 * an inline cache, a compilation, the clock) is not the program's. Without that a native function could see the shadow stack
 * change while it runs, which otherwise only calls of JavaScript in it do. Nothing is put around calls in a process that does not
 * trace its native text.
 */
export class QuietCells implements PortCells {
  readonly #cells: PortCells;
  readonly #state: Fgraph['state'];
  readonly #quiet = new SafeMap<Call, Call>();
  #isOn = false;

  constructor(cells: PortCells, { state }: Pick<Fgraph, 'state'>) {
    this.#cells = cells;
    this.#state = state;
  }

  /** Begins with it, for all calls that are set from now on. */
  begin(): void {
    this.#isOn = true;
  }

  arm(n: number, trampoline: Trampoline): boolean {
    return this.#cells.arm(n, this.#quietly(trampoline));
  }

  disarm(n: number): boolean {
    return this.#cells.disarm(n);
  }

  setCall(letter: keyof SiteCalls, value: SiteCalls[keyof SiteCalls] | 0): void {
    this.#cells.setCall(letter, value === 0 ? 0 : this.#quietly(value));
  }

  /** Runs something of fentry's own, perhaps inside something else of its own. */
  during<T>(run: () => T): T {
    const state = this.#state;
    const before = state[QUIET] as number;
    state[QUIET] = 1;
    try {
      return run();
    } finally {
      state[QUIET] = before;
    }
  }

  /** What finds the caller of what the site called, not of what that calls. */
  findCaller(find: FindCaller): FindCaller {
    return (trampoline) => find((this.#quiet.get(trampoline) as typeof trampoline | undefined) ?? trampoline);
  }

  #quietly<Own extends Call>(call: Own): Own {
    if (!this.#isOn) return call;
    let quiet = this.#quiet.get(call);
    if (quiet === undefined) {
      quiet = (...args) => this.during(() => ReflectApply(call, undefined, args));
      this.#quiet.set(call, quiet);
    }
    return quiet as Own;
  }
}
