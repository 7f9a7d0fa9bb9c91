import { SafeSet } from '../../base/safe-map.js';
import { unseenMicrotask } from '../../base/unseen-microtask.js';
import type { TextPart } from '../../ftrace/text.js';
import type { PlaceRange, ProbedFunction, ProbePlace } from '../../port/port.js';
import type { FindCaller } from '../call-stack.js';
import type { AddressOfForeign } from '../realm/capture-callers.js';
import { defineProperty, SafeMap } from '../realm/primordials.js';
import type { Texts } from '../realm/texts.js';
import type { Undo } from '../realm/undo.js';
import { PROBE_HIT } from '../shared/probe-hit.js';
import type { BreakpointRequest, ProbeEnd } from './breakpoint-request.js';
import type { BreakpointText } from './breakpoint-text.js';
import { DebuggerSession, type Script } from './debugger-session.js';
import { HitBudget, type HitLimits } from './hit-budget.js';
import { callerOfHit } from './hit-caller.js';
import { HitValues, type ReadOne } from './hit-values.js';
import { conditionOf, isReadable } from './probe-condition.js';
import type { Unreadable } from './probed-script.js';
import { type ProbedText, probedText } from './probed-text.js';
import { keyOf, type Spot, type SpotProbe, Spots } from './spots.js';

/** What the breakpoints of probes need from the thread. */
export interface ProbeBreakpointNeeds {
  readonly texts: Texts;
  /** The address of a function that called one with a breakpoint, such as one of Node's own. */
  readonly addressOfForeign: AddressOfForeign;
  readonly unreadable: Unreadable;
  readonly global: object;
  /** Milliseconds. */
  readonly clock: () => number;
  /** What all probes may take together. */
  readonly limits: HitLimits;
  /** The most places with breakpoints at a time. */
  readonly most: number;
}

export interface ProbeBreakpoint {
  remove(): void;
}

/** Why there is no breakpoint, as the end of a sentence about the place. */
export type NoBreakpoint = 'has no text with sites' | 'is no place where V8 can stop' | 'is one too many';

/**
 * Breakpoints of probes in the middle of functions, and at the entries of functions when more than the arguments is asked for. A
 * breakpoint only evaluates its condition, which calls the probes and throws: the program never pauses. The thread's debugger is
 * on while there is at least one.
 */
export class ProbeBreakpoints {
  readonly #needs: ProbeBreakpointNeeds;
  readonly #described: BreakpointText[] = [];
  /** By their names and base addresses, while the debugger is on. */
  readonly #texts = new SafeMap<string, ProbedText>();
  readonly #spots = new Spots();
  readonly #budget: HitBudget;
  #session: DebuggerSession | undefined;
  #lastSpot = 0;
  #hitting = false;
  /** The probes of a place are being told of a hit: what is to be removed leaves afterwards. */
  #isTelling = false;
  readonly #leaving: (() => void)[] = [];
  /** V8 is telling of a script: Node 24 aborts if the session ends meanwhile. */
  #isParsing = false;
  readonly #endSoon = unseenMicrotask(() => {
    if (this.#spots.size === 0) this.#end();
  });

  constructor(needs: ProbeBreakpointNeeds) {
    this.#needs = needs;
    this.#budget = new HitBudget(needs.clock, needs.limits);
  }

  /** The text has no sites; the program had loaded it before fentry came. */
  describe(text: BreakpointText): void {
    const at = this.#described.findIndex(({ firstFunction }) => firstFunction === text.firstFunction);
    this.#described.splice(at < 0 ? this.#described.length : at, 1, text);
  }

  /** Whether a breakpoint's condition is being evaluated. */
  get isHitting(): boolean {
    return this.#hitting;
  }

  /** How many places have a breakpoint. */
  get size(): number {
    return this.#spots.size;
  }

  /**
   * The places of a function where V8 can stop, in the order of the text, in ranges that leave inner functions out. Undefined if
   * the thread has not compiled the function's text.
   */
  places(
    one: ProbedFunction,
    ranges: readonly PlaceRange[],
    parts?: readonly TextPart[] | undefined,
  ): readonly ProbePlace[] | undefined {
    return this.#ask(one, (text, session) => text.places(session, one, { ranges, parts }));
  }

  /** The text that has a function, as it is without sites. Undefined as above. */
  text(one: ProbedFunction): string | undefined {
    return this.#ask(one, (text, session) => text.original(session));
  }

  #ask<T>(one: ProbedFunction, ask: (text: ProbedText, session: DebuggerSession) => T): T | undefined {
    const text = this.#textOf(one);
    if (text === undefined) return undefined;
    const isOn = this.#session !== undefined;
    try {
      return ask(text, this.#begin());
    } finally {
      if (!isOn) this.#end();
    }
  }

  /**
   * Makes the probe be hit at its place, in scripts that are compiled later too. Returns the reason if there can be no
   * breakpoint.
   */
  set(request: BreakpointRequest): ProbeBreakpoint | NoBreakpoint {
    const text = this.#textOf(request);
    if (text === undefined) return 'has no text with sites';
    const known = this.#spots.find(keyOf(request));
    if (known === undefined && this.#spots.size >= this.#needs.most) return 'is one too many';
    const spot = known ?? this.#addSpot(request, text);
    const probe: SpotProbe = { request, values: [] };
    if (request.isNext === true) spot.probes.unshift(probe);
    else spot.probes.push(probe);
    if (!this.#place(spot) && text.isCompiled(this.#begin())) {
      this.#remove(spot, probe);
      return 'is no place where V8 can stop';
    }
    return { remove: () => this.#remove(spot, probe) };
  }

  /** Calls `run` once when the thread loads the text at an address, unless what is returned is called before. */
  whenLoaded(address: number, run: () => void): Undo {
    return this.#needs.texts.whenLoaded(address, () => {
      run();
      return () => {};
    });
  }

  /** The callers of functions with sites, as `find` finds them, and of those in which a breakpoint was hit. */
  findCaller(find: FindCaller): FindCaller {
    const { texts, addressOfForeign } = this.#needs;
    return (trampoline) => (this.#hitting ? callerOfHit(texts, addressOfForeign, trampoline) : find(trampoline));
  }

  /** Removes everything. */
  end(): void {
    this.#spots.clear();
    this.#end();
  }

  #textOf(one: ProbedFunction): ProbedText | undefined {
    return probedText(one, this.#needs, this.#described, this.#texts);
  }

  #addSpot(request: BreakpointRequest, text: ProbedText): Spot {
    const { n, address, kind, ranges, parts, isCatch } = request;
    const spot: Spot = {
      id: ++this.#lastSpot,
      text,
      function: { n, address, kind },
      where: { ranges, parts, isCatch },
      key: keyOf(request),
      offset: 0,
      probes: [],
      breakpoints: [],
      condition: '',
      values: new HitValues(0),
    };
    this.#spots.add(spot);
    return spot;
  }

  /** Gives the spot the condition that its probes need. False if no script has a place for it. */
  #place(spot: Spot): boolean {
    const { condition } = spot;
    this.#connect(spot);
    // To set a breakpoint takes V8 longer than several hits.
    if (spot.condition === condition && spot.breakpoints.length > 0) return true;
    const session = this.#begin();
    for (const id of spot.breakpoints.splice(0)) session.removeBreakpoint(id);
    for (const script of spot.text.scripts(session)) this.#placeIn(spot, script);
    return spot.breakpoints.length > 0;
  }

  /** Joins the names of the spot's probes. */
  #connect(spot: Spot): void {
    const asked = spot.probes.flatMap(({ request: { expressions, text = [] } }) => expressions.filter(isReadable).concat(text));
    const names = [...new SafeSet(asked)];
    const values = new HitValues(names.length);
    const thunkOf = (name: string): (() => unknown) => values.thunks[names.indexOf(name)] ?? noValue;
    for (const probe of spot.probes) {
      const { expressions, text = [] } = probe.request;
      probe.values = expressions.concat(text).map(thunkOf);
    }
    spot.values = values;
    spot.condition = conditionOf(spot.id, names);
  }

  #placeIn(spot: Spot, script: Script): void {
    const set = spot.text.set(this.#begin(), script, spot.function, spot.where, spot.condition);
    if (set === undefined) return;
    spot.offset = set.offset;
    spot.breakpoints.push(...set.ids);
  }

  #remove(spot: Spot, probe: SpotProbe): void {
    if (this.#isTelling) {
      this.#leaving.push(() => this.#remove(spot, probe));
      return;
    }
    const at = spot.probes.indexOf(probe);
    if (at >= 0) spot.probes.splice(at, 1);
    if (at >= 0 && spot.probes.length > 0) this.#place(spot);
    else this.#removeSpot(spot);
  }

  #removeSpot(spot: Spot): void {
    this.#spots.delete(spot);
    for (const id of spot.breakpoints.splice(0)) this.#session?.removeBreakpoint(id);
    if (this.#spots.size > 0) return;
    if (this.#hitting || this.#isParsing) this.#endSoon();
    else this.#end();
  }

  #begin(): DebuggerSession {
    if (this.#session !== undefined) return this.#session;
    const value = (spot: number, ...values: readonly unknown[]): void => this.#hit(spot, values);
    defineProperty(this.#needs.global, PROBE_HIT, { value, writable: true, enumerable: false, configurable: true });
    this.#session = new DebuggerSession((script) => this.#parsed(script));
    return this.#session;
  }

  #end(): void {
    this.#session?.end();
    this.#session = undefined;
    this.#texts.clear();
    Reflect.deleteProperty(this.#needs.global, PROBE_HIT);
  }

  /** A script was compiled: a text that probes wait for, or another copy of one. */
  #parsed(script: Script): void {
    this.#isParsing = true;
    try {
      this.#placeAllIn(script);
    } finally {
      this.#isParsing = false;
    }
  }

  #placeAllIn(script: Script): void {
    for (const spot of this.#spots.ofTexts((text) => text.isMadeOf(script))) {
      if (this.#spots.get(spot.id) === undefined) continue;
      this.#placeIn(spot, script);
      if (spot.breakpoints.length === 0) this.#ended(spot, 'is no place where V8 can stop');
    }
  }

  #ended(spot: Spot, why: ProbeEnd): void {
    this.#removeSpot(spot);
    for (const { request } of spot.probes.splice(0)) request.ended?.(why);
  }

  /** The call of a condition, as conditionOf says. */
  #hit(id: number, values: readonly unknown[]): void {
    const spot = this.#spots.get(Math.abs(id));
    if (spot !== undefined && !this.#hitting) this.#tell(spot, id > 0, values);
  }

  #tell(spot: Spot, haveAll: boolean, values: readonly unknown[]): void {
    try {
      const { clock } = this.#needs;
      const began = clock();
      this.#hitting = true;
      this.#isTelling = true;
      try {
        take(spot.values, haveAll, values);
        tellAll(spot);
        this.#isTelling = false;
        for (const leave of this.#leaving.splice(0)) leave();
        this.#spend(spot, clock() - began);
      } finally {
        this.#hitting = false;
        this.#isTelling = false;
      }
    } catch {
      // The program's stack is full.
    }
  }

  /** A hit took so many milliseconds: the probe that takes most ends when all take too much. */
  #spend(spot: Spot, took: number): void {
    const hottest = this.#budget.hit(spot.id, took);
    const hot = hottest === undefined ? undefined : this.#spots.get(hottest);
    if (hot !== undefined) this.#ended(hot, 'was hit too often');
  }
}

function take(taken: HitValues, haveAll: boolean, values: readonly unknown[]): void {
  if (haveAll) taken.takeAll(values);
  else taken.takeEach(values[0] as ReadOne);
}

function tellAll({ values, probes, offset }: Spot): void {
  for (let i = 0; i < probes.length; i++) tellOne(probes[i]!, offset);
  values.forget();
}

/** A probe that fails does not keep the others from being hit. */
function tellOne({ request, values }: SpotProbe, offset: number): void {
  try {
    request.hit(values, offset);
  } catch {
    // The same.
  }
}

const noValue = (): never => {
  throw 'this is no name of a variable';
};
