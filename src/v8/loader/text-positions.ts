import { ByteKeeper } from '../../base/kept-bytes.js';
import { SafeMap } from '../../base/safe-map.js';
import { orWithOwnBuiltIns } from '../realm/own-built-ins.js';
import type { FramePlace, TextPositions } from '../realm/texts.js';
import { editText, pieceTexts } from '../text/assemble.js';
import { ColumnMap } from '../text/column-map.js';
import { Piece } from '../text/edit-form.js';
import { EditReader, type Edits } from '../text/edits.js';
import type { Placement } from '../text/placement.js';
import type { LinkEvent } from './link-event.js';

/** Where something was inserted: its place in the source and its length, in UTF-16 units. */
interface Insertions {
  readonly offsets: Uint32Array;
  /** Units inserted before each insertion. */
  readonly before: Uint32Array;
  readonly lengths: Uint32Array;
  /** 0-based. */
  readonly lines: Uint32Array;
}

const measure = (length: number, edits: Edits, prefix: string, firstFunction: number): Insertions => {
  const blank = ' '.repeat(length);
  const texts = pieceTexts(prefix);
  const reader = new EditReader(edits);
  const rows: [offset: number, before: number, length: number, line: number][] = [];
  let before = 0;
  while (reader.next()) {
    if (reader.piece === Piece.Place) continue;
    const inserted = editText(reader, blank, prefix, texts, firstFunction + reader.functionIndex).length;
    rows[rows.length] = [reader.offset, before, inserted, reader.line];
    before += inserted;
  }
  const column = (i: 0 | 1 | 2 | 3): Uint32Array => Uint32Array.from(rows, (row) => row[i]);
  return { offsets: column(0), before: column(1), lengths: column(2), lines: column(3) };
};

/** Index of the last insertion that begins before `offset` in the text with sites; -1 for none. */
const lastBefore = ({ offsets, before }: Insertions, offset: number): number => {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] as number) + (before[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
};

/** Index of the first insertion at `offset` of the original text or behind it. */
const firstFrom = ({ offsets }: Insertions, offset: number): number => {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
};

const BEGINNING: Placement = { lines: 0, columns: 0, units: 0 };

const keeper = new ByteKeeper();

/**
 * Positions of a text with sites. They are kept for each text that was loaded, so that they are one object without closures. The
 * source need not be kept: only the lengths of the names that entries pass count.
 */
class SitedText implements TextPositions {
  readonly length: number;
  /** `start` as V8 keeps it without an object of its own: an address is above the numbers for which it can. */
  readonly #low: number;
  readonly #firstFunction: number;
  readonly #prefix: string;
  readonly #placement: Placement;
  readonly #chunk: Uint8Array;
  readonly #at: number;
  readonly #end: number;
  /** Units that V8's text has before this one. */
  #head = 0;
  #columns: ColumnMap | undefined;
  #insertions: Insertions | undefined;

  constructor(link: PlacedText, bytes: Uint8Array, prefix: string) {
    const { chunk, at } = keeper.keep(bytes);
    this.#low = link.base | 0;
    this.length = link.length;
    this.#firstFunction = link.firstFunction;
    this.#prefix = prefix;
    this.#placement = link.placement ?? BEGINNING;
    this.#chunk = chunk;
    this.#at = at;
    this.#end = at + bytes.length;
  }

  get start(): number {
    return this.#low >>> 0;
  }

  get base(): number {
    return this.start - this.#placement.units;
  }

  putBehind(units: number): void {
    this.#head = units;
  }

  originalColumn(line: number, column: number): number {
    return this.#inText(line, column, (columns, at, own) => columns.original(at, own) + this.#columnsOn(at), column);
  }

  framePlace(line: number, column: number): FramePlace | undefined {
    const find = (columns: ColumnMap, at: number, own: number): FramePlace | undefined => {
      const place = columns.place(at, own);
      if (place === undefined) return undefined;
      return {
        line: place.line + this.#placement.lines,
        column: place.column + this.#columnsOn(place.line),
        offset: place.offset + this.#placement.units,
      };
    };
    return this.#inText(line, column, find, undefined);
  }

  originalOffset(compiled: number): number {
    const all = this.#measured();
    const place = Math.max(0, compiled - this.#head);
    const { units } = this.#placement;
    const offset = place - units;
    if (offset < 0) return place;
    const last = lastBefore(all, offset);
    if (last < 0) return place;
    const into = offset - (all.before[last] as number) - (all.offsets[last] as number);
    return into < (all.lengths[last] as number)
      ? (all.offsets[last] as number) + units
      : place - (all.before[last] as number) - (all.lengths[last] as number);
  }

  insertedIn(): ReadonlyMap<number, number> {
    const { lines, lengths } = this.#measured();
    const inserted = new SafeMap<number, number>();
    for (let i = 0; i < lines.length; i++) {
      const line = (lines[i] as number) + this.#placement.lines;
      inserted.set(line, (inserted.get(line) ?? 0) + (lengths[i] as number));
    }
    return inserted;
  }

  compiledOffset(place: number): number {
    const all = this.#measured();
    const last = firstFrom(all, place - this.#placement.units) - 1;
    const inserted = last < 0 ? 0 : (all.before[last] as number) + (all.lengths[last] as number);
    return place + inserted + this.#head;
  }

  isInserted(compiled: number): boolean {
    if (compiled < this.#head) return true;
    const all = this.#measured();
    const offset = compiled - this.#head - this.#placement.units;
    const last = lastBefore(all, offset);
    return last >= 0 && offset - (all.before[last] as number) - (all.offsets[last] as number) < (all.lengths[last] as number);
  }

  get #edits(): Edits {
    return { functions: 0, bytes: this.#chunk.subarray(this.#at, this.#end) };
  }

  #measured(): Insertions {
    const measured = (): Insertions => measure(this.length, this.#edits, this.#prefix, this.#firstFunction);
    this.#insertions ??= orWithOwnBuiltIns(measured);
    return this.#insertions;
  }

  /** The columns before a line (from 1) of the text: only its first one does not begin a line of the file. */
  #columnsOn(line: number): number {
    return line === 1 ? this.#placement.columns : 0;
  }

  /**
   * What a place of the file is in the text. A stack is often read when a program has just failed: what V8 says is better than
   * another error.
   */
  #inText<Found>(
    line: number,
    column: number,
    find: (columns: ColumnMap, line: number, column: number) => Found,
    otherwise: Found,
  ): Found {
    try {
      const own = line - this.#placement.lines;
      return orWithOwnBuiltIns(() => {
        const blank = (): string => ' '.repeat(this.length);
        this.#columns ??= new ColumnMap(blank, this.#edits, this.#prefix, this.#firstFunction);
        return find(this.#columns, own, column - this.#columnsOn(own));
      });
    } catch {
      return otherwise;
    }
  }
}

type PlacedText = Pick<LinkEvent, 'length' | 'firstFunction' | 'base' | 'placement'>;

/** Positions of a text with sites; what they need of the edits is copied. */
export const positionsOf = (link: PlacedText, { bytes }: Edits, prefix: string): TextPositions =>
  new SitedText(link, bytes, prefix);
