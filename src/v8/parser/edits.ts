/**
 * The edits that a walk over the tree has decided: their stored form, and the text that they make of the source, as text/edits.ts
 * and text/assemble.ts have them. V8 would compile those two in a program's first start, for one text.
 *
 * What is given (Given of edit-form.ts) stands where the tree was.
 */
import { Bits, Blank, Code, EditWord, FunctionWord, Given, NO_SITES, Piece, Template } from '../text/edit-form';
import { ensure, refuse, source, sourceEnd, tables } from './memory';

const WORD: i32 = 4;
const UNIT: i32 = 2;
const EDIT_BYTES: i32 = EditWord.Words * WORD;
const FUNCTION_BYTES: i32 = FunctionWord.Words * WORD;
const NAME_BYTES: i32 = 2 * WORD;
const MOST_LINES: i32 = (1 << Bits.Lines) - 1;
const MOST_LENGTH: i32 = (1 << Bits.NameLength) - 1;
const HAS_MORE_FLAGS: i32 = 1 << Bits.Flags;
const COMMA: i32 = 0x2c;
const ZERO: i32 = 0x30;
/** The memory grows by so much for a text. */
const STEP: i32 = 1 << 18;
/** The most that is put for a unit of a template, besides names: the digits of a number. */
const MOST_PUT: i32 = 10 * UNIT;

/** Where the given tables begin, how many numbers of its own each piece has among them; `free` is behind them. */
let counts: i32 = 0;
let edits: i32 = 0;
let functions: i32 = 0;
let lines: i32 = 0;
let lineCount: i32 = 0;
let names: i32 = 0;
let free: i32 = 0;

/** The edit encoded last: its offset, its line, and the function of the last entry up to it. */
let offset: i32 = 0;
let line: i32 = 0;
let lastFunction: i32 = 0;

/** Where the next byte is written. */
let out: i32 = 0;
let templates: i32 = 0;
/** Where the memory ends. */
let limit: i32 = 0;
let isWide: bool = false;

/** Forgets what was given: another text is read. */
export function beginEdits(): void {
  free = 0;
}

/** Makes room for what is given and what `encode` makes of it; returns the place for it. */
export function give(bytes: i32): i32 {
  ensure(tables + bytes);
  return tables;
}

function given(what: i32): i32 {
  return load<i32>(tables + what * WORD);
}

function word(edit: i32, what: i32): i32 {
  return load<i32>(edit + what * WORD);
}

function functionWord(index: i32, what: i32): i32 {
  return load<i32>(functions + index * FUNCTION_BYTES + what * WORD);
}

/** Whether an edit is left out, because its function has no sites. */
function isLeftOut(owner: i32): bool {
  return owner >= 0 && functionWord(owner, FunctionWord.Flags) === NO_SITES;
}

function lineStart(index: i32): i32 {
  return index < lineCount ? load<i32>(lines + index * WORD) : i32.MAX_VALUE;
}

/** The line of an offset that is not before `from`, a line. */
function lineFrom(from: i32, at: i32): i32 {
  let found = from;
  while (lineStart(found + 1) <= at) found++;
  return found;
}

/** The line of any offset. */
function lineOf(at: i32): i32 {
  let low = 0;
  let high = lineCount;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (lineStart(middle) <= at) low = middle;
    else high = middle;
  }
  return low;
}

function number(value: u32): void {
  while (value > 127) {
    store<u8>(out++, (value & 127) | 128);
    value >>>= 7;
  }
  store<u8>(out++, value);
}

function folded(value: i32): u32 {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function codeOf(piece: i32): i32 {
  if (piece === Piece.Entry) return Code.Entry;
  if (piece === Piece.Value) return Code.Value;
  return piece === Piece.ExitValue ? Code.ExitValue : Code.Other;
}

/** Writes names that an edit passes, from the last to the first. */
function encodeNames(first: i32, count: i32): void {
  let behind = offset;
  for (let i = first + count - 1; i >= first; i--) {
    const start = load<i32>(names + i * NAME_BYTES);
    const end = load<i32>(names + i * NAME_BYTES, WORD);
    const length = min(end - start, MOST_LENGTH);
    number((folded(behind - end) << Bits.NameLength) + length);
    if (length === MOST_LENGTH) number(end - start - MOST_LENGTH);
    behind = start;
  }
}

/** Writes where an edit is, and its piece. It is the edit encoded last then. */
function encodePosition(at: i32, piece: i32): void {
  const code = codeOf(piece);
  const atLine = lineFrom(line, at);
  const moved = atLine - line;
  number(((at - offset) << 3) + (code << 1) + (moved > 0 ? 1 : 0));
  if (moved > 0) {
    const few = min(moved - 1, MOST_LINES);
    number(((at - lineStart(atLine)) << Bits.Lines) + few);
    if (few === MOST_LINES) number(moved - 1 - MOST_LINES);
  }
  if (code === Code.Other) number(piece);
  offset = at;
  line = atLine;
}

function encodeEntry(owner: i32): void {
  const flags = functionWord(owner, FunctionWord.Flags);
  const count = functionWord(owner, FunctionWord.Names);
  const more = flags >>> Bits.Flags;
  number(folded(owner - lastFunction));
  lastFunction = owner;
  number((count << (Bits.Flags + 1)) + (flags & (HAS_MORE_FLAGS - 1)) + (more > 0 ? HAS_MORE_FLAGS : 0));
  if (more > 0) number(more);
  encodeNames(functionWord(owner, FunctionWord.FirstName), count);
}

function encodePlace(place: i32): void {
  const placeLine = lineOf(place);
  number(folded(offset - place));
  number(folded(line - placeLine));
  number(place - lineStart(placeLine));
}

/** @param name the index of the name and 1, or 0 */
function encodeCaught(form: i32, name: i32): void {
  const count = name > 0 ? 1 : 0;
  number(form);
  number(count);
  encodeNames(name - 1, count);
}

/** Writes the stored form of the edits that were given, behind them. Returns where it ends. */
export function encode(): i32 {
  counts = tables + Given.Words * WORD;
  edits = counts + Template.Caught * WORD;
  functions = edits + given(Given.Edits) * EDIT_BYTES;
  lines = functions + given(Given.Functions) * FUNCTION_BYTES;
  lineCount = given(Given.Lines);
  names = lines + lineCount * WORD;
  free = names + given(Given.Names) * NAME_BYTES;
  out = free;
  offset = 0;
  line = 0;
  lastFunction = 0;
  for (let edit = edits; edit < functions; edit += EDIT_BYTES) {
    const owner = word(edit, EditWord.Owner);
    if (isLeftOut(owner)) continue;
    const piece = word(edit, EditWord.Piece);
    const first = word(edit, EditWord.First);
    const second = word(edit, EditWord.Second);
    encodePosition(word(edit, EditWord.Offset), piece);
    const count = load<i32>(counts + piece * WORD);
    if (piece === Piece.Entry) encodeEntry(owner);
    else if (piece === Piece.Place) encodePlace(first);
    else if (piece === Piece.Caught) encodeCaught(first, second);
    else {
      if (count > 0) number(first);
      if (count > 1) number(second);
    }
  }
  return out;
}

/** Whether the source has a unit that does not fit into a byte. Zeros stand behind it. */
function holdsWide(): bool {
  let all: u64 = 0;
  for (let at = source; at < sourceEnd; at += 32) all |= load<u64>(at) | load<u64>(at, 8) | load<u64>(at, 16) | load<u64>(at, 24);
  return ((<u32>all | <u32>(all >> 32)) & 0xff00_ff00) !== 0;
}

/** Room for more bytes, which the system gives as they are written. */
function room(bytes: i32): void {
  if (out + bytes <= limit) return;
  ensure(out + bytes + STEP);
  limit = memory.size() << 16;
}

/** Copies a part of the source. */
function copy(from: i32, to: i32): void {
  room(to - from);
  if (isWide) {
    memory.copy(out, from, to - from);
    out += to - from;
    return;
  }
  let at = from;
  // Four units at once: this is most of the text.
  for (const last = to - 4 * UNIT; at <= last; at += 4 * UNIT) {
    let four = load<u64>(at);
    four = (four | (four >> 8)) & 0x0000_ffff_0000_ffff;
    store<u32>(out, <u32>(four | (four >> 16)));
    out += 4;
  }
  for (; at < to; at += UNIT) store<u8>(out++, load<u16>(at));
}

function put(unit: i32): void {
  if (isWide) {
    store<u16>(out, unit);
    out += UNIT;
  } else store<u8>(out++, unit);
}

function putDecimal(value: u32): void {
  let power: u32 = 1;
  while (value / power > 9) power *= 10;
  for (; power > 0; power /= 10) put(ZERO + ((value / power) % 10));
}

function putNames(first: i32, count: i32, withCommas: bool): void {
  for (let i = first; i < first + count; i++) {
    room(UNIT);
    if (withCommas) put(COMMA);
    copy(source + load<i32>(names + i * NAME_BYTES) * UNIT, source + load<i32>(names + i * NAME_BYTES, WORD) * UNIT);
  }
}

/** Writes a template, and fills its blanks. @param count the number of names from `firstName` on */
function fill(index: i32, first: u32, second: u32, firstName: i32, count: i32): void {
  const entry = templates + index * WORD;
  const end = templates + load<i32>(entry, WORD);
  for (let unit = templates + load<i32>(entry); unit < end; unit++) {
    room(MOST_PUT);
    const value = <i32>load<u8>(unit);
    if (value > Blank.Name) put(value);
    else if (value === Blank.First) putDecimal(first);
    else if (value === Blank.Second) putDecimal(second);
    else putNames(firstName, count, value === Blank.Names);
  }
}

/** Makes room behind what was given, and returns its place. */
export function behind(bytes: i32): i32 {
  if (free === 0) refuse();
  ensure(free + bytes);
  return free;
}

/** Whether `assemble` makes a text of units of two bytes. */
export function isTextWide(): bool {
  return isWide;
}

/**
 * Writes the text of the edits that were given, behind the templates. Returns where it ends.
 * @param at where the templates are: a table of Template.Count + 1 offsets from its beginning, and the units between these, each
 * in a byte
 * @param text where the text begins
 * @param firstFunction the number of the function with index 0
 */
export function assemble(at: i32, text: i32, firstFunction: u32): i32 {
  templates = at;
  isWide = holdsWide();
  out = text;
  limit = memory.size() << 16;
  let from = source;
  for (let edit = edits; edit < functions; edit += EDIT_BYTES) {
    const owner = word(edit, EditWord.Owner);
    const piece = word(edit, EditWord.Piece);
    if (piece === Piece.Place || isLeftOut(owner)) continue;
    const to = source + word(edit, EditWord.Offset) * UNIT;
    copy(from, to);
    from = to;
    const first = word(edit, EditWord.First);
    const second = word(edit, EditWord.Second);
    if (piece === Piece.Entry) {
      const flags = functionWord(owner, FunctionWord.Flags);
      const firstName = functionWord(owner, FunctionWord.FirstName);
      const count = functionWord(owner, FunctionWord.Names);
      fill(Template.Entries + flags, firstFunction + owner, 0, firstName, count);
    } else if (piece === Piece.Caught) {
      fill(Template.Caught + 2 * first + (second > 0 ? 1 : 0), 0, 0, second - 1, 1);
    } else fill(piece, first, second, 0, 0);
  }
  copy(from, sourceEnd);
  return out;
}
