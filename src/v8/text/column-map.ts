import { SafeMap } from '../../base/safe-map.js';
import { editText, pieceTexts } from './assemble.js';
import { Piece } from './edit-form.js';
import { EditReader, type Edits } from './edits.js';

/**
 * Maps a place of the instrumented text to the source. Lines are the same in both. It costs nothing until it is used, then 8
 * bytes for each edit; `source` may be given as a function, called at most once, and is not kept.
 */
export class ColumnMap {
  readonly #load: () => Edited;
  #edited: Edited | undefined;

  constructor(source: string | (() => string), edits: Edits, prefix: string, firstFunction: number) {
    this.#load = () => measure(typeof source === 'string' ? source : source(), edits, prefix, firstFunction);
  }

  /** `line` and `column` count from 1, as V8 prints them. Inside an inserted snippet: the place of its insertion. */
  original(line: number, column: number): number {
    this.#edited ??= this.#load();
    const { lines, columns, lengths } = this.#edited;
    let added = 0;
    for (let i = firstOf(lines, line); i < lines.length && lines[i] === line; i++) {
      const at = (columns[i] as number) + added;
      if (at >= column) break;
      const length = lengths[i] as number;
      if (column < at + length) return columns[i] as number;
      added += length;
    }
    return column - added;
  }

  /** Where a frame is that runs in an inserted snippet, if that is not the place of its insertion. */
  place(line: number, column: number): OriginalPlace | undefined {
    this.#edited ??= this.#load();
    const { lines, columns, lengths, places } = this.#edited;
    if (places.size === 0) return undefined;
    let added = 0;
    for (let i = firstOf(lines, line); i < lines.length && lines[i] === line; i++) {
      const at = (columns[i] as number) + added;
      if (at > column) return undefined;
      added += lengths[i] as number;
      if (column < at + (lengths[i] as number)) return places.get(i);
    }
    return undefined;
  }
}

/** A place in the original text: `line` and `column` count from 1, `offset` is in UTF-16 units from its start. */
export interface OriginalPlace {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

interface Edited {
  readonly lines: Uint32Array;
  readonly columns: Uint32Array;
  readonly lengths: Uint16Array;
  /** By the index of the edit that follows. */
  readonly places: ReadonlyMap<number, OriginalPlace>;
}

function measure(source: string, edits: Edits, prefix: string, firstFunction: number): Edited {
  const lines: number[] = [];
  const columns: number[] = [];
  const lengths: number[] = [];
  const places = new SafeMap<number, OriginalPlace>();
  const texts = pieceTexts(prefix);
  const reader = new EditReader(edits);
  while (reader.next()) {
    if (reader.piece === Piece.Place) {
      places.set(lines.length, { line: reader.second + 1, column: reader.third + 1, offset: reader.first });
      continue;
    }
    lines.push(reader.line + 1);
    columns.push(reader.column + 1);
    lengths.push(editText(reader, source, prefix, texts, firstFunction + reader.functionIndex).length);
  }
  return { lines: Uint32Array.from(lines), columns: Uint32Array.from(columns), lengths: Uint16Array.from(lengths), places };
}

/** Index of the first edit on `line`, or of the first one after it. */
function firstOf(lines: Uint32Array, line: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle] as number) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
