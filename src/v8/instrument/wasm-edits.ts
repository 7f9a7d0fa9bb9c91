import { pieceTexts } from '../text/assemble.js';
import { CAUGHT_FORMS, caughtText } from '../text/caught.js';
import { Blank, EditWord, FunctionWord, Given, Longest, NO_SITES, Template } from '../text/edit-form.js';
import type { Edits } from '../text/edits.js';
import { entryText } from '../text/entry.js';
import { pieceArguments } from '../text/pieces.js';
import type { AnyNode } from './parse.js';
import type { Parser } from './parser-exports.js';
import { type Decided, entryFlags } from './write-edits.js';

const WORD_BYTES = 4;

/** Edits written by the parser, and what makes the text of them. */
export interface WrittenFast {
  readonly edits: Edits;
  /** Makes the text that `assemble` of text/ makes; undefined if there is no memory for it, or another one was read since. */
  readonly assemble: (prefix: string, firstFunction: number) => string | undefined;
}

/** How often edits were written. */
let written = 0;

/**
 * Does what `writeEdits` does, by code that is fast from its first call. It needs the place of the parser's tree, whose nodes are
 * not valid afterwards.
 * @returns undefined if there is no memory for it: the tree is still there
 */
export function writeEditsFast(parser: Parser, decided: Decided): WrittenFast | undefined {
  const words = givenFor(decided);
  const most = words[Given.Edits]! * Longest.Numbers + words[Given.Names]! * Longest.NameNumbers;
  try {
    const at = parser.give(words.byteLength + most * Longest.Bytes);
    new Int32Array(parser.memory.buffer, at, words.length).set(words);
    const start = at + words.byteLength;
    const bytes = new Uint8Array(parser.memory.buffer, start, parser.encode() - start).slice();
    const own = ++written;
    return {
      edits: { functions: decided.found.length, bytes },
      assemble: (prefix, firstFunction) => (own === written ? assembleFast(parser, prefix, firstFunction) : undefined),
    };
  } catch {
    return undefined;
  }
}

/** What the parser is given (Given), in memory of its own: some of it is read from the tree, whose place it takes then. */
function givenFor({ edits, found, lines }: Decided): Int32Array {
  const counts = pieceArguments();
  const { starts } = lines;
  let nameCount = edits.named.size;
  for (let i = 0; i < found.length; i++) nameCount += found[i]!.params.length;
  const editsAt = Given.Words + Template.Caught;
  const functionsAt = editsAt + edits.length * EditWord.Words;
  const linesAt = functionsAt + found.length * FunctionWord.Words;
  const namesAt = linesAt + starts.length;
  const words = new Int32Array(namesAt + 2 * nameCount);
  words[Given.Edits] = edits.length;
  words[Given.Functions] = found.length;
  words[Given.Lines] = starts.length;
  words[Given.Names] = nameCount;
  words.set(counts, Given.Words);
  words.set(edits.words.subarray(0, edits.length * EditWord.Words), editsAt);
  words.set(starts, linesAt);
  let names = 0;
  const addName = ({ start, end }: AnyNode): void => {
    words[namesAt + 2 * names] = start;
    words[namesAt + 2 * names + 1] = end;
    names++;
  };
  for (let i = 0, at = functionsAt; i < found.length; i++, at += FunctionWord.Words) {
    const one = found[i]!;
    words[at + FunctionWord.Flags] = one.reason === undefined ? entryFlags(one) : NO_SITES;
    words[at + FunctionWord.FirstName] = names;
    words[at + FunctionWord.Names] = one.params.length;
    for (const param of one.params) addName(param);
  }
  for (const [index, [name]] of edits.named) {
    words[editsAt + index * EditWord.Words + EditWord.Second] = name === undefined ? 0 : names + 1;
    if (name !== undefined) addName(name);
  }
  return words;
}

function assembleFast(parser: Parser, prefix: string, firstFunction: number): string | undefined {
  try {
    const templates = templatesFor(prefix);
    const at = parser.behind(templates.length);
    new Uint8Array(parser.memory.buffer, at, templates.length).set(templates);
    const start = at + templates.length;
    const end = parser.assemble(at, start, firstFunction);
    const text = Buffer.from(parser.memory.buffer, start, end - start);
    return text.toString(parser.isTextWide() ? 'utf16le' : 'latin1');
  } catch {
    return undefined;
  }
}

let known: { readonly prefix: string; readonly templates: Uint8Array } | undefined;

/** The templates of `prefix` (Template): offsets from the beginning, and a byte for each unit. */
function templatesFor(prefix: string): Uint8Array {
  if (known?.prefix !== prefix) known = { prefix, templates: joined(templateTexts(prefix)) };
  return known.templates;
}

const blank = (unit: Blank): string => String.fromCharCode(unit);

function templateTexts(prefix: string): string[] {
  const texts = pieceTexts(prefix).map((text, piece) =>
    pieceArguments()[piece] === 0 ? text : text.replaceAll('K', blank(Blank.First)).replaceAll('J', blank(Blank.Second)),
  );
  for (let form = 0; form < CAUGHT_FORMS; form++) {
    texts[Template.Caught + 2 * form] = caughtText(prefix, form, '');
    texts[Template.Caught + 2 * form + 1] = caughtText(prefix, form, blank(Blank.Name));
  }
  for (let flags = 0; Template.Entries + flags < Template.Count; flags++)
    texts[Template.Entries + flags] = entryText(prefix, blank(Blank.First), flags, blank(Blank.Names));
  return texts;
}

function joined(texts: readonly string[]): Uint8Array {
  let end = (Template.Count + 1) * WORD_BYTES;
  const offsets = new Uint32Array(Template.Count + 1);
  for (let i = 0; i < Template.Count; i++) {
    offsets[i] = end;
    end += texts[i]?.length ?? 0;
  }
  offsets[Template.Count] = end;
  // The text begins behind it, at a multiple of its units.
  const bytes = new Uint8Array((end + 7) & ~7);
  bytes.set(new Uint8Array(offsets.buffer));
  const buffer = Buffer.from(bytes.buffer);
  texts.forEach((text, i) => {
    buffer.write(text, offsets[i] as number, 'latin1');
  });
  return bytes;
}
