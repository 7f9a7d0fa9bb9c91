import type { TextPositions } from '../realm/texts.js';
import { editText, pieceTexts } from '../text/assemble.js';
import { ColumnMap } from '../text/column-map.js';
import { EditReader, type Edits } from '../text/edits.js';

/** Positions of a text with sites. The source need not be kept: of the names that entries pass only the lengths count. */
export const positionsOf = (length: number, edits: Edits, prefix: string, firstFunction: number): TextPositions => {
  const blank = (): string => ' '.repeat(length);
  let columns: ColumnMap | undefined;
  return {
    originalColumn(line, column) {
      columns ??= new ColumnMap(blank, edits, prefix, firstFunction);
      return columns.original(line, column);
    },
    originalOffset(offset) {
      const source = blank();
      const texts = pieceTexts(prefix);
      const reader = new EditReader(edits);
      let added = 0;
      while (reader.next() && reader.offset + added < offset) {
        const inserted = editText(reader, source, prefix, texts, firstFunction + reader.functionIndex).length;
        if (offset < reader.offset + added + inserted) return reader.offset;
        added += inserted;
      }
      return offset - added;
    },
  };
};
