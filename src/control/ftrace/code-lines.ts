import type { DebugInformation, InlinedLines, LineCopy, LinkedText } from '../../ftrace/text.js';
import { nearestLines } from '../../probes/choose-place.js';
import { ProbeRefusal } from '../../probes/probe-errors.js';
import { type FoundPlace, innermost } from './found-place.js';
import type { ProcessPlaces } from './process-places.js';
import type { TextTable } from './text-table.js';

/** What is needed to find lines of machine code, whose places debug information knows. */
interface CodeNeeds {
  readonly table: TextTable;
  readonly places: Pick<ProcessPlaces, 'of'>;
}

const refuse = (detail: string): never => {
  throw new ProbeRefusal('BAD_INSN_BNDRY', detail);
};

/** Refuses a line without code, and names those next to it. */
function noCode(lines: readonly number[], line: number): never {
  const near = nearestLines(lines, line);
  const where = near.length === 0 ? '' : `: there is some on ${near.map((one) => `line ${one}`).join(' and ')}`;
  return refuse(`no code begins on line ${line}${where}`);
}

/** The first of some offsets in a text at which a probe can stand; or why none can. Undefined: none is in a function. */
async function firstFree(
  { places }: CodeNeeds,
  text: LinkedText,
  offsets: readonly number[],
): Promise<FoundPlace | string | undefined> {
  let why: string | undefined;
  for (const offset of offsets) {
    const at = innermost(text, offset);
    if (at === undefined || at.offset === 0) return at;
    const place = (await places.of(at.n))?.find((one) => one.offset === at.offset);
    if (place !== undefined && place.reason === undefined) return { ...at, way: place.way };
    why = place?.reason ?? why;
  }
  return why;
}

/** A place for each copy of a function that has a line. */
async function inAll(needs: CodeNeeds, text: LinkedText, all: readonly LineCopy[]): Promise<FoundPlace | undefined> {
  const found: FoundPlace[] = [];
  let why: string | undefined;
  for (const { offsets, isOwn } of all) {
    const place = await firstFree(needs, text, offsets);
    if (typeof place === 'object') found.push({ ...place, isOwn });
    else why ??= place;
  }
  const [first, ...copies] = found;
  if (first === undefined && why !== undefined) throw new ProbeRefusal('FAIL_REG_PROBE', `the place ${why}`);
  return first && { ...first, ...(copies.length > 0 && { copies }) };
}

/** `FILE:LINE` of machine code. @throws ProbeRefusal */
export async function onCodeLine(
  needs: CodeNeeds,
  text: LinkedText,
  debug: DebugInformation,
  file: string,
  line: number,
): Promise<FoundPlace> {
  return (await inAll(needs, text, debug.onLine(file, line))) ?? noCode([...debug.linesOfFile(file)], line);
}

/** `FUNC:LINE` of machine code: in the function itself. @throws ProbeRefusal */
export async function onLineOfCode(needs: CodeNeeds, n: number, debug: DebugInformation, line: number): Promise<FoundPlace> {
  const { table } = needs;
  if (debug.lack !== undefined) refuse(debug.lack);
  const one = table.function(n);
  const lines = debug.linesOf(one);
  const first = debug.placeOf(one)?.line;
  if (first === undefined) return refuse(`nothing says on which lines ${table.name(n)} is`);
  const own = lines.filter((row) => row.line === first + line).map(({ offset }) => one.start + offset);
  const found = await inAll(needs, table.textOf(n), [{ offsets: own, isOwn: true }]);
  return (
    found ??
    noCode(
      // Code of another function that has no entry of its own.
      lines.map((row) => row.line - first).filter((one) => one >= 0),
      line,
    )
  );
}

/** `FUNC` and `FUNC:LINE` of a function that was inlined wherever it is called. Undefined: there is none. */
export async function onInlinedLine(needs: CodeNeeds, symbol: string, line: number): Promise<FoundPlace | undefined> {
  for (const text of inlinedTexts(needs.table)) {
    if (!text.debug!.isInlined(symbol)) continue;
    const copies = text.debug!.onInlinedLine(symbol, line);
    return (await inAll(needs, text, copies)) ?? refuse(`no code begins on line ${line} of the copies of ${symbol}`);
  }
  return undefined;
}

/** Whether a function of the executable was inlined. */
export const isInlined = (table: TextTable, symbol: string): boolean =>
  inlinedTexts(table).some(({ debug }) => debug!.isInlined(symbol));

/** The source of a function of the executable that was inlined. */
export function sourceOfInlined(
  table: TextTable,
  symbol: string,
): { readonly text: LinkedText; readonly source: InlinedLines } | undefined {
  for (const text of inlinedTexts(table)) {
    const source = text.debug!.linesOfInlined(symbol);
    if (source !== undefined) return { text, source };
  }
  return undefined;
}

const inlinedTexts = (table: TextTable): readonly LinkedText[] =>
  table.all.filter(({ debug, module }) => debug !== undefined && module === '');
