import { setTimeout as sleep } from 'node:timers/promises';
import { isPlain } from '../../base/glob.js';
import type { EventRegistry } from '../../events/registry.js';
import type { LinkedText } from '../../ftrace/text.js';
import type { MachineCode, Port } from '../../port/port.js';
import { fetchRoot, variableOf } from '../../probes/fetch-root.js';
import {
  type ProbeArgument,
  type ProbeDefinition,
  type ProbeKind,
  RETURN_KINDS,
  type WrittenPlace,
} from '../../probes/probe-definition.js';
import { ProbeRefusal } from '../../probes/probe-errors.js';
import { isAtSites, type PointPlace } from '../../probes/probe-point.js';
import type { FoundPlace } from '../ftrace/found-place.js';
import { NO_FUNCTION, type ProcessPlaces } from '../ftrace/process-places.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';
import { findPlace, type PlaceNeeds, placeInNewText, placeNeeds } from './find-place.js';
import { findStatement, type StatementAddress } from './find-statement.js';
import type { ProbeWay } from './listed-kprobe.js';
import { checkGlob, checkMachineCode, machineCodeAt } from './machine-places.js';
import { isAtSymbols, meantBy, type ProbeFunctions, type SymbolPlace } from './probe-functions.js';
import { breakpointAt, breakpointStand, type ProbeStand, passesTo, siteStand, statementStand } from './probe-stand.js';
import { AwaitedTextStands, fixedStands, type ProbeStands, SymbolStands } from './probe-stands.js';
import { argumentsAt, readsVariables, withTypes } from './variable-arguments.js';

/** What is needed of the process to find where a probe can stand. */
export interface StandSearchNeeds {
  readonly port: Pick<Port, 'machineCode'>;
  readonly table: TextTable;
  readonly tracer: ProcessTracer;
  readonly events: EventRegistry;
  readonly places: ProcessPlaces;
}

/** What was found of a probe that was checked. */
interface Checked {
  /** Where it stands, unless it is at the entries of symbols. */
  readonly found?: FoundPlace | undefined;
  /** The statement at whose site it stands. */
  readonly statement?: StatementAddress | undefined;
  /** What a probe of machine code fetches at each of its places, where it reads variables. */
  readonly args?: ReadonlyMap<string, readonly ProbeArgument[]>;
}

/** Milliseconds until V8 is asked for the places of a text that was linked: it compiles the text after that. */
const COMPILED = [5, 20, 100, 500, 2500];

type EventPlace = Extract<WrittenPlace, { kind: 'event' }>;

const isEntry = ({ offset, text }: FoundPlace): boolean => offset === 0 && text === undefined;

const placeKey = ({ n, offset, isOwn }: FoundPlace): string => `${n}+${offset} ${isOwn}`;

/** Finds where the probes of events can stand: at the sites of functions, at the site of a statement, or at a breakpoint. */
export class StandSearch {
  readonly #process: StandSearchNeeds;
  readonly #functions: ProbeFunctions;
  readonly #needs: PlaceNeeds;
  readonly #checked = new WeakMap<ProbeDefinition, Checked>();

  constructor(process: StandSearchNeeds) {
    this.#process = process;
    this.#needs = placeNeeds(process);
    const { table, tracer } = process;
    this.#functions = {
      names: () => tracer.names(),
      find: (symbol, module) => table.find(symbol, module),
      params: (n) => table.function(n).params,
      hasThis: (n) => table.function(n).lacksThis !== true,
    };
  }

  /** The machine code in which a place is; undefined: it is in other text. */
  machineCodeAt(place: WrittenPlace): MachineCode | undefined {
    return machineCodeAt(place, this.#process.port.machineCode, this.#functions, this.#process.table);
  }

  /**
   * Looks whether the probe can be there, before it gets an event. Its symbols are known to be unique; a package may not be
   * loaded yet.
   * @returns the same with the types of variables (ProbeArgument.takesType)
   * @throws ProbeRefusal, whose caret goes under the place or the argument
   */
  async check(asked: ProbeDefinition): Promise<ProbeDefinition> {
    const { place, kind } = asked;
    const { port, table, tracer } = this.#process;
    if (place.kind === 'event') {
      if (port.machineCode?.isAll !== true) return asked;
      throw new ProbeRefusal('FAIL_REG_PROBE', 'a native program has no probes of events');
    }
    tracer.decode();
    checkGlob(asked, port.machineCode, this.#functions);
    const code = this.machineCodeAt(place);
    if (code !== undefined) checkMachineCode(asked, code);
    if (isAtSymbols(place) && RETURN_KINDS.includes(kind)) this.#checkEnds(place, kind);
    const { places, ...checked } = await this.#checkPlace(asked, code);
    if (code === undefined || !readsVariables(asked)) {
      this.#checked.set(asked, checked);
      return asked;
    }
    if (places.length === 0)
      throw new ProbeRefusal('BAD_FETCH_ARG', 'nothing is known of the variables: its text is not loaded yet');
    const all = places
      .flatMap(({ copies = [], ...one }) => [one, ...copies])
      .map((one) => ({ place: one, args: argumentsAt(code, one, asked) }));
    const definition = withTypes(table, asked, all);
    this.#checked.set(definition, { ...checked, args: new Map(all.map((one) => [placeKey(one.place), one.args])) });
    return definition;
  }

  /**
   * Where a checked probe stands.
   * @param moved called when a stand has changed its place
   */
  standsOf(definition: ProbeDefinition, moved: () => void): ProbeStands {
    const { place, kind } = definition;
    const { table, places } = this.#process;
    if (place.kind === 'event') return fixedStands([this.#eventStand(definition, place)]);
    const checked = this.#checked.get(definition) ?? {};
    const isSite = !this.#readsScope(definition) || RETURN_KINDS.includes(kind);
    if (isAtSymbols(place) && isSite && checked.found === undefined) {
      const { args } = checked;
      return new SymbolStands(definition, place, this.#functions, args && ((n) => args.get(placeKey({ n, offset: 0 }))));
    }
    const found = checked.found ?? (isAtSymbols(place) ? this.#entryOf(place) : undefined);
    if (found !== undefined) {
      const { copies = [], ...first } = found;
      return fixedStands([first, ...copies].map((one) => this.#standAt(one, definition, isSite, checked)));
    }
    return new AwaitedTextStands(definition, {
      table,
      lineOf: (text, file, line) => places.lineOf(text, file, line),
      linked: (stands, text) => void this.#moveToStatement(definition, stands, text, moved),
    });
  }

  /** The places where a point of a probe stands. */
  async placesOf(place: PointPlace, definition: ProbeDefinition): Promise<readonly FoundPlace[]> {
    if (isAtSites(place)) return place.functions.map((n) => ({ n, offset: 0 }));
    if (place.kind === 'statement') return [{ n: place.n, offset: place.address - this.#process.table.address(place.n) }];
    if (place.kind !== 'breakpoint') return [];
    const { n, address, ranges, parts } = place;
    const [[offset] = [0]] = ranges;
    if (n !== NO_FUNCTION) return [{ n, offset }];
    const known = this.#checked.get(definition)?.found;
    if (known !== undefined) return [known];
    const asked: WrittenPlace = parts === undefined ? { kind: 'address', address: address + offset } : definition.place;
    try {
      const found = await findPlace(this.#needs, asked);
      return found === undefined ? [] : [found];
    } catch {
      // V8 has no such place.
      return [];
    }
  }

  /** How a point of a probe stands there. */
  wayOf(place: PointPlace, definition: ProbeDefinition): ProbeWay {
    if (place.kind === 'statement') return 'statement';
    if (place.kind !== 'breakpoint') return 'site';
    const way = this.#checked.get(definition)?.found?.way;
    return way ?? (this.machineCodeAt(definition.place) === undefined ? 'breakpoint' : 'jump');
  }

  /** @returns the places that are known too; none: its text is not loaded yet, or nobody asks for them */
  async #checkPlace(
    definition: ProbeDefinition,
    code: MachineCode | undefined,
  ): Promise<Checked & { readonly places: readonly FoundPlace[] }> {
    const { kind, place } = definition;
    const isInlinedOnly =
      code !== undefined && place.kind === 'symbol' && isPlain(place.symbol) && meantBy(place, this.#functions).length === 0;
    if (isAtSymbols(place) && !isInlinedOnly) return { places: this.#checkSymbols(definition, place, code) };
    const found = await findPlace(this.#needs, place);
    if (found === undefined) return { places: [] };
    if ((!isEntry(found) || isInlinedOnly) && RETURN_KINDS.includes(kind)) throw new ProbeRefusal('BAD_RETPROBE');
    const isMiddle = !isEntry(found) && found.text === undefined;
    const statement = isMiddle ? await findStatement(this.#needs, found, (site) => passesTo(definition, site)) : undefined;
    return { found, statement, places: [found] };
  }

  #checkSymbols(definition: ProbeDefinition, place: SymbolPlace, code: MachineCode | undefined): readonly FoundPlace[] {
    const { table } = this.#process;
    if (this.#readsScope(definition)) return [];
    this.#checkSite(place);
    const functions = meantBy(place, this.#functions);
    if (code !== undefined) return functions.map((n) => ({ n, offset: 0 }));
    for (const n of functions) {
      const { params } = table.function(n);
      definition.args.forEach(({ fetch }, i) => {
        const name = variableOf(fetch);
        if (name !== undefined && !params.includes(name))
          throw new ProbeRefusal('BAD_FETCH_ARG', `${name} is no parameter of ${table.name(n)}`, i);
      });
    }
    return [];
  }

  #eventStand({ kind, args }: ProbeDefinition, { system, event }: EventPlace): ProbeStand {
    const target = this.#process.events.find(system, event);
    if (kind === 'tprobe') return { place: { kind: 'tracepoint', system, event, source: target?.source }, args };
    return { place: { kind: 'event', fields: Object.keys(target?.specs ?? {}) }, args };
  }

  #standAt(found: FoundPlace, definition: ProbeDefinition, isSite: boolean, { args, statement }: Checked): ProbeStand {
    const { table } = this.#process;
    const own = args?.get(placeKey(found));
    const fetched = own === undefined ? definition : { ...definition, args: own };
    if (isEntry(found) && isSite) return siteStand(fetched, found.n, this.#functions);
    if (statement !== undefined) return statementStand(definition, statement);
    return breakpointStand(fetched, breakpointAt(table, found), table);
  }

  /** A probe whose text came later leaves its breakpoint for the site of a statement, once V8 can say which places are there. */
  async #moveToStatement(
    definition: ProbeDefinition,
    stands: AwaitedTextStands,
    text: LinkedText,
    moved: () => void,
  ): Promise<void> {
    for (const wait of COMPILED) {
      await sleep(wait, undefined, { ref: false });
      const found = await placeInNewText(this.#needs, definition.place, text);
      if (found === 'not compiled') continue;
      const statement = found && (await findStatement(this.#needs, found, (site) => passesTo(definition, site)));
      if (statement === undefined) return;
      stands.moveTo(text, statement);
      moved();
      return;
    }
  }

  /** Whether a probe reads variables that no site passes. */
  #readsScope({ args, place }: ProbeDefinition): boolean {
    return args.some(({ fetch }) => fetchRoot(fetch).kind === 'symbol') && this.machineCodeAt(place) === undefined;
  }

  /** @throws ProbeRefusal if a symbol is a function without a site */
  #checkSite(place: SymbolPlace): void {
    const n = this.#oneAt(place);
    const reason = n === undefined ? undefined : this.#process.table.function(n).reason;
    if (reason !== undefined) throw new ProbeRefusal('FAIL_REG_PROBE', `it has no site: ${reason}`);
  }

  /** @throws ProbeRefusal if the end of a function is not heard, or its calls return no promise that is */
  #checkEnds(place: SymbolPlace, kind: ProbeKind): void {
    const n = this.#oneAt(place);
    const why = n === undefined ? undefined : this.#whyUnheard(n, kind);
    if (why !== undefined) throw new ProbeRefusal('FAIL_REG_PROBE', why);
  }

  /** The function of a symbol; undefined for a glob, whose functions may differ. */
  #oneAt({ symbol, module }: SymbolPlace): number | undefined {
    return isPlain(symbol) ? this.#process.table.find(symbol, module)[0] : undefined;
  }

  #whyUnheard(n: number, kind: ProbeKind): string | undefined {
    const { table, tracer } = this.#process;
    const { unheard, yields } = table.function(n);
    if (kind !== 'settled' || unheard !== undefined) return unheard;
    if (tracer.records.isLoadedBefore(n))
      return `${table.name(n)} was loaded before fentry: the promise that it returns is not seen`;
    if (!yields) return undefined;
    return `${table.name(n)} is a generator: its calls return no promise; %return is hit at its end`;
  }

  #entryOf({ symbol, module }: SymbolPlace): FoundPlace | undefined {
    const [n] = this.#process.table.find(symbol, module);
    return n === undefined ? undefined : { n, offset: 0 };
  }
}
