import { isPlain } from '../../base/glob.js';
import type { LinkedText } from '../../ftrace/text.js';
import type { ProbeArgument, ProbeDefinition } from '../../probes/probe-definition.js';
import { type AskedPlaces, NO_FUNCTION } from '../ftrace/process-places.js';
import type { TextTable } from '../ftrace/text-table.js';
import { textsOfFile, unitOf } from './find-place.js';
import type { StatementAddress } from './find-statement.js';
import { meantBy, type ProbeFunctions, type SymbolPlace } from './probe-functions.js';
import {
  type BreakpointPlace,
  breakpointAt,
  breakpointStand,
  type ProbeStand,
  siteStands,
  statementStand,
} from './probe-stand.js';

/** The stands of a probe. */
export interface ProbeStands {
  /** The stands that there are now, each by what tells it from the others. */
  all(): ReadonlyMap<unknown, ProbeStand>;
  /**
   * Takes functions that were linked; returns whether there are more stands, or more functions at one. Absent: there never are.
   */
  link?(linked: readonly number[]): boolean;
}

/** The stands of a probe whose places are all known. */
export const fixedStands = (stands: readonly ProbeStand[]): ProbeStands => {
  const all = new Map(stands.entries());
  return { all: () => all };
};

/** The stands of a probe at the sites of the functions that a symbol means, or a glob. */
export class SymbolStands implements ProbeStands {
  readonly #definition: ProbeDefinition;
  readonly #meant: SymbolPlace;
  readonly #functions: ProbeFunctions;
  readonly #argsOf: ((n: number) => readonly ProbeArgument[] | undefined) | undefined;
  readonly #found = new Set<number>();

  /** @param argsOf as siteStands has it */
  constructor(
    definition: ProbeDefinition,
    meant: SymbolPlace,
    functions: ProbeFunctions,
    argsOf?: (n: number) => readonly ProbeArgument[] | undefined,
  ) {
    this.#definition = definition;
    this.#meant = meant;
    this.#functions = functions;
    this.#argsOf = argsOf;
  }

  all(): ReadonlyMap<string, ProbeStand> {
    this.link();
    return siteStands(this.#definition, this.#found, this.#functions, this.#argsOf);
  }

  link(linked?: readonly number[]): boolean {
    const before = this.#found.size;
    // A symbol is one function; a glob means those that come later too.
    if (before > 0 && isPlain(this.#meant.symbol)) return false;
    for (const n of meantBy(this.#meant, this.#functions, linked)) this.#found.add(n);
    return this.#found.size > before;
  }
}

/** What a probe needs that waits for its text. */
export interface AwaitedTextNeeds {
  readonly table: TextTable;
  /** Where in a text a line of a file is; undefined if the text has nothing of the file. */
  lineOf(text: LinkedText, file: string, line: number): AskedPlaces | undefined;
  /**
   * The probe was put into a text that is being loaded: once V8 has compiled it, a statement's site may take the breakpoint's
   * place.
   */
  linked(stands: AwaitedTextStands, text: LinkedText): void;
}

/** The stands of a probe whose text was not loaded when it was made: one in each such text. */
export class AwaitedTextStands implements ProbeStands {
  readonly #definition: ProbeDefinition;
  readonly #needs: AwaitedTextNeeds;
  readonly #stands = new Map<LinkedText, ProbeStand>();

  constructor(definition: ProbeDefinition, needs: AwaitedTextNeeds) {
    this.#definition = definition;
    this.#needs = needs;
  }

  all(): ReadonlyMap<LinkedText, ProbeStand> {
    return this.#stands;
  }

  link(linked: readonly number[]): boolean {
    const before = this.#stands.size;
    for (const text of new Set(linked.map((n) => this.#needs.table.textOf(n)))) this.#look(text);
    return this.#stands.size > before;
  }

  /** From now on it is the site of a statement in this text. */
  moveTo(text: LinkedText, statement: StatementAddress): void {
    if (this.#stands.has(text)) this.#stands.set(text, statementStand(this.#definition, statement));
  }

  #look(text: LinkedText): void {
    if (this.#stands.has(text)) return;
    const place = this.#placeIn(text);
    if (place === undefined) return;
    this.#stands.set(text, breakpointStand(this.#definition, place, this.#needs.table));
    this.#needs.linked(this, text);
  }

  #placeIn(text: LinkedText): BreakpointPlace | undefined {
    const { place } = this.#definition;
    const { table } = this.#needs;
    if (place.kind === 'line') {
      const asked = this.#needs.lineOf(text, place.file, place.line);
      if (asked === undefined) return undefined;
      const { probed, ranges, parts } = asked;
      return { kind: 'breakpoint', n: NO_FUNCTION, address: probed.address, functionKind: probed.kind, ranges, parts };
    }
    if (place.kind === 'file offset' && textsOfFile(table, place.file).includes(text))
      return breakpointAt(table, { n: NO_FUNCTION, offset: unitOf(text, place.offset) ?? text.length, text });
    const [n] = place.kind === 'symbol' ? table.find(place.symbol, place.module ?? '') : [];
    if (place.kind !== 'symbol' || n === undefined || table.textOf(n) !== text) return undefined;
    return breakpointAt(table, { n, offset: place.offset });
  }
}
