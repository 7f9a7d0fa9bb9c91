import { SafeMap } from '../../base/safe-map.js';
import { orWithOwnBuiltIns } from '../realm/own-built-ins.js';
import type { TextPositions } from '../realm/texts.js';
import { editText, pieceTexts } from '../text/assemble.js';
import { ColumnMap } from '../text/column-map.js';
import { EditReader, type Edits } from '../text/edits.js';
import { PLACE } from '../text/pieces.js';
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
    if (reader.piece === PLACE) continue;
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

/** Positions of a text with sites. The source need not be kept: only the lengths of the names that entries pass count. */
export const positionsOf = (
  { length, firstFunction, base, placement = BEGINNING }: Pick<LinkEvent, 'length' | 'firstFunction' | 'base' | 'placement'>,
  edits: Edits,
  prefix: string,
): TextPositions => {
  const { lines: linesBefore, columns: columnsBefore, units: unitsBefore } = placement;
  let columns: ColumnMap | undefined;
  let insertions: Insertions | undefined;
  const measured = (): Insertions => (insertions ??= orWithOwnBuiltIns(() => measure(length, edits, prefix, firstFunction)));
  const columnMap = (): ColumnMap => (columns ??= new ColumnMap(() => ' '.repeat(length), edits, prefix, firstFunction));
  /** The columns before a line (from 1) of the text: only its first one does not begin a line of the file. */
  const columnsOn = (line: number): number => (line === 1 ? columnsBefore : 0);
  /**
   * What a place of the file is in the text. A stack is often read when a program has just failed: what V8 says is better than
   * another error.
   */
  const inText = <Found>(
    line: number,
    column: number,
    find: (columns: ColumnMap, line: number, column: number) => Found,
    otherwise: Found,
  ): Found => {
    try {
      const own = line - linesBefore;
      return orWithOwnBuiltIns(() => find(columnMap(), own, column - columnsOn(own)));
    } catch {
      return otherwise;
    }
  };
  return {
    base: base - unitsBefore,
    start: base,
    length,
    originalColumn: (line, column) =>
      inText(line, column, (columns, at, own) => columns.original(at, own) + columnsOn(at), column),
    framePlace: (line, column) =>
      inText(
        line,
        column,
        (columns, at, own) => {
          const place = columns.place(at, own);
          if (place === undefined) return undefined;
          return {
            line: place.line + linesBefore,
            column: place.column + columnsOn(place.line),
            offset: place.offset + unitsBefore,
          };
        },
        undefined,
      ),
    originalOffset(place) {
      const all = measured();
      const offset = place - unitsBefore;
      if (offset < 0) return place;
      const last = lastBefore(all, offset);
      if (last < 0) return place;
      const into = offset - (all.before[last] as number) - (all.offsets[last] as number);
      return into < (all.lengths[last] as number)
        ? (all.offsets[last] as number) + unitsBefore
        : place - (all.before[last] as number) - (all.lengths[last] as number);
    },
    insertedIn() {
      const { lines, lengths } = measured();
      const inserted = new SafeMap<number, number>();
      for (let i = 0; i < lines.length; i++) {
        const line = (lines[i] as number) + linesBefore;
        inserted.set(line, (inserted.get(line) ?? 0) + (lengths[i] as number));
      }
      return inserted;
    },
    compiledOffset(place) {
      const all = measured();
      const last = firstFrom(all, place - unitsBefore) - 1;
      return last < 0 ? place : place + (all.before[last] as number) + (all.lengths[last] as number);
    },
    isInserted(place) {
      const all = measured();
      const offset = place - unitsBefore;
      const last = lastBefore(all, offset);
      return last >= 0 && offset - (all.before[last] as number) - (all.offsets[last] as number) < (all.lengths[last] as number);
    },
  };
};
