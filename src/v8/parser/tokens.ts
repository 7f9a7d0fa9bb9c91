/** The scanner: one token at a time. Where a `/` or a template begins is known to the parser, which asks for those. */

import { classOf, continuesWord, DIGIT, digits, escapeEnd, isLineEnd, isStrange, LETTER, lineEnd, unit } from './characters';
import { Kind } from './kinds';
import { refuse, source, sourceEnd } from './memory';
import { kindOf, LONGEST } from './words';

/** The current token. Its word is the number of a name or a word of the language (words.ts), 0 for others. */
export let kind: i32 = 0;
export let start: i32 = 0;
export let end: i32 = 0;
export let word: u64 = 0;
/** Whether a line ends before it. */
export let afterLine: bool = false;
/** The end of the token before it. */
export let lastEnd: i32 = 0;

/** Begins with the first token of the source. */
export function begin(): void {
  end = source;
  lastEnd = source;
  kind = Kind.End;
  if (unit(source) === 35 && unit(source + 2) === 33) end = lineEnd(source);
  // For the parser, the token before the first one ends where the text begins.
  next();
  lastEnd = source;
}

/** Moves to the next token. */
export function next(): void {
  lastEnd = end;
  start = skipSpace(end);
  scan(start);
}

/** Whether a line ends before the token that was last peeked at. */
export let peekedAfterLine: bool = false;

/** The kind of the token behind the current one, which stays the current one. */
export function peek(): i32 {
  const kindBefore = kind;
  const startBefore = start;
  const endBefore = end;
  const wordBefore = word;
  const afterLineBefore = afterLine;
  const lastEndBefore = lastEnd;
  next();
  const peeked = kind;
  peekedAfterLine = afterLine;
  kind = kindBefore;
  start = startBefore;
  end = endBefore;
  word = wordBefore;
  afterLine = afterLineBefore;
  lastEnd = lastEndBefore;
  return peeked;
}

/** The first unit of the next token; says in `afterLine` whether a line ends before it. */
function skipSpace(from: i32): i32 {
  let at = from;
  afterLine = false;
  while (true) {
    const c = unit(at);
    if (c === 32 || c === 9 || c === 11 || c === 12 || c === 0xa0 || c === 0xfeff) at += 2;
    else if (isLineEnd(c)) {
      afterLine = true;
      at += 2;
    } else if (c !== 47) return at;
    else if (unit(at + 2) === 47) at = lineEnd(at);
    else if (unit(at + 2) === 42) at = commentEnd(at + 4);
    else return at;
  }
}

function commentEnd(from: i32): i32 {
  let at = from;
  while (true) {
    const c = unit(at);
    if (c === 42 && unit(at + 2) === 47) return at + 4;
    if (isLineEnd(c)) afterLine = true;
    else if (at >= sourceEnd) refuse();
    at += 2;
  }
}

function take(found: i32, size: i32): void {
  kind = found;
  end = start + size * 2;
}

function scan(at: i32): void {
  const c = unit(at);
  word = 0;
  if (c >= 128) refuse();
  const found = classOf(c);
  if (found === LETTER) {
    scanWord(at);
    return;
  }
  if (found === DIGIT) {
    scanNumber(at);
    return;
  }
  const d = unit(at + 2);
  switch (c) {
    case 33: // !
      if (d !== 61) take(Kind.Not, 1);
      else if (unit(at + 4) === 61) take(Kind.NotSame, 3);
      else take(Kind.NotEqual, 2);
      return;
    case 34: // "
    case 39: // '
      scanString(at, c);
      return;
    case 35: // #
      if (classOf(d) !== LETTER) refuse();
      scanWord(at + 2);
      kind = Kind.PrivateName;
      word = 0;
      return;
    case 37: // %
      if (d === 61) take(Kind.AssignRemainder, 2);
      else take(Kind.Remainder, 1);
      return;
    case 38: // &
      if (d === 38) scanTwice(at, Kind.BothTrue, Kind.AssignBothTrue);
      else if (d === 61) take(Kind.AssignAnd, 2);
      else take(Kind.And, 1);
      return;
    case 40:
      take(Kind.ParenOpen, 1);
      return;
    case 41:
      take(Kind.ParenClose, 1);
      return;
    case 42: // *
      if (d === 42) scanTwice(at, Kind.Power, Kind.AssignPower);
      else if (d === 61) take(Kind.AssignMultiply, 2);
      else take(Kind.Multiply, 1);
      return;
    case 43: // +
      if (d === 43) take(Kind.Increment, 2);
      else if (d === 61) take(Kind.AssignAdd, 2);
      else take(Kind.Add, 1);
      return;
    case 44:
      take(Kind.Comma, 1);
      return;
    case 45: // -
      if (d === 45) {
        // `-->` can begin a comment.
        if (unit(at + 4) === 62) refuse();
        take(Kind.Decrement, 2);
      } else if (d === 61) take(Kind.AssignSubtract, 2);
      else take(Kind.Subtract, 1);
      return;
    case 46: // .
      if (classOf(d) === DIGIT) scanNumber(at);
      else if (d === 46 && unit(at + 4) === 46) take(Kind.Ellipsis, 3);
      else take(Kind.Dot, 1);
      return;
    case 47: // /
      if (d === 61) take(Kind.AssignDivide, 2);
      else take(Kind.Divide, 1);
      return;
    case 58:
      take(Kind.Colon, 1);
      return;
    case 59:
      take(Kind.Semicolon, 1);
      return;
    case 60: // <
      // `<!--` can begin a comment.
      if (d === 33 && unit(at + 4) === 45 && unit(at + 6) === 45) refuse();
      if (d === 60) scanTwice(at, Kind.ShiftLeft, Kind.AssignShiftLeft);
      else if (d === 61) take(Kind.LessOrEqual, 2);
      else take(Kind.Less, 1);
      return;
    case 61: // =
      if (d === 62) take(Kind.Arrow, 2);
      else if (d !== 61) take(Kind.Assign, 1);
      else if (unit(at + 4) === 61) take(Kind.Same, 3);
      else take(Kind.Equal, 2);
      return;
    case 62: // >
      if (d === 62 && unit(at + 4) === 62) {
        if (unit(at + 6) === 61) take(Kind.AssignShiftRightZero, 4);
        else take(Kind.ShiftRightZero, 3);
      } else if (d === 62) scanTwice(at, Kind.ShiftRight, Kind.AssignShiftRight);
      else if (d === 61) take(Kind.GreaterOrEqual, 2);
      else take(Kind.Greater, 1);
      return;
    case 63: // ?
      if (d === 63) scanTwice(at, Kind.Coalesce, Kind.AssignCoalesce);
      else if (d === 46 && classOf(unit(at + 4)) !== DIGIT) take(Kind.OptionalDot, 2);
      else take(Kind.Question, 1);
      return;
    case 91:
      take(Kind.BracketOpen, 1);
      return;
    case 93:
      take(Kind.BracketClose, 1);
      return;
    case 94: // ^
      if (d === 61) take(Kind.AssignXor, 2);
      else take(Kind.Xor, 1);
      return;
    case 96:
      take(Kind.Template, 1);
      return;
    case 123:
      take(Kind.BraceOpen, 1);
      return;
    case 124: // |
      if (d === 124) scanTwice(at, Kind.EitherTrue, Kind.AssignEitherTrue);
      else if (d === 61) take(Kind.AssignOr, 2);
      else take(Kind.Or, 1);
      return;
    case 125:
      take(Kind.BraceClose, 1);
      return;
    case 126:
      take(Kind.Complement, 1);
      return;
    default:
      if (at < sourceEnd) refuse();
      take(Kind.End, 0);
  }
}

/** An operator of the same character twice, or that with `=`. */
function scanTwice(at: i32, plain: i32, assigning: i32): void {
  if (unit(at + 4) === 61) take(assigning, 3);
  else take(plain, 2);
}

/** A name or a word of the language. One with an escape or a character that is not ASCII is refused. */
function scanWord(from: i32): void {
  let at = from;
  let number: u64 = 0;
  let isSmall = true;
  while (true) {
    const c = unit(at);
    if (classOf(c) === 0) {
      if (isStrange(c)) refuse();
      break;
    }
    number = (number << 5) | (c & 31);
    if (c < 97) isSmall = false;
    at += 2;
  }
  end = at;
  if (isSmall && at - from <= LONGEST * 2) {
    word = number;
    kind = kindOf(number);
  } else kind = Kind.Name;
}

/** A number. Those of old octal form are refused, as their value depends on what is around. */
function scanNumber(from: i32): void {
  let at = from;
  kind = Kind.Number;
  const mark = unit(at + 2) | 32;
  if (unit(at) === 48 && (mark === 120 || mark === 111 || mark === 98)) {
    at = digits(at + 4, mark === 120 ? 16 : mark === 111 ? 8 : 2);
    if (unit(at) === 110) {
      kind = Kind.Bigint;
      at += 2;
    }
  } else {
    if (unit(at) === 48 && (classOf(unit(at + 2)) === DIGIT || unit(at + 2) === 95)) refuse();
    const isWhole = unit(at) !== 46;
    if (isWhole) at = digits(at, 10);
    if (isWhole && unit(at) === 110) {
      kind = Kind.Bigint;
      at += 2;
    } else {
      if (unit(at) === 46) at = classOf(unit(at + 2)) === DIGIT ? digits(at + 2, 10) : at + 2;
      if ((unit(at) | 32) === 101) {
        const sign = unit(at + 2);
        at = digits(sign === 43 || sign === 45 ? at + 4 : at + 2, 10);
      }
    }
  }
  if (continuesWord(unit(at))) refuse();
  end = at;
}

function scanString(from: i32, quote: i32): void {
  let at = from + 2;
  while (true) {
    const c = unit(at);
    if (c === quote) break;
    if (c === 92) at = escapeEnd(at);
    else if (c === 10 || c === 13 || (c === 0 && at >= sourceEnd)) refuse();
    else at += 2;
  }
  kind = Kind.String;
  end = at + 2;
}

/** Moves to the token behind this place. */
export function nextFrom(at: i32): void {
  end = at;
  next();
}

/** Reads the regular expression that begins with the current token; it becomes the current one. Only its end is found. */
export function scanRegExp(): void {
  let at = start + 2;
  let isClass = false;
  while (true) {
    const c = unit(at);
    if (isLineEnd(c) || (c === 0 && at >= sourceEnd)) refuse();
    if (c === 92) {
      at += 2;
      if (isLineEnd(unit(at)) || at >= sourceEnd) refuse();
    } else if (c === 91) isClass = true;
    else if (c === 93) isClass = false;
    else if (c === 47 && !isClass) break;
    at += 2;
  }
  at += 2;
  while (classOf(unit(at)) !== 0) at += 2;
  if (continuesWord(unit(at))) refuse();
  end = at;
}

/** Whether an arrow follows the current token, with nothing but blanks between. */
export function isBeforeArrow(): bool {
  let at = end;
  while (unit(at) === 32) at += 2;
  return unit(at) === 61 && unit(at + 2) === 62;
}
