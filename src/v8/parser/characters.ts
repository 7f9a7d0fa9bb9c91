/** The characters of the source, and what is made of them inside of tokens. */
import { isSame, refuse, sourceEnd } from './memory';

/** Classes of the characters below 128. */
export const LETTER: i32 = 1;
export const DIGIT: i32 = 2;
const CLASSES: usize = memory.data(128);
for (let c = 0; c < 128; c++) {
  const isLetter = (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 36 || c === 95;
  store<u8>(CLASSES + c, isLetter ? LETTER : c >= 48 && c <= 57 ? DIGIT : 0);
}

export function unit(at: i32): i32 {
  return load<u16>(at);
}

export function classOf(c: i32): i32 {
  return c < 128 ? load<u8>(CLASSES + c) : 0;
}

export function isLineEnd(c: i32): bool {
  return c === 10 || c === 13 || c === 0x2028 || c === 0x2029;
}

/** Whether a unit may be a part of a name: an escape, and what is not ASCII and no blank, of which more is not known here. */
export function isStrange(c: i32): bool {
  return c === 92 || (c >= 128 && c !== 0xa0 && c !== 0xfeff && !isLineEnd(c));
}

/** Whether a name follows at once. */
export function continuesWord(c: i32): bool {
  return classOf(c) !== 0 || isStrange(c);
}

export function lineEnd(from: i32): i32 {
  let at = from;
  while (at < sourceEnd && !isLineEnd(unit(at))) at += 2;
  return at;
}

export function digits(from: i32, radix: i32): i32 {
  let at = from;
  let wasDigit = false;
  while (true) {
    const c = unit(at);
    if (digitOf(c) < radix) wasDigit = true;
    else if (c === 95 && wasDigit) wasDigit = false;
    else break;
    at += 2;
  }
  if (!wasDigit) refuse();
  return at;
}

/** The value of a hexadecimal digit; more for what is none. */
function digitOf(c: i32): i32 {
  if (c >= 48 && c <= 57) return c - 48;
  const small = c | 32;
  return small >= 97 && small <= 102 ? small - 87 : 99;
}

/** Behind an escape. Wrong ones are refused, and those of old octal form. */
export function escapeEnd(from: i32): i32 {
  const c = unit(from + 2);
  const at = from + 4;
  if (c === 120) return hexEnd(at, 2);
  if (c === 117) return unit(at) === 123 ? codePointEnd(at + 2) : hexEnd(at, 4);
  if (c >= 49 && c <= 57) refuse();
  if (c === 48 && classOf(unit(at)) === DIGIT) refuse();
  if (c === 13 && unit(at) === 10) return at + 2;
  if (c === 0 && at >= sourceEnd) refuse();
  return at;
}

function hexEnd(from: i32, count: i32): i32 {
  for (let i = 0; i < count; i++) if (digitOf(unit(from + i * 2)) > 15) refuse();
  return from + count * 2;
}

function codePointEnd(from: i32): i32 {
  let at = from;
  let value = 0;
  while (unit(at) !== 125) {
    const digit = digitOf(unit(at));
    if (digit > 15) refuse();
    value = value * 16 + digit;
    if (value > 0x10ffff) refuse();
    at += 2;
  }
  if (at === from) refuse();
  return at + 2;
}

/** Where a part of a template ends that begins here: before a `${` or the closing quote. */
export function templatePartEnd(from: i32): i32 {
  let at = from;
  while (true) {
    const c = unit(at);
    if (c === 96 || (c === 36 && unit(at + 2) === 123)) return at;
    if (c === 92) at = escapeEnd(at);
    else if (c === 0 && at >= sourceEnd) refuse();
    else at += 2;
  }
}

/** Whether a template ends at the end of a part. */
export function endsTemplate(at: i32): bool {
  return unit(at) === 96;
}

/** Whether the text between two places is this. */
export function isText(from: i32, to: i32, text: string): bool {
  const bytes = text.length * 2;
  return to - from === bytes && isSame(from, changetype<i32>(text), bytes);
}

/** Whether text begins at a place. */
export function beginsWith(at: i32, text: string): bool {
  return isSame(at, changetype<i32>(text), text.length * 2);
}
