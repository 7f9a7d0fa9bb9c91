import {
  BigIntAsUintN as asUintN,
  BigInt_ as bigInt,
  BigIntPrototypeToString as bigText,
  StringFromCodePoint as fromCodePoint,
  ObjectGetOwnPropertyDescriptor as getOwnPropertyDescriptor,
  NumberIsFinite as isFiniteNumber,
  typesIsProxy as isProxy,
  NumberIsSafeInteger as isSafeInteger,
  Number_ as numberOf,
  StringPrototypePadEnd as padEnd,
  StringPrototypePadStart as padStart,
  NumberPrototypeToFixed as toFixed,
  MathTrunc as trunc,
  StringPrototypeToUpperCase as upper,
} from '../../base/primordials.js';
import { isHuge, textOf } from '../events/slot-values.js';
import { SafeMap, slice } from '../realm/primordials.js';

/**
 * Fills in the conversions of trace_printk() (Documentation/core-api/printk-formats.rst) from values of the program. Runs none of
 * its code, and never throws: a value that is not of the conversion's kind is shown as a text field shows it.
 */

// Taken before the program could replace them.

/** The most columns or digits that a conversion fills. */
const MAX_WIDTH = 1024;
const MAX_FRACTION = 100;
const FLAGS = '-+ #0';
const LENGTHS = 'hlLqzt';
const DIGITS = '0123456789';

interface Conversion {
  readonly flags: string;
  readonly width: number;
  /** -1 if there is none. */
  readonly precision: number;
  /** `l`, `ll`, `z` and the like: the value has 64 bits. */
  readonly isLong: boolean;
}

type Convert = (value: unknown, conversion: Conversion) => string;

/** By letter: whether the integer is signed, its radix, and what `#` puts before it. */
const INTEGERS: Readonly<Record<string, readonly [signed: boolean, radix: number, prefix: string]>> = {
  d: [true, 10, ''],
  i: [true, 10, ''],
  u: [false, 10, ''],
  o: [false, 8, '0'],
  x: [false, 16, '0x'],
  X: [false, 16, '0X'],
};

/** The integer that a value is; undefined for what is no finite number. */
function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && isFiniteNumber(value) ? bigInt(trunc(value)) : undefined;
}

const has = (text: string, letter: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text[i] === letter) return true;
  return false;
};

const signOf = (isNegative: boolean, flags: string): string =>
  isNegative ? '-' : has(flags, '+') ? '+' : has(flags, ' ') ? ' ' : '';

/** Zeros between the sign and the digits, where the flags ask for them. */
const filled = (before: string, digits: string, { flags, width }: Conversion): string =>
  has(flags, '0') && !has(flags, '-') ? before + padStart(digits, width - before.length, '0') : before + digits;

function integer(letter: string): Convert {
  const [signed, radix, prefix] = INTEGERS[letter]!;
  return (value, conversion) => {
    const { flags, precision, isLong } = conversion;
    if (signed && flags === '' && precision < 0 && isSafeInteger(value)) return `${value as number}`;
    const whole = wholeOf(value);
    if (whole === undefined || isHuge(whole)) return textOf(value);
    const isNegative = whole < 0n;
    // A negative number as C has it without a sign: in 32 bits if it fits into them.
    const bits = !isLong && whole >= -0x80000000n ? 32 : 64;
    const shown = !isNegative ? whole : signed ? -whole : asUintN(bits, whole);
    const digits = padStart(bigText(shown, radix), precision, '0');
    const sign = signed ? signOf(isNegative, flags) : '';
    const before = sign + (has(flags, '#') && shown !== 0n ? prefix : '');
    const text = precision < 0 ? filled(before, digits, conversion) : before + digits;
    return letter === 'X' ? upper(text) : text;
  };
}

const cut = (text: string, precision: number): string => (precision < 0 ? text : slice(text, 0, precision));

/** What a function is called; any other value as text. */
function nameOf(value: unknown): string {
  if (typeof value !== 'function' || isProxy(value)) return textOf(value);
  const name = getOwnPropertyDescriptor(value, 'name')?.value as unknown;
  return typeof name === 'string' && name !== '' ? name : '(anonymous)';
}

const fraction: Convert = (value, conversion) => {
  const { flags, precision } = conversion;
  const number = typeof value === 'bigint' ? numberOf(value) : value;
  if (typeof number !== 'number' || !isFiniteNumber(number)) return textOf(value);
  const isNegative = number < 0;
  const digits = toFixed(isNegative ? -number : number, precision < 0 ? 6 : precision < MAX_FRACTION ? precision : MAX_FRACTION);
  return filled(signOf(isNegative, flags), digits, conversion);
};

const character: Convert = (value) => {
  if (typeof value === 'number' && value >= 0 && value <= 0x10ffff) return fromCodePoint(trunc(value));
  return slice(textOf(value), 0, 1);
};

/** By letter; `%p` with any letters behind it is `p`. */
const CONVERSIONS: Readonly<Record<string, Convert>> = {
  ...Object.fromEntries(Object.keys(INTEGERS).map((letter) => [letter, integer(letter)])),
  c: character,
  f: fraction,
  j: (value, { precision }) => cut(textOf(value), precision),
  p: nameOf,
  s: (value, { precision }) => cut(textOf(value), precision),
};

const isLetter = (letter: string): boolean => (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');

/** A width or precision from an argument. */
function argumentWidth(value: unknown): number {
  const whole = wholeOf(value) ?? 0n;
  return whole > MAX_WIDTH ? MAX_WIDTH : whole < -MAX_WIDTH ? -MAX_WIDTH : numberOf(whole);
}

/** A number that is written, or the next value. */
type Written = number | '*';

/** A part of a format: text, and the conversion behind it, if there is one. */
interface Part {
  readonly before: string;
  /** The conversion as it is written: shown if it is not known, or has no value. */
  readonly written: string;
  readonly convert: Convert | undefined;
  readonly flags: string;
  readonly width: Written;
  readonly precision: Written;
  readonly isLong: boolean;
}

function parse(format: string): readonly Part[] {
  const parts: Part[] = [];
  let before = '';
  let from = 0;
  let i = 0;
  const many = (letters: string): string => {
    const start = i;
    while (i < format.length && has(letters, format[i]!)) i++;
    return slice(format, start, i);
  };
  const number = (): Written => {
    if (format[i] !== '*') {
      const written = numberOf(many(DIGITS));
      return written < MAX_WIDTH ? written : MAX_WIDTH;
    }
    i++;
    return '*';
  };
  while (i < format.length) {
    if (format[i] !== '%') {
      i++;
      continue;
    }
    before += slice(format, from, i);
    from = i++;
    if (format[i] === '%') {
      // The second one begins what follows.
      from = i++;
      continue;
    }
    const flags = many(FLAGS);
    const width = number();
    let precision: Written = -1;
    if (format[i] === '.') {
      i++;
      precision = number();
    }
    const isLong = has('lLqzt', many(LENGTHS)[0] ?? ' ');
    const letter = format[i++] ?? '';
    const convert = getOwnPropertyDescriptor(CONVERSIONS, letter)?.value as Convert | undefined;
    if (letter === 'p') while (i < format.length && isLetter(format[i]!)) i++;
    const written = slice(format, from, i);
    parts[parts.length] = { before, written, convert, flags, width, precision, isLong };
    before = '';
    from = i;
  }
  const none = { convert: undefined, flags: '', width: 0, precision: -1, isLong: false } as const;
  parts[parts.length] = { before: before + slice(format, from), written: '', ...none };
  return parts;
}

/** The parts of formats: the first so many, if they are no longer. Programs have few. */
const parsed = new SafeMap<string, readonly Part[]>();
const MAX_PARSED = 1000;
const MAX_FORMAT = 256;

function partsOf(format: string): readonly Part[] {
  const known = parsed.get(format);
  if (known !== undefined) return known;
  const parts = parse(format);
  if (parsed.size < MAX_PARSED && format.length <= MAX_FORMAT) parsed.set(format, parts);
  return parts;
}

/**
 * A format with its values filled in. A conversion without a value, and one that is not known, stay as they are written.
 */
export function printkText(format: string, values: readonly unknown[]): string {
  const parts = partsOf(format);
  let text = '';
  let next = 0;
  for (let i = 0; i < parts.length; i++) {
    const { before, written, convert, flags: own, width: asked, precision: most, isLong } = parts[i]!;
    text += before;
    let flags = own;
    let width = asked === '*' ? argumentWidth(values[next++]) : asked;
    if (width < 0) {
      flags += '-';
      width = -width;
    }
    const precision = most === '*' ? argumentWidth(values[next++]) : most;
    if (convert === undefined || next >= values.length) {
      text += written;
      continue;
    }
    const shown = convert(values[next++], { flags, width, precision, isLong });
    text += width === 0 ? shown : has(flags, '-') ? padEnd(shown, width) : padStart(shown, width);
  }
  return text;
}
