import { realpathSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import type { LinkedText } from '../../ftrace/text.js';
import { nearestLines, nearestPlaces } from '../../probes/choose-place.js';
import type { WrittenPlace } from '../../probes/probe-definition.js';
import { ProbeRefusal } from '../../probes/probe-errors.js';
import { onCodeLine, onInlinedLine, onLineOfCode } from '../ftrace/code-lines.js';
import { type FoundPlace, innermost } from '../ftrace/found-place.js';
import { type AuthorsProbePlace, NO_FUNCTION, type ProcessPlaces } from '../ftrace/process-places.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { TextTable } from '../ftrace/text-table.js';

/** What is needed to find places. */
export interface PlaceNeeds {
  readonly table: TextTable;
  readonly places: Pick<ProcessPlaces, 'of' | 'onLine'>;
  /** The functions of a name that there are now; those of the application go before those of packages. */
  named(symbol: string, module: string | undefined): readonly number[];
}

/** What finds places in a process. */
export function placeNeeds({ table, places, tracer }: PlaceSources): PlaceNeeds {
  return {
    table,
    places,
    named(symbol, module) {
      tracer.decode();
      return table.find(symbol, module);
    },
  };
}

/** The texts of a file, which a link may lead to. */
export function textsOfFile(table: TextTable, file: string): readonly LinkedText[] {
  const texts = table.textsOf(file);
  if (texts.length > 0) return texts;
  const path = attempt(() => realpathSync(file));
  return path === undefined || path === file ? [] : table.textsOf(path);
}

/** Where in a text so many bytes of its file from the beginning are; undefined: nowhere. */
export const unitOf = (text: LinkedText, offset: number): number | undefined =>
  text.unitAt === undefined ? offset : text.unitAt(offset);

interface PlaceSources {
  readonly table: TextTable;
  readonly places: ProcessPlaces;
  readonly tracer: Pick<ProcessTracer, 'decode'>;
}

type Finders = {
  readonly [K in WrittenPlace['kind']]?: (
    needs: PlaceNeeds,
    place: Extract<WrittenPlace, { kind: K }>,
  ) => Promise<FoundPlace | undefined>;
};

const FINDERS: Finders = {
  symbol: async (needs, { symbol, module, offset }) => {
    const [n] = needs.named(symbol, module);
    if (n === undefined) return offset === 0 && module === undefined ? onInlinedLine(needs, symbol, 0) : undefined;
    return atOffset(needs, n, offset);
  },
  'function line': async (needs, { symbol, line }) => {
    const [n] = needs.named(symbol, undefined);
    return n === undefined ? onInlinedLine(needs, symbol, line) : onLineOf(needs, n, line);
  },
  line: async (needs, { file, line }) => {
    for (const text of needs.table.textsOf(file)) {
      if (text.debug !== undefined) return onCodeLine(needs, text, text.debug, file, line);
      const places = await needs.places.onLine(text, file, line);
      if (places === undefined) continue;
      const [first] = places;
      const found = first === undefined ? startingOn(needs, text, file, line) : innermostOrText(text, first.offset);
      return found ?? refuse(await nearLine(needs, text, file, line));
    }
    return undefined;
  },
  'file offset': async (needs, { file, offset }) => {
    const [text] = textsOfFile(needs.table, file);
    if (text === undefined) return undefined;
    return inText(needs, text, unitOf(text, offset) ?? refuse('nothing of the file is text there'));
  },
  address: async (needs, { address }) => {
    const text = needs.table.textAt(address);
    return text && inText(needs, text, address - text.base);
  },
};

/**
 * Where in the loaded texts a probe is to stand; undefined: its text is not loaded yet, or no thread that answers has compiled
 * it.
 * @throws ProbeRefusal BAD_INSN_BNDRY: V8 cannot stop there; it names the nearest places
 */
export function findPlace(needs: PlaceNeeds, place: WrittenPlace): Promise<FoundPlace | undefined> {
  const find = FINDERS[place.kind];
  return find === undefined ? Promise.resolve(undefined) : find(needs, place as never);
}

const refuse = (detail: string): never => {
  throw new ProbeRefusal('BAD_INSN_BNDRY', detail);
};

const hex = (offset: number): string => `0x${offset.toString(16)}`;

/**
 * A place of function `n`, so many units from its start, or on a line of it, 0 being its first; undefined and refusals as for
 * findPlace. A line of a function inside it is none of its lines.
 */
export const placeIn = (
  needs: PlaceNeeds,
  n: number,
  { offset = 0, line }: { readonly offset?: number | undefined; readonly line?: number | undefined },
): Promise<FoundPlace | undefined> => (line === undefined ? atOffset(needs, n, offset) : onLineOf(needs, n, line));

async function atOffset(needs: PlaceNeeds, n: number, offset: number): Promise<FoundPlace | undefined> {
  const { table, places } = needs;
  if (offset === 0) return { n, offset };
  const all = await places.of(n);
  if (all === undefined) return undefined;
  const found = all.find((place) => place.offset === offset);
  if (found !== undefined && found.reason === undefined) return { n, offset, way: found.way };
  if (all.some(({ way }) => way !== undefined)) return refuseCode(table, n, all, offset);
  // As in the kernel the place is an address, which may be another function's.
  const text = table.textOf(n);
  const at = table.function(n).start + offset;
  const other = innermost(text, at);
  if (other !== undefined && other.n !== n) return inText(needs, text, at);
  const near = nearestPlaces(all, offset).map(
    (place) => `${table.name(n)}+${hex(place.offset)} (line ${place.authorsLine ?? place.line})`,
  );
  return refuse(near.length === 0 ? `V8 stops nowhere in ${table.name(n)}` : `V8 stops at ${near.join(' and ')}`);
}

/** Refuses a place in machine code (register_kprobe): EILSEQ only if it is in the midst of an instruction. */
function refuseCode(table: TextTable, n: number, all: readonly AuthorsProbePlace[], offset: number): never {
  const { start, end } = table.function(n);
  if (offset >= end - start) throw new ProbeRefusal('FAIL_REG_PROBE', `${table.name(n)} has ${hex(end - start)} bytes`);
  const free = all.filter(({ reason }) => reason === undefined);
  const near = nearestPlaces(free, offset).map((place) => `${table.name(n)}+${hex(place.offset)}`);
  const where = near.length === 0 ? '' : `; a probe can stand at ${near.join(' and ')}`;
  const reason = all.find((place) => place.offset === offset)?.reason;
  throw reason === undefined
    ? new ProbeRefusal('BAD_INSN_BNDRY', where.slice(2))
    : new ProbeRefusal('FAIL_REG_PROBE', `the place ${reason}${where}`);
}

/** `FUNC:LINE`, 0 being the line on which the function begins. */
async function onLineOf(needs: PlaceNeeds, n: number, line: number): Promise<FoundPlace | undefined> {
  if (line === 0) return { n, offset: 0 };
  const { debug } = needs.table.textOf(n);
  if (debug !== undefined) return onLineOfCode(needs, n, debug, line);
  const all = await needs.places.of(n);
  if (all === undefined) return undefined;
  const first = needs.table.line(n);
  const found = all.find((place) => place.authorsLine === first + line);
  if (found !== undefined) return { n, offset: found.offset };
  return refuse(
    nearText(
      all.map((place) => (place.authorsLine ?? 0) - first),
      line,
    ),
  );
}

function inText(needs: PlaceNeeds, text: LinkedText, offset: number): Promise<FoundPlace | undefined> {
  const found = innermost(text, offset);
  if (found === undefined) return refuse('no function is there');
  return atOffset(needs, found.n, found.offset);
}

const innermostOrText = (text: LinkedText, offset: number): FoundPlace =>
  innermost(text, offset) ?? { n: NO_FUNCTION, offset, text };

/** The entry of a function that begins on a line on which V8 cannot stop. */
function startingOn(
  { table }: PlaceNeeds,
  { functions, firstFunction }: LinkedText,
  file: string,
  line: number,
): FoundPlace | undefined {
  const n = functions.map((_one, i) => firstFunction + i).find((one) => table.line(one) === line && table.isIn(one, file));
  return n === undefined ? undefined : { n, offset: 0 };
}

/** The lines of the functions around. */
async function nearLine(
  { table, places }: PlaceNeeds,
  { functions, firstFunction }: LinkedText,
  file: string,
  line: number,
): Promise<string> {
  const lines: number[] = [];
  const around = functions.map((_one, i) => firstFunction + i).filter((n) => table.isIn(n, file));
  const before = around.filter((n) => table.line(n) <= line).slice(-NEAR);
  const behind = around.filter((n) => table.line(n) > line).slice(0, NEAR);
  for (const n of [...before, ...behind]) {
    for (const { authorsLine } of (await places.of(n)) ?? []) if (authorsLine !== undefined) lines.push(authorsLine);
  }
  return nearText(lines, line);
}

/** So many functions before a line, and behind it, are asked for their places. */
const NEAR = 8;

const nearText = (lines: readonly number[], line: number): string => {
  const near = nearestLines(lines, line);
  return near.length === 0 ? 'V8 stops on no line near it' : `V8 stops on ${near.map((one) => `line ${one}`).join(' and ')}`;
};

/** The place in a function of a text for which a probe has waited; undefined: it is in none, or at an entry. */
export async function placeInNewText(
  needs: PlaceNeeds,
  place: WrittenPlace,
  text: LinkedText,
): Promise<FoundPlace | undefined | 'not compiled'> {
  if (place.kind === 'line') {
    const onLine = await needs.places.onLine(text, place.file, place.line);
    if (onLine === undefined) return 'not compiled';
    return onLine[0] && inMiddle(innermost(text, onLine[0].offset));
  }
  const found = inMiddle(offsetIn(needs, place, text));
  if (found !== undefined && (await needs.places.of(found.n)) === undefined) return 'not compiled';
  return found;
}

function offsetIn(needs: PlaceNeeds, place: WrittenPlace, text: LinkedText): FoundPlace | undefined {
  if (place.kind === 'file offset') return innermost(text, place.offset);
  if (place.kind !== 'symbol') return undefined;
  const n = needs.named(place.symbol, place.module ?? '').find((one) => needs.table.textOf(one) === text);
  return n === undefined ? undefined : { n, offset: place.offset };
}

const inMiddle = (found: FoundPlace | undefined): FoundPlace | undefined => (found?.offset === 0 ? undefined : found);
