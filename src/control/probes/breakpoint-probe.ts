import type { LinkedText } from '../../ftrace/text.js';
import { withFetchRoot } from '../../probes/fetch-root.js';
import { type Fetch, needsSymbols, type ProbeArgument, type ProbeDefinition } from '../../probes/probe-definition.js';
import type { PointConfig, PointPlace } from '../../probes/probe-point.js';
import type { FoundPlace } from '../ftrace/found-place.js';
import type { PlacedKprobe } from '../ftrace/process-kprobes.js';
import { type AskedPlaces, NO_FUNCTION } from '../ftrace/process-places.js';
import type { TextTable } from '../ftrace/text-table.js';
import { textsOfFile, unitOf } from './find-place.js';
import type { ProbeCommon } from './site-probe.js';
import { type StatementAddress, statementPoint } from './statement-probe.js';

type BreakpointPlace = Extract<PointPlace, { kind: 'breakpoint' }>;

/** What a probe at a breakpoint needs of the process. */
export interface BreakpointNeeds {
  readonly table: TextTable;
  /** Where in a text a line of a file is; undefined if the text has nothing of the file. */
  lineOf(text: LinkedText, file: string, line: number): AskedPlaces | undefined;
  /** The functions of a name that there are now. */
  named(symbol: string, module: string | undefined): readonly number[];
  /**
   * The probe was put into a text that is being loaded: once V8 has compiled it, a statement's site may take the breakpoint's
   * place.
   */
  linked(probe: BreakpointProbe, text: LinkedText): void;
}

/** A parameter is read by its name: there is no site to pass it. */
const withNames = (fetch: Fetch, params: readonly string[]): Fetch =>
  withFetchRoot(fetch, (root) => {
    const name = root.kind === 'argument' ? params[root.index] : undefined;
    return name === undefined ? root : { kind: 'variable', name };
  });

/** A probe at a breakpoint: in the middle of a function, or at its entry where it reads more than parameters. */
export class BreakpointProbe implements PlacedKprobe {
  readonly #common: ProbeCommon;
  readonly #definition: ProbeDefinition;
  readonly #needs: BreakpointNeeds;
  readonly #found: FoundPlace | undefined;
  /** Points of a text that was not loaded when the probe was made. */
  readonly #points = new Map<LinkedText, PointConfig>();
  #id: number | undefined;

  readonly needsSymbols: boolean;

  /** @param found undefined: its text is not loaded yet */
  constructor(common: ProbeCommon, definition: ProbeDefinition, found: FoundPlace | undefined, needs: BreakpointNeeds) {
    this.#common = common;
    this.#definition = definition;
    this.needsSymbols = needsSymbols(definition);
    this.#found = found;
    this.#needs = needs;
  }

  points(): readonly PointConfig[] {
    if (this.#found === undefined) return [...this.#points.values()];
    this.#id ??= this.#common.takeId();
    return [this.#point(this.#id, this.#placeIn(this.#found), this.#found.n)];
  }

  link(linked: readonly number[]): boolean {
    if (this.#found !== undefined) return false;
    const before = this.#points.size;
    for (const text of new Set(linked.map((n) => this.#needs.table.textOf(n)))) this.#look(text);
    return this.#points.size > before;
  }

  /** From now on it is the site of a statement in this text. */
  moveTo(text: LinkedText, statement: StatementAddress): void {
    const point = this.#points.get(text);
    if (point !== undefined) this.#points.set(text, { ...point, ...statementPoint(this.#definition, statement) });
  }

  #look(text: LinkedText): void {
    const { place } = this.#definition;
    if (this.#points.has(text)) return;
    const put = (at: BreakpointPlace): void => {
      this.#points.set(text, this.#point(this.#common.takeId(), at, at.n));
      this.#needs.linked(this, text);
    };
    if (place.kind === 'line') {
      const asked = this.#needs.lineOf(text, place.file, place.line);
      if (asked !== undefined) {
        const { probed, ranges, parts } = asked;
        put({ kind: 'breakpoint', n: NO_FUNCTION, address: probed.address, functionKind: probed.kind, ranges, parts });
      }
    }
    if (place.kind === 'file offset' && textsOfFile(this.#needs.table, place.file).includes(text)) {
      const offset = unitOf(text, place.offset) ?? text.length;
      put({ kind: 'breakpoint', n: NO_FUNCTION, address: text.base, functionKind: 0, ranges: [[offset, offset + 1]] });
    }
    if (place.kind === 'symbol') {
      const [n] = this.#needs.named(place.symbol, place.module ?? '');
      if (n !== undefined && this.#needs.table.textOf(n) === text) put(this.#placeIn({ n, offset: place.offset }));
    }
  }

  #placeIn({ n, offset, text }: FoundPlace): BreakpointPlace {
    const { table } = this.#needs;
    const ranges = offset === 0 && text === undefined ? [] : [[offset, offset + 1] as const];
    if (text !== undefined) return { kind: 'breakpoint', n, address: text.base, functionKind: 0, ranges };
    return { kind: 'breakpoint', n, address: table.address(n), functionKind: table.function(n).kind, ranges };
  }

  #point(id: number, place: BreakpointPlace, n: number): PointConfig {
    const { takeId: _takeId, ...common } = this.#common;
    const params = n === NO_FUNCTION ? [] : this.#needs.table.function(n).params;
    const args = this.#definition.args.map(
      (argument): ProbeArgument => ({ ...argument, fetch: withNames(argument.fetch, params) }),
    );
    return { id, ...common, place, args, maxactive: 0 };
  }
}
