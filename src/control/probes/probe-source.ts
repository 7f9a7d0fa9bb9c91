import { basename } from 'node:path';
import { TraceError } from '../../base/errno.js';
import { isEndOf } from '../../base/is-end-of.js';
import type { LinkedText, VisibleVariable } from '../../ftrace/text.js';
import { type ListedPlace, parseListedPlace } from '../../probes/parse-listed-place.js';
import { isSourceName } from '../../probes/source-name.js';
import { isInlined, onInlinedLine, sourceOfInlined } from '../ftrace/code-lines.js';
import type { FoundPlace } from '../ftrace/found-place.js';
import type { ProcessPlaces } from '../ftrace/process-places.js';
import type { TextTable } from '../ftrace/text-table.js';
import { findPlace, type PlaceNeeds, placeIn } from './find-place.js';

type FunctionPlace = Extract<ListedPlace, { kind: 'function' }>;
type FilePlace = Extract<ListedPlace, { kind: 'file' }>;

/** Lines of a source, and on which of them a probe can stand. */
export interface SourceLines {
  /** The function that was asked for; absent: a file was. */
  readonly symbol?: string;
  readonly file: string;
  /** The number of the first of the lines: of the function if one was asked for, whose first line is 0; else of the file. */
  readonly first: number;
  readonly lines: readonly SourceLine[];
}

export interface SourceLine {
  readonly text: string;
  readonly isPlace: boolean;
}

/** A place where a probe can stand, and the names that it can read there. */
export interface PlaceVariables {
  readonly address: number;
  readonly symbol: string;
  /** Units from the start of the function. */
  readonly offset: number;
  readonly file: string;
  /** The line of the file, from 1. */
  readonly line: number;
  readonly variables: readonly { readonly name: string; readonly kind: string; readonly type?: string }[];
}

/** What is needed of the process. */
export interface ProbeSourceNeeds {
  readonly table: TextTable;
  readonly places: ProcessPlaces;
  /** What names functions and finds places. */
  readonly needs: PlaceNeeds;
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/**
 * The sources of the program: their lines, and what a probe can read there (kprobes/lines and kprobes/vars). What perf probe
 * reads of an executable's debugging information.
 */
export class ProbeSource {
  readonly #table: TextTable;
  readonly #places: ProcessPlaces;
  readonly #needs: PlaceNeeds;

  constructor({ table, places, needs }: ProbeSourceNeeds) {
    this.#table = table;
    this.#places = places;
    this.#needs = needs;
  }

  /** The place that a text names; undefined if it names none. */
  place(text: string): ListedPlace | undefined {
    const place = parseListedPlace(
      text,
      (module, symbol) =>
        this.#needs.named(symbol, module).length > 0 ||
        (module === undefined && !isSourceName(symbol) && isInlined(this.#table, symbol)),
    );
    return place?.kind === 'file' && this.#table.textsOf(place.file).length === 0 ? undefined : place;
  }

  /**
   * @throws TraceError ENOENT: there is no such function or source, or the source does not have the lines; EADDRNOTAVAIL: several
   * functions
   *   have the name
   */
  lines(place: ListedPlace): Promise<SourceLines> {
    if (place.kind === 'file') return this.#linesOfFile(place);
    return this.#isInlinedOnly(place) ? this.#linesOfInlined(place) : this.#linesOfFunction(place);
  }

  /** Whether a function has no code of its own. */
  #isInlinedOnly({ symbol, module }: FunctionPlace): boolean {
    return module === undefined && this.#needs.named(symbol, undefined).length === 0;
  }

  /** @throws TraceError as `lines` does, and EILSEQ where V8 cannot stop, with the nearest places */
  async variables(place: ListedPlace): Promise<PlaceVariables> {
    const found = await this.#find(place);
    const { n, offset } = found;
    if (found.text !== undefined) return outsideFunctions(found.text, offset, place);
    const text = this.#table.textOf(n);
    const one = this.#table.function(n);
    const source = await this.#places.sourceOf(text);
    const isReturn = place.kind === 'function' && place.isReturn === true;
    const named = this.#namesInAll(found) ?? (source === undefined ? [] : text.variables?.(source, one, offset));
    // What a function of machine code was called with may be gone at its end.
    const variables = isReturn && text.debug !== undefined ? [] : (named ?? []);
    const results = [
      ...(isReturn ? ['$retval'] : []),
      ...(place.kind === 'function' && place.isSettled ? ['$status', '$duration'] : []),
    ];
    const retval = results.map((name) => ({ name, kind: 'result' }));
    const file = this.#table.authorsFile(n);
    const symbol = this.#table.name(n);
    const line = await this.#lineOf(n, offset);
    return { address: this.#table.address(n) + offset, symbol, offset, file, line, variables: [...retval, ...variables] };
  }

  /** What debug information has at a place, and at all copies of it: a probe stands on each. */
  #namesInAll({ copies = [], ...first }: FoundPlace): readonly VisibleVariable[] | undefined {
    const [names, ...others] = [first, ...copies].map((place) =>
      this.#table.textOf(place.n).debug?.variables(this.#table.function(place.n), place),
    );
    return names?.filter(({ name }) => others.every((visible) => visible?.some((one) => one.name === name)));
  }

  async #lineOf(n: number, offset: number): Promise<number> {
    if (offset === 0) return this.#table.line(n);
    const { debug } = this.#table.textOf(n);
    if (debug !== undefined) {
      const lines = debug.linesOf(this.#table.function(n));
      return lines.findLast((row) => row.offset <= offset)?.line ?? this.#table.line(n);
    }
    const found = (await this.#places.of(n))?.find((place) => place.offset === offset);
    return found?.authorsLine ?? found?.line ?? this.#table.line(n);
  }

  async #find(place: ListedPlace): Promise<FoundPlace> {
    const found = await this.#found(place);
    if (found === undefined) throw new TraceError('ENOENT', 'no thread that answers has compiled this source');
    return found;
  }

  #found(place: ListedPlace): Promise<FoundPlace | undefined> {
    const needs = this.#needs;
    if (place.kind === 'file') return findPlace(needs, { kind: 'line', file: place.file, line: place.lines?.from ?? 1 });
    const line = place.lines?.from;
    return this.#isInlinedOnly(place) && place.offset === undefined
      ? onInlinedLine(needs, place.symbol, line ?? 0)
      : placeIn(needs, this.#functionOf(place), { offset: place.offset, line });
  }

  #functionOf({ module, symbol, file }: FunctionPlace): number {
    const named = this.#needs.named(symbol, module);
    const [n, other] = file === undefined ? named : named.filter((one) => this.#table.isIn(one, file));
    if (n === undefined) throw new TraceError('ENOENT', `there is no function ${symbol} in ${file}`);
    if (other !== undefined) {
      const places = new Set(named.map((one) => `${symbol}@${this.#table.authorsFile(one)}`));
      // Overloaded functions of one file differ by their lines.
      const lines = named.map((one) => `${this.#table.authorsFile(one)}:${this.#table.line(one)}`);
      const listed = places.size === named.length ? [...places] : [...new Set(lines)];
      throw new TraceError('EADDRNOTAVAIL', `several functions have this name: ${listed.slice(0, MOST_NAMED).join(', ')}`);
    }
    return n;
  }

  async #linesOfFunction(place: FunctionPlace): Promise<SourceLines> {
    const n = this.#functionOf(place);
    const text = this.#table.textOf(n);
    const file = this.#table.authorsFile(n);
    const start = this.#table.line(n);
    const { debug } = text;
    if (debug?.lack !== undefined) throw new TraceError('ENOENT', debug.lack);
    if (start === 0) throw new TraceError('ENOENT', `nothing says on which lines ${this.#table.name(n)} is`);
    const placed = debug?.linesOf(this.#table.function(n)).map(({ line }) => line);
    const places = placed ?? (await this.#places.of(n))?.map(({ authorsLine }) => authorsLine) ?? [];
    const marked = new Set(places);
    marked.add(start);
    const named = debug === undefined ? [] : Array.from(marked, (line = start) => line - start).filter((line) => line >= 0);
    const source = await this.#sourceOf(text, file, named);
    const end = Math.max(await this.#endLine(n, text, file), start, ...places.map((line = 0) => line));
    return { symbol: this.#table.name(n), file, ...linesFrom(source, { start, end }, place.lines, marked) };
  }

  async #linesOfInlined({ symbol, lines: asked }: FunctionPlace): Promise<SourceLines> {
    const { text, source } = sourceOfInlined(this.#table, symbol) ?? {};
    if (text === undefined || source === undefined) throw new TraceError('ENOENT', `nothing says on which lines ${symbol} is`);
    const { file, line: start, lines } = source;
    const end = Math.max(start, ...lines);
    const offsets = Array.from(lines, (line) => line - start);
    return {
      symbol,
      file,
      ...linesFrom(await this.#sourceOf(text, file, offsets), { start, end }, asked, new Set([start, ...lines])),
    };
  }

  /** The last line of a function. */
  async #endLine(n: number, text: LinkedText, file: string): Promise<number> {
    const loaded = await this.#places.sourceOf(text);
    if (loaded === undefined) return this.#table.line(n);
    const before = loaded.slice(0, this.#table.function(n).end - 1).split(LINE_END);
    const last = this.#places.authorsLine(text, before.length, before.at(-1)!.length);
    return last !== undefined && last.file === file ? last.line : this.#table.line(n);
  }

  async #linesOfFile({ file: path, lines: asked }: FilePlace): Promise<SourceLines> {
    const [text] = this.#table.textsOf(path);
    if (text === undefined) throw new TraceError('ENOENT', `no source is loaded whose path is ${path}, or ends with it`);
    const whole = text.debug?.fileNamed(path);
    if (whole !== undefined) return this.#codeOfFile(whole, text, asked);
    const functions = text.functions.map((_one, i) => text.firstFunction + i);
    const n = functions.find((one) => this.#table.isIn(one, path));
    const file = n === undefined ? text.file : this.#table.authorsFile(n);
    const places = (await this.#places.ofText(text)) ?? [];
    const marked = new Set(places.flatMap((place) => (place.file === file ? [place.authorsLine] : [])));
    for (const one of functions) if (this.#table.isIn(one, path)) marked.add(this.#table.line(one));
    const source = await this.#sourceOf(text, file);
    const { from = 1, to = asked === undefined ? Number.POSITIVE_INFINITY : from } = asked ?? {};
    return { file, first: from, lines: cut(source, from, to, marked) };
  }

  async #codeOfFile(file: string, text: LinkedText, asked: FilePlace['lines']): Promise<SourceLines> {
    const { from = 1, to = asked === undefined ? Number.POSITIVE_INFINITY : from } = asked ?? {};
    const lines = text.debug!.linesOfFile(file);
    return { file, first: from, lines: cut(await this.#sourceOf(text, file, lines), from, to, lines) };
  }

  /**
   * The source that its author sees. @param lines those on which a probe can stand, as the user counts them: named if the source
   * is missing
   */
  async #sourceOf(text: LinkedText, file: string, lines: Iterable<number> = []): Promise<string> {
    // A file that a loader has compiled in place (tsx) has the path of its text, and a source map: what V8 has is not what its
    // author sees.
    const source = text.authorsSource?.(file);
    const found = source ?? (isEndOf(file, text.file) ? await this.#places.sourceOf(text) : undefined);
    const where = text.debug === undefined ? 'neither in its source map nor on the disk' : 'not on the disk';
    if (found === undefined) throw new TraceError('ENOENT', `the source of ${file} is ${where}${codeOn(lines)}`);
    return found;
  }
}

/** A place in the code of a module outside of its functions: nothing says which of its variables V8 keeps there. */
function outsideFunctions({ base, file }: LinkedText, offset: number, { lines }: ListedPlace): PlaceVariables {
  const symbol = basename(file).replace(/\s/g, '_');
  return { address: base + offset, symbol, offset, file, line: lines?.from ?? 1, variables: [] };
}

/** So many lines are listed in an error. */
const MOST_LINES = 24;

/** The end of an error about a source that nobody can see: lines can be named without it. */
function codeOn(lines: Iterable<number>): string {
  const all = [...new Set(lines)].sort((a, b) => a - b);
  const more = all.length > MOST_LINES ? ', ...' : '';
  return all.length === 0 ? '' : `; code begins on line ${all.slice(0, MOST_LINES).join(', ')}${more}`;
}

/** So many functions of one name are listed in an error. */
const MOST_NAMED = 8;

/** Lines of a function, counted from its first one, 0. */
function linesFrom(
  source: string,
  { start, end }: { readonly start: number; readonly end: number },
  asked: FunctionPlace['lines'],
  marked: ReadonlySet<number | undefined>,
): Pick<SourceLines, 'first' | 'lines'> {
  const { from = 0, to = asked === undefined ? end - start : from } = asked ?? {};
  return { first: from, lines: cut(source, start + from, Math.min(start + to, end), marked) };
}

/** Lines of a source, from 1; `to` is one of them. */
function cut(source: string, from: number, to: number, marked: ReadonlySet<number | undefined>): readonly SourceLine[] {
  const all = source.split(LINE_END);
  // What follows the last line end is no line.
  if (all.at(-1) === '') all.pop();
  if (from > all.length || to < from) throw new TraceError('ENOENT', 'the source has no such line');
  return all.slice(from - 1, to).map((text, i) => ({ text, isPlace: marked.has(from + i) }));
}
