import { TraceError } from '../base/errno.js';
import { FunctionFprobe } from './function-fprobe.js';
import { FunctionKprobes } from './function-kprobes.js';
import type { Fprobe, FprobeOptions, Kprobe, KprobeOptions, KretprobeOptions } from './kprobe.js';
import type { FoundKprobe, FoundStatement, KprobePlanner, KprobeRequest } from './kprobe-planner.js';
import { OPS_ID } from './ops.js';
import { PlaceKprobes } from './place-kprobes.js';
import type { PlaceMember } from './place-members.js';
import { ProgramProbe } from './program-probe.js';
import { StatementKprobes } from './statement-kprobes.js';

/** A kprobe with its place. */
class PlacedProbe extends ProgramProbe implements Kprobe {
  readonly symbol: string;
  readonly addr: number;
  readonly offset: number;

  constructor(request: KprobeRequest, { address, offset }: FoundKprobe, planner: KprobePlanner) {
    super(request.id, request.isEnabled, planner);
    this.symbol = request.symbol;
    this.addr = address + offset;
    this.offset = offset;
  }
}

/** What is asked of a place; absent values are undefined. */
interface AskedPlace {
  readonly symbol: string;
  readonly offset: number;
  readonly line?: number | undefined;
  readonly disabled?: boolean | undefined;
  readonly variables?: readonly string[] | undefined;
  readonly hasPost?: boolean;
}

const refuse = (message: string): never => {
  throw new TraceError('EINVAL', message);
};

const checkHandler = (name: string, handler: unknown, isNeeded = false): void => {
  if (handler === undefined ? isNeeded : typeof handler !== 'function') refuse(`${name} is not a function`);
};

function checkPlace({ symbol, offset = 0, line }: Pick<KprobeOptions, 'symbol' | 'offset' | 'line'>): void {
  if (typeof symbol !== 'string' || symbol === '') refuse('symbol is the name of a function');
  if (!Number.isSafeInteger(offset) || offset < 0) refuse('offset is a whole number, from 0');
  if (line !== undefined && (!Number.isSafeInteger(line) || line < 0)) refuse('line is a whole number, from 0');
  if (line !== undefined && offset !== 0) refuse('an offset or a line, not both');
}

function checkedNames(names: unknown = []): readonly string[] {
  const copy: readonly unknown[] = Array.isArray(names) ? [...names] : refuse('variables is a list of names');
  return copy.map((name) => (typeof name === 'string' ? name : refuse('variables is a list of names')));
}

/** The probes that the program of one thread has registered (Documentation/trace/kprobes.rst and fprobe.rst). */
export class KprobeRegistry {
  readonly #planner: KprobePlanner;
  /** By function number, and by address. */
  readonly #functions = new Map<number, FunctionKprobes>();
  readonly #places = new Map<number, PlaceKprobes>();
  readonly #statements = new Map<number, StatementKprobes>();
  #nextId: number = OPS_ID.FIRST_PROGRAM_PROBE;
  #isHalted = false;

  constructor(planner: KprobePlanner) {
    this.#planner = planner;
  }

  /**
   * (register_kprobe)
   * @throws TraceError ENOENT: there is no such function; EADDRNOTAVAIL: several have the name; EILSEQ: V8 cannot stop there;
   * EINVAL: no probe
   *   can stand there, or the options are wrong; EOPNOTSUPP: a postHandler where the end of a statement cannot be heard
   */
  async registerKprobe(options: KprobeOptions): Promise<Kprobe> {
    checkPlace(options);
    checkHandler('preHandler', options.preHandler);
    checkHandler('postHandler', options.postHandler);
    const { symbol, offset = 0, line, disabled } = options;
    const variables = checkedNames(options.variables);
    const hasPost = options.postHandler !== undefined;
    const { found, probe } = await this.#place('k', { symbol, offset, line, disabled, variables, hasPost });
    const { statement } = found;
    const member: PlaceMember = { probe, kprobe: options, variables };
    if (found.offset === 0) await this.#join(probe, () => this.#ofFunction(found).join({ ...member, active: 0 }));
    else if (statement !== undefined)
      await this.#join(probe, () => this.#ofStatement(found, statement).joinAt(member, statement));
    else await this.#join(probe, () => this.#ofPlace(found).joinAt(member, found.next));
    return probe;
  }

  /** (register_kretprobe) @throws TraceError as registerKprobe */
  async registerKretprobe(options: KretprobeOptions): Promise<Kprobe> {
    checkPlace(options);
    checkHandler('entryHandler', options.entryHandler);
    checkHandler('settledHandler', options.settledHandler);
    checkHandler('handler', options.handler, options.settledHandler === undefined);
    const { maxactive = 0 } = options;
    if (!Number.isSafeInteger(maxactive) || maxactive < 0) refuse('maxactive is a whole number, from 0');
    const { found, probe } = await this.#place('r', { symbol: options.symbol, offset: 0, disabled: options.disabled });
    await this.#join(probe, () => this.#ofFunction(found).join({ probe, kretprobe: options, active: 0 }));
    return probe;
  }

  /** (register_fprobe) @throws TraceError EINVAL: no handler, or a filter that matches nothing */
  async registerFprobe(options: FprobeOptions): Promise<Fprobe> {
    checkHandler('entryHandler', options.entryHandler);
    checkHandler('exitHandler', options.exitHandler, options.entryHandler === undefined);
    if (options.filter === undefined || options.filter.length === 0) refuse('filter names functions');
    const fprobe = new FunctionFprobe(this.#nextId--, options, this.#planner);
    await this.#join(fprobe.probe, () => fprobe.probe.joined(fprobe));
    return fprobe.probe;
  }

  /** All are halted, or go on (kprobes/enabled). Those at sites are the control side's. */
  halt(isHalted: boolean): void {
    this.#isHalted = isHalted;
    for (const places of [this.#places, this.#statements]) for (const place of places.values()) place.halt(isHalted);
  }

  async #place(
    kind: KprobeRequest['kind'],
    { line, disabled, variables, ...place }: AskedPlace,
  ): Promise<{ readonly found: FoundKprobe; readonly probe: PlacedProbe }> {
    const id = this.#nextId--;
    const optional = { ...(line !== undefined && { line }), ...(variables !== undefined && { variables }) };
    const request = { id, kind, ...place, ...optional, isEnabled: disabled !== true };
    const found = await this.#planner.place(request);
    return { found, probe: new PlacedProbe(request, found, this.#planner) };
  }

  /** What cannot be patched is not listed. */
  async #join(probe: ProgramProbe, join: () => Promise<void>): Promise<void> {
    try {
      await join();
    } catch (error) {
      await probe.end().catch(() => {});
      throw error;
    }
  }

  #ofFunction(found: FoundKprobe): FunctionKprobes {
    let known = this.#functions.get(found.n);
    if (known === undefined) {
      known = new FunctionKprobes(this.#nextId--, found, this.#planner);
      this.#functions.set(found.n, known);
    }
    return known;
  }

  #ofStatement(found: FoundKprobe, statement: FoundStatement): StatementKprobes {
    const address = found.address + found.offset;
    let known = this.#statements.get(address);
    if (known === undefined) {
      known = new StatementKprobes(this.#nextId--, found, statement, this.#planner);
      if (this.#isHalted) known.halt(true);
      this.#statements.set(address, known);
    }
    return known;
  }

  #ofPlace(found: FoundKprobe): PlaceKprobes {
    const address = found.address + found.offset;
    let known = this.#places.get(address);
    if (known === undefined) {
      known = new PlaceKprobes(this.#nextId--, found, this.#planner);
      if (this.#isHalted) known.halt(true);
      this.#places.set(address, known);
    }
    return known;
  }
}
