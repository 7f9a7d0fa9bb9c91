import { caughtText } from './caught.js';
import { Piece } from './edit-form.js';
import { EditReader, type Edits, ENTRY_THIS } from './edits.js';
import { entryText } from './entry.js';
import { PIECES, pieceArguments, pieceNames } from './pieces.js';
import { statementText } from './statement.js';

let known: { readonly prefix: string; readonly texts: readonly string[] } | undefined;

/** The texts of the pieces with `prefix` in them, by number; those with numbers of their own keep `K` and `J`. */
export function pieceTexts(prefix: string): readonly string[] {
  // Nearly all texts have the same prefix. Made anew for each of 1,000 texts, they took 42 ms of CPU.
  if (known?.prefix !== prefix) known = { prefix, texts: pieceNames().map((name) => PIECES[name].split('P').join(prefix)) };
  return known.texts;
}

/** The text of the reader's current edit; for an entry, that of function number `n`. `texts` are pieceTexts(prefix). */
export function editText(reader: EditReader, source: string, prefix: string, texts: readonly string[], n: number): string {
  if (reader.piece === Piece.Entry) return entryText(prefix, n, reader.first, namesOf(reader, source));
  if (reader.piece === Piece.Statement) {
    return statementText(prefix, n, reader.second, reader.first === ENTRY_THIS, namesOf(reader, source));
  }
  if (reader.piece === Piece.Caught) return caughtText(prefix, reader.first, namesOf(reader, source).slice(1));
  const text = texts[reader.piece] as string;
  if (pieceArguments()[reader.piece] === 0) return text;
  return text.replaceAll('K', String(reader.first)).replaceAll('J', String(reader.second));
}

function namesOf({ names, spans }: EditReader, source: string): string {
  let text = '';
  for (let i = 0; i < names; i++) text += `,${source.slice(spans[2 * i], spans[2 * i + 1])}`;
  return text;
}

/**
 * The instrumented text of `source`: its functions have the numbers `firstFunction`, `firstFunction` + 1, ... in the
 * order of the table. Lines keep their numbers.
 */
export function assemble(source: string, edits: Edits, prefix: string, firstFunction: number): string {
  const texts = pieceTexts(prefix);
  const reader = new EditReader(edits);
  let out = '';
  let from = 0;
  while (reader.next()) {
    if (reader.offset > from) {
      out += source.slice(from, reader.offset);
      from = reader.offset;
    }
    out += editText(reader, source, prefix, texts, firstFunction + reader.functionIndex);
  }
  return out + source.slice(from);
}
