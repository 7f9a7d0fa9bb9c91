import { TraceError } from '../../base/errno.js';
import type { FoundKprobe, FoundStatement, KprobeRequest, KprobeState, NextPlace } from '../../ftrace/kprobes/kprobe-planner.js';
import { statementOutcome, statementOutcomes } from '../../ftrace/kprobes/statement-outcome.js';
import { TRACING_MARK_WRITE } from '../../ftrace/symbols.js';
import type { TracedThread } from '../../port/port.js';
import type { ProcessPlaces } from '../ftrace/process-places.js';
import type { TextTable } from '../ftrace/text-table.js';
import { type PlaceNeeds, placeIn } from './find-place.js';
import { findStatement } from './find-statement.js';
import { type ListedKprobe, listedPlace } from './listed-kprobe.js';

interface Placed {
  readonly request: KprobeRequest;
  readonly found: FoundKprobe;
  isEnabled: boolean;
}

const CAN_BE = 'It can be at a statement in the body of a function that has a site';

/** The probes that the program has registered (registerKprobe, registerKretprobe): finds their places, and lists them. */
export class ProgramKprobes {
  readonly #table: TextTable;
  readonly #needs: PlaceNeeds;
  readonly #places: Pick<ProcessPlaces, 'of' | 'sourceOf'>;
  readonly #placed = new Map<TracedThread, Map<number, Placed>>();

  constructor(table: TextTable, places: Pick<ProcessPlaces, 'of' | 'sourceOf'>, needs: PlaceNeeds) {
    this.#table = table;
    this.#places = places;
    this.#needs = needs;
  }

  /**
   * Tells a thread where its probe is to stand.
   * @throws TraceError ENOENT, EADDRNOTAVAIL, EILSEQ, EINVAL (Documentation/trace/kprobes.rst)
   */
  async place(thread: TracedThread, request: KprobeRequest): Promise<void> {
    const at = await placeIn(this.#needs, this.#functionOf(request.symbol), request);
    if (at === undefined) throw new TraceError('ENOENT', `no thread that answers has compiled ${request.symbol}`);
    // An offset may lead into another function.
    const { n, offset } = at;
    const isEntry = offset === 0;
    if (request.kind === 'r' && !isEntry) throw new TraceError('EINVAL', 'a return probe stands at the entry of a function');
    const reason = this.#table.reason(n);
    if (isEntry && reason !== undefined) throw new TraceError('EINVAL', `${request.symbol} has no site: ${reason}`);
    const statement = isEntry ? undefined : await this.#statementAt(n, offset, request);
    const next = isEntry || statement !== undefined || request.hasPost !== true ? undefined : await this.#nextOf(n, offset);
    const kind = this.#table.function(n).kind;
    const found = { n, address: this.#table.address(n), kind, offset, ...(statement && { statement }), ...(next && { next }) };
    const placed = this.#placed.get(thread) ?? new Map<number, Placed>();
    this.#placed.set(thread, placed.set(request.id, { request, found, isEnabled: request.isEnabled }));
    thread.post({ type: 'kprobe', id: request.id, found });
  }

  setState(thread: TracedThread, id: number, state: KprobeState): void {
    const placed = this.#placed.get(thread);
    const one = placed?.get(id);
    if (state === 'gone') placed?.delete(id);
    else if (one !== undefined) one.isEnabled = state === 'enabled';
  }

  removeThread(thread: TracedThread): void {
    this.#placed.delete(thread);
  }

  list(): readonly ListedKprobe[] {
    return [...this.#placed.values()].flatMap((placed) =>
      Array.from(placed.values(), ({ request: { kind }, found: { n, offset, statement }, isEnabled }) => ({
        ...listedPlace(this.#table, { n, offset }),
        ...{ kind, isEnabled },
        way: offset === 0 ? 'site' : statement === undefined ? 'breakpoint' : 'statement',
      })),
    );
  }

  /** The statement whose site serves the probe. A post handler must know where exceptions are caught. */
  async #statementAt(n: number, offset: number, { variables = [], hasPost }: KprobeRequest): Promise<FoundStatement | undefined> {
    const found = await findStatement(this.#needs, { n, offset }, ({ names }) => variables.every((name) => names.includes(name)));
    if (found === undefined) return undefined;
    const one = this.#table.function(n);
    const sites = one.statements?.() ?? [];
    const { index } = found;
    const names = sites.map((site) => site.names);
    if (hasPost !== true) return { index, names, next: [] };
    const text = this.#table.textOf(n);
    const source = await this.#places.sourceOf(text);
    const tries = source === undefined ? undefined : text.tryBlocks?.(source, one);
    return tries && { index, names, next: statementOutcomes(sites, index, tries) };
  }

  /** Where a call of function `n` comes to when the statement at a place is over. */
  async #nextOf(n: number, offset: number): Promise<readonly NextPlace[]> {
    const refuse = (why: string): never => {
      throw new TraceError('EOPNOTSUPP', `a postHandler cannot be there: ${why}`);
    };
    const reason = this.#table.reason(n);
    if (reason !== undefined) refuse(`without a site no call of the function is known from another (${reason}). ${CAN_BE}`);
    const text = this.#table.textOf(n);
    const one = this.#table.function(n);
    const source = await this.#places.sourceOf(text);
    const places = (await this.#places.of(n))?.map((place) => place.offset) ?? [];
    const end = source === undefined ? undefined : text.whatFollows?.(source, one, offset, places);
    const tries = source === undefined ? undefined : text.tryBlocks?.(source, one);
    if (end === undefined || tries === undefined) return refuse('the source cannot be read');
    if (typeof end === 'string') return refuse(`the place ${end}. ${CAN_BE}`);
    const next = end.next.flatMap((at): readonly NextPlace[] => {
      const outcome = statementOutcome(offset, at, tries);
      return outcome === 'unknown' ? [] : [{ offset: at, outcome }];
    });
    return end.caught === undefined ? next : [...next, { offset: end.caught, outcome: 'threw', isCatch: true }];
  }

  #functionOf(text: string): number {
    if (text === TRACING_MARK_WRITE.name) throw new TraceError('EINVAL', `${text} is fentry's own`);
    const colon = text.indexOf(':');
    const [module, symbol] = colon < 0 ? [undefined, text] : [text.slice(0, colon), text.slice(colon + 1)];
    const [n, other] = this.#needs.named(symbol, module);
    if (n === undefined) throw new TraceError('ENOENT', `there is no function ${text}`);
    if (other !== undefined) throw new TraceError('EADDRNOTAVAIL', `several functions have the name ${text}`);
    return n;
  }
}
