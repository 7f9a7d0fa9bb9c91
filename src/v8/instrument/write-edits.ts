import { FUNCTION_KIND, isGenerator, isModuleCode } from '../js-text.js';
import { EditWord, Piece } from '../text/edit-form.js';
import {
  type Edits,
  EditWriter,
  ENTRY_ARROW,
  ENTRY_GENERATOR,
  ENTRY_GUARD,
  ENTRY_THIS,
  ENTRY_UNSET,
  ENTRY_VALUE,
} from '../text/edits.js';
import { pieceArguments } from '../text/pieces.js';
import type { Found } from './code-scope.js';
import type { LineCounter } from './lines.js';
import type { Walk } from './walk.js';

/** What a walk has decided. */
export type Decided = Pick<Walk, 'lines' | 'edits' | 'found'>;

/** The stored form of the edits of those functions that have sites. */
export function writeEdits({ edits, found, lines }: Decided): Edits {
  const writer = new EditWriter();
  const counts = pieceArguments();
  const { words, length } = edits;
  for (let index = 0, at = 0; index < length; index++, at += EditWord.Words) {
    const number = words[at + EditWord.Owner] as number;
    const owner = number < 0 ? undefined : found[number];
    if (owner?.reason !== undefined) continue;
    const offset = words[at + EditWord.Offset] as number;
    const piece = words[at + EditWord.Piece] as number;
    const first = words[at + EditWord.First] as number;
    const line = lines.line(offset);
    writer.at(offset, line, lines.column(offset, line), piece);
    if (piece === Piece.Entry) writer.entry(number, entryFlags(owner as Found), (owner as Found).params);
    else if (piece === Piece.Place) writePlace(writer, offset, first, line, lines);
    else if (piece === Piece.Caught) writer.caught(first, edits.names(index));
    else if (piece === Piece.Statement) writer.statement(number, owner?.passesThis ? ENTRY_THIS : 0, first, edits.names(index));
    else {
      const count = counts[piece] as number;
      if (count > 0) writer.number(first);
      if (count > 1) writer.number(words[at + EditWord.Second] as number);
    }
  }
  return writer.finish(found.length);
}

/** The flags of a function's entry. */
export function entryFlags(found: Found): number {
  const isModule = isModuleCode(FUNCTION_KIND[found.kind]);
  const arrow = !isModule && found.node.body.type !== 'BlockStatement';
  return (
    (found.passesThis ? ENTRY_THIS : 0) |
    (found.needsValue ? ENTRY_VALUE : 0) |
    (arrow ? ENTRY_ARROW : 0) |
    (found.kind === 'async' ? ENTRY_GUARD : 0) |
    (isGenerator(found.kind) || isModule ? ENTRY_GENERATOR : 0) |
    (found.isPartOfExpression ? ENTRY_UNSET : 0)
  );
}

function writePlace(writer: EditWriter, offset: number, place: number, line: number, lines: LineCounter): void {
  const placeLine = lines.line(place);
  writer.signed(offset - place);
  writer.signed(line - placeLine);
  writer.number(lines.column(place, placeLine));
}
