import { TraceError } from '../../base/errno.js';
import { OPS_ID } from '../ops.js';
import { FunctionFprobe, FunctionKprobes } from './function-probes.js';
import type { Fprobe, FprobeOptions, Kprobe, KprobeOptions, KretprobeOptions } from './kprobe.js';
import type { FoundKprobe, KprobePlanner, KprobeRequest } from './kprobe-planner.js';
import { MiddleKprobes } from './middle-kprobes.js';
import { type KprobeMember, type KprobePoint, ProgramProbe } from './program-probe.js';

/** A kprobe with its place. */
class PlacedProbe extends ProgramProbe implements Kprobe {
  readonly symbol: string;
  readonly addr: number;
  readonly offset: number;

  constructor(request: KprobeRequest, { address, offset }: FoundKprobe, planner: KprobePlanner) {
    super(request.id, request.isEnabled, planner);
    this.symbol = request.symbol;
    this.addr = address + offset;
    // In another function than the symbol's the place has another offset.
    this.offset = request.line === undefined ? request.offset : offset;
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

/** What tells the places of kprobes apart: a place may have a site at its statement for one, and a breakpoint for another. */
const keyOf = ({ n, address, offset, statement }: FoundKprobe): string =>
  offset === 0 ? `site ${n}` : `${statement === undefined ? 'breakpoint' : 'statement'} ${address + offset}`;

/** The probes that the program of one thread has registered (Documentation/trace/kprobes.rst and fprobe.rst). */
export class KprobeRegistry {
  readonly #planner: KprobePlanner;
  /** By what tells their places apart. */
  readonly #points = new Map<string, KprobePoint>();
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
    return this.#stand({ probe, kprobe: options, variables }, found);
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
    return this.#stand({ probe, kretprobe: options, variables: [] }, found);
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

  /** All are halted, or go on (kprobes/enabled). */
  halt(isHalted: boolean): void {
    this.#isHalted = isHalted;
    for (const point of this.#points.values()) point.halt(isHalted);
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

  async #stand(member: KprobeMember, found: FoundKprobe): Promise<Kprobe> {
    await this.#join(member.probe, () => this.#pointOf(found).join(member, found));
    return member.probe;
  }

  #pointOf(found: FoundKprobe): KprobePoint {
    const key = keyOf(found);
    let point = this.#points.get(key);
    if (point === undefined) {
      const Point = found.offset === 0 ? FunctionKprobes : MiddleKprobes;
      point = new Point(this.#nextId--, found, this.#planner);
      if (this.#isHalted) point.halt(true);
      this.#points.set(key, point);
    }
    return point;
  }
}
