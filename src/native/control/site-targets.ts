import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { buildCommonCode, type CommonCode } from '../code/build-code.js';
import type { OperationName } from '../code/operations.js';
import { buildProbedThunk } from '../code/probed-thunk.js';
import { buildListThunk, buildThunks, type FunctionThunks, listUse, type Thunk } from '../code/thunks.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import type { AddressRange } from '../process/address-range.js';
import type { Caller } from '../process/caller.js';
import type { ProcessMemory } from '../process/process-memory.js';
import type { NativeSite, SiteUse } from '../text/site.js';
import { CodeArea } from './code-area.js';
import { codeHeader, type TracedMemory } from './code-header.js';
import type { NativeArena } from './native-arena.js';
import { mapMoreCode } from './target-memory.js';
import type { Unwinding } from './unwinding.js';

/** What a site goes to while it is armed. */
export interface SiteTarget {
  readonly address: number;
  readonly use: SiteUse;
}

/** The numbers of the probed places that a function's entry and its end are, while probes stand there. */
export interface ProbedEnds {
  readonly entry?: number | undefined;
  readonly exit?: number | undefined;
}

/** The tracers that native sites can call. */
export type NativeTracer = 'function' | 'function_graph';

/** What the code for sites is made for. */
export interface TargetsNeeds {
  readonly memory: ProcessMemory;
  readonly caller: Caller;
  readonly arena: NativeArena;
  /** Executable memory of the process near its texts. */
  readonly code: readonly AddressRange[];
  readonly mapped: TracedMemory;
  /** Bytes from the thread pointer to the thread's id, if the C library keeps that. */
  readonly tidOffset: number | undefined;
  readonly unwinding: Unwinding;
  /** The address of the PROBE entries. */
  readonly probes: number;
  /** The process, as it knows itself. */
  readonly pidInside: number;
  /** Whether it is this process: JavaScript that is traced runs in it too. */
  readonly hasJavaScript: boolean;
}

/** A function whose site is armed. */
export interface TracedFunction {
  readonly n: number;
  readonly site: NativeSite;
}

/** Functions whose code is written at once. */
const BATCH = 512;

const keyOf = (n: number, { handler }: NativeSite): number | string => (handler === undefined ? n : `${n}>${handler}`);

const thunkFor = (thunks: FunctionThunks, tracer: NativeTracer): Thunk | undefined =>
  tracer === 'function' ? thunks.function : thunks.graph;

const NO_RETURN_SLOT = 'its return address cannot be found where its site is: function_graph does not follow it';

/** The code that sites go to: thunks for each function, made when they are first needed, and never changed. */
export class SiteTargets {
  readonly #options: TargetsNeeds;
  readonly #areas: CodeArea[];
  /** What the thunks of an area share. */
  readonly #common = new Map<CodeArea, CommonCode>();
  /** Thunks of each tracer, by the function, and its live patch's handler; undefined: the tracer cannot follow the function. */
  readonly #thunks = {
    function: new Map<number | string, Thunk | undefined>(),
    function_graph: new Map<number | string, Thunk | undefined>(),
  } as const satisfies Record<NativeTracer, unknown>;
  /** Thunks of functions with probes, by the function, the tracer and the probes. */
  readonly #probedThunks = new Map<string, SiteTarget>();
  /** Thunks of functions with operations, by the function and what they go on to. */
  readonly #lists = new Map<string, SiteTarget>();
  /** Areas whose thunks the process's unwinder knows. */
  readonly #described = new Set<CodeArea>();

  constructor(options: TargetsNeeds) {
    this.#options = options;
    this.#areas = options.code.map((range) => this.#newArea(range));
  }

  /**
   * Where the site of a function goes to while a tracer wants its calls.
   * @throws TraceError ENOMEM when there is no room for the code, EOPNOTSUPP when the tracer cannot follow the function
   */
  of(n: number, site: NativeSite, tracer: NativeTracer | undefined, probed: ProbedEnds = {}): SiteTarget {
    if (tracer === undefined || probed.entry !== undefined || probed.exit !== undefined) {
      return this.#probed(n, site, tracer, probed);
    }
    const key = keyOf(n, site);
    const known = this.#thunks[tracer];
    if (!known.has(key)) known.set(key, this.#build(n, site, tracer));
    const thunk = known.get(key);
    if (thunk === undefined) throw new TraceError('EOPNOTSUPP', NO_RETURN_SLOT);
    return thunk;
  }

  /**
   * Makes what records the hits of a probe; returns its address.
   * @throws TraceError ENOMEM when there is no room for it
   */
  handler(build: (common: CommonCode, address: number) => Uint8Array): number {
    const area = this.#areas[0]!;
    const common = this.#commonOf(area);
    return area.put((address) => ({ bytes: build(common, address), result: address }));
  }

  /** The common code for code to which text at an address jumps. */
  near(text: number, build: (common: CommonCode, address: number) => Uint8Array): number {
    const area = this.#areaOf({ address: text });
    const common = this.#commonOf(area);
    return area.put((address) => ({ bytes: build(common, address), result: address }));
  }

  #probed(n: number, site: NativeSite, tracer: NativeTracer | undefined, { entry, exit }: ProbedEnds): SiteTarget {
    const key = `${keyOf(n, site)} ${tracer} ${entry} ${exit}`;
    let thunk = this.#probedThunks.get(key);
    if (thunk === undefined) {
      const area = this.#areaOf(site);
      const common = this.#commonOf(area);
      if (exit !== undefined) this.#describe(area);
      thunk = area.put((address) => {
        const built = buildProbedThunk(common, address, { n, site, entry, exit, tracer });
        return { bytes: built.bytes, result: built.thunk };
      });
      this.#probedThunks.set(key, thunk);
    }
    return thunk;
  }

  /**
   * Makes the thunks of many functions, in few writes. Those that cannot be made are left out. Tells the process's unwinder about
   * the thunks, if it has one by now and the tracer needs it.
   */
  prepare(functions: readonly TracedFunction[], tracer: NativeTracer): void {
    if (tracer === 'function_graph' && functions.length > 0) for (const area of this.#areas) this.#describe(area);
    const byArea = new Map<CodeArea, TracedFunction[]>();
    for (const one of functions) {
      const area = this.#thunks[tracer].has(one.n) ? undefined : this.#areas.find((known) => known.reaches(one.site.address));
      if (area === undefined) continue;
      const others = byArea.get(area);
      if (others === undefined) byArea.set(area, [one]);
      else others.push(one);
    }
    for (const [area, own] of byArea) {
      for (let from = 0; from < own.length; from += BATCH) this.#buildSome(area, own.slice(from, from + BATCH), tracer);
    }
  }

  /**
   * Where the site of a function with operations goes to, which then goes on to another target, if there is one.
   * @throws TraceError ENOMEM when there is no room for the code
   */
  withOperations(n: number, site: NativeSite, next?: SiteTarget): SiteTarget {
    const key = `${keyOf(n, site)} ${next?.address}`;
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const area = this.#areaOf(site);
    const common = this.#commonOf(area);
    const target = area.put((address) => ({
      bytes: buildListThunk(common, address, { n, site }, next),
      result: { address, use: next?.use ?? listUse(site) },
    }));
    this.#lists.set(key, target);
    return target;
  }

  /** All executable memory that is used. */
  get code(): readonly AddressRange[] {
    return this.#areas.map(({ range }) => range);
  }

  /** The address of the code of an operation. @throws TraceError ENOMEM */
  operation(name: OperationName): number {
    return this.#commonOf(this.#areas[0]!).operations[name];
  }

  /** The address of the function that gives a thread a block. */
  get bind(): number {
    return this.#commonOf(this.#areas[0]!).bind;
  }

  /** The address of the function that takes it from it what only its JavaScript has. */
  get unbind(): number {
    return this.#commonOf(this.#areas[0]!).unbind;
  }

  /** The address of the function that has nothing recorded any more. */
  get close(): number {
    return this.#commonOf(this.#areas[0]!).close;
  }

  /** The address of the function that tells V8 where return addresses are. */
  get returnAddress(): number {
    return this.#commonOf(this.#areas[0]!).returnAddress;
  }

  /** The address of the function that returns the processor's counter. */
  get counter(): number {
    return this.#commonOf(this.#areas[0]!).counter;
  }

  #buildSome(area: CodeArea, functions: readonly TracedFunction[], tracer: NativeTracer): void {
    const common = this.#commonOf(area);
    const made = attempt(() =>
      area.put((address) => {
        const { bytes, thunks } = buildThunks(common, address, functions, [tracer]);
        return { bytes, result: thunks };
      }),
    );
    for (const one of made ?? []) this.#thunks[tracer].set(one.n, thunkFor(one, tracer));
  }

  #build(n: number, site: NativeSite, tracer: NativeTracer): Thunk | undefined {
    const area = this.#areaOf(site);
    const common = this.#commonOf(area);
    return area.put((address) => {
      const { bytes, thunks } = buildThunks(common, address, [{ n, site }], [tracer]);
      return { bytes, result: thunkFor(thunks[0]!, tracer) };
    });
  }

  #describe(area: CodeArea): void {
    if (!this.#described.has(area) && this.#options.unwinding.describe(area)) this.#described.add(area);
  }

  #areaOf({ address }: Pick<NativeSite, 'address'>): CodeArea {
    const known = this.#areas.find((area) => area.reaches(address));
    if (known !== undefined) return known;
    const { memory, caller } = this.#options;
    const area = this.#newArea(mapMoreCode(memory, caller, [{ start: address, end: address }]));
    if (!area.reaches(address)) throw new TraceError('ENOMEM', 'there is no room for code near its text');
    this.#areas.push(area);
    return area;
  }

  #newArea(range: AddressRange): CodeArea {
    const { memory, mapped } = this.#options;
    return new CodeArea(memory, range, codeHeader(memory.pid, range, mapped));
  }

  #commonOf(area: CodeArea): CommonCode {
    const known = this.#common.get(area);
    if (known !== undefined) return known;
    const { arena, tidOffset, probes, pidInside, hasJavaScript } = this.#options;
    const made = area.put((address) => {
      const options = {
        machine: LOCAL_MACHINE,
        address,
        arena: arena.start,
        layout: arena.layout,
        tidOffset,
        probes,
        pid: pidInside,
        hasJavaScript,
      };
      const code = buildCommonCode(options);
      return { bytes: code.bytes, result: code };
    });
    this.#common.set(area, made);
    return made;
  }
}
