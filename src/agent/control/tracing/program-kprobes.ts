import type { TracedThread } from '../../../arch/port.js';
import { TraceError } from '../../../base/errno.js';
import type { ListedKprobe } from '../../../core/kprobe-list.js';
import { TRACING_MARK_WRITE } from '../../../core/symbols.js';
import type { FoundKprobe, KprobeRequest, KprobeState } from '../../../ftrace/kprobe-planner.js';
import { type PlaceNeeds, placeIn } from './find-place.js';
import type { TextTable } from './text-table.js';

interface Placed {
  readonly request: KprobeRequest;
  readonly found: FoundKprobe;
  isEnabled: boolean;
}

/** The probes that the program has registered (registerKprobe, registerKretprobe): finds their places, and lists them. */
export class ProgramKprobes {
  readonly #table: TextTable;
  readonly #needs: PlaceNeeds;
  readonly #placed = new Map<TracedThread, Map<number, Placed>>();

  constructor(table: TextTable, needs: PlaceNeeds) {
    this.#table = table;
    this.#needs = needs;
  }

  /**
   * Tells a thread where its probe is to stand.
   * @throws TraceError ENOENT, EADDRNOTAVAIL, EILSEQ, EINVAL (Documentation/trace/kprobes.rst)
   */
  async place(thread: TracedThread, request: KprobeRequest): Promise<void> {
    const n = this.#functionOf(request.symbol);
    const at = await placeIn(this.#needs, n, request);
    if (at === undefined) throw new TraceError('ENOENT', `no thread that answers has compiled ${request.symbol}`);
    const { offset } = at;
    const isEntry = offset === 0;
    if (request.kind === 'r' && !isEntry) throw new TraceError('EINVAL', 'a return probe stands at the entry of a function');
    const reason = this.#table.reason(n);
    if (isEntry && reason !== undefined) throw new TraceError('EINVAL', `${request.symbol} has no site: ${reason}`);
    const found = { n, address: this.#table.address(n), kind: this.#table.function(n).kind, offset };
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
      Array.from(placed.values(), ({ request: { kind }, found: { n, address, offset }, isEnabled }) => ({
        ...{ address: address + offset, kind, symbol: this.#table.name(n), offset, module: this.#table.module(n), isEnabled },
        way: offset === 0 ? 'site' : 'breakpoint',
      })),
    );
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
