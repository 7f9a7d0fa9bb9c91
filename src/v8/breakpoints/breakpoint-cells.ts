import { fileURLToPath } from 'node:url';
import type { FindCaller } from '../call-stack.js';
import type { AddressOfForeign } from '../realm/capture-callers.js';
import { defineProperty, SafeMap } from '../realm/primordials.js';
import type { Texts } from '../realm/texts.js';
import type { ThreadCells } from '../realm/thread-cells.js';
import type { BreakpointText, LoadedScript } from './breakpoint-text.js';
import { DebuggerSession } from './debugger-session.js';
import { HitBudget, type HitLimits } from './hit-budget.js';
import { callerOfHit } from './hit-caller.js';
import { OpenActivations } from './open-activations.js';
import { HIT, LEAVE, placeBreakpoints } from './place-breakpoints.js';

type AnyFunction = (...args: never[]) => unknown;
type SiteCall = AnyFunction | 0;

/** The data of a hit. */
interface Armed {
  trampoline: (n: number, self?: unknown, ...args: unknown[]) => unknown;
  readonly breakpoints: readonly string[];
  readonly isCoroutine: boolean;
}

/** What the breakpoints need from the thread. */
export interface BreakpointCellNeeds {
  readonly cells: ThreadCells;
  readonly texts: Texts;
  readonly global: object;
  /** The address of a function that called one with a breakpoint, such as one of Node's own. */
  readonly addressOfForeign: AddressOfForeign;
  /** Milliseconds. */
  readonly clock: () => number;
  /** Depth of a site's token. */
  readonly depthOf: (token: number) => number;
  /** What all breakpoints may take together. */
  readonly limits: HitLimits;
  /** The most functions with breakpoints at a time. */
  readonly most: number;
  /** Tells of functions that had too many hits: their breakpoints do nothing until they are disarmed. */
  readonly overheated: (n: number) => void;
  /** Tells that a function's breakpoints were too many, or had no place. */
  readonly refused: (n: number) => void;
}

/**
 * Cells that also reach functions without sites: for these they set breakpoints, whose conditions call the same trampolines and
 * never pause the program.
 */
export class BreakpointCells {
  readonly #needs: BreakpointCellNeeds;
  readonly #texts: BreakpointText[] = [];
  readonly #armed = new SafeMap<number, Armed>();
  readonly #hot = new SafeMap<number, true>();
  readonly #open: OpenActivations;
  readonly #budget: HitBudget;
  #exit: SiteCall = 0;
  #suspend: SiteCall = 0;
  #session: DebuggerSession | undefined;
  #hitting = false;

  constructor(needs: BreakpointCellNeeds) {
    this.#needs = needs;
    this.#open = new OpenActivations(needs.depthOf);
    this.#budget = new HitBudget(needs.clock, needs.limits);
  }

  /** The program's scripts that have no sites. */
  scripts(): readonly LoadedScript[] {
    return this.#withSession((session) => session.scripts.filter(({ url }) => this.#isProgram(url)));
  }

  source(scriptId: string): string {
    return this.#withSession((session) => session.source(scriptId));
  }

  /** Places in a text without sites have addresses from now on. */
  addText(file: string, base: number): void {
    this.#needs.texts.addPlain(file, base);
  }

  /** Functions of this text can be armed from now on. */
  describe(text: BreakpointText): void {
    this.#texts.push(text);
    this.addText(text.file, text.base);
  }

  arm(n: number, trampoline: Armed['trampoline']): boolean {
    const text = this.#textOf(n);
    if (text === undefined) return this.#needs.cells.arm(n, trampoline as never);
    const armed = this.#armed.get(n);
    if (armed !== undefined) {
      armed.trampoline = trampoline;
      return true;
    }
    const one = text.functions[n - text.firstFunction];
    if (one === undefined || this.#armed.size >= this.#needs.most) return this.#refuse(n);
    const session = (this.#session ??= this.#begin());
    const breakpoints = text.scriptIds.flatMap((scriptId) => placeBreakpoints(session, scriptId, n, one));
    if (breakpoints.length === 0) return this.#refuse(n);
    this.#armed.set(n, { trampoline, breakpoints, isCoroutine: one.isCoroutine });
    return true;
  }

  disarm(n: number): boolean {
    if (this.#textOf(n) === undefined) return this.#needs.cells.disarm(n);
    const armed = this.#armed.get(n);
    this.#hot.delete(n);
    if (armed === undefined) return false;
    this.#armed.delete(n);
    if (this.#armed.size === 0) this.#endSession();
    else for (const id of armed.breakpoints) this.#session?.removeBreakpoint(id);
    return true;
  }

  setCall(letter: string, value: SiteCall): void {
    if (letter === 'x') this.#exit = value;
    if (letter === 'z') this.#suspend = value;
    this.#needs.cells.setCall(letter, value as never);
  }

  /** The callers of functions with sites, as `find` finds them, and those of functions with breakpoints. */
  findCaller(find: FindCaller): FindCaller {
    const { texts, addressOfForeign } = this.#needs;
    return (trampoline) => (this.#hitting ? callerOfHit(texts, addressOfForeign, trampoline) : find(trampoline));
  }

  get isHitting(): boolean {
    return this.#hitting;
  }

  end(): void {
    this.#armed.clear();
    this.#needs.texts.forgetPlain();
    this.#endSession();
  }

  #isProgram(url: string): boolean {
    if (url === '' || url.startsWith('node:') || url.startsWith('evalmachine.')) return false;
    const { texts } = this.#needs;
    return !texts.isOwn(url) && texts.get(url) === undefined && texts.get(pathOf(url)) === undefined;
  }

  #textOf(n: number): BreakpointText | undefined {
    return this.#texts.find(({ firstFunction, functions }) => n >= firstFunction && n < firstFunction + functions.length);
  }

  #refuse(n: number): false {
    this.#needs.refused(n);
    return false;
  }

  #begin(): DebuggerSession {
    const define = (name: string, value: AnyFunction): void => {
      defineProperty(this.#needs.global, name, { value, writable: true, enumerable: false, configurable: true });
    };
    define(HIT, ((n: number, self?: unknown, ...args: unknown[]) => this.#hit(n, self, args)) as AnyFunction);
    define(LEAVE, ((n: number) => this.#leave(n)) as AnyFunction);
    return new DebuggerSession();
  }

  #endSession(): void {
    this.#session?.end();
    this.#session = undefined;
    for (const name of [HIT, LEAVE]) Reflect.deleteProperty(this.#needs.global, name);
  }

  #withSession<T>(use: (session: DebuggerSession) => T): T {
    const session = new DebuggerSession();
    try {
      return use(session);
    } finally {
      session.end();
    }
  }

  /** The call of a condition. */
  #hit(n: number, self: unknown, args: readonly unknown[]): void {
    this.#timed(n, (armed) => {
      this.#hitting = true;
      try {
        this.#enter(n, armed, armed.trampoline(n, self, ...args));
      } finally {
        this.#hitting = false;
      }
    });
  }

  #enter(n: number, { isCoroutine }: Armed, token: unknown): void {
    if (isCoroutine) {
      // Its waits have no breakpoints: it counts as suspended from here on.
      if (token !== 0 && this.#suspend !== 0) this.#suspend(token as never);
    } else if (typeof token === 'number' && token > 0) this.#open.entered(n, token);
  }

  #leave(n: number): void {
    this.#timed(n, () => {
      const token = this.#open.left(n);
      if (token !== undefined && this.#exit !== 0) this.#exit(token as never);
    });
  }

  /** Runs what a hit has to do, and counts its time. */
  #timed(n: number, run: (armed: Armed) => void): void {
    try {
      const armed = this.#armed.get(n);
      if (armed === undefined || this.#hot.has(n)) return;
      const { clock } = this.#needs;
      const began = clock();
      try {
        run(armed);
      } finally {
        this.#spend(n, clock() - began);
      }
    } catch {
      // The program's stack is full.
    }
  }

  #spend(n: number, took: number): void {
    const hottest = this.#budget.hit(n, took);
    if (hottest === undefined) return;
    this.#hot.set(hottest, true);
    this.#needs.overheated(hottest);
  }
}

const pathOf = (url: string): string => {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : url;
  } catch {
    return url;
  }
};
